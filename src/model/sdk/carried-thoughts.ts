/**
 * Puts a model's thoughts into a form that clients bring back: a provider that signs thoughts wants them with the next request, and clients
 * of chat completions keep only a call's own members. Pure.
 *
 * Anthropic's blocks go into `extra_content.anthropic.thinking` of each call (of the message if there is no call): base64 of JSON, a list
 * of `[text, signature]` for thinking and `[data]` for redacted thinking. Google's signature goes where Google's own OpenAI-compatible API
 * has it, `extra_content.google.thought_signature`. What OpenAI's Responses API encrypted goes into `extra_content.openai.reasoning`:
 * base64 of JSON, a list of texts.
 */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";

export type ThoughtBlock =
  | { readonly kind: "thinking"; readonly text: string; readonly signature: string }
  | { readonly kind: "redacted"; readonly data: string };

/** Undefined if there is nothing to carry. */
export function carryThoughts(blocks: readonly ThoughtBlock[]): JsonObject | undefined {
  if (blocks.length === 0) return undefined;
  const packed = blocks.map((block) => (block.kind === "thinking" ? [block.text, block.signature] : [block.data]));
  return { extra_content: { anthropic: { thinking: Buffer.from(JSON.stringify(packed)).toString("base64") } } };
}

export const carrySignature = (signature: string): JsonObject => ({
  extra_content: { google: { thought_signature: signature } },
});

/** @param encrypted at least one. */
export const carryReasoning = (encrypted: readonly string[]): JsonObject => ({
  extra_content: { openai: { reasoning: Buffer.from(JSON.stringify(encrypted)).toString("base64") } },
});

/**
 * None if the member is missing or is not what the gateway wrote: the provider checks the signatures.
 * @param holder a call, or a message.
 */
export const carriedThoughts = (holder: unknown): readonly ThoughtBlock[] =>
  listIn(memberOf(holder, "anthropic", "thinking")).flatMap(readBlock);

/** Likewise. */
export const carriedReasoning = (holder: unknown): readonly string[] =>
  listIn(memberOf(holder, "openai", "reasoning")).filter((text) => typeof text === "string");

function listIn(packed: string | undefined): readonly unknown[] {
  if (packed === undefined) return [];
  try {
    const list: unknown = JSON.parse(Buffer.from(packed, "base64").toString());
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

/** @param holder a call, or a message. */
export const carriedSignature = (holder: unknown): string | undefined =>
  memberOf(holder, "google", "thought_signature") ?? memberOf(holder, "vertex", "thought_signature");

function readBlock(block: unknown): ThoughtBlock[] {
  if (!Array.isArray(block) || !block.every((part) => typeof part === "string")) return [];
  const [first, signature] = block as string[];
  if (first === undefined) return [];
  return signature === undefined ? [{ kind: "redacted", data: first }] : [{ kind: "thinking", text: first, signature }];
}

function memberOf(holder: unknown, vendor: string, name: string): string | undefined {
  const extra = isObject(holder) ? holder.extra_content : undefined;
  const members = isObject(extra) && Object.hasOwn(extra, vendor) ? extra[vendor] : undefined;
  const value = isObject(members) && Object.hasOwn(members, name) ? members[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** Google's signature in the SDK's metadata of a part. */
export function signatureIn(metadata: unknown): string | undefined {
  const google = isObject(metadata) ? metadata.google : undefined;
  const signature = isObject(google) ? google.thoughtSignature : undefined;
  // In the form in which it would come back.
  return typeof signature === "string" ? carriedSignature(carrySignature(signature)) : undefined;
}

/** Encrypted reasoning of the Responses API, in the same form. */
export function encryptedIn(metadata: unknown): string | undefined {
  const openai = isObject(metadata) ? metadata.openai : undefined;
  const encrypted = isObject(openai) ? openai.reasoningEncryptedContent : undefined;
  return typeof encrypted === "string" ? encrypted : undefined;
}
