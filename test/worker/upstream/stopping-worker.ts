/**
 * The Worker as it is deployed, with places where a test can hold it: it asks at `POINTS/<name>` and goes on once it is
 * answered. What it asks goes out only when the object's writes are on disk: the runtime holds it back until then.
 */

import type { AlarmWork, GuardEnv } from "../../../src/stores/guard/alarm/alarm-work.ts";
import { UserGuard as Guard } from "../../../src/stores/objects/user-guard.ts";

export { default, KeyMeter, MetricsHub, TenantLedger } from "../../../src/index.ts";

interface StoppingEnv extends GuardEnv {
  /** Base URL of the test. */
  readonly POINTS: string;
  /** Milliseconds by which its clock is ahead: what a gateway that died held is over, and nobody has waited for it. */
  readonly AHEAD_MS?: string;
}

/** Of the test; the same for each object of this process. */
let points = "";

export class UserGuard extends Guard {
  constructor(ctx: DurableObjectState, env: StoppingEnv) {
    super(inTime(ctx, Number(env.AHEAD_MS ?? 0)), {
      ...env,
      AUDIT_DB: watched(env.AUDIT_DB, (name) => point(env.POINTS, name)),
    });
    points = env.POINTS;
    // The write-behind rings no more of itself: what waits for it dies with the process.
    const { context } = this as unknown as { readonly context: { readonly writes: object; readonly alarm: AlarmWork } };
    Object.defineProperty(context.writes, "timer", { get: () => 0, set() {} });
    const { plans, turns, runs } = this.apis;
    hold(plans, "begin", { after: "begun" });
    hold(plans, "end", { before: "ending" });
    hold(turns, "decide", { before: "deciding", after: "decided" });
    hold(runs, "finish", { before: "finishing", after: "finished" });
    hold(turns, "close", { before: "closing", after: "closed" });
    hold(context.alarm, "run", { before: "ringing" });
  }
}

/** The points that the method passes before and after its work. */
function hold<Api extends object>(
  api: Api,
  method: keyof Api & string,
  { before, after }: { readonly before?: string; readonly after?: string },
): void {
  const work = api[method] as (...args: unknown[]) => Promise<unknown>;
  Object.defineProperty(api, method, {
    async value(this: Api, ...args: unknown[]) {
      if (before) await point(points, before);
      const result = await work.apply(this, args);
      if (after) await point(points, after);
      return result;
    },
  });
}

const realNow = Date.now.bind(Date);

/** With the clock so much ahead. Alarms ring in the runtime's time. */
function inTime(ctx: DurableObjectState, ahead: number): DurableObjectState {
  if (ahead === 0) return ctx;
  Date.now = () => realNow() + ahead;
  const { storage } = ctx;
  const [setAlarm, getAlarm] = [storage.setAlarm.bind(storage), storage.getAlarm.bind(storage)];
  storage.setAlarm = (at, options) => setAlarm(Number(at) - ahead, options);
  storage.getAlarm = async (options) => {
    const at = await getAlarm(options);
    return at === null ? null : at + ahead;
  };
  return ctx;
}

/** D1, with a place to hold after its commit. */
function watched(db: D1Database, at: (name: string) => Promise<void>): D1Database {
  return new Proxy(db, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== "function") return member;
      if (name !== "batch") return member.bind(target);
      return async (statements: D1PreparedStatement[]) => {
        const results = await target.batch(statements);
        await at("delivered");
        return results;
      };
    },
  });
}

async function point(base: string, name: string): Promise<void> {
  await (await fetch(`${base}/${name}`)).text();
}
