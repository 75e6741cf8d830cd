/**
 * What a model thought, in a form that clients bring back: a provider that signs thoughts wants them with the next request, and
 * clients of chat completions keep nothing but a call's own members. Pure.
 *
 * Anthropic's blocks go into `extra_content.anthropic.thinking` of each call (of the message where there is no call): base64 of
 * JSON, a list of `[text, signature]` for thinking and `[data]` for redacted thinking. Google's signature goes where Google's own
 * OpenAI-compatible API has it, `extra_content.google.thought_signature`.
 */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";

export type ThoughtBlock =
  | { readonly kind: "thinking"; readonly text: string; readonly signature: string }
  | { readonly kind: "redacted"; readonly data: string };

/** Undefined where there is nothing to carry. */
export function carryThoughts(blocks: readonly ThoughtBlock[]): JsonObject | undefined {
  if (blocks.length === 0) return undefined;
  const packed = blocks.map((block) => (block.kind === "thinking" ? [block.text, block.signature] : [block.data]));
  return { extra_content: { anthropic: { thinking: Buffer.from(JSON.stringify(packed)).toString("base64") } } };
}

export const carrySignature = (signature: string): JsonObject => ({
  extra_content: { google: { thought_signature: signature } },
});

/**
 * None where the member is missing or is not what the gateway wrote: the provider checks the signatures.
 * @param holder a call, or a message.
 */
export function carriedThoughts(holder: unknown): readonly ThoughtBlock[] {
  const packed = memberOf(holder, "anthropic", "thinking");
  if (packed === undefined) return [];
  let blocks: unknown;
  try {
    blocks = JSON.parse(Buffer.from(packed, "base64").toString());
  } catch {
    return [];
  }
  return Array.isArray(blocks) ? blocks.flatMap(readBlock) : [];
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
