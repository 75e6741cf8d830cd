/** A turn's reply in the Responses API: its events, or one response object. */

import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import type { Ending } from "../../ports/turns/ending.ts";
import { joinedText } from "../../wire/conversation.ts";
import type { Envelope } from "../../wire/envelope.ts";
import { errorObject } from "../../wire/error-object.ts";
import { approvalRequests } from "../../wire/responses/approval-items.ts";
import { responsesUsage } from "../../wire/responses/response-object.ts";
import { type ResponseWriter, responseWriter, type WriterOptions } from "../../wire/responses/response-writer.ts";
import { splitSse } from "../../wire/sse-split.ts";
import type { EndingContext, ReplyFormat } from "../surface/surface.ts";

type CleanEnding = Exclude<Ending, { kind: "error" }>;

interface FormatOptions extends Omit<WriterOptions, "streams"> {
  /** Reasoning that the upstream wants back goes out sealed. */
  readonly seals: boolean;
  /** Stores the response, before the client gets its completion. @returns whether it is stored. */
  readonly keep: (response: JsonObject, session: string) => Promise<boolean>;
}

type WordOptions = Pick<FormatOptions, "seals" | "newItemId">;

export function responsesFormat(options: FormatOptions): ReplyFormat {
  const { head, keep } = options;
  const isKept = async ({ response }: ResponseWriter, { note }: EndingContext): Promise<boolean> =>
    head.store && (await keep(response, String(note.session_id)));
  const writer = responseWriter({ ...options, streams: true });
  const splitter = splitSse();
  return {
    words(events, envelope) {
      writer.model = modelOf(envelope);
      let out = "";
      for (const { raw, data } of splitter.push(events)) {
        if (data === undefined) continue;
        const chunk: unknown = JSON.parse(data);
        // A chat's events have no name: nothing that a relayed stream holds gets in here.
        if (raw.startsWith("event: response.") && isObject(chunk)) {
          out += writer.relay(data, chunk);
          continue;
        }
        const [choice] = isObject(chunk) && Array.isArray(chunk.choices) ? chunk.choices : [];
        // Other choices are no part of this one response.
        if (!isObject(choice) || !isObject(choice.delta) || (choice.index ?? 0) !== 0) continue;
        // A role often comes before the first text: the long first events are sent meanwhile.
        out += writer.begin() + writeWords(writer, choice.delta, choice.logprobs, options);
      }
      return out;
    },
    ownWords(envelope, words) {
      writer.model = modelOf(envelope);
      return writer.words("text", words);
    },
    async ending(ending, context) {
      writer.model = modelOf(context.envelope);
      const events = writeEnding(writer, ending, context);
      return events + writer.ended(await isKept(writer, context));
    },
    error(error, envelope) {
      writer.model = modelOf(envelope);
      return writer.fail(errorObject(error));
    },
    async body(ending, context) {
      const whole = responseWriter({ ...options, streams: false });
      writeBody(whole, ending, context, options);
      whole.ended(await isKept(whole, context));
      return whole.response;
    },
  };
}

const modelOf = ({ head, model }: Envelope): string => (typeof head?.model === "string" ? head.model : model);

/** @param message a delta or a message. */
function writeWords(
  writer: ResponseWriter,
  message: JsonObject,
  logprobs: unknown,
  { seals, newItemId }: WordOptions,
): string {
  const { reasoning_content: returned, reasoning, content, refusal } = message;
  let out = "";
  const summaries = summariesIn(message);
  for (const { text, part } of summaries) out += writer.words("summary", text, { sealed: seals, part });
  if (summaries.length === 0) {
    if (typeof returned === "string" && returned !== "") out += writer.words("reasoning", returned, { sealed: seals });
    else if (typeof reasoning === "string") out += writer.words("reasoning", reasoning);
  }
  const probabilities = isObject(logprobs) && Array.isArray(logprobs.content) ? logprobs.content : [];
  out += writer.words("text", joinedText(content), { logprobs: probabilities });
  out += writer.annotate(annotationsIn(message.annotations));
  if (typeof refusal === "string") out += writer.words("refusal", refusal);
  for (const result of imagesIn(message.images))
    out += writer.item({ id: newItemId("ig"), type: "image_generation_call", status: "completed", result });
  return out;
}

