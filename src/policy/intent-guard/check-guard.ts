/** What `intentGuard` must hold beyond its shape: intents that exist, and that allow something. Pure. */
import type { PolicyDocument } from "../document/document-schema.ts";
import type { IssuePath, Report } from "../document/policy-issue.ts";
import { builtInIntents } from "./built-in-intents.ts";
import { effectiveIntent } from "./effective-intents.ts";
import type { IntentGuard } from "./guard-schema.ts";

export function checkIntentGuard(document: PolicyDocument, report: Report): void {
  const { intentGuard: guard, intents } = document;
  if (guard === undefined) return;
  for (const name of Object.keys(guard.intents)) {
    if (builtInIntents.has(name) || Object.hasOwn(intents, name)) continue;
    const names = [...builtInIntents.keys()].join(", ");
    report(["intentGuard", "intents", name], `unknown intent, use one of ${names}, or add it to \`intents\``, [
      ["intents", name],
    ]);
  }
  for (const [name, path] of writtenIn(guard)) {
    if (!guard.enabled || !allowsNothing(document, name)) continue;
    report(
      path,
      "is enabled and allows no family, so that every tool would be blocked: name some in `allowedFamilies`",
      [
        ["intentGuard", "enabled"],
        ["intentGuard", "browser"],
        ["intentGuard", "intents", name],
        ["intents", name, "families"],
      ],
    );
  }
}

/** Where the guard speaks of each intent. */
function writtenIn(guard: IntentGuard): ReadonlyMap<string, IssuePath> {
  const places = new Map<string, IssuePath>();
  if (guard.browser) places.set("browser_access", ["intentGuard", "browser"]);
  for (const name of Object.keys(guard.intents)) places.set(name, ["intentGuard", "intents", name]);
  return places;
}

function allowsNothing(document: PolicyDocument, name: string): boolean {
  const families = effectiveIntent(document, name)?.families;
  if (!families?.enabled) return false;
  return families.allowedFamilies.length === 0 && families.softAllowedFamilies.length === 0;
}
