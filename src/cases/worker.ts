/**
 * The Worker that runs policy cases: the gateway as it is, with a clock that a case can move (`POST /.cases/advance`), a log
 * of each step's offer (`GET /.cases/offers`), a user's records delivered at once (`POST /.cases/deliver`), and other hosts that the
 * case answers for. Only `npm run policy -- test` bundles it; it is in no deployment.
 */
import { createApp } from "../app.ts";
import { createDeps, type Env } from "../deps.ts";
import { UserGuard as RealUserGuard } from "../index.ts";
import { lengthPrefixed } from "../lib/digest.ts";
import type { GuardEnv } from "../stores/guard/alarm/alarm-work.ts";
import { advance, ahead, installClock } from "./clock.ts";
import { type CaseVariables, inCase, installFetch } from "./elsewhere.ts";
import { logOffer, takeOffers } from "./offer-log.ts";
import { installTimeLimits } from "./time-limits.ts";
// At the start, and not in the seconds that a first list of an MCP server may take.
import "../tools/mcp/sdk-session.ts";

// All but the class that stands here under its own name.
export * from "../index.ts";

installClock();
installFetch();
installTimeLimits();

/** Alarms ring in the runtime's time, so an object that arms one for a moved hour must mean it in the real one. */
export class UserGuard extends RealUserGuard {
  private alarmAt: number | undefined;

  constructor(ctx: DurableObjectState, env: GuardEnv) {
    super(ctx, env);
    const { storage } = ctx;
    const setAlarm = storage.setAlarm.bind(storage);
    storage.setAlarm = (at, options) => {
      this.alarmAt = Number(at);
      return setAlarm(Number(at) - ahead(), options);
    };
  }

  /** An alarm that was set before the clock moved rings as much earlier. */
  async clockMoved(): Promise<void> {
    if (this.alarmAt !== undefined) await this.ctx.storage.setAlarm(this.alarmAt);
  }

  /** Nobody waits for the alarm that would do it. */
  async deliver(): Promise<void> {
    await this.alarm();
  }
}

let app: ReturnType<typeof createApp> | undefined;

const appFor = (env: Env) => {
  app ??= createApp(
    createDeps(env, {
      observe: (turn, { tools, withheld }) =>
        logOffer(turn, {
          offered: tools.map(({ name }) => name),
          withheld: Object.fromEntries(withheld.map(({ name, reasons }) => [name, reasons.map(({ code }) => code)])),
        }),
    }),
  );
  return app;
};

// biome-ignore lint/style/noDefaultExport: the runtime looks for the Worker's handlers in the default export
export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/.cases/offers") return Response.json(takeOffers(searchParams.get("turn") ?? ""));
    if (!pathname.startsWith("/.cases/")) return inCase(request, env, () => appFor(env).fetch(request, env, ctx));
    const name = lengthPrefixed(searchParams.get("tenant") ?? "", searchParams.get("user") ?? "");
    const guards = env.USER_GUARD as unknown as DurableObjectNamespace<UserGuard>;
    const guard = guards.get(guards.idFromName(name));
    if (pathname === "/.cases/deliver") await guard.deliver();
    else {
      advance(Number(searchParams.get("ms")));
      await guard.clockMoved();
    }
    return Response.json({ ahead_ms: ahead() });
  },
} satisfies ExportedHandler<Env & CaseVariables>;
