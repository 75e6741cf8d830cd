/** An image of a model, in the form that OpenAI-compatible gateways have for it. Pure. */
import type { LanguageModelV4File } from "@ai-sdk/provider";
import type { JsonObject } from "../../lib/json/json-value.ts";

/** Undefined for any other file. */
export function shownImage({ mediaType, data }: LanguageModelV4File): JsonObject | undefined {
  if (data.type !== "data" || !/^image\/[\w.+-]+$/.test(mediaType)) return undefined;
  const base64 = typeof data.data === "string" ? data.data : Buffer.from(data.data).toString("base64");
  return { type: "image_url", image_url: { url: `data:${mediaType};base64,${base64}` } };
}
