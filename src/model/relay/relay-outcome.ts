/**
 * Whether a step's calls may be considered at all. Pure.
 *
 * Only after an orderly end, no error seen, and every tool-call fragment's bytes accounted for. The end is orderly with the finish reason
 * `tool_calls` or `stop` (providers send either with calls, some twice), or with `[DONE]` if no finish reason was sent; an unknown reason
 * or a body that breaks off is not orderly. After `length` or `content_filter` the text is kept, and all calls are dropped.
 */

import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import type { StepOutcome } from "../../ports/model-port.ts";
import type { EndedStep } from "../../ports/turns/ending.ts";
import { type ModelCall, vendorMembers } from "../../wire/call-parts.ts";
import { isCut, notComplete, oddEnd } from "../../wire/finish-reasons.ts";
import { type RelayReport, UNREADABLE } from "./relay-stream.ts";

/** In the record, replaces the name of a call that has none. */
export const UNNAMED = "(unnamed)";
export const NAMELESS = "a tool call has no name";

export function outcomeOfStream(report: RelayReport): StepOutcome {
  const begun = report.fragments > 0 && report.names.length === 0 ? [UNNAMED] : report.names;
  const disorderly = (detail: string, error?: unknown): StepOutcome => ({ kind: "disorderly", detail, error, begun });
  if (report.fault) return disorderly(report.fault.detail, report.fault.error);
  const odd = report.fragments > 0 ? oddEnd(report.finishReasons) : undefined;
  if (odd && !odd.cut) return disorderly(notComplete(odd.reason));
  if (odd) {
    const dropped = { detail: notComplete(odd.reason), begun };
    return { ...endedStream(report), finish: report.finish.filter(isCutEvent), finishReason: odd.reason, dropped };
  }
  const calls = report.calls.end();
  if (report.fragments > 0) {
    if (report.names.length === 0 || [...report.named.values()].includes(false)) return disorderly(NAMELESS);
    if (!calls) return disorderly(UNREADABLE);
    const units = calls.reduce((sum, call) => sum + call.arguments.length, 0);
    if (units !== report.argumentUnits || !sameNames(begun, calls)) {
      return disorderly("the fragments of the tool calls do not add up to whole calls");
    }
  }
  return {
    ...endedStream(report),
    calls: (calls ?? []).map((call) => ({ ...call, extra: report.extras.get(call.id) })),
  };
}

const endedStream = (report: RelayReport): EndedStep => ({
  kind: "ended",
  calls: [],
  finish: report.finish,
  closing: report.closing,
  body: undefined,
  finishReason: report.finishReasons.at(-1),
  usage: report.usage,
  text: JSON.parse(`"${report.text}"`) as string,
  reasoning: JSON.parse(`"${report.reasoning}"`) as string,
});

/** An event that promises calls has no place in a cut-off answer. */
function isCutEvent({ choices }: JsonObject): boolean {
  const reasons = (Array.isArray(choices) ? choices : []).map((choice) => isObject(choice) && choice.finish_reason);
  return reasons.some(isCut) || !reasons.some((reason) => typeof reason === "string");
}

/** A JSON answer: complete by its syntax. `calls` are the calls in it. */
export function outcomeOfJson(body: JsonObject, calls: readonly ModelCall[]): StepOutcome {
  const reason = reasonIn(choiceIn(body));
  const odd = calls.length > 0 && reason !== undefined ? oddEnd([reason]) : undefined;
  if (!odd) return endedJson(body, calls);
  const begun = calls.map(({ name }) => (name === "" ? UNNAMED : name));
  const dropped = { detail: notComplete(odd.reason), begun };
  return odd.cut ? { ...endedJson(body, []), dropped } : { kind: "disorderly", ...dropped, error: undefined };
}

const choiceIn = ({ choices }: JsonObject): JsonObject =>
  Array.isArray(choices) && isObject(choices[0]) ? choices[0] : {};

const reasonIn = ({ finish_reason: reason }: JsonObject): string | undefined =>
  typeof reason === "string" && reason !== "" ? reason : undefined;

/** @param calls those of the body that count. */
export function endedJson(body: JsonObject, calls: readonly ModelCall[]): EndedStep {
  const choice = choiceIn(body);
  const message = isObject(choice.message) ? choice.message : {};
  const raw = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  return {
    kind: "ended",
    calls: calls.map((call, index) => ({ ...call, extra: vendorMembers(raw[index]) })),
    finish: [],
    closing: undefined,
    body,
    finishReason: reasonIn(choice),
    usage: isObject(body.usage) ? body.usage : undefined,
    text: typeof message.content === "string" ? message.content : "",
    reasoning: typeof message.reasoning_content === "string" ? message.reasoning_content : "",
  };
}

function sameNames(begun: readonly string[], calls: readonly ModelCall[]): boolean {
  const called = new Set(calls.map((call) => call.name));
  return begun.every((name) => called.has(name));
}
