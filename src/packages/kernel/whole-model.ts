/** A model that answers in one piece, as the turn's model. */

import type { JsonObject } from "../../lib/json/json-value.ts";
import { memberOf } from "../../lib/json/json-value.ts";
import type { DroppedCalls, ModelPort, StepOutcome, StepRequest } from "../../ports/model-port.ts";
import { callFault, MAX_ARGUMENT_UNITS, type ModelCall, TOO_LONG } from "../../wire/call-parts.ts";
import { notComplete } from "../../wire/finish-reasons.ts";
import type { WordFilters } from "../../wire/links/word-filters.ts";
import { wireCallOf } from "./chat-origin.ts";

export interface WholeAnswer<Native> {
  /** In the framework's own form, its words already guarded. */
  readonly native: Native;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ModelCall[];
  /** In the form of a chat completion. */
  readonly usage: JsonObject | undefined;
  readonly finishReason: string | undefined;
  /** Why no part of the answer may be acted upon. */
  readonly fault?: string | undefined;
  /** The provider cut its answer. */
  readonly dropped?: DroppedCalls | undefined;
}

export interface WholeModel<Native> {
  readonly port: ModelPort;
  /** All answers, in order. */
  readonly answers: readonly WholeAnswer<Native>[];
  /** The model's last error. */
  readonly thrown: unknown;
}

export function wholeModel<Native>(ask: (request: StepRequest) => Promise<WholeAnswer<Native>>): WholeModel<Native> {
  const answers: WholeAnswer<Native>[] = [];
  let thrown: unknown;
  return {
    answers,
    get thrown() {
      return thrown;
    },
    port: {
      async step(request, _words, onHead) {
        try {
          const answer = await ask(request);
          onHead({ status: 200, headers: new Headers() });
          if (request.signal.aborted) return { kind: "aborted" };
          answers.push(answer);
          return outcomeOf(answer);
        } catch (error) {
          thrown = error;
          return request.signal.aborted ? { kind: "aborted" } : refusal(error);
        }
      },
    },
  };
}

function outcomeOf({ text, reasoning, calls, usage, finishReason, fault, dropped }: WholeAnswer<unknown>): StepOutcome {
  const units = calls.reduce((sum, call) => sum + call.arguments.length, 0);
  const faults = calls.map((call) => callFault(wireCallOf(call)));
  const wrong = fault ?? faults.find((one) => one !== undefined) ?? (units > MAX_ARGUMENT_UNITS ? TOO_LONG : undefined);
  if (wrong !== undefined)
    return { kind: "disorderly", detail: wrong, error: undefined, begun: calls.map(({ name }) => name) };
  return {
    kind: "ended",
    calls,
    finish: [],
    closing: undefined,
    body: undefined,
    finishReason,
    usage,
    text,
    reasoning,
    dropped,
  };
}

/** Finish reasons of an orderly end, as providers spell them. */
const ORDERLY: ReadonlySet<string> = new Set([
  "tool_calls",
  "stop",
  "tool_use",
  "end_turn",
  "completed",
  "stop_sequence",
]);

/** Finish reasons of an answer that the provider cut off. */
const CUT: ReadonlySet<string> = new Set([
  "length",
  "max_tokens",
  "max_output_tokens",
  "content_filter",
  "refusal",
  "safety",
]);

/**
 * The calls of an answer that count.
 * @param reason the finish reason; null or undefined: not known.
 */
export function callsThatCount(
  calls: readonly ModelCall[],
  reason: unknown,
): Pick<WholeAnswer<unknown>, "calls" | "fault" | "dropped"> {
  const end = String(reason).toLowerCase();
  if (calls.length === 0 || reason == null || ORDERLY.has(end)) return { calls };
  const detail = notComplete(String(reason));
  return CUT.has(end)
    ? { calls: [], dropped: { detail, begun: calls.map(({ name }) => name) } }
    : { calls, fault: detail };
}

/** For the record alone: the caller gets the model's error itself. */
export function refusal(error: unknown): StepOutcome {
  const status = memberOf(error, "status") ?? memberOf(error, "statusCode");
  const message = error instanceof Error ? error.message : "the model could not be asked";
  return {
    kind: "refused",
    status: typeof status === "number" && status >= 400 ? status : 502,
    headers: undefined,
    body: JSON.stringify({ error: { message, type: "upstream_error", code: null, param: null } }),
  };
}

interface UsageCounts {
  readonly input: unknown;
  readonly output: unknown;
}

/** Undefined if the provider counted nothing. Counts are checked, because the turn's record must be JSON and frameworks may give NaN. */
export function usageOf({ input, output }: UsageCounts): JsonObject | undefined {
  if (!isCount(input) && !isCount(output)) return undefined;
  const [prompt, completion] = [input, output].map((count) => (isCount(count) ? count : 0)) as [number, number];
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

const isCount = (count: unknown): count is number => typeof count === "number" && Number.isFinite(count);

/** Words without links that untrusted text may have chosen. @param member the member of a chat message that holds the words. */
export function guardedWords(
  links: WordFilters | undefined,
  text: string,
  member: "content" | "reasoning_content" = "content",
): string {
  if (!links || text === "") return text;
  const body = links.filterBody({ choices: [{ index: 0, message: { [member]: text } }] });
  const [choice] = body.choices as readonly [{ readonly message: Readonly<Record<string, string>> }];
  return choice.message[member] ?? "";
}

/** Calls whose thoughts are kept. */
const MAX_THOUGHTS = 500;

/** Keeps the thoughts of an answer by the id of each of its calls, and removes the oldest. */
export function keepThoughts<Thoughts>(
  kept: Map<string, Thoughts>,
  calls: readonly Pick<ModelCall, "id">[],
  thoughts: Thoughts,
): void {
  for (const { id } of calls) {
    kept.delete(id);
    kept.set(id, thoughts);
  }
  for (const id of kept.keys()) {
    if (kept.size <= MAX_THOUGHTS) return;
    kept.delete(id);
  }
}
