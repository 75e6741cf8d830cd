/** What the AI SDK is handed of an upstream's event. Pure. */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";

/** Calls, finish and usage; no words, and no vendor members that its schema could trip over. */
export function sdkShare(chunk: JsonObject): JsonObject {
  const choices = Array.isArray(chunk.choices) ? chunk.choices.filter(isObject) : [];
  return {
    id: typeof chunk.id === "string" ? chunk.id : null,
    choices: choices.map(({ delta, finish_reason }) => {
      const calls = isObject(delta) && Array.isArray(delta.tool_calls) ? delta.tool_calls : null;
      return {
        delta: calls ? { tool_calls: calls.map(sdkCall) } : {},
        finish_reason: typeof finish_reason === "string" && finish_reason !== "" ? finish_reason : null,
      };
    }),
    usage: isObject(chunk.usage) ? chunk.usage : null,
  };
}

/** The members of a call, or of a fragment, that are the protocol's own. */
export function sdkCall(call: unknown): unknown {
  if (!isObject(call)) return call;
  const { index, id, type, function: called } = call;
  const own = isObject(called) ? { name: called.name, arguments: called.arguments } : called;
  return { index, id, type, function: own };
}
