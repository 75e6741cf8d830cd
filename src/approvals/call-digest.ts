/**
 * Digest that binds a person's answer to one call: its canonical arguments, and the vendor members that are sent with them. Pure.
 *
 * A call without vendor members has the digest that it had in the first version, so what waited there can be answered. That
 * version did not bind vendor members: a call that waits from then and has some is refused, since its digest is another.
 */

import { sha256Hex } from "../lib/digest.ts";
import { canonicalJson } from "../lib/json/canonical-json.ts";
import type { JsonObject } from "../lib/json/json-value.ts";

export function callDigest(args: unknown, vendor: JsonObject | undefined): string {
  if (vendor === undefined) return argumentsDigest(args);
  return `v2:${sha256Hex(canonicalJson({ arguments: args, vendor }))}`;
}

/** Equal for calls that do the same; vendor members, such as a signature, do not count. */
export const argumentsDigest = (args: unknown): string => sha256Hex(canonicalJson(args));
