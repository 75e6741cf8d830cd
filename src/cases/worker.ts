/**
 * The Worker that runs policy cases: the gateway as it is, with a clock that a case can move (`POST /.cases/advance`), a log of
 * each step's offer (`GET /.cases/offers`), a user's records delivered at once (`POST /.cases/deliver`), and other hosts whose answers
 * the case scripts. Only `npm run policy -- test` bundles it; it is in no deployment.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Hono } from "hono";
import { createApp } from "../app.ts";
import { createDeps } from "../create-deps.ts";
import type { Env } from "../deps.ts";
import type { AppEnv } from "../http/app-env.ts";
import { UserGuard as GatewayGuard } from "../index.ts";
import { lengthPrefixed } from "../lib/digest.ts";
import type { OfferedStep } from "../ports/turns/turn-observer.ts";
// Loaded at the start: a first list of an MCP server must not wait for it.
import "../tools/mcp/sdk-session.ts";

// All but `UserGuard`, which this file replaces.
export * from "../index.ts";

interface CaseVariables {
  /** Answers in place of all other hosts. */
  readonly CASES_URL: string;
  readonly UPSTREAM_BASE_URL: string;
}

/** Names the case that a request is part of. */
const CASE_HEADER = "x-policy-case";

let ahead = 0;
const now = (): number => Date.now() + ahead;
const caseOf = new AsyncLocalStorage<string>();
const offers = new Map<string, unknown[]>();
let app: Hono<AppEnv> | undefined;

export class UserGuard extends GatewayGuard {
  protected override now(): number {
    return now();
  }

  /** The runtime's clock does not move with the case's: an alarm that is set already must ring as much earlier. */
  async clockMoved(byMs: number): Promise<void> {
    const alarm = await this.ctx.storage.getAlarm();
    if (alarm !== null) await this.ctx.storage.setAlarm(alarm - byMs);
  }

  /** Does the alarm's work now, without waiting for the alarm. */
  async deliver(): Promise<void> {
    await this.alarm();
  }
}

/** Nothing leaves the machine but requests to the scripted model: all others go to the program that runs the cases. */
const fetchFor =
  ({ CASES_URL, UPSTREAM_BASE_URL }: CaseVariables): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    const id = caseOf.getStore();
    if (id === undefined || request.url.startsWith(UPSTREAM_BASE_URL)) return fetch(request);
    const headers = new Headers(request.headers);
    headers.set(CASE_HEADER, id);
    headers.set("x-policy-case-url", request.url);
    const { method, signal } = request;
    const body = request.body === null ? null : await request.arrayBuffer();
    return fetch(CASES_URL, { method, headers, signal, redirect: "manual", body });
  };

function logOffer(turn: string, { tools, withheld }: OfferedStep): void {
  const step = {
    offered: tools.map(({ name }) => name),
    withheld: Object.fromEntries(withheld.map(({ name, reasons }) => [name, reasons.map(({ code }) => code)])),
  };
  offers.set(turn, [...(offers.get(turn) ?? []), step]);
}

// biome-ignore lint/style/noDefaultExport: the runtime looks for the Worker's handlers in the default export
export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url);
    const parameter = (name: string) => searchParams.get(name) ?? "";
    if (!pathname.startsWith("/.cases/")) {
      // A script answers by the count of the model's calls: none is made twice.
      app ??= createApp({
        ...createDeps(env, { now, fetch: fetchFor(env), observe: logOffer }),
        sessionCache: undefined,
      });
      const gateway = app;
      const serve = () => gateway.fetch(request, env, ctx);
      const id = request.headers.get(CASE_HEADER);
      return id === null ? serve() : caseOf.run(id, serve);
    }
    if (pathname === "/.cases/offers") return Response.json(offers.get(parameter("turn")) ?? []);
    const guards = env.USER_GUARD as unknown as DurableObjectNamespace<UserGuard>;
    const guard = guards.get(guards.idFromName(lengthPrefixed(parameter("tenant"), parameter("user"))));
    if (pathname === "/.cases/deliver") await guard.deliver();
    else {
      const byMs = Number(parameter("ms"));
      ahead += byMs;
      await guard.clockMoved(byMs);
    }
    return Response.json({});
  },
} satisfies ExportedHandler<Env & CaseVariables>;
