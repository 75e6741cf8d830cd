/**
 * OpenAI chat messages as a `LanguageModelV4Prompt`, for models that the relay does not serve. Pure.
 * What cannot be said in the prompt is an error with its path: nothing is dropped in silence.
 */
import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import { err, ok, type Result } from "../../lib/result.ts";

/** What is wrong with a request, and where (`messages[2].content[1].type`). */
export interface RequestProblem {
  readonly path: string;
  readonly message: string;
}

type Json = Readonly<Record<string, unknown>>;
type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart;
type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];
type Converted<T> = Result<T, RequestProblem>;

/** @param messages the request's `messages`, already known to be objects. */
export function toPrompt(messages: readonly Json[]): Converted<LanguageModelV4Prompt> {
  const prompt: LanguageModelV4Prompt = [];
  const toolOf = new Map<string, string>();
  for (const [index, message] of messages.entries()) {
    const converted = toMessage(message, `messages[${index}]`, toolOf);
    if (!converted.ok) return converted;
    const last = prompt.at(-1);
    // Results of one batch belong in one message: some providers refuse them apart.
    if (converted.value.role === "tool" && last?.role === "tool") last.content.push(...converted.value.content);
    else prompt.push(converted.value);
  }
  return ok(prompt);
}

function toMessage(message: Json, path: string, toolOf: Map<string, string>): Converted<LanguageModelV4Message> {
  switch (message.role) {
    case "system":
    case "developer":
      return map(toText(message.content, `${path}.content`), (content) => ({ role: "system", content }));
    case "user":
      return map(toUserContent(message.content, `${path}.content`), (content) => ({ role: "user", content }));
    case "assistant":
      return map(toAssistantContent(message, path, toolOf), (content) => ({ role: "assistant", content }));
    case "tool":
      return map(toToolResult(message, path, toolOf), (result) => ({ role: "tool", content: [result] }));
    default:
      return problem(`${path}.role`, `unknown role \`${String(message.role)}\``);
  }
}

function toUserContent(content: unknown, path: string): Converted<UserPart[]> {
  if (typeof content === "string") return ok([{ type: "text", text: content }]);
  return collect(content, path, toUserPart);
}

function toUserPart(part: Json, path: string): Converted<UserPart> {
  if (part.type === "text" && typeof part.text === "string") return ok({ type: "text", text: part.text });
  const body = typeof part.type === "string" ? object(part[part.type]) : undefined;
  switch (part.type) {
    case "image_url": {
      const detail = body?.detail;
      const file = fromUrl(body?.url ?? part.image_url, "image", `${path}.image_url.url`);
      if (!file.ok || typeof detail !== "string") return file;
      return ok({ ...file.value, providerOptions: { openai: { imageDetail: detail } } });
    }
    case "input_audio":
      if (typeof body?.data !== "string") return problem(`${path}.input_audio.data`, "must be a base64 string");
      return ok({ type: "file", mediaType: audioType(body.format), data: { type: "data", data: body.data } });
    case "file":
      return toFilePart(body ?? {}, `${path}.file`);
    default:
      return unsupported(part, path);
  }
}

function toFilePart(file: Json, path: string): Converted<LanguageModelV4FilePart> {
  const filename = typeof file.filename === "string" ? file.filename : undefined;
  const named = filename === undefined ? {} : { filename };
  const mediaType = /\.pdf$/i.test(filename ?? "") ? "application/pdf" : "application/octet-stream";
  if (typeof file.file_id === "string") {
    return ok({ type: "file", ...named, mediaType, data: { type: "reference", reference: { openai: file.file_id } } });
  }
  if (typeof file.file_data !== "string") return problem(`${path}.file_data`, "must be a base64 string or a data: URL");
  if (!/^(data|https?):/i.test(file.file_data)) {
    return ok({ type: "file", ...named, mediaType, data: { type: "data", data: file.file_data } });
  }
  return map(fromUrl(file.file_data, mediaType, `${path}.file_data`), (part) => ({ ...part, ...named }));
}

function fromUrl(url: unknown, mediaType: string, path: string): Converted<LanguageModelV4FilePart> {
  if (typeof url !== "string") return problem(path, "must be a string");
  const data = /^data:([^;,]*)(?:;[^;,]*)*;base64,/i.exec(url);
  if (data) {
    const bytes = { type: "data" as const, data: url.slice(data[0].length) };
    return ok({ type: "file", mediaType: data[1] || mediaType, data: bytes });
  }
  if (!/^https:/i.test(url) || !URL.canParse(url)) return problem(path, "must be a base64 data: URL or an https: URL");
  return ok({ type: "file", mediaType, data: { type: "url", url: new URL(url) } });
}

