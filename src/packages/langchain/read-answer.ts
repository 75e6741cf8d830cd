/** An answer of a LangChain model, its words guarded and its calls in the turn's form. */
import type { AIMessage } from "@langchain/core/messages";
import { isObject } from "../../lib/json/json-value.ts";
import type { ModelCall } from "../../wire/call-parts.ts";
import type { WordFilters } from "../../wire/links/word-filters.ts";
import { callsThatCount, guardedWords, usageOf, type WholeAnswer } from "../kernel/whole-model.ts";
import { rebuiltAnswer } from "./chat-messages.ts";

export function readAnswer(message: AIMessage, links: WordFilters | undefined): WholeAnswer<AIMessage> {
  const calls: ModelCall[] = [
    ...(message.tool_calls ?? []).map(({ id = "", name, args }) => callOf(id, name, JSON.stringify(args))),
    ...(message.invalid_tool_calls ?? []).map(({ id = "", name = "", args = "" }) => callOf(id, name, args)),
  ];
  const text = guardedWords(links, message.text);
  const native = rebuiltAnswer(withoutLinks(message, links), text, []);
  const { finish_reason: finish, stop_reason: stop } = message.response_metadata ?? {};
  const reason: unknown = finish ?? stop;
  const usage = message.usage_metadata;
  return {
    native,
    text,
    reasoning: "",
    ...callsThatCount(calls, reason),
    ...(ranByProvider(message) ? { fault: "the provider ran a tool by itself" } : {}),
    usage: usage && usageOf({ input: usage.input_tokens, output: usage.output_tokens }),
    finishReason: typeof reason === "string" ? reason : undefined,
  };
}

const callOf = (id: string, name: string, args: string): ModelCall => ({ id, name, arguments: args, extra: undefined });

/** Guards links in thoughts, which are shown too. */
function withoutLinks(message: AIMessage, links: WordFilters | undefined): AIMessage {
  const { content } = message;
  if (!links || typeof content === "string") return message;
  const blocks = content.map((part: unknown) => {
    if (!isObject(part)) return part;
    const key = ["thinking", "reasoning"].find((name) => typeof part[name] === "string");
    return key === undefined ? part : { ...part, [key]: guardedWords(links, String(part[key]), "reasoning_content") };
  });
  return Object.assign(Object.create(Object.getPrototypeOf(message)), message, { content: blocks }) as AIMessage;
}

/** Blocks of tools that the provider ran itself. */
const OWN_TOOLS = /server_tool|tool_result|web_search|code_execution|mcp_|_call$/;

function ranByProvider({ content }: AIMessage): boolean {
  const blocks = Array.isArray(content) ? content : [];
  return blocks.some((part) => isObject(part) && part.type !== "tool_call" && OWN_TOOLS.test(String(part.type)));
}
