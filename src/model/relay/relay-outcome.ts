/**
 * Whether a step's calls may be considered at all. Pure.
 *
 * Only after an orderly end, no error seen, and every tool-call fragment's bytes accounted for. The end is orderly with
 * the finish reason `tool_calls` or `stop` (providers send either with calls, some twice), or with `[DONE]` where no
 * finish reason was sent; `length`, `content_filter`, a reason that nobody knows or a body that breaks off is none.
 */

import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import type { ModelCall, StepOutcome } from "../../ports/model-port.ts";
import { vendorMembers } from "../../wire/call-parts.ts";
import { type RelayReport, UNREADABLE } from "./relay-stream.ts";

/** Stands in the record for the name of a call that has none. */
export const UNNAMED = "(unnamed)";
export const NAMELESS = "a tool call has no name";

const ORDERLY = new Set(["tool_calls", "stop"]);

export function outcomeOfStream(report: RelayReport): StepOutcome {
  const begun = report.fragments > 0 && report.names.length === 0 ? [UNNAMED] : report.names;
  const disorderly = (detail: string, error?: unknown): StepOutcome => ({ kind: "disorderly", detail, error, begun });
  if (report.fault) return disorderly(report.fault.detail, report.fault.error);
  const calls = report.calls.end();
  if (report.fragments > 0) {
    const odd = report.finishReasons.find((reason) => !ORDERLY.has(reason));
    if (odd !== undefined) return disorderly(`the calls are not complete: the finish reason is \`${odd}\``);
    if (report.names.length === 0 || [...report.named.values()].includes(false)) return disorderly(NAMELESS);
    if (!calls) return disorderly(UNREADABLE);
    const units = calls.reduce((sum, call) => sum + call.arguments.length, 0);
    if (units !== report.argumentUnits || !sameNames(begun, calls)) {
      return disorderly("the fragments of the tool calls do not add up to whole calls");
    }
  }
  return {
    kind: "ended",
    calls: (calls ?? []).map((call) => ({ ...call, extra: report.extras.get(call.id) })),
    finish: report.finish,
    closing: report.closing,
    body: undefined,
    finishReason: report.finishReasons.at(-1),
    usage: report.usage,
    text: JSON.parse(`"${report.text}"`) as string,
    reasoning: JSON.parse(`"${report.reasoning}"`) as string,
  };
}

/** A JSON answer: complete by its syntax. `calls` are those in it. */
export function outcomeOfJson(body: JsonObject, calls: readonly ModelCall[]): StepOutcome {
  const choice = Array.isArray(body.choices) && isObject(body.choices[0]) ? body.choices[0] : {};
  const reason =
    typeof choice.finish_reason === "string" && choice.finish_reason !== "" ? choice.finish_reason : undefined;
  if (calls.length > 0 && reason !== undefined && !ORDERLY.has(reason)) {
    const detail = `the calls are not complete: the finish reason is \`${reason}\``;
    return { kind: "disorderly", detail, error: undefined, begun: calls.map((call) => call.name) };
  }
  const message = isObject(choice.message) ? choice.message : {};
  const raw = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  return {
    kind: "ended",
    calls: calls.map((call, index) => ({ ...call, extra: vendorMembers(raw[index]) })),
    finish: [],
    closing: undefined,
    body,
    finishReason: reason,
    usage: isObject(body.usage) ? body.usage : undefined,
    text: typeof message.content === "string" ? message.content : "",
    reasoning: typeof message.reasoning_content === "string" ? message.reasoning_content : "",
  };
}

function sameNames(begun: readonly string[], calls: readonly ModelCall[]): boolean {
  const called = new Set(calls.map((call) => call.name));
  return begun.every((name) => called.has(name));
}
