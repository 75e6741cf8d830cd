/**
 * Reads one event of a chat completion stream and takes it apart: words, which may pass to the client, and decisions
 * (tool-call fragments, finish reasons, usage, errors), which may not. Pure.
 *
 * An event passes only if every key is a known content key or unknown with a value that hides no call. Bytes that a
 * laxer reader could understand otherwise do not pass either: names of calls anywhere in the bytes, escaped or duplicate keys,
 * and line separators that some clients take for ends of line all make the event be written anew from the parsed value.
 */

import { isObject, type JsonObject, listIn } from "../lib/json/json-value.ts";
import { hasOddKeys } from "../lib/json/strict-json.ts";
import { findCallOutside } from "./call-names.ts";
import { cleanAnswer } from "./clean-answer.ts";
import { LINE_SEPARATORS } from "./write-event.ts";

export type ChunkReading =
  /** Not JSON, or JSON that is no event of this protocol. */
  | { readonly kind: "broken"; readonly detail: string }
  | { readonly kind: "error"; readonly error: unknown }
  | {
      readonly kind: "chunk";
      readonly chunk: JsonObject;
      /** The content that may pass: `same` as it came, or an object to write anew; undefined if there is none. */
      readonly words: "same" | JsonObject | undefined;
      /** Tool-call fragments by choice, as the provider sent them. */
      readonly fragments: readonly Fragment[];
      /** The event without words and calls, held until the step is decided. */
      readonly finish: JsonObject | undefined;
      /** Those of all its choices. */
      readonly finishReasons: readonly string[];
      /** Withheld: usage is sent once, at the end. */
      readonly usage: JsonObject | undefined;
      /** The text of the words, for the record of the reply. */
      readonly text: string;
      /** Likewise the `reasoning_content`: some models want it back with their calls. */
      readonly reasoning: string;
    };

interface Fragment {
  readonly choice: number;
  readonly value: unknown;
}

