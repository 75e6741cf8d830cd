/**
 * The items of a Responses request as messages of a chat. Messages are built from the members read here alone, so no second spelling
 * of a member goes on. Pure.
 */
import { isObject, type JsonObject, listIn } from "../../lib/json/json-value.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { vendorMembers } from "../call-parts.ts";
import type { RequestFault } from "../request-fault.ts";
import { COMPUTER, computerArguments, screenshotMessage } from "./computer.ts";
import { customArguments } from "./custom-tools.ts";
import { assistantWords, inputContent, itemFault } from "./input-content.ts";
import { openReasoning } from "./reasoning-seal.ts";
import { insideName } from "./responses-tools.ts";
import { SEARCH, searchArguments, searchResult } from "./tool-search.ts";

/** One message of an assistant is several items: its words, its reasoning and its calls. */
interface Draft {
  text: string;
  refusal: string;
  reasoning: string;
  /** The phase of its content, as the provider names it. */
  phase: string | undefined;
  /** Reasoning came after content: the next items are of the same reply. */
  resumed: boolean;
  readonly calls: JsonObject[];
}

interface Builder {
  readonly messages: JsonObject[];
  readonly phases: Map<string, string>;
  draft: Draft | undefined;
}

interface ReadItems {
  readonly messages: readonly JsonObject[];
  /** The phase of an assistant's content, by the content, if it is given. */
  readonly phases: ReadonlyMap<string, string>;
}

type ItemReader = (builder: Builder, item: JsonObject, at: string) => Result<void, RequestFault>;

/** @param kept items that were read before, which precede the request's own. */
export function messagesOf(
  items: readonly unknown[],
  kept: readonly JsonObject[] = [],
): Result<ReadItems, RequestFault> {
  const builder: Builder = { messages: [], phases: new Map(), draft: undefined };
  for (const [index, item] of [...kept, ...items].entries()) {
    const at = index < kept.length ? "previous_response_id" : `input[${index - kept.length}]`;
    const read = isObject(item) ? readItem(builder, item, at) : itemFault(at, `\`${at}\` must be an object`);
    if (!read.ok) return read;
  }
  flush(builder);
  return ok(builder);
}

function readItem(builder: Builder, item: JsonObject, at: string): Result<void, RequestFault> {
  const type = item.type ?? (item.role === undefined ? undefined : "message");
  const reader = typeof type === "string" ? READERS.get(type) : undefined;
  if (reader) return reader(builder, item, at);
  const named = typeof type === "string" ? `, not \`${type.slice(0, 64).toWellFormed()}\`` : "";
  const message = `\`${at}.type\` must be a message, reasoning, tools, or a call of a function, a custom tool or a computer with its output${named}`;
  return itemFault(`${at}.type`, message, "unsupported_item");
}

const readMessage: ItemReader = (builder, item, at) => {
  if (item.role === "assistant") return readAssistant(builder, item, at);
  const role = item.role === "developer" ? "system" : item.role;
  if (role !== "user" && role !== "system") {
    const message = `\`${at}.role\` must be \`user\`, \`assistant\`, \`system\` or \`developer\``;
    return itemFault(`${at}.role`, message);
  }
  const content = inputContent(item.content, `${at}.content`);
  if (!content.ok) return content;
  flush(builder);
  builder.messages.push({ role, content: content.value });
  return ok(undefined);
};

const readAssistant: ItemReader = (builder, item, at) => {
  const words = assistantWords(item.content, `${at}.content`);
  if (!words.ok) return words;
  const { text, refusal } = words.value;
  const open = builder.draft;
  const isOther = open && (open.text !== "" || open.refusal !== "") && !open.resumed && open.calls.length === 0;
  if (isOther) flush(builder);
  const draft = draftOf(builder);
  draft.text += text;
  draft.refusal += refusal;
  draft.phase = typeof item.phase === "string" ? item.phase : undefined;
  draft.resumed = false;
  return ok(undefined);
};

const readReasoning: ItemReader = (builder, item) => {
  const draft = draftOf(builder);
  draft.reasoning += openReasoning(item) ?? "";
  draft.resumed = true;
  return ok(undefined);
};

const readCall =
  (argumentsOf: (item: JsonObject) => unknown): ItemReader =>
  (builder, item, at) => {
    const { call_id: id, name } = item;
    const args = argumentsOf(item);
    if (typeof id !== "string" || typeof name !== "string" || typeof args !== "string") {
      const member = typeof id !== "string" ? "call_id" : typeof name !== "string" ? "name" : "arguments";
      return itemFault(`${at}.${member}`, `\`${at}\` must have the texts \`call_id\`, \`name\` and its arguments`);
    }
    draftOf(builder).calls.push({
      id,
      type: "function",
      function: { name: insideName(item.namespace, name), arguments: args },
      ...vendorMembers(item),
    });
    return ok(undefined);
  };

