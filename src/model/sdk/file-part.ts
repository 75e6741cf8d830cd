/** Images, sound and documents of a chat message, for the AI SDK. The gateway fetches none: what stands at a URL, the provider reads. Pure. */
import type { LanguageModelV4FilePart } from "@ai-sdk/provider";
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { UnsupportedRequest } from "./unsupported-request.ts";

type FileOnly = Pick<LanguageModelV4FilePart, "type" | "data" | "mediaType" | "filename" | "providerOptions">;

/** @param at where the request has it. */
export function filePart(part: JsonObject, at: string): FileOnly {
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

/** Google requires the type; most pictures of the web are JPEG. */
const imageTypeOf = (path: string): string =>
  `image/${TYPES[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ""] ?? "jpeg"}`;
