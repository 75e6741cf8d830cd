/** What events of chat completions say, as a UI message has it. They are only words: calls never come this way. Pure. */

import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { joinedText } from "../../wire/conversation.ts";
import { splitSse } from "../../wire/sse-split.ts";

export interface UiWords {
  readonly text: string;
  readonly reasoning: string;
  /** Files and sources, as events of the stream. */
  readonly parts: readonly JsonObject[];
}

/** @param events whole ones. */
export function readWords(events: string): UiWords[] {
  return splitSse()
    .push(events)
    .flatMap(({ data }) => {
      const delta = data === undefined || data === "[DONE]" ? undefined : deltaIn(JSON.parse(data));
      return delta ? [wordsOf(delta)] : [];
    });
}

function deltaIn(chunk: unknown): JsonObject | undefined {
  if (!isObject(chunk) || !Array.isArray(chunk.choices)) return undefined;
  const [choice] = chunk.choices;
  return isObject(choice) && isObject(choice.delta) ? choice.delta : undefined;
}

function wordsOf({ content, refusal, reasoning_content, reasoning, images, annotations }: JsonObject): UiWords {
  return {
    text: joinedText(content) + joinedText(refusal),
    // Some providers send it under both names.
    reasoning: joinedText(reasoning_content) || joinedText(reasoning),
    parts: [...filesIn(images), ...sourcesIn(annotations)],
  };
}

const IMAGE = /^data:(image\/[\w.+-]+)[;,]/;

/** Pages load what they show, and the address of an image could carry anything away: only images that hold their own bytes. */
function filesIn(images: unknown): JsonObject[] {
  return (Array.isArray(images) ? images : []).flatMap((image) => {
    const url = isObject(image) && isObject(image.image_url) ? image.image_url.url : undefined;
    const [, mediaType] = typeof url === "string" ? (IMAGE.exec(url) ?? []) : [];
    return mediaType === undefined ? [] : [{ type: "file", url, mediaType }];
  });
}

/** What a provider's own search has read. */
function sourcesIn(annotations: unknown): JsonObject[] {
  return (Array.isArray(annotations) ? annotations : []).flatMap((annotation) => {
    const citation = isObject(annotation) ? annotation.url_citation : undefined;
    if (!isObject(citation) || typeof citation.url !== "string" || !/^https?:\/\//i.test(citation.url)) return [];
    const { url, title } = citation;
    return [{ type: "source-url", sourceId: url, url, ...(typeof title === "string" ? { title } : {}) }];
  });
}
