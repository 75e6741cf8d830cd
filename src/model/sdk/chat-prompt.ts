/** The messages of a chat completion as the AI SDK's prompt. Pure; throws `UnsupportedRequest`. */
import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import { parseExact } from "../../lib/json/exact-json.ts";
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { callName } from "../../wire/call-parts.ts";
import { carriedReasoning, carriedSignature, carriedThoughts, type ThoughtBlock } from "./carried-thoughts.ts";
import type { SdkKind } from "./provider-sdk.ts";
import { UnsupportedRequest } from "./unsupported-request.ts";

type Content<Role> = Extract<LanguageModelV4Message, { role: Role }>["content"];
type AssistantPart = Content<"assistant">[number];

/**
 * System messages come first, wherever they were, except for OpenAI's Responses API: the other providers refuse them in the middle of a
 * conversation. Successive tool messages become one.
 */
export function chatPrompt(messages: readonly unknown[], kind?: SdkKind): LanguageModelV4Prompt {
  const system: LanguageModelV4Message[] = [];
  const prompt: LanguageModelV4Message[] = [];
  /** Names by the ids of the calls, because a result names no tool. */
  const tools = new Map<string, string>();
  for (const [index, message] of messages.entries()) {
    if (!isObject(message)) continue;
    const at = `messages[${index}]`;
    switch (message.role) {
      case "system":
      case "developer":
        (kind === "responses" ? prompt : system).push(...systemMessages(message, at));
        break;
      case "user":
        prompt.push({ role: "user", content: userParts(message, at) });
        break;
      case "assistant": {
        const content = [
          ...(kind === "responses" ? encryptedParts(message) : []),
          ...assistantParts(message, at, tools),
        ];
        if (content.length > 0) prompt.push({ role: "assistant", content });
        break;
      }
      case "tool": {
        const result = toolResult(message, at, tools);
        const last = prompt.at(-1);
        if (last?.role === "tool") last.content.push(result);
        else prompt.push({ role: "tool", content: [result] });
        break;
      }
      default:
        throw new UnsupportedRequest(
          `\`${at}.role\` must be \`system\`, \`user\`, \`assistant\` or \`tool\``,
          `${at}.role`,
        );
    }
  }
  return [...system, ...prompt];
}

const textsOf = (content: unknown, at: string): readonly JsonObject[] => {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.map((part: unknown, index) => {
    if (isObject(part)) return part;
    throw new UnsupportedRequest(`\`${at}.content[${index}]\` must be an object`, `${at}.content[${index}]`);
  });
};

/** Anthropic's mark for its cache, on a part or on a whole message. */
function cached(...marked: readonly JsonObject[]): { providerOptions?: SharedV4ProviderOptions } {
  const mark = marked.find(({ cache_control }) => isObject(cache_control))?.cache_control;
  return mark === undefined ? {} : { providerOptions: { anthropic: { cacheControl: mark as never } } };
}

function systemMessages(message: JsonObject, at: string): LanguageModelV4Message[] {
  const parts = textsOf(message.content, at);
  return parts.flatMap((part, index): LanguageModelV4Message[] => {
    const text = partText(part, `${at}.content[${index}]`);
    const isLast = index === parts.length - 1;
    return text === "" ? [] : [{ role: "system", content: text, ...(isLast ? cached(part, message) : cached(part)) }];
  });
}

function partText({ type, text }: JsonObject, at: string): string {
  if (type === "text" && typeof text === "string") return text;
  throw new UnsupportedRequest(`\`${at}\` must be a text`, at);
}

function userParts(message: JsonObject, at: string): Content<"user"> {
  const parts = textsOf(message.content, at);
  return parts.flatMap((part, index): Content<"user"> => {
    const marks = index === parts.length - 1 ? cached(part, message) : cached(part);
    if (part.type !== "text") return [{ ...filePart(part, `${at}.content[${index}]`), ...marks }];
    const text = partText(part, `${at}.content[${index}]`);
    // These providers refuse an empty text.
    return text === "" ? [] : [{ type: "text", text, ...marks }];
  });
}

/** Each call of a step carries the same reasoning. */
function encryptedParts(message: JsonObject): AssistantPart[] {
  const calls: readonly unknown[] = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  const encrypted = [...calls, message].map(carriedReasoning).find((texts) => texts.length > 0) ?? [];
  return encrypted.map((reasoningEncryptedContent) => ({
    type: "reasoning",
    text: "",
    providerOptions: { openai: { reasoningEncryptedContent } },
  }));
}

function assistantParts(message: JsonObject, at: string, tools: Map<string, string>): AssistantPart[] {
  const calls: readonly unknown[] = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  // Each call of a step carries the same thoughts, in case only one of them comes back.
  const thoughts = [...calls, message].map(carriedThoughts).find((blocks) => blocks.length > 0) ?? [];
  const content = [
    ...textsOf(message.content, at),
    ...(typeof message.refusal === "string" ? [{ type: "text", text: message.refusal }] : []),
  ];
  const signature = carriedSignature(message);
  const texts = content.flatMap((part, index): AssistantPart[] => {
    const text = part.type === "refusal" ? part.refusal : part.text;
    if (typeof text !== "string" || text === "") return [];
    const marks = index === content.length - 1 ? cached(part, message) : cached(part);
    return [{ type: "text", text, ...(signature === undefined ? marks : signedBy(signature)) }];
  });
  return [
    ...thoughts.map(reasoningPart),
    ...texts,
    ...calls.map((call, index) => callPart(call, `${at}.tool_calls[${index}]`, tools)),
  ];
}

