/**
 * What an upstream of the same API says of its response beside its words, calls and usage: what it really used in place of what the
 * request left out, and its own accounts. Pure.
 */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { findCallName } from "../call-names.ts";

/** Any other member is ours to say, or nobody's. */
const STATED = ["service_tier", "prompt_cache_retention", "billing", "content_filters", "moderation", "tool_usage"];
const NESTED = { reasoning: ["effort", "summary"], text: ["verbosity"] };

/** UTF-16 units of one member. Azure's filters of a long answer are some thousands. */
const MAX_MEMBER = 32 * 1024;

export function statedMembers(response: unknown): JsonObject {
  if (!isObject(response)) return {};
  const nested = Object.entries(NESTED).flatMap(([name, members]): [string, JsonObject][] => {
    const inner = response[name];
    const kept = isObject(inner) ? harmless(inner, members) : {};
    return Object.keys(kept).length > 0 ? [[name, kept]] : [];
  });
  return { ...harmless(response, STATED), ...Object.fromEntries(nested) };
}

const harmless = (object: JsonObject, members: readonly string[]): JsonObject =>
  Object.fromEntries(
    members.flatMap((name) => {
      const value = Object.hasOwn(object, name) ? object[name] : undefined;
      return value !== undefined && isHarmless(value) ? [[name, value]] : [];
    }),
  );

/** No reader may find a call in it. */
const isHarmless = (value: unknown): boolean =>
  findCallName(value) === undefined && JSON.stringify(value).length <= MAX_MEMBER;
