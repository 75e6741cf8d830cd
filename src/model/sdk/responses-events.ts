/**
 * Watches a stream of the Responses API for what the SDK passes over: events after the response's end, and items that are no words
 * and no call of a function, such as what the provider ran itself.
 */
import { isObject } from "../../lib/json/json-value.ts";
import { splitSse } from "../../wire/sse-split.ts";

const ENDS = new Set(["response.completed", "response.incomplete", "response.failed"]);
const ITEMS = new Set(["message", "reasoning", "function_call"]);

/** @returns what reads the body piece by piece; it throws where the stream is not orderly. */
export function watchResponses(): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder();
  const splitter = splitSse();
  let ended = false;
  return (bytes) => {
    for (const { data = "" } of splitter.push(decoder.decode(bytes, { stream: true }))) {
      if (data.trim() === "" || data.trim() === "[DONE]") continue;
      if (ended) throw new Error("the stream went on after its end");
      const event = parsed(data);
      if (!isObject(event)) continue;
      ended = ENDS.has(String(event.type));
      const { item } = event;
      if (isObject(item) && !ITEMS.has(String(item.type)))
        throw new Error(
          `the provider answered with an item of type \`${String(item.type).slice(0, 64).toWellFormed()}\``,
        );
    }
  };
}

/** What is no JSON the SDK reports. */
function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