const readOutput: ItemReader = (builder, item, at) => {
  if (typeof item.call_id !== "string") return itemFault(`${at}.call_id`, `\`${at}.call_id\` must be text`);
  const content = inputContent(item.output, `${at}.output`);
  if (!content.ok) return content;
  flush(builder);
  builder.messages.push({ role: "tool", tool_call_id: item.call_id, content: content.value });
  return ok(undefined);
};

const readComputerCall: ItemReader = (builder, item, at) =>
  readCall(computerArguments)(builder, { ...item, name: COMPUTER, namespace: undefined }, at);

const readScreenshot: ItemReader = (builder, item, at) => {
  const message = screenshotMessage(item, at);
  if (!message.ok) return message;
  flush(builder);
  builder.messages.push(message.value);
  return ok(undefined);
};

/**
 * The words of another agent of the client, in an element that is known as none of the user's words. Some clients say that a part of it is
 * encrypted for the provider: the tools that wrote it were to use plain text (`responses-tools.ts`).
 */
const readAgentMessage: ItemReader = (builder, { author, recipient, content }) => {
  const texts = listIn(content).flatMap((part) => {
    const text = isObject(part) ? (part.text ?? part.encrypted_content) : undefined;
    return typeof text === "string" ? [text] : [];
  });
  const named = (name: unknown): string => (typeof name === "string" ? name.replace(/[^\w/.-]/g, "_") : "unknown");
  const words = texts.join("\n").replaceAll(AGENT_TAG, "‹");
  flush(builder);
  builder.messages.push({
    role: "user",
    content: `<agent_message from="${named(author)}" to="${named(recipient)}">\n${words}\n</agent_message>`,
  });
  return ok(undefined);
};

/** The words must not end their own element. */
const AGENT_TAG = /<(?=\s*\/?\s*agent_message)/gi;

/** The provider's own search has no id: it changed nothing that is sent. */
const readSearch: ItemReader = (builder, item, at) =>
  item.call_id == null
    ? ok(undefined)
    : readCall(searchArguments)(builder, { ...item, name: SEARCH, namespace: undefined }, at);

const readFound: ItemReader = (builder, item, at) =>
  item.call_id == null
    ? ok(undefined)
    : readOutput(builder, { call_id: item.call_id, output: searchResult(item, insideName) }, at);

/** Not for the model: the answers are read elsewhere. */
const skip: ItemReader = () => ok(undefined);

/** Saved for the next request by clients that know nothing of a service's store. */
const readReference: ItemReader = (_builder, item, at) =>
  err({
    param: `${at}.id`,
    message: `no such item: \`${String(item.id).slice(0, 64).toWellFormed()}\``,
    code: "not_found",
  });

const READERS: ReadonlyMap<string, ItemReader> = new Map<string, ItemReader>([
  ["message", readMessage],
  ["reasoning", readReasoning],
  ["function_call", readCall(({ arguments: args }) => args)],
  ["custom_tool_call", readCall(customArguments)],
  ["function_call_output", readOutput],
  ["custom_tool_call_output", readOutput],
  ["computer_call", readComputerCall],
  ["computer_call_output", readScreenshot],
  ["mcp_approval_request", skip],
  ["mcp_approval_response", skip],
  ["item_reference", readReference],
  ["agent_message", readAgentMessage],
  ["tool_search_call", readSearch],
  ["tool_search_output", readFound],
  // Tools that are read elsewhere, and settings of a provider for later items.
  ["additional_tools", skip],
  ["configuration_update", skip],
  // Their results are in the text after them.
  ...["web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call"].map(
    (type) => [type, skip] as const,
  ),
  ["mcp_call", skip],
  ["mcp_list_tools", skip],
]);

function draftOf(builder: Builder): Draft {
  builder.draft ??= { text: "", refusal: "", reasoning: "", phase: undefined, resumed: false, calls: [] };
  return builder.draft;
}

function flush(builder: Builder): void {
  const { draft } = builder;
  builder.draft = undefined;
  if (!draft || (draft.text === "" && draft.refusal === "" && draft.calls.length === 0)) return;
  if (draft.phase !== undefined) builder.phases.set(draft.text, draft.phase);
  builder.messages.push({
    role: "assistant",
    content: draft.text === "" ? null : draft.text,
    ...(draft.refusal === "" ? {} : { refusal: draft.refusal }),
    ...(draft.reasoning === "" ? {} : { reasoning_content: draft.reasoning }),
    ...(draft.calls.length > 0 ? { tool_calls: draft.calls } : {}),
  });
}
