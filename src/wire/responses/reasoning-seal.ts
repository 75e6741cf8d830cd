/**
 * The reasoning of an upstream that wants it back with the next request (`reasoning_content`), as the `encrypted_content` of a
 * reasoning item: clients return that member unread, and many return no other. It is encoded, not secret: the client has the text
 * as well. Pure.
 */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";

const MARK = "toolgate-reasoning.";

export function sealReasoning(text: string): string {
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return MARK + btoa(binary);
}

/** The text that goes back; undefined for an item of another service, or of an upstream that takes none back. */
export function openReasoning({ encrypted_content: sealed }: JsonObject): string | undefined {
  if (typeof sealed !== "string" || !sealed.startsWith(MARK)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(sealed.slice(MARK.length)), (char) => char.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export const wantsSealed = (include: unknown): boolean =>
  Array.isArray(include) && include.some((one) => !isObject(one) && one === "reasoning.encrypted_content");
