/**
 * Assembles the calls of a streamed answer from their fragments. The AI SDK's tracker decides which call a fragment belongs to, if
 * providers leave out its index, repeat an id or use one index twice. The step checks that no byte was lost.
 */
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { newId } from "../../lib/ids.ts";
import type { JsonObject } from "../../lib/json/json-value.ts";
import type { ModelCall } from "../../wire/call-parts.ts";

/** The protocol's own members of a fragment. */
export interface CallFragment {
  readonly index: number | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly arguments: string | undefined;
}

export interface CallAssembly {
  add(fragment: CallFragment): void;
  /** Calls that have begun. The lookup for a fragment may read all of them. */
  readonly begun: number;
  /** All calls, complete; undefined if the fragments make none that can be distinguished. */
  end(): readonly ModelCall[] | undefined;
}

/** Undefined if a member has another type than in the protocol. */
export function readFragment({ index, id, function: called }: JsonObject): CallFragment | undefined {
  const { name, arguments: text } = called as JsonObject;
  if (!areOf("number", index) || !areOf("string", id, name, text)) return undefined;
  const fragment = { index: index ?? undefined, id: id ?? undefined, name: name ?? undefined };
  return { ...fragment, arguments: text ?? undefined } as CallFragment;
}

const areOf = (type: "number" | "string", ...values: readonly unknown[]): boolean =>
  values.every((value) => value == null || typeof value === type);

let sdk: typeof import("@ai-sdk/provider-utils") | undefined;

/** Must be awaited before an assembly: the SDK is loaded at an isolate's first use of it. */
export async function loadAssembly(): Promise<void> {
  sdk ??= await import("@ai-sdk/provider-utils");
}

export function assembleCalls(): CallAssembly {
  const calls: ModelCall[] = [];
  let tracker: InstanceType<typeof import("@ai-sdk/provider-utils").StreamingToolCallTracker> | undefined;
  /** Calls whose name has not come yet, by their index. */
  const nameless = new Map<number, CallFragment>();
  const named = new Set<number>();
  let begun = 0;
  let failed = false;

  const enqueue = (part: LanguageModelV4StreamPart): void => {
    if (part.type === "tool-input-start") begun += 1;
    if (part.type !== "tool-call") return;
    calls.push({ id: part.toolCallId, name: part.toolName, arguments: part.input, extra: undefined });
  };
  const pass = ({ index, id, name, arguments: text }: CallFragment): void => {
    if (!sdk) throw new Error("the SDK was not loaded");
    tracker ??= new sdk.StreamingToolCallTracker({ enqueue }, { generateId: () => newId("call", Date.now()) });
    tracker.processDelta({ index, id, function: { name, arguments: text } });
  };
  const take = (fragment: CallFragment): void => {
    const { index, name } = fragment;
    if (index === undefined || named.has(index)) {
      pass(fragment);
      return;
    }
    const before = nameless.get(index);
    const joined = before ? joinedTo(before, fragment) : fragment;
    if (name === undefined) {
      nameless.set(index, joined);
      return;
    }
    nameless.delete(index);
    named.add(index);
    pass(joined);
  };
  return {
    add(fragment) {
      try {
        if (!failed) take(fragment);
      } catch {
        // The SDK throws if a call has no name.
        failed = true;
      }
    },
    get begun() {
      return begun;
    },
    end() {
      tracker?.flush();
      return failed || nameless.size > 0 ? undefined : calls;
    },
  };
}

const joinedTo = (before: CallFragment, { index, id, name, arguments: text }: CallFragment): CallFragment => ({
  index,
  id: before.id ?? id,
  name,
  arguments: before.arguments === undefined ? text : before.arguments + (text ?? ""),
});
