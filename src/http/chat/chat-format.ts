/** Writes a turn's ending in OpenAI's chat format: the last events of a stream, or a JSON body. Pure. */

import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { err, ok } from "../../lib/result.ts";
import type { Ending } from "../../ports/turns/ending.ts";
import { wireCall } from "../../wire/call-parts.ts";
import { readChatRequest } from "../../wire/chat-request.ts";
import { adoptChunk, type Envelope, ownChunk } from "../../wire/envelope.ts";
import { DONE, dataEvent } from "../../wire/write-event.ts";
import { problemOf } from "../problem.ts";
import type { EndingContext, ReplyFormat, Surface } from "../surface/surface.ts";

function endingEvents(ending: Exclude<Ending, { kind: "error" }>, context: EndingContext): string {
  return (ending.kind === "stop" ? stopEvents(ending, context) : answerEvents(ending, context)) + DONE;
}

/** No clean end: no finish reason and no `[DONE]`. */
const errorEvent = (error: unknown): string => dataEvent({ error });

/** The gateway's own text in the middle of a stream. */
const ownWordsEvent = (envelope: Envelope, words: string, now: number): string =>
  dataEvent(ownChunk(envelope, { content: words }, null, now));

function answerEvents({ step, calls, lines }: Extract<Ending, { kind: "answer" }>, context: EndingContext): string {
  const { envelope, note, usage, several } = context;
  const out = lines === undefined ? [] : [dataEvent(ownChunk(envelope, ownWords(lines, context), null, context.now))];
  for (const [index, call] of calls.entries()) {
    out.push(dataEvent(ownChunk(envelope, { tool_calls: [{ index, ...wireCall(call) }] }, null, context.now)));
  }
  const finishChunks = (step?.finish ?? []).map((chunk) => {
    const adopted = several ? adoptChunk(envelope, chunk) : chunk;
    return usage && adopted.usage != null ? { ...adopted, usage } : adopted;
  });
  // The provider's usage may follow its finish reason.
  const last = finishChunks.findLast(hasReason) ?? finishChunks.at(-1);
  if (last) finishChunks[finishChunks.lastIndexOf(last)] = { ...last, toolgate: note };
  // Clients wait for results only if the finish reason says so; a provider that sends none gets none for its text.
  else if (step && calls.length === 0)
    finishChunks.push({ ...ownChunk(envelope, {}, null, context.now), choices: [], toolgate: note });
  else finishChunks.push({ ...ownChunk(envelope, {}, "tool_calls", context.now), toolgate: note });
  out.push(...finishChunks.map(dataEvent));
  if (!step && context.includeUsage && usage) out.push(dataEvent({ ...envelope.head, choices: [], usage }));
  if (step?.closing) {
    const closing = several ? adoptChunk(envelope, step.closing) : step.closing;
    out.push(dataEvent(usage ? { ...closing, usage } : closing));
  }
  return out.join("");
}

const hasReason = ({ choices }: JsonObject): boolean =>
  Array.isArray(choices) && choices.some((choice) => isObject(choice) && typeof choice.finish_reason === "string");

function stopEvents({ text, finishReason }: Extract<Ending, { kind: "stop" }>, context: EndingContext): string {
  const { envelope, note, usage, now } = context;
  const out = text === "" ? [] : [dataEvent(ownChunk(envelope, ownWords(text, context), null, now))];
  out.push(dataEvent({ ...ownChunk(envelope, {}, finishReason, now), toolgate: note }));
  if (context.includeUsage && usage) out.push(dataEvent({ ...envelope.head, choices: [], usage }));
  return out.join("");
}

/** In JSON mode no text of ours is mixed into the content: it is a refusal, which clients of that mode look for. */
function ownWords(text: string, { jsonMode, spoken }: EndingContext): JsonObject {
  if (jsonMode) return { refusal: text };
  return { content: spoken ? `\n\n${text}` : text };
}

/** Messages by the gateway have the members that OpenAI's schema requires, `refusal` and `logprobs` among them. */
function endingBody(ending: Exclude<Ending, { kind: "error" }>, context: EndingContext): JsonObject {
  const { envelope, note, usage, now } = context;
  const own = {
    id: `chatcmpl-${crypto.randomUUID()}`,
    object: "chat.completion",
    created: Math.floor(now / 1000),
    model: envelope.model,
    ...envelope.head,
  };
  if (ending.kind === "stop") {
    const message = { role: "assistant", ...stopWords(ending, context) };
    const choice = { index: 0, message, logprobs: null, finish_reason: ending.finishReason };
    const choices = [withPreface(choice, context.preface)];
    return { ...own, choices, usage, toolgate: note };
  }
  const calls = ending.calls.map(wireCall);
  if (!ending.step?.body) {
    const message = { role: "assistant", content: null, refusal: null, tool_calls: calls };
    const choices = [withPreface({ index: 0, message, logprobs: null, finish_reason: "tool_calls" }, context.preface)];
    return { ...own, choices, usage, toolgate: note };
  }
  const { body } = ending.step;
  const choices = Array.isArray(body.choices)
    ? body.choices.map((choice, index) =>
        index === 0 ? withPreface(withLines(withCalls(choice, calls), ending.lines), context.preface) : choice,
      )
    : [];
  const head = usage ? { id: own.id, created: own.created, usage } : {};
  return { ...body, ...head, choices, toolgate: note };
}

/** The model's text before ours, if it has any. */
function stopWords({ text, words = "" }: Extract<Ending, { kind: "stop" }>, { jsonMode }: EndingContext): JsonObject {
  if (!jsonMode) return { content: [words, text].filter((part) => part !== "").join("\n\n"), refusal: null };
  return { content: words === "" ? null : words, refusal: text === "" ? null : text };
}

function withPreface(choice: unknown, preface: string): unknown {
  if (preface === "" || !isObject(choice) || !isObject(choice.message)) return choice;
  const { content } = choice.message;
  const words = typeof content === "string" && content !== "" ? `${preface}\n\n${content}` : preface;
  return { ...choice, message: { ...choice.message, content: words } };
}

function withLines(choice: unknown, lines: string | undefined): unknown {
  if (lines === undefined || !isObject(choice) || !isObject(choice.message)) return choice;
  const { content } = choice.message;
  const joined = typeof content === "string" && content !== "" ? `${content}\n\n${lines}` : lines;
  return { ...choice, message: { ...choice.message, content: joined } };
}

function withCalls(choice: unknown, calls: readonly JsonObject[]): unknown {
  if (!isObject(choice) || !isObject(choice.message) || !("tool_calls" in choice.message)) return choice;
  const { tool_calls: made, ...message } = choice.message;
  // An empty list or null is passed on unchanged.
  if (calls.length === 0 && (!Array.isArray(made) || made.length === 0)) return choice;
  if (calls.length === 0) return { ...choice, message };
  return { ...choice, message: { ...message, tool_calls: calls }, finish_reason: choice.finish_reason || "tool_calls" };
}

export const chatFormat: ReplyFormat = {
  ownWords: ownWordsEvent,
  ending: endingEvents,
  error: errorEvent,
  body: endingBody,
};

/** `POST /v1/chat/completions`: the format that the gateway works in. */
export const chatSurface: Surface = {
  read(body, { keptNumbers }) {
    const chat = readChatRequest(body, keptNumbers);
    return chat.ok ? ok({ chat: chat.value, user: body.user, format: chatFormat }) : err(problemOf(chat.error));
  },
};
