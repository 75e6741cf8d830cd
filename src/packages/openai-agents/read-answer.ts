/** An answer of a model of the Agents SDK, its words guarded and its calls in the turn's form. */
import type { AgentOutputItem, ModelResponse } from "@openai/agents";
import { isObject, valueAt } from "../../lib/json/json-value.ts";
import type { ModelCall } from "../../wire/call-parts.ts";
import type { WordFilters } from "../../wire/links/word-filters.ts";
import { callsThatCount, guardedWords, usageOf, type WholeAnswer } from "../kernel/whole-model.ts";
import { wordsOf } from "./chat-messages.ts";

type CallItem = Extract<AgentOutputItem, { type: "function_call" }>;

/** Items that are words, thoughts, or calls which the turn can vet. */
const KNOWN: ReadonlySet<string> = new Set(["message", "function_call", "reasoning"]);

export function readAnswer(response: ModelResponse, links: WordFilters | undefined): WholeAnswer<ModelResponse> {
  const { output, usage, providerData } = response;
  // A chat completion has it; for the Responses API the SDK itself refuses an incomplete answer.
  const reason = valueAt(providerData, ["choices", 0, "finish_reason"]);
  const calls = output.filter((item): item is CallItem => item.type === "function_call");
  const text = guardedWords(links, output.map((item) => (item.type === "message" ? wordsOf(item) : "")).join(""));
  const other = output.find(({ type = "message" }) => !KNOWN.has(type));
  const incomplete = output.find((item) => "status" in item && item.status === "incomplete");
  const made = calls.map(
    ({ callId: id, name, arguments: args }): ModelCall => ({ id, name, arguments: args, extra: undefined }),
  );
  const counted = callsThatCount(made, reason);
  const fault = faultOf(other, !counted.dropped && calls.length > 0 && incomplete !== undefined, calls);
  return {
    native: { ...response, output: output.map((item) => withoutLinks(item, links)) },
    text,
    reasoning: "",
    ...counted,
    ...(fault === undefined ? {} : { fault }),
    usage: usageOf({ input: usage.inputTokens, output: usage.outputTokens }),
    finishReason: typeof reason === "string" ? reason : calls.length > 0 ? "tool_calls" : "stop",
  };
}

function faultOf(other: AgentOutputItem | undefined, isCut: boolean, calls: readonly CallItem[]): string | undefined {
  if (other) return `the provider sent an item of type \`${String(other.type)}\`, which cannot be vetted`;
  if (isCut) return "the calls are not complete";
  // Calls by code that the provider runs would bypass the turn.
  const isDirect = calls.every(({ caller }) => caller === undefined || caller.type === "direct");
  return isDirect ? undefined : "a program of the provider made the call";
}

/** Guards links in thoughts, which are shown too. */
function withoutLinks(item: AgentOutputItem, links: WordFilters | undefined): AgentOutputItem {
  if (!links || item.type !== "reasoning") return item;
  const guard = <Part>(parts: readonly Part[]): Part[] =>
    parts.map((part) =>
      isObject(part) && typeof part.text === "string"
        ? ({ ...part, text: guardedWords(links, part.text, "reasoning_content") } as Part)
        : part,
    );
  return { ...item, content: guard(item.content), ...(item.rawContent ? { rawContent: guard(item.rawContent) } : {}) };
}
