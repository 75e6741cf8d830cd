/** The families that a document knows. Pure. */

import { builtInFamilies } from "../intent-guard/tool-families.ts";
import type { PolicyDocument } from "./document-schema.ts";

/** Those that some tool can be in: its own, and with `intentGuard` the built-in ones. */
export function familyNames(document: PolicyDocument): ReadonlySet<string> {
  return new Set([
    ...Object.keys(document.families),
    ...Object.values(document.tools).flatMap((settings) => settings.families ?? []),
    ...(document.intentGuard?.enabled ? builtInFamilies : []),
  ]);
}
