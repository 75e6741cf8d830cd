/**
 * Two people with two conversations each in front of one gateway, and a bookkeeper beside them who says as plainly as it can
 * be said what may run: what its own person allowed, in its own conversation, while it waited.
 */
import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { lengthPrefixed } from "../../../src/lib/digest.ts";
import { canonicalJson } from "../../../src/lib/json/canonical-json.ts";
import type { UserGuard } from "../../../src/stores/objects/user-guard.ts";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { portsOf } from "../support/object-ports.ts";
import { runInGuard } from "../support/run-in-guard.ts";
import { type Answer, call, readAnswer, result, type ScriptedCall, says } from "../support/script.ts";

export interface Window {
  readonly user: string;
  readonly key: string;
  readonly session: string;
  readonly history: Record<string, unknown>[];
  /** The last request, and the calls that it was answered with. */
  last?: { readonly body: Record<string, unknown>; readonly headers: Record<string, string>; ids: readonly string[] };
}

export interface Known {
  readonly id: string;
  readonly code: string;
  readonly user: string;
  readonly session: string;
  readonly tool: string;
  readonly callId: string;
  /** As it was asked. */
  readonly arguments: Readonly<Record<string, unknown>>;
  status: string;
  /** What may run, in canonical form, once it is approved. */
  allowed?: string;
  ran: boolean;
}

/** What an action may make of an approval. */
export interface May {
  readonly known: Known;
  readonly status: "approved" | "denied";
  readonly edit?: Readonly<Record<string, unknown>>;
  /** With a grant for the session. */
  readonly always?: boolean;
}

export interface World {
  readonly typedCode: "always" | "never";
  readonly gate: Gateway;
  readonly windows: readonly Window[];
  readonly known: Known[];
  /** `user session tool` that was allowed always: its calls run as the model makes them. */
  readonly granted: Set<string>;
  /** What the model calls when it is asked next; after that it only talks. */
  readonly script: (calls: readonly ScriptedCall[]) => void;
  readonly send: (at: Window, body: Record<string, unknown>, headers?: Record<string, string>) => Promise<Answer>;
  /** Looks at what became of each approval, and at what was released; fails where that may not be. */
  readonly judge: (at: Window | undefined, may: readonly May[], ends: Ends, answer?: Answer) => Promise<void>;
}

/** Whether what waits in the window may be cancelled by this, and of which user it may have expired. */
interface Ends {
  readonly cancels?: boolean;
  readonly expires?: string;
  /** The very same request again. */
  readonly again?: boolean;
}

const title = {
  type: "object",
  properties: { title: { type: "string" }, private: { type: "boolean", default: true } },
};
const worldTools = [tool("edit_note", title), tool("read_note", title), tool("send_mail", title)];

const policyOf = (typedCode: "always" | "never") => ({
  handshake: { select: "off" },
  confirmation: { typedCode },
  tools: {
    edit_note: { category: "modification" },
    read_note: { category: "read_only" },
    send_mail: { category: "external", sensitive: true },
  },
});

let made = 0;
const scripted = new Map<string, string>();
export function newCall(name: string, text: string): ScriptedCall {
  const id = `c${++made}`;
  scripted.set(id, text);
  return call(id, name, { title: text });
}

export async function openWorld(typedCode: "always" | "never" = "never"): Promise<World> {
  let next: readonly ScriptedCall[] = [];
  const gate = await gateway({
    policy: policyOf(typedCode),
    upstream(body, request) {
      const calls = next;
      next = [];
      return says(calls.length > 0 ? { text: "Let me.", calls } : { text: "Well." })(body, request);
    },
  });
  const bob = await gate.keyFor("bob", "user");
  const windows = [gate.key, bob].flatMap((key, person) =>
    ["s1", "s2"].map((session): Window => ({ user: person === 0 ? "ada" : "bob", key, session, history: [] })),
  );
  const known: Known[] = [];

  const world: World = {
    typedCode,
    gate,
    windows,
    known,
    granted: new Set(),
    script: (calls) => {
      next = calls;
    },
    async send(at, body, headers = {}) {
      const whole = { model: "test-model", tools: worldTools, ...body };
      const own = { "x-toolgate-session": at.session, ...headers };
      const answer = await readAnswer(
        await gate.fetch("/v1/chat/completions", { json: whole, headers: own, key: at.key }),
      );
      at.last = { body: whole, headers: own, ids: answer.calls?.map(({ id }) => id) ?? [] };
      return answer;
    },
    async judge(at, may, ends, answer) {
      for (const window of [windows[0], windows[2]]) if (window) await look(world, window, at, may, ends);
      for (const released of answer?.calls ?? []) expectAllowed(world, at as Window, released, ends);
    },
  };
  return world;
}

