/**
 * The Worker as it is deployed, with places where a test can hold it: it asks at `POINTS/<name>` and goes on once it is
 * answered. What it asks goes out only when the object's writes are on disk: the runtime holds it back until then.
 */

import type { CloseRequest, Decided, DecideRequest } from "../../../src/ports/guard-port.ts";
import type { BeginPlan, KeptPlan, PlanOutcome } from "../../../src/ports/plans-port.ts";
import type { FinishRun, KeptRun } from "../../../src/ports/run-port.ts";
import type { GuardEnv } from "../../../src/stores/guard/guard-env.ts";
import { UserGuard as Guard } from "../../../src/stores/objects/user-guard.ts";

export { default, KeyMeter, MetricsHub, TenantLedger } from "../../../src/index.ts";

interface StoppingEnv extends GuardEnv {
  /** Base URL of the test. */
  readonly POINTS: string;
  /** Milliseconds by which its clock is ahead: what a gateway that died held is over, and nobody has waited for it. */
  readonly AHEAD_MS?: string;
}

export class UserGuard extends Guard {
  private readonly points: string;

  constructor(ctx: DurableObjectState, env: StoppingEnv) {
    super(inTime(ctx, Number(env.AHEAD_MS ?? 0)), {
      ...env,
      AUDIT_DB: watched(env.AUDIT_DB, (name) => point(env.POINTS, name)),
    });
    this.points = env.POINTS;
    // The write-behind rings no more of itself: what waits for it dies with the process.
    const { behind } = this as unknown as { readonly behind: object };
    Object.defineProperty(behind, "writing", { get: () => 0, set() {} });
  }

  override async beginPlan(request: BeginPlan): Promise<PlanOutcome> {
    const taken = await super.beginPlan(request);
    await point(this.points, "begun");
    return taken;
  }

  override async endPlan(id: string, turn: string): Promise<KeptPlan> {
    await point(this.points, "ending");
    return super.endPlan(id, turn);
  }

  override async decide(request: DecideRequest): Promise<readonly Decided[]> {
    await point(this.points, "deciding");
    const decided = await super.decide(request);
    await point(this.points, "decided");
    return decided;
  }

  override async finishRun(request: FinishRun): Promise<KeptRun> {
    await point(this.points, "finishing");
    const run = await super.finishRun(request);
    await point(this.points, "finished");
    return run;
  }

  override async close(request: CloseRequest): Promise<void> {
    await point(this.points, "closing");
    await super.close(request);
    await point(this.points, "closed");
  }

  override async alarm(): Promise<void> {
    await point(this.points, "ringing");
    await super.alarm();
  }
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
