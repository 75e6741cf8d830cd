/**
 * A reply as the AI SDK's UI message stream, version 1. One step of the stream is one turn: what a chat client would store as one
 * assistant message comes back as one.
 */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import type { Ending } from "../../ports/turns/ending.ts";
import { joinedText } from "../../wire/conversation.ts";
import { splitSse } from "../../wire/sse-split.ts";
import { DONE, dataEvent } from "../../wire/write-event.ts";
import type { EndingContext, ReplyFormat } from "../surface/surface.ts";
import { callParts } from "./call-parts.ts";
import type { OpenPart } from "./ui-messages.ts";
import { uiStream } from "./ui-stream.ts";

export const UI_HEADERS = { "x-vercel-ai-ui-message-stream": "v1", "x-accel-buffering": "no" } as const;

/**
 * @param open calls of the message that the reply continues.
 * @param known names of the tools that the client brought.
 */
export function uiFormat(open: ReadonlyMap<string, OpenPart>, known: ReadonlySet<string>): ReplyFormat {
  const stream = uiStream();
  const calls = callParts(stream, open, known);
  let note: JsonObject = {};
  const begin = (): string => stream.begin(() => dataEvent(dataPart(note)) + calls.denied());
  const words = ({ reasoning, text, parts }: UiWords): string => {
    const out = stream.reasoning(reasoning) + stream.text(text);
    return parts.length === 0 ? out : out + stream.step() + parts.map(dataEvent).join("");
  };
  return {
    headers: UI_HEADERS,
    opened({ turn, session, state, intents }) {
      const more = intents.length > 1 ? { intents } : {};
      note = { turn_id: turn, session_id: session, state, intent: intents[0] ?? null, ...more };
    },
    words: (events) => begin() + readWords(events).map(words).join(""),
    runs: (runs) => begin() + runs.map(calls.ran).join(""),
    ownWords: (_envelope, text) => begin() + stream.text(text),
    ending(ending, context) {
      let out = begin();
      if (ending.kind === "answer") out += calls.released(ending, context.spoken);
      else out += stream.text(context.spoken && ending.text !== "" ? `\n\n${ending.text}` : ending.text);
      out += calls.questions(context.note) + calls.refused(context.note);
      return out + stream.end() + dataEvent(dataPart(wholeNote(ending, context))) + dataEvent(finish(ending)) + DONE;
    },
    // Without `finish` and `[DONE]`: no client takes it for a clean end.
    error: (error) => dataEvent({ type: "error", errorText: errorText(error) }),
    body() {
      throw new Error("a UI message is always streamed");
    },
  };
}

/** A message holds one such part: a later one replaces it. */
const dataPart = (data: JsonObject): JsonObject => ({ type: "data-toolgate", id: "toolgate", data });

type CleanEnding = Exclude<Ending, { kind: "error" }>;

/** Approvals are in the parts of their calls. */
function wholeNote(ending: CleanEnding, { note, usage }: EndingContext): JsonObject {
  const { approvals: _approvals, ...more } = note;
  const step = ending.kind === "answer" ? ending.step : undefined;
  const counted = usage ?? step?.closing?.usage ?? step?.finish.findLast((chunk) => chunk.usage != null)?.usage;
  return counted == null ? more : { ...more, usage: counted };
}

const FINISH_REASONS: Readonly<Record<string, string>> = {
  stop: "stop",
  length: "length",
  content_filter: "content-filter",
  tool_calls: "tool-calls",
};

function finish(ending: CleanEnding): JsonObject {
  const type = "finish";
  if (ending.kind === "stop") return { type, finishReason: ending.finishReason };
  if (ending.calls.length > 0) return { type, finishReason: "tool-calls" };
  const reason = ending.step?.finishReason ?? "stop";
  return { type, finishReason: Object.hasOwn(FINISH_REASONS, reason) ? FINISH_REASONS[reason] : "other" };
}

const errorText = (error: unknown): string =>
  isObject(error) && typeof error.message === "string" ? error.message : "the reply broke off";

interface UiWords {
  readonly text: string;
  readonly reasoning: string;
  /** Files and sources, as events of the stream. */
  readonly parts: readonly JsonObject[];
}

/** @param events whole ones. */
function readWords(events: string): UiWords[] {
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

/** Pages load what they show, and the URL of an image could carry data away: only images with their own bytes. */
function filesIn(images: unknown): JsonObject[] {
  return (Array.isArray(images) ? images : []).flatMap((image) => {
    const url = isObject(image) && isObject(image.image_url) ? image.image_url.url : undefined;
    const [, mediaType] = typeof url === "string" ? (IMAGE.exec(url) ?? []) : [];
    return mediaType === undefined ? [] : [{ type: "file", url, mediaType }];
  });
}

/** Pages that a provider's own search has read. */
function sourcesIn(annotations: unknown): JsonObject[] {
  return (Array.isArray(annotations) ? annotations : []).flatMap((annotation) => {
    const citation = isObject(annotation) ? annotation.url_citation : undefined;
    if (!isObject(citation) || typeof citation.url !== "string" || !/^https?:\/\//i.test(citation.url)) return [];
    const { url, title } = citation;
    return [{ type: "source-url", sourceId: url, url, ...(typeof title === "string" ? { title } : {}) }];
  });
}
