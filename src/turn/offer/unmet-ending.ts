/** How a turn ends whose intent cannot be carried out, or was not. */
import { log } from "../../lib/log.ts";
import { unmetForLog } from "../../policy/intent-guard/texts.ts";
import type { Unmet } from "../../policy/intent-guard/unmet.ts";
import type { Ending } from "../ending.ts";
import type { Turn } from "../turn.ts";

export function unmetEnding(turn: Turn, unmet: Unmet, text: string): Ending {
  log("info", "intent_unmet", { turn: turn.input.id, message: unmetForLog(unmet) });
  return { kind: "stop", stopReason: "intent_execution_failed", finishReason: "stop", text };
}