const signedBy = (thoughtSignature: string) => ({ providerOptions: { google: { thoughtSignature } } });

const reasoningPart = (block: ThoughtBlock): AssistantPart => ({
  type: "reasoning",
  text: block.kind === "thinking" ? block.text : "",
  providerOptions: {
    anthropic: block.kind === "thinking" ? { signature: block.signature } : { redactedData: block.data },
  },
});

function callPart(call: unknown, at: string, tools: Map<string, string>): AssistantPart {
  const name = callName(call);
  if (!isObject(call) || typeof call.id !== "string" || name === undefined || !isObject(call.function))
    throw new UnsupportedRequest(`\`${at}\` must be a function call with an \`id\` and a name`, at);
  tools.set(call.id, name);
  const signature = carriedSignature(call);
  return {
    type: "tool-call",
    toolCallId: call.id,
    toolName: name,
    input: inputOf(call.function.arguments),
    ...(signature === undefined ? cached(call) : signedBy(signature)),
  };
}

/** These providers take only an object; a call that was refused for its arguments may hold anything. */
function inputOf(text: unknown): unknown {
  try {
    const input = typeof text === "string" ? parseExact(text) : {};
    return isObject(input) ? input : {};
  } catch {
    return {};
  }
}

function toolResult(message: JsonObject, at: string, tools: ReadonlyMap<string, string>): Content<"tool">[number] {
  const id = message.tool_call_id;
  if (typeof id !== "string")
    throw new UnsupportedRequest(`\`${at}.tool_call_id\` must be a text`, `${at}.tool_call_id`);
  const parts = textsOf(message.content, at);
  return {
    type: "tool-result",
    toolCallId: id,
    toolName: tools.get(id) ?? "unknown_tool",
    output: outputOf(parts, at),
    ...cached(...parts, message),
  };
}

function outputOf(parts: readonly JsonObject[], at: string): LanguageModelV4ToolResultOutput {
  if (parts.every(({ type }) => type === "text"))
    return { type: "text", value: parts.map((part, index) => partText(part, `${at}.content[${index}]`)).join("") };
  return {
    type: "content",
    value: parts.map((part, index) => {
      const place = `${at}.content[${index}]`;
      return part.type === "text" ? { type: "text", text: partText(part, place) } : filePart(part, place);
    }),
  };
}

type FileOnly = Pick<LanguageModelV4FilePart, "type" | "data" | "mediaType" | "filename" | "providerOptions">;

/**
 * Images, sound and documents of a chat message. The gateway fetches none: the provider reads what a URL points to.
 * @param at where the request has it.
 */
function filePart(part: JsonObject, at: string): FileOnly {
  const { type } = part;
  if (type === "image_url") {
    const { url, detail } = isObject(part.image_url) ? part.image_url : { url: part.image_url, detail: undefined };
    const image = atUrl(url, `${at}.image_url`, imageTypeOf);
    return typeof detail === "string" ? { ...image, providerOptions: { openai: { imageDetail: detail } } } : image;
  }
  if (type === "input_audio" && isObject(part.input_audio)) {
    const { data, format } = part.input_audio;
    if (typeof data === "string" && typeof format === "string")
      return {
        type: "file",
        data: { type: "data", data },
        mediaType: format === "mp3" ? "audio/mpeg" : `audio/${format}`,
      };
  }
  if (type === "file" && isObject(part.file)) {
    const { file_data: data, filename } = part.file;
    const named = typeof filename === "string" ? { filename } : {};
    if (typeof data === "string") return { ...atUrl(data, `${at}.file.file_data`, () => "application/pdf"), ...named };
    throw new UnsupportedRequest(
      `\`${at}.file\` must hold its data in \`file_data\`: this provider does not know files by an id of another`,
      `${at}.file`,
    );
  }
  const known = "`text`, `image_url`, `input_audio` or `file`";
  throw new UnsupportedRequest(`\`${at}\` must be a whole part of the type ${known}`, at);
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w.+-]+=[^;,]*)*;base64,/i;

function atUrl(url: unknown, at: string, typeOf: (path: string) => string): FileOnly {
  if (typeof url !== "string") throw new UnsupportedRequest(`\`${at}\` must be a URL`, at);
  const [head, mediaType] = DATA_URL.exec(url.slice(0, 1024)) ?? [];
  if (head !== undefined)
    return { type: "file", data: { type: "data", data: url.slice(head.length) }, mediaType: mediaType ?? typeOf("") };
  const isWeb = /^https?:\/\//i.test(url) && URL.canParse(url);
  if (!isWeb) throw new UnsupportedRequest(`\`${at}\` must be an http or https URL, or base64 in a data URL`, at);
  const read = new URL(url);
  return { type: "file", data: { type: "url", url: read }, mediaType: typeOf(read.pathname) };
}

const TYPES: Readonly<Record<string, string>> = { png: "png", gif: "gif", webp: "webp", heic: "heic", heif: "heif" };

/** Google requires the type; most pictures on the web are JPEG. */
const imageTypeOf = (path: string): string =>
  `image/${TYPES[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ""] ?? "jpeg"}`;