/** What changed of this person's approvals since. */
async function look(world: World, { user, key }: Window, at: Window | undefined, may: readonly May[], ends: Ends) {
  const { gate, known } = world;
  const listed = await gate.fetch("/v1/approvals?limit=100&order=asc", { key });
  const { data } = (await listed.json()) as { data: Listed[] };
  for (const one of data) {
    const before = known.find(({ id }) => id === one.id);
    if (!before) {
      const { id, code, tool, status, session_id: session, call_id: callId, arguments: args } = one;
      expect([session, user]).toEqual([at?.session, at?.user]);
      const fresh: Known = { id, code, user, session, tool, callId, arguments: args, status: "pending", ran: false };
      known.push(fresh);
      // A reply that is held may be answered before anybody looks.
      expectEnd(world, fresh, status, at, may, ends);
    } else if (before.status !== one.status) expectEnd(world, before, one.status, at, may, ends);
  }
}

interface Listed {
  readonly id: string;
  readonly code: string;
  readonly tool: string;
  readonly status: string;
  readonly session_id: string;
  readonly call_id: string;
  readonly arguments: Record<string, unknown>;
}

function expectEnd(
  world: World,
  known: Known,
  status: string,
  at: Window | undefined,
  may: readonly May[],
  ends: Ends,
): void {
  const before = known.status;
  known.status = status;
  if (status === "pending") return;
  const here = at?.user === known.user && at.session === known.session;
  // Approved elsewhere and not yet run, it can be overtaken too.
  if (status === "cancelled") {
    expect([known, here && ends.cancels === true]).toEqual([known, true]);
    return;
  }
  expect([known, before]).toEqual([known, "pending"]);
  if (status === "expired") {
    expect(known.user).toBe(ends.expires);
    return;
  }
  const given = may.find((one) => one.known.id === known.id && one.status === status);
  expect([known, given !== undefined]).toEqual([known, true]);
  if (status !== "approved") return;
  known.allowed = canonicalJson({ ...known.arguments, ...given?.edit });
  if (given?.always) world.granted.add(`${known.user} ${known.session} ${known.tool}`);
}

/** @param released a call that the client was handed: it runs now. */
function expectAllowed({ known, granted }: World, at: Window, released: Answer["calls"][number], ends: Ends): void {
  if (released.name === "read_note") return;
  const one = known.find(({ callId }) => callId === released.id);
  if (!one && granted.has(`${at.user} ${at.session} ${released.name}`)) {
    expect(scripted.get(released.id)).toBe(JSON.parse(released.arguments).title);
    return;
  }
  expect(one).toMatchObject({
    user: at.user,
    session: at.session,
    allowed: canonicalJson(JSON.parse(released.arguments)),
  });
  if (!one) return;
  // A lost reply may be asked for again; what it held is the same call.
  if (!ends.again) expect([one, one.ran]).toEqual([one, false]);
  one.ran = true;
}

const objectOf = ({ gate }: World, user: string): DurableObjectStub<UserGuard> =>
  env.USER_GUARD.get(env.USER_GUARD.idFromName(lengthPrefixed(gate.tenant, user)));

export async function restart(world: World, user: string): Promise<void> {
  const stub = objectOf(world, user);
  // One that does not run cannot be ended.
  await portsOf(stub).sessions.find("s1");
  await evictDurableObject(stub);
}

/** As if the time of all that waits were over. */
export const expireAll = (world: World, user: string): Promise<void> =>
  runInGuard(objectOf(world, user), (_, { storage }) => {
    storage.sql.exec("UPDATE approvals SET expires = 1 WHERE status = 'pending'");
  });

/** Results for the calls of the last reply. */
export const resultsOf = ({ history }: Window): Record<string, unknown>[] => {
  const calls = (history.at(-1)?.tool_calls ?? []) as { id: string }[];
  return calls.map(({ id }) => result(id));
};
