/** The ports that a turn works with. */
import type { CompiledPolicy } from "../policy/compile.ts";
import type { DetectorPort } from "../ports/detector-port.ts";
import type { UserGuardPort } from "../ports/guard-port.ts";
import type { ModelPort } from "../ports/model-port.ts";
import type { TurnObserver } from "../ports/turns/turn-observer.ts";
import type { ToolRunner } from "../tools/tool-runner.ts";
import type { SessionCache } from "./speculate/session-cache.ts";

export interface TurnDeps {
  readonly guard: UserGuardPort;
  readonly model: ModelPort;
  readonly detector: DetectorPort;
  /** Absent: no tool is managed. */
  readonly tools?: ToolRunner | undefined;
  readonly now: () => number;
  readonly observer?: TurnObserver;
  /** What this isolate knows of sessions. Absent: no step begins before the turn is open. */
  readonly sessionCache?: SessionCache | undefined;
  /**
   * The tenant's candidate policy, which judges after the reply has ended. Returns undefined if there is none, or it is not loaded yet: the
   * record does not wait for it, since the next request builds on the record. Absent: turns of this kind are not compared.
   */
  readonly candidate?: () => CompiledPolicy | undefined;
}

/** The ports of detecting, offering and vetting. A simulated turn has no others. */
export interface JudgingDeps extends Pick<TurnDeps, "detector" | "tools" | "now"> {
  readonly guard: Pick<UserGuardPort, "turns">;
}
