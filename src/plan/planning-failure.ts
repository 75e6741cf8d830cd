/** What is told of a planning model that gave no answer: to the client what to do, to the log what the upstream said. */
import { describeError } from "../lib/describe-error.ts";
import type { PlanFault } from "./plan.ts";

/** UTF-16 units of what an upstream says of its failure. */
const MAX_REASON = 200;

/** Keys that upstreams cite: by their usual beginnings, after `Bearer`, and whatever is as long and mixed as only keys are. */
const KEYS =
  /\b(?:sk|pk|rk|gsk|xai|key|tg)[-_][^\s"'`]+|\bBearer\s+[^\s"'`]+|\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{24,}/gi;

/** An upstream's own words may hold what it was sent, or a key. */
export function faultOf(error: unknown): PlanFault {
  const status = statusOf(error);
  if (status === undefined) return modelFailed("could not be reached or read");
  const lasting = status < 500 && status !== 408 && status !== 429;
  return modelFailed(`gave no plan: the upstream answered ${status}`, lasting ? LASTING : undefined);
}

export const modelFailed = (what: string, advice = "try again later"): PlanFault => ({
  code: "model_failed",
  message: `the planning model ${what}; ${advice}`,
});

/** What is refused as it was asked is refused again. */
const LASTING = "see that the upstream has this `model` and takes its key";

/**
 * One line for the log: an operator cannot see otherwise why no plan is made. The upstream's message alone, cut, and without
 * keys. @param input in the user's words, which an upstream may cite.
 */
export function failureLine(error: unknown, input: string) {
  const { error: name, message } = describeError(error);
  // Of the SDK's errors this one alone has the upstream's message; others cite what could not be read.
  const said = name === "AI_APICallError" && error instanceof Error ? error.message : message;
  return { error: name, status: statusOf(error) ?? null, reason: said === undefined ? null : reasonIn(said, input) };
}

function reasonIn(said: string, input: string): string {
  // So much is looked through, however long it is.
  const some = said.slice(0, 8 * MAX_REASON);
  const wish = input.trim();
  return (wish === "" ? some : some.replaceAll(wish, "[input]")).replace(KEYS, "[secret]").slice(0, MAX_REASON);
}

function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  // An answer that cannot be read keeps its status.
  return typeof status === "number" && status >= 300 ? status : undefined;
}
