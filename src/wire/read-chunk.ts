/**
 * Reads one event of a chat completion stream and takes it apart: words, which may pass to the client, and decisions
 * (tool-call fragments, finish reasons, usage, errors), which may not. Pure.
 *
 * An event passes only if every key is a known word key or unknown with a value that hides no call. What the bytes
 * could mean to a laxer reader does not pass either: names of calls anywhere in the bytes, escaped or duplicate keys,
 * and line separators that some clients take for ends of line all make the event be written anew from what was parsed.
 */
import { hasOddKeys } from "../lib/strict-json.ts";

export type JsonObject = Record<string, unknown>;

export type ChunkReading =
  /** Not JSON, or JSON that is no event of this protocol. */
  | { readonly kind: "broken"; readonly detail: string }
  | { readonly kind: "error"; readonly error: unknown }
  | {
      readonly kind: "chunk";
      readonly chunk: JsonObject;
      /** What may pass: `same` as it came, or an object to write anew; undefined where there are no words. */
      readonly words: "same" | JsonObject | undefined;
      /** Tool-call fragments by choice, as the provider sent them. */
      readonly fragments: readonly Fragment[];
      /** The event without words and calls, held until the step is decided. */
      readonly finish: JsonObject | undefined;
      readonly finishReason: string | undefined;
      /** Held: usage is told once, at the end. */
      readonly usage: JsonObject | undefined;
      /** The text that the words hold, for whoever must know what was said. */
      readonly text: string;
      /** Likewise the `reasoning_content`: some models want it back with their calls. */
      readonly reasoning: string;
    };

export interface Fragment {
  readonly choice: number;
  readonly value: unknown;
}

/** Call names in any spelling: `tool_calls`, `toolCalls`, `function_call`, `tool_use`, … */
const CALL_KEY = /tool_?-?calls?|function_?-?calls?|tool_?-?use/i;
const SUSPECT_BYTES = /tool_?-?call|function_?-?call|tool_?-?use|message|toolgate/i;
/** Separators that JSON allows in strings but that some clients take for an end of line. */
const LINE_SEPARATORS = /[\u0085\u2028\u2029]/;

export function readChunk(data: string): ChunkReading {
  let read: unknown;
  try {
    read = JSON.parse(data);
  } catch {
    return { kind: "broken", detail: "an event of the stream is not JSON" };
  }
  if (!isObject(read)) return { kind: "broken", detail: "an event of the stream is not an object" };
  const parsed = "toolgate" in read ? withoutNote(read) : read;
  if (parsed.error != null) return { kind: "error", error: parsed.error };
  const choices = parsed.choices;
  if (choices != null && !Array.isArray(choices)) return { kind: "broken", detail: "`choices` is not a list" };

  // Keys can be named so only where the bytes show it, plainly or by an escape.
  const suspect = SUSPECT_BYTES.test(data) || data.includes("\\u");
  const hidden = suspect ? findHiddenCall(parsed) : undefined;
  if (hidden) return { kind: "broken", detail: `calls under the key \`${hidden}\` are not understood` };

  const plain = readPlain(choices ?? []);
  const usage = isObject(parsed.usage) ? parsed.usage : undefined;
  if (plain === undefined) return takeApart(parsed, choices ?? [], usage);
  const same = !SUSPECT_BYTES.test(data) && !LINE_SEPARATORS.test(data) && isUnambiguous(data, parsed);
  // A chunk without choices that tells usage is the stream's closing account.
  if (usage && (choices ?? []).length === 0) {
    return {
      kind: "chunk",
      chunk: parsed,
      words: undefined,
      fragments: [],
      finish: undefined,
      finishReason: undefined,
      usage,
      text: "",
      reasoning: "",
    };
  }
  return {
    kind: "chunk",
    chunk: parsed,
    words: same ? "same" : withoutMessages(parsed),
    fragments: [],
    finish: undefined,
    finishReason: undefined,
    usage,
    ...plain,
  };
}

/** Only the gateway speaks under this name: an upstream could forge decisions and approvals with it. */
function withoutNote({ toolgate: _forged, ...chunk }: JsonObject): JsonObject {
  return chunk;
}

/** What an event that is only words says; undefined if it holds fragments or a finish reason. */
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

