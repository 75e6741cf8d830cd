/**
 * Makes several steps one reply: from the second step on, chunks carry the first step's `id` and `created`, and no
 * second `role`. Mutable, one per reply.
 */
import { isObject, type JsonObject } from "../lib/json/json-value.ts";

export interface Envelope {
  /** The model named in the gateway's own chunks if no model has answered. */
  readonly model: string;
  /** The first chunk's (or body's) plain fields except `choices` and `usage`; undefined until one was seen. */
  head: JsonObject | undefined;
  roleSent: boolean;
}

/** @param model the name under which the model answers, as far as it is known before it does. */
export const newEnvelope = (model = "toolgate"): Envelope => ({ model, head: undefined, roleSent: false });

/** Notes the first chunk of a reply that has an id (some providers open with an empty one). */
export function noteHead(envelope: Envelope, chunk: JsonObject): void {
  if (typeof chunk.id !== "string" || chunk.id === "") return;
  const { choices: _choices, usage: _usage, ...head } = chunk;
  // An object is the account of one chunk (`x_groq`): repeated in the last, it would take the place of the real one.
  envelope.head = Object.fromEntries(Object.entries(head).filter(([, value]) => !isObject(value)));
}

/** Notes whether the words that passed had the role. */
export function noteRole(envelope: Envelope, chunk: JsonObject): void {
  if (!Array.isArray(chunk.choices)) return;
  envelope.roleSent = chunk.choices.some((choice) => isObject(choice) && isObject(choice.delta) && !!choice.delta.role);
}

/** A later step's chunk as part of the first one's reply. */
export function adoptChunk(envelope: Envelope, chunk: JsonObject): JsonObject {
  if (!envelope.head) return chunk;
  const { id, created } = envelope.head;
  const choices = Array.isArray(chunk.choices)
    ? chunk.choices.map((choice) => withoutRole(choice, envelope))
    : chunk.choices;
  return { ...chunk, id, created, ...(choices === undefined ? {} : { choices }) };
}

function withoutRole(choice: unknown, envelope: Envelope): unknown {
  if (!envelope.roleSent || !isObject(choice) || !isObject(choice.delta) || !("role" in choice.delta)) return choice;
  const { role: _role, ...delta } = choice.delta;
  return { ...choice, delta };
}

/** A chunk of the gateway's own in the reply's envelope. */
export function ownChunk(envelope: Envelope, delta: JsonObject, finishReason: string | null, now: number): JsonObject {
  envelope.head ??= {
    id: `chatcmpl-${crypto.randomUUID()}`,
    object: "chat.completion.chunk",
    created: Math.floor(now / 1000),
    model: envelope.model,
  };
  const role = envelope.roleSent ? {} : { role: "assistant" };
  envelope.roleSent = true;
  return { ...envelope.head, choices: [{ index: 0, delta: { ...role, ...delta }, finish_reason: finishReason }] };
}
