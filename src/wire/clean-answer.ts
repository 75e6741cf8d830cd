/**
 * Removes from an upstream's chunk or body the members that no upstream may send. Pure.
 *
 * Removed are: `toolgate`, which only the gateway says; a key that is the protocol's in another spelling (`Choices`), which
 * some readers would take in place of the real one; a message that repeats the deltas; and calls that hold nothing.
 */
import { isObject, type JsonObject } from "../lib/json/json-value.ts";
import { isBlank, keyKind } from "./call-names.ts";

type ContentMember = "delta" | "message";

/** @param place of a choice's content: `delta` in a stream, `message` in a body. */
export function cleanAnswer(answer: JsonObject, place: ContentMember): JsonObject {
  const clean = without(answer, undefined);
  const { choices } = clean;
  if (!Array.isArray(choices)) return clean;
  let changed = false;
  const cleaned = choices.map((choice: unknown) => {
    const one = isObject(choice) ? cleanChoice(choice, place) : choice;
    changed ||= one !== choice;
    return one;
  });
  return changed ? { ...clean, choices: cleaned } : clean;
}

function cleanChoice(choice: JsonObject, place: ContentMember): JsonObject {
  const clean = without(choice, place);
  const words = clean[place];
  if (!isObject(words)) return clean;
  const cleaned = withoutBlankCalls(without(words, undefined));
  return cleaned === words ? clean : { ...clean, [place]: cleaned };
}

function isForeign(key: string, value: unknown): boolean {
  const { foreign, message } = keyKind(key);
  return foreign || (message && typeof value === "object" && value !== null);
}

/** The same object if nothing is removed: most events are passed as the bytes that came. */
function without(object: JsonObject, kept: string | undefined): JsonObject {
  for (const key in object) {
    if (key === kept || !isForeign(key, object[key])) continue;
    return Object.fromEntries(
      Object.entries(object).filter(([name, value]) => name === kept || !isForeign(name, value)),
    );
  }
  return object;
}

/** Some providers send every field of every type, the unused ones with empty values. */
function withoutBlankCalls(words: JsonObject): JsonObject {
  const { tool_calls: calls, function_call: legacy } = words;
  if (isObject(legacy) && isBlank(legacy)) {
    const { function_call: _blank, ...rest } = words;
    return withoutBlankCalls(rest);
  }
  if (!Array.isArray(calls) || !calls.some(isBlankCall)) return words;
  return { ...words, tool_calls: calls.filter((call) => !isBlankCall(call)) };
}

function isBlankCall(call: unknown): boolean {
  if (!isObject(call)) return false;
  const { index: _index, type: _type, ...rest } = call;
  return isBlank(rest);
}
