/** A planning model that gave no answer: what the client is advised to do, and what the log keeps of the upstream's message. */
import { describeError } from "../lib/log.ts";
import type { PlanFault } from "./plan.ts";

/** UTF-16 units of an upstream's message. */
const MAX_REASON = 200;

/** Keys that upstreams quote: by their usual prefixes, after `Bearer`, and any long mix of letters and digits. */
const KEYS =
  /\b(?:sk|pk|rk|gsk|xai|key|tg)[-_][^\s"'`]+|\bBearer\s+[^\s"'`]+|\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{24,}/gi;

/** The upstream's own words stay out: they may hold the request, or a key. */
export function faultOf(error: unknown): PlanFault {
  const status = statusOf(error);
  if (status === undefined) return modelFailed("could not be reached or read");
  const isPermanent = status < 500 && status !== 408 && status !== 429;
  const advice = isPermanent ? "check that the upstream has this `model` and accepts its key" : undefined;
  return modelFailed(`gave no plan: the upstream answered ${status}`, advice);
}

export const modelFailed = (what: string, advice = "try again later"): PlanFault => ({
  code: "model_failed",
  message: `the planning model ${what}; ${advice}`,
});

/**
 * One log line, so that an operator sees why no plan is made: the upstream's message, cut, without keys.
 * @param input the user's words, which an upstream may quote.
 */
export function failureLine(error: unknown, input: string) {
  const { error: name, message } = describeError(error);
  // Only this error of the SDK carries the upstream's message; others quote what could not be read.
  const text = name === "AI_APICallError" && error instanceof Error ? error.message : message;
  return { error: name, status: statusOf(error) ?? null, reason: text === undefined ? null : redacted(text, input) };
}

function redacted(text: string, input: string): string {
  // Bounds the search, however long the message is.
  const start = text.slice(0, 8 * MAX_REASON);
  const wish = input.trim();
  return (wish === "" ? start : start.replaceAll(wish, "[input]")).replace(KEYS, "[secret]").slice(0, MAX_REASON);
}

function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  // An answer that could not be read has the status 200: the upstream refused nothing.
  return typeof status === "number" && status >= 300 ? status : undefined;
}
