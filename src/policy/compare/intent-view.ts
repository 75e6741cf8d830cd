/** An intent's settings as a person reads them in a comparison. Pure. */
import type { PolicyDocument } from "../document/document.ts";
import { builtInIntents } from "../intent-guard/built-in-intents.ts";
import { effectiveIntent } from "../intent-guard/effective-intents.ts";
import type { JsonFields } from "./json-fields.ts";
import { sameJson } from "./trait-view.ts";

/** Without the phrases that are built in: hundreds, that nobody wrote. */
export function intentView(document: PolicyDocument, name: string): JsonFields | undefined {
  const intent = effectiveIntent(document, name);
  const builtIn = document.intentGuard?.enabled ? builtInIntents.get(name)?.phrases : undefined;
  if (!intent || !builtIn) return intent;
  const phrases = new Map<string, unknown>(Object.entries(builtIn));
  return Object.fromEntries(
    Object.entries(intent).filter(([field, value]) => !phrases.has(field) || !sameJson(value, phrases.get(field))),
  );
}
