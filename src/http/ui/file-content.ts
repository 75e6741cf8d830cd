/** A file part of a user's message, as chat completions have it. Pure. */
import type { JsonObject } from "../../lib/json/json-value.ts";
import { ok, type Result } from "../../lib/result.ts";
import { invalidRequest, type RequestFault } from "../../wire/request-fault.ts";

const AUDIO = /^data:audio\/(wav|x-wav|wave|mp3|mpeg)(?:;[^,]*)?;base64,(.*)$/s;

/** Never as text: what a file holds would else pass for the user's own words. */
export function fileContent(part: JsonObject, at: string): Result<JsonObject, RequestFault> {
  const { mediaType, url, filename } = part;
  if (typeof mediaType !== "string") return invalidRequest(`\`${at}.mediaType\` must be a string`, `${at}.mediaType`);
  if (typeof url !== "string" || !/^(data:|https?:\/\/)/i.test(url))
    return invalidRequest(`\`${at}.url\` must begin with \`data:\`, \`https://\` or \`http://\``, `${at}.url`);
  if (/^image(\/|$)/i.test(mediaType)) return ok({ type: "image_url", image_url: { url } });
  const [, kind, data] = AUDIO.exec(url) ?? [];
  if (kind !== undefined) {
    const format = kind.includes("wav") ? "wav" : "mp3";
    return ok({ type: "input_audio", input_audio: { data, format } });
  }
  if (!/^data:/i.test(url))
    return invalidRequest(`\`${at}.url\` must be a \`data:\` URL: only images may be links`, `${at}.url`);
  const file = { ...(typeof filename === "string" ? { filename } : {}), file_data: url };
  return ok({ type: "file", file });
}