/** If none of these occurs, nothing is suspect. A key of other letters is found by the text behind it. */
const CLOSER_LOOK = /tool|function|custom|call|message|\\u|[\u0080-\uffff][^"\u0080-\uffff]*"\s*:/i;
const SUSPECT_BYTES = /tool_?-?call|function_?-?call|tool_?-?use|tool_?-?invocation|message|toolgate/i;

export function readChunk(data: string): ChunkReading {
  let read: unknown;
  try {
    read = JSON.parse(data);
  } catch {
    return { kind: "broken", detail: "an event of the stream is not JSON" };
  }
  if (!isObject(read)) return { kind: "broken", detail: "an event of the stream is not an object" };
  // Searched in the whole event: a member that is removed below might have named a call.
  const closer = CLOSER_LOOK.test(data);
  const hidden = closer ? findHiddenCall(read) : undefined;
  const parsed = cleanAnswer(read, "delta");
  if (parsed.error != null) return { kind: "error", error: parsed.error };
  const choices = parsed.choices;
  if (choices != null && !Array.isArray(choices)) return { kind: "broken", detail: "`choices` is not a list" };
  if (hidden) return { kind: "broken", detail: `calls under the key \`${hidden}\` are not understood` };

  const plain = readPlain(choices ?? []);
  const usage = isObject(parsed.usage) ? parsed.usage : undefined;
  if (plain === undefined) return takeApart(parsed, choices ?? [], usage);
  const suspect = parsed !== read || (closer && SUSPECT_BYTES.test(data));
  const same = !suspect && !LINE_SEPARATORS.test(data) && isUnambiguous(data, parsed);
  // A chunk without choices that has usage is the stream's closing account.
  const closing = usage && (choices ?? []).length === 0;
  return {
    kind: "chunk",
    chunk: parsed,
    words: closing ? undefined : same ? "same" : parsed,
    fragments: [],
    finish: undefined,
    finishReasons: [],
    usage,
    ...plain,
  };
}

/** The content of an event that is only content; undefined if it holds fragments or a finish reason. */
function readPlain(choices: readonly unknown[]): { text: string; reasoning: string } | undefined {
  let text = "";
  let reasoning = "";
  for (const choice of choices) {
    if (!isObject(choice)) continue;
    if (isFinish(choice.finish_reason)) return undefined;
    const delta = choice.delta;
    if (!isObject(delta)) continue;
    if (Array.isArray(delta.tool_calls) && delta.tool_calls.length > 0) return undefined;
    if (typeof delta.content === "string") text += delta.content;
    if (typeof delta.reasoning_content === "string") reasoning += delta.reasoning_content;
  }
  return { text, reasoning };
}

/** The content of an event that is known to be only content. */
export const wordsIn = ({ choices }: JsonObject): { text: string; reasoning: string } =>
  readPlain(Array.isArray(choices) ? choices : []) ?? { text: "", reasoning: "" };

/** An event that mixes: its words apart from its fragments and its finish reason. */
function takeApart(chunk: JsonObject, choices: readonly unknown[], usage: JsonObject | undefined): ChunkReading {
  const fragments: Fragment[] = [];
  const wordChoices: JsonObject[] = [];
  const finishChoices: JsonObject[] = [];
  const finishReasons: string[] = [];
  let text = "";
  let reasoning = "";
  for (const [place, choice] of choices.entries()) {
    if (!isObject(choice)) return { kind: "broken", detail: "a choice is not an object" };
    const { delta, finish_reason: finish, ...rest } = choice;
    const { tool_calls: calls, ...words } = isObject(delta) ? delta : {};
    // Some readers take the first choice for 0, whatever it is called.
    const index = place > 0 ? place : typeof choice.index === "number" ? choice.index : 0;
    if (Array.isArray(calls)) fragments.push(...calls.map((value) => ({ choice: index, value })));
    if (hasWords(words)) {
      wordChoices.push({ ...rest, delta: words, finish_reason: null });
      if (typeof words.content === "string") text += words.content;
      if (typeof words.reasoning_content === "string") reasoning += words.reasoning_content;
    }
    if (!isFinish(finish)) continue;
    if (typeof finish !== "string") return { kind: "broken", detail: "a finish reason is not a string" };
    finishReasons.push(finish);
    finishChoices.push({ ...rest, ...(hasWords(words) ? { logprobs: null } : {}), delta: {}, finish_reason: finish });
  }
  const { usage: _usage, ...envelope } = chunk;
  return {
    kind: "chunk",
    chunk,
    words: wordChoices.length > 0 ? { ...envelope, choices: wordChoices } : undefined,
    fragments,
    finish: finishChoices.length > 0 ? { ...chunk, choices: finishChoices } : undefined,
    finishReasons,
    usage,
    text,
    reasoning,
  };
}

/** Some providers send an empty finish reason with every word. */
const isFinish = (reason: unknown): boolean => reason != null && reason !== "";

/** Whether a delta says anything: the opening role counts, empty and null values do not. */
function hasWords(delta: JsonObject): boolean {
  return Object.entries(delta).some(([key, value]) =>
    key === "role"
      ? typeof value === "string" && value !== "" && (delta.content === null || delta.content === undefined)
      : value != null && value !== "" && !(Array.isArray(value) && value.length === 0),
  );
}

/** Whether no choice of an event holds words, nor calls. */
export const saysNothing = ({ choices }: JsonObject): boolean =>
  Array.isArray(choices) &&
  choices.every((choice) => {
    const delta = isObject(choice) ? choice.delta : undefined;
    return delta == null || (isObject(delta) && Object.keys(delta).length === 0);
  });

/** The name under which a call hides from us and might not from the client; `tool_calls` of a delta is ours to read. */
function findHiddenCall(chunk: JsonObject): string | undefined {
  const isOddList = (choice: unknown): boolean => {
    const delta = isObject(choice) ? choice.delta : undefined;
    return isObject(delta) && delta.tool_calls != null && !Array.isArray(delta.tool_calls);
  };
  return findCallOutside(chunk, "delta") ?? (listIn(chunk.choices).some(isOddList) ? "tool_calls" : undefined);
}

/** Native comparison first: most providers write exactly what `JSON.stringify` would. */
function isUnambiguous(data: string, parsed: unknown): boolean {
  return JSON.stringify(parsed) === data || !hasOddKeys(data);
}
