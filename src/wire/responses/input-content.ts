/** The content of a Responses item as content of a chat message. Pure. */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { RequestFault } from "../request-fault.ts";

export const itemFault = (param: string, message: string, code = "invalid_request"): Result<never, RequestFault> =>
  err({ message, param, code });

/** Content of a user, a developer or a tool: text alone is a string, as every upstream takes it. */
export function inputContent(content: unknown, at: string): Result<string | readonly JsonObject[], RequestFault> {
  if (typeof content === "string") return ok(content);
  if (!Array.isArray(content)) return itemFault(at, `\`${at}\` must be text or a list of parts`);
  const parts: JsonObject[] = [];
  for (const [index, part] of content.entries()) {
    const read = inputPart(part, `${at}[${index}]`);
    if (!read.ok) return read;
    parts.push(read.value);
  }
  const [first] = parts;
  return ok(parts.length === 1 && first?.type === "text" ? String(first.text) : parts);
}

function inputPart(part: unknown, at: string): Result<JsonObject, RequestFault> {
  if (!isObject(part)) return itemFault(at, `\`${at}\` must be an object`);
  switch (part.type) {
    case "input_text":
    case "output_text":
      return typeof part.text === "string"
        ? ok({ type: "text", text: part.text })
        : itemFault(`${at}.text`, `\`${at}.text\` must be text`);
    case "input_image":
      return inputImage(part, at);
    case "input_file":
      return inputFile(part, at);
    case "input_audio":
      return isObject(part.input_audio)
        ? ok({ type: "input_audio", input_audio: part.input_audio })
        : itemFault(`${at}.input_audio`, `\`${at}.input_audio\` must be an object`);
    default: {
      const message = `\`${at}.type\` must be \`input_text\`, \`input_image\`, \`input_file\` or \`input_audio\``;
      return itemFault(`${at}.type`, message, "unsupported_content");
    }
  }
}

function inputImage({ image_url: url, detail }: JsonObject, at: string): Result<JsonObject, RequestFault> {
  if (typeof url !== "string") {
    const message = `\`${at}.image_url\` must be a URL or a data URL: files that the provider keeps cannot be sent`;
    return itemFault(`${at}.image_url`, message, "unsupported_content");
  }
  return ok({ type: "image_url", image_url: { url, ...(typeof detail === "string" ? { detail } : {}) } });
}

function inputFile(part: JsonObject, at: string): Result<JsonObject, RequestFault> {
  const { file_data: data, file_id: id, filename } = part;
  if (typeof data !== "string" && typeof id !== "string") {
    const message = `\`${at}\` must have \`file_data\` or \`file_id\`: the gateway fetches no files`;
    return itemFault(at, message, "unsupported_content");
  }
  const named = typeof filename === "string" ? { filename } : {};
  return ok({ type: "file", file: typeof data === "string" ? { file_data: data, ...named } : { file_id: id } });
}

interface AssistantWords {
  readonly text: string;
  readonly refusal: string;
}

/** The content of an assistant's message. Its other parts repeat the content of other items. */
export function assistantWords(content: unknown, at: string): Result<AssistantWords, RequestFault> {
  if (typeof content === "string") return ok({ text: content, refusal: "" });
  if (!Array.isArray(content)) return itemFault(at, `\`${at}\` must be text or a list of parts`);
  let [text, refusal] = ["", ""];
  for (const [index, part] of content.entries()) {
    const type = isObject(part) ? part.type : undefined;
    if (isObject(part) && type === "refusal" && typeof part.refusal === "string") refusal += part.refusal;
    else if (isObject(part) && (type === "output_text" || type === "input_text") && typeof part.text === "string")
      text += part.text;
    else {
      const place = `${at}[${index}]`;
      return itemFault(place, `\`${place}\` must be an \`output_text\` or a \`refusal\``, "unsupported_content");
    }
  }
  return ok({ text, refusal });
}
