/** What the AI SDK is handed of an upstream's events. Pure. */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";

/** Calls and finish; no words, no account, and no vendor members that its schema could trip over. */
function sdkShare(chunk: JsonObject): JsonObject {
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
  };
}

/** The members of a call, or of a fragment, that are the protocol's own. */
export function sdkCall(call: unknown): unknown {
  if (!isObject(call)) return call;
  const { index, id, type, function: called } = call;
  const own = isObject(called) ? { name: called.name, arguments: called.arguments } : called;
  return { index, id, type, function: own };
}

interface SdkShares {
  /** Adds what an upstream's event has for the SDK. */
  add(chunk: JsonObject): void;
  /** Events for the SDK, as text, that nothing can be added to any more. */
  take(): string;
  /** All that are left. */
  end(): string;
}

/**
 * The SDK takes 0.1 ms for an event, and models send arguments in pieces of a few letters: pieces of one call that follow each other are
 * handed on as one. They mean the same: the SDK appends each to the call of its index.
 */
export function sdkShares(): SdkShares {
  let whole = "";
  let open: { readonly index: number; text: string } | undefined;
  const close = (): void => {
    if (open) whole += eventOf({ id: null, choices: [{ delta: { tool_calls: [moreOf(open)] }, finish_reason: null }] });
    open = undefined;
  };
  const take = (): string => {
    const events = whole;
    whole = "";
    return events;
  };
  return {
    add(chunk) {
      const more = moreArguments(chunk);
      if (more && open?.index === more.index) {
        open.text += more.text;
        return;
      }
      close();
      if (more) open = { ...more };
      else whole += eventOf(sdkShare(chunk));
    },
    take,
    end() {
      close();
      return take();
    },
  };
}

const eventOf = (share: JsonObject): string => `data: ${JSON.stringify(share)}\n\n`;

const moreOf = ({ index, text }: MoreArguments) => ({ index, function: { arguments: text } });

interface MoreArguments {
  readonly index: number;
  readonly text: string;
}

/** Of an event that holds nothing for the SDK but more arguments of a call that its index alone names. */
function moreArguments({ choices }: JsonObject): MoreArguments | undefined {
  const choice: unknown = Array.isArray(choices) && choices.length === 1 ? choices[0] : undefined;
  if (!isObject(choice) || !isObject(choice.delta) || (choice.finish_reason != null && choice.finish_reason !== ""))
    return undefined;
  const calls: unknown = choice.delta.tool_calls;
  const call: unknown = Array.isArray(calls) && calls.length === 1 ? calls[0] : undefined;
  if (!isObject(call) || typeof call.index !== "number" || call.id != null || !isObject(call.function))
    return undefined;
  const { name, arguments: text } = call.function;
  return name == null && typeof text === "string" ? { index: call.index, text } : undefined;
}
