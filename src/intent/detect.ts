/**
 * Step 3 of a turn: what the user wants, told from the user's own words. Asks the policy's layers; holds no rule of its own.
 */
import type { CompiledPolicy } from "../policy/compile.ts";
import type { Detection } from "./detection.ts";

/** As the turn's port `DetectorPort` states it. */
export interface Detector {
  detect(policy: CompiledPolicy, text: string, signal: AbortSignal): Detection | Promise<Detection>;
}

export function createDetector(): Detector {
  return {
    detect: () => ({ intents: [], discounted: [], followUp: false, entities: [], missed: [] }),
  };
}