/** An event that mixes: its words apart from its fragments and its finish reason. */
function takeApart(chunk: JsonObject, choices: readonly unknown[], usage: JsonObject | undefined): ChunkReading {
  const fragments: Fragment[] = [];
  const wordChoices: JsonObject[] = [];
  const finishChoices: JsonObject[] = [];
  let finishReason: string | undefined;
  let text = "";
  let reasoning = "";
  for (const choice of choices) {
    if (!isObject(choice)) return { kind: "broken", detail: "a choice is not an object" };
    const { delta, finish_reason: finish, ...rest } = withoutMessage(choice);
    const { tool_calls: calls, ...words } = isObject(delta) ? delta : {};
    const index = typeof choice.index === "number" ? choice.index : 0;
    if (Array.isArray(calls)) fragments.push(...calls.map((value) => ({ choice: index, value })));
    if (hasWords(words)) {
      wordChoices.push({ ...rest, delta: words, finish_reason: null });
      if (typeof words.content === "string") text += words.content;
      if (typeof words.reasoning_content === "string") reasoning += words.reasoning_content;
    }
    if (!isFinish(finish)) continue;
    if (typeof finish !== "string") return { kind: "broken", detail: "a finish reason is not a string" };
    finishReason = finish;
    finishChoices.push({ ...rest, ...(hasWords(words) ? { logprobs: null } : {}), delta: {}, finish_reason: finish });
  }
  const { usage: _usage, ...envelope } = chunk;
  return {
    kind: "chunk",
    chunk,
    words: wordChoices.length > 0 ? { ...envelope, choices: wordChoices } : undefined,
    fragments,
    finish: finishChoices.length > 0 ? { ...chunk, choices: finishChoices } : undefined,
    finishReason,
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

/** The key under which a call hides from us and might not from the client; `tool_calls` of a delta is ours to read. */
function findHiddenCall(chunk: JsonObject): string | undefined {
  // Accounts name tools (`server_tool_use: 3`), and nobody runs an account.
  const { choices, usage: _usage, ...rest } = chunk;
  const inEnvelope = findCallKey(rest);
  if (inEnvelope) return inEnvelope;
  if (!Array.isArray(choices)) return undefined;
  for (const choice of choices) {
    const { delta, ...others }: JsonObject = isObject(choice) ? choice : { choice };
    const { tool_calls: calls, ...words }: JsonObject = isObject(delta) ? delta : { delta };
    if (calls != null && !Array.isArray(calls)) return "tool_calls";
    const found = findCallKey(others) ?? findCallKey(words);
    if (found) return found;
  }
  return undefined;
}

/** The first key (at any depth) that names calls and is not empty. */
export function findCallKey(value: unknown, depth = 0): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (depth > 32) return "(nested too deeply)";
  if (Array.isArray(value)) {
    for (const item of value) {
      const found = findCallKey(item, depth + 1);
      if (found) return found;
    }
    return undefined;
  }
  for (const key in value) {
    const item = (value as JsonObject)[key];
    if (CALL_KEY.test(key) && !isEmpty(item)) return key;
    if (key === "type" && typeof item === "string" && CALL_KEY.test(item)) return item;
    const found = typeof item === "object" ? findCallKey(item, depth + 1) : undefined;
    if (found) return found;
  }
  return undefined;
}

const isEmpty = (value: unknown): boolean =>
  value == null ||
  value === "" ||
  typeof value === "number" ||
  typeof value === "boolean" ||
  (Array.isArray(value) && value.length === 0);

/** Some providers repeat the whole message in each event; clients that read it would read around the deltas. */
function withoutMessages(chunk: JsonObject): JsonObject {
  if (!Array.isArray(chunk.choices)) return chunk;
  return {
    ...chunk,
    choices: chunk.choices.map((choice: unknown) => (isObject(choice) ? withoutMessage(choice) : choice)),
  };
}

function withoutMessage(choice: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(choice).filter(([key]) => !/^messages?$/i.test(key)));
}

/** Native comparison first: most providers write exactly what `JSON.stringify` would. */
function isUnambiguous(data: string, parsed: unknown): boolean {
  return JSON.stringify(parsed) === data || !hasOddKeys(data);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** JSON for an event's data line, safe for readers that break lines where JSON does not. */
export function eventJson(value: unknown): string {
  const text = JSON.stringify(value);
  return LINE_SEPARATORS.test(text)
    ? text.replace(/[\u0085\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)
    : text;
}