/** One for a stream's delta, all for a whole message. */
function summariesIn({ reasoning_summary: summary, summary_index: index }: JsonObject): readonly SummaryPart[] {
  if (typeof summary === "string" && typeof index === "number") return [{ text: summary, part: index }];
  if (!Array.isArray(summary)) return [];
  return summary.map((text: unknown, part) => ({ text: typeof text === "string" ? text : "", part }));
}

interface SummaryPart {
  readonly text: string;
  readonly part: number;
}

/** A chat nests what this API does not. */
function annotationsIn(annotations: unknown): readonly JsonObject[] {
  if (!Array.isArray(annotations)) return [];
  return annotations.filter(isObject).map(({ type, url_citation: citation, ...more }) => ({
    type,
    ...(isObject(citation) ? citation : more),
  }));
}

/** Base64, as this API has images of a model. */
const imagesIn = (images: unknown): readonly string[] =>
  (Array.isArray(images) ? images : []).flatMap((image: unknown) => {
    const { url } = isObject(image) && isObject(image.image_url) ? image.image_url : {};
    const data = typeof url === "string" ? /^data:image\/[\w.+-]+;base64,/.exec(url)?.[0] : undefined;
    return typeof url === "string" && data !== undefined ? [url.slice(data.length)] : [];
  });

function writeEnding(writer: ResponseWriter, ending: CleanEnding, context: EndingContext): string {
  const words = ending.kind === "stop" ? ending.text : (ending.lines ?? "");
  return ownWords(writer, words, context) + writeEnd(writer, ending, context);
}

/** In JSON mode no text of ours is mixed into the content: it is a refusal, which clients of that mode look for. */
function ownWords(writer: ResponseWriter, words: string, { jsonMode, spoken }: EndingContext): string {
  if (words === "") return "";
  return jsonMode ? writer.words("refusal", words) : writer.words("text", spoken ? `\n\n${words}` : words);
}

function writeBody(writer: ResponseWriter, ending: CleanEnding, context: EndingContext, options: WordOptions): void {
  const step = ending.kind === "answer" ? ending.step : undefined;
  writer.model = modelIn(step?.body) ?? modelOf(context.envelope);
  const { preface } = context;
  let spoken = preface !== "";
  writer.words("text", preface);
  const between = () => (spoken ? "\n\n" : "");
  if (ending.kind === "stop" && ending.words) {
    writer.words("text", between() + ending.words);
    spoken = true;
  }
  const items = step?.items ?? [];
  for (const item of items) writer.item(item);
  const hasWords = items.some(({ type }) => type === "message" || type === "reasoning");
  spoken ||= items.some(({ type }) => type === "message");
  const [choice] =
    ending.kind === "answer" && Array.isArray(ending.step?.body?.choices) ? ending.step.body.choices : [];
  if (!hasWords && isObject(choice) && isObject(choice.message)) {
    const text = joinedText(choice.message.content);
    writeWords(writer, { ...choice.message, content: text === "" ? "" : between() + text }, choice.logprobs, options);
    spoken ||= text !== "";
  }
  writeEnding(writer, ending, { ...context, spoken });
}

/** Calls from their vetted parts only, pending approvals, and the end. */
function writeEnd(writer: ResponseWriter, ending: CleanEnding, context: EndingContext): string {
  const { note, now } = context;
  let out = "";
  for (const call of ending.kind === "answer" ? ending.calls : []) out += writer.call(call);
  if (ending.stopReason === "awaiting_approval")
    for (const item of approvalRequests(note.approvals)) out += writer.item(item);
  const incomplete = incompleteReason(ending);
  const step = ending.kind === "answer" ? ending.step : undefined;
  const state = {
    status: incomplete === undefined ? "completed" : "incomplete",
    usage: responsesUsage(context.usage ?? step?.usage),
    incomplete,
    completedAt: incomplete === undefined ? now : undefined,
    stated: step?.stated,
  } as const;
  return out + writer.end(state, { toolgate: note });
}

const modelIn = (body: JsonObject | undefined): string | undefined =>
  typeof body?.model === "string" ? body.model : undefined;

function incompleteReason(ending: CleanEnding): string | undefined {
  const reason = ending.kind === "stop" ? ending.finishReason : ending.step?.finishReason;
  if (reason === "length") return "max_output_tokens";
  return reason === "content_filter" ? "content_filter" : undefined;
}
