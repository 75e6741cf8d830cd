/**
 * Makes a step's outcome from the answer of an AI SDK provider, in the form of a chat completion. Pure, except that it fills the reply's
 * envelope.
 */

import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import type { StepOutcome, StepRequest } from "../../ports/model-port.ts";
import type { EndedStep } from "../../ports/turns/ending.ts";
import { type ModelCall, vendorMembers, wireCall } from "../../wire/call-parts.ts";
import { ownChunk } from "../../wire/envelope.ts";
import { isCut, notComplete } from "../../wire/finish-reasons.ts";
import { usageToOpenAi } from "../../wire/openai-usage.ts";
import { endedJson } from "../relay/relay-outcome.ts";
import { carryReasoning, carrySignature, carryThoughts } from "./carried-thoughts.ts";
import type { SdkReport } from "./sdk-report.ts";

const FINISH: Readonly<Record<string, string>> = {
  stop: "stop",
  "tool-calls": "stop",
  length: "length",
  "content-filter": "content_filter",
};

export function disorderOf({ fault, names }: Pick<SdkReport, "fault" | "names">): StepOutcome {
  return {
    kind: "disorderly",
    detail: fault?.detail ?? "",
    error: fault?.error,
    begun: names,
    isTransient: fault?.isTransient === true,
  };
}

interface OutcomeOptions {
  readonly now: number;
  /** The parts of the thoughts, if these are summaries for a client of the Responses API. */
  readonly summaries?: readonly string[] | undefined;
}

/** For a report without a fault. */
export function outcomeOfParts(report: SdkReport, request: StepRequest, { now, summaries }: OutcomeOptions): EndedStep {
  const end = FINISH[report.finish?.unified ?? "stop"] ?? "stop";
  const dropped =
    isCut(end) && report.names.length > 0
      ? { detail: notComplete(report.finish?.raw ?? end), begun: report.names }
      : undefined;
  const thoughts = carriedBy(report);
  const calls = (dropped ? [] : report.calls).map(({ id, name, input, signature }): ModelCall => {
    const extra = signature === undefined ? thoughts : carrySignature(signature);
    return { id, name, arguments: input, extra: vendorMembers(extra) };
  });
  const finishReason = calls.length > 0 ? "tool_calls" : end;
  const usage = report.usage && usageOf(report.usage);
  // If there are calls, each of them carries it. Providers want it back only with what followed it.
  const carried = calls.length > 0 || dropped ? undefined : messageMembers(report);
  if (!request.stream)
    return { ...wholeOutcome(report, request, { calls, finishReason, usage, carried, summaries, now }), dropped };
  const { envelope, body } = request;
  const finish = ownChunk(envelope, { ...carried }, finishReason, now);
  const wantsUsage = isObject(body.stream_options) && body.stream_options.include_usage === true;
  return {
    kind: "ended",
    calls,
    finish: [finish],
    closing: wantsUsage && usage ? { ...envelope.head, choices: [], usage } : undefined,
    body: undefined,
    finishReason,
    usage,
    text: report.text,
    reasoning: report.reasoning,
    dropped,
  };
}

interface WholeAnswer extends OutcomeOptions {
  readonly calls: readonly ModelCall[];
  readonly finishReason: string;
  readonly usage: JsonObject | undefined;
  readonly carried: JsonObject | undefined;
}

function wholeOutcome(
  { text, reasoning, images }: SdkReport,
  { envelope, links }: StepRequest,
  { calls, finishReason, usage, carried, summaries = [], now }: WholeAnswer,
): EndedStep {
  const message = {
    role: "assistant",
    content: text === "" ? null : text,
    refusal: null,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(summaries.length === 0 ? {} : { reasoning_summary: summaries }),
    ...(images.length === 0 ? {} : { images }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(({ name, ...call }) => wireCall({ ...call, tool: name })) }),
    ...carried,
  };
  const { id = `chatcmpl-${crypto.randomUUID()}`, created = Math.floor(now / 1000), model } = envelope.head ?? {};
  const choice = { index: 0, message, logprobs: null, finish_reason: finishReason };
  const head = { id, object: "chat.completion", created, model: model ?? envelope.model };
  const body = { ...head, choices: [choice], ...(usage ? { usage } : {}) };
  return endedJson(links?.filterBody(body) ?? body, calls);
}

const messageMembers = (report: SdkReport): JsonObject | undefined => {
  const { signature } = report;
  return vendorMembers(carriedBy(report) ?? (signature === undefined ? undefined : carrySignature(signature)));
};

const carriedBy = ({ thoughts, encrypted }: SdkReport): JsonObject | undefined =>
  encrypted.length > 0 ? carryReasoning(encrypted) : carryThoughts(thoughts);

function usageOf(usage: NonNullable<SdkReport["usage"]>): JsonObject {
  const { prompt_tokens_details: prompt, ...counts } = usageToOpenAi(usage);
  const { cacheWrite = 0 } = usage.inputTokens;
  return { ...counts, prompt_tokens_details: cacheWrite > 0 ? { ...prompt, cache_write_tokens: cacheWrite } : prompt };
}