function toAssistantContent(message: Json, path: string, toolOf: Map<string, string>): Converted<AssistantPart[]> {
  const parts: AssistantPart[] = [];
  for (const key of ["function_call", "audio"]) {
    if (message[key] != null) return problem(`${path}.${key}`, "is not supported for this model");
  }
  const reasoning = message.reasoning_content ?? message.reasoning;
  if (typeof reasoning === "string" && reasoning !== "") parts.push({ type: "reasoning", text: reasoning });
  const text = message.content == null ? ok("") : toText(message.content, `${path}.content`);
  if (!text.ok) return text;
  for (const words of [text.value, message.refusal]) {
    if (typeof words === "string" && words !== "") parts.push({ type: "text", text: words });
  }
  const calls = collect(message.tool_calls ?? [], `${path}.tool_calls`, (call, at) => toToolCall(call, at, toolOf));
  return map(calls, (converted) => [...parts, ...converted]);
}

function toToolCall(call: Json, path: string, toolOf: Map<string, string>): Converted<AssistantPart> {
  const called = object(call.function);
  if (call.type !== undefined && call.type !== "function") return unsupported(call, path);
  if (typeof call.id !== "string") return problem(`${path}.id`, "must be a string");
  if (typeof called?.name !== "string") return problem(`${path}.function.name`, "must be a string");
  toolOf.set(call.id, called.name);
  // Providers want an object here; arguments that a model once broke cannot be told to it again as they were.
  const input = object(typeof called.arguments === "string" ? parse(called.arguments) : called.arguments) ?? {};
  return ok({ type: "tool-call", toolCallId: call.id, toolName: called.name, input });
}

function toToolResult(
  message: Json,
  path: string,
  toolOf: Map<string, string>,
): Converted<LanguageModelV4ToolResultPart> {
  const toolCallId = message.tool_call_id;
  if (typeof toolCallId !== "string") return problem(`${path}.tool_call_id`, "must be a string");
  const toolName = toolOf.get(toolCallId) ?? message.name;
  if (typeof toolName !== "string")
    return problem(`${path}.tool_call_id`, `no earlier call has the id \`${toolCallId}\``);
  return map(toText(message.content ?? "", `${path}.content`), (text) => {
    // Digits beyond a double's would be changed by reading them: such results stay text.
    const value = /\d{16}/.test(text) ? undefined : parse(text);
    const output: LanguageModelV4ToolResultPart["output"] =
      value === undefined ? { type: "text", value: text } : { type: "json", value };
    return { type: "tool-result", toolCallId, toolName, output };
  });
}

/** Text of a message that can hold nothing else: a string, or parts of text and refusals. */
function toText(content: unknown, path: string): Converted<string> {
  if (typeof content === "string") return ok(content);
  const texts = collect(content, path, (part, at) => {
    if (part.type === "text" && typeof part.text === "string") return ok(part.text);
    if (part.type === "refusal" && typeof part.refusal === "string") return ok(part.refusal);
    return unsupported(part, at);
  });
  return map(texts, (all) => all.join(""));
}

function collect<T>(items: unknown, path: string, convert: (item: Json, path: string) => Converted<T>): Converted<T[]> {
  if (!Array.isArray(items)) return problem(path, "must be an array");
  const values: T[] = [];
  for (const [index, item] of items.entries()) {
    const at = `${path}[${index}]`;
    const converted = object(item) ? convert(item, at) : problem(at, "must be an object");
    if (!converted.ok) return converted;
    values.push(converted.value);
  }
  return ok(values);
}

const problem = (path: string, message: string) => err({ path, message });
const unsupported = (part: Json, path: string) =>
  problem(`${path}.type`, `\`${String(part.type)}\` is unknown, incomplete, or not supported here`);
const audioType = (format: unknown) => (format === "mp3" ? "audio/mpeg" : `audio/${String(format ?? "wav")}`);

function map<T, U>(result: Converted<T>, convert: (value: T) => U): Converted<U> {
  return result.ok ? ok(convert(result.value)) : result;
}

function object(value: unknown): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
