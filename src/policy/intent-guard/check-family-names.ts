/**
 * That the families which an intent names exist. Pure. An error, not a warning: a misspelt family is one that no tool is
 * in, so that all the intent is for would be blocked.
 */
import { nearestName } from "../../lib/text/nearest-name.ts";
import type { PolicyDocument } from "../document/document-schema.ts";
import { familyNames } from "../document/family-names.ts";
import { ANY, type IssuePath, type Report } from "../document/policy-issue.ts";
import type { GuardedFamilySettings } from "./guard-schema.ts";
import { builtInFamilies } from "./tool-families.ts";

export function checkFamilyNames(document: PolicyDocument, report: Report): void {
  const known = familyNames(document);
  for (const [name, { families }] of Object.entries(document.intents)) {
    if (families) check(families, known, ["intents", name, "families"], report);
  }
  const guard = document.intentGuard;
  if (guard === undefined) return;
  // A guard that is switched off speaks of the families that it would bring.
  const guarded = new Set([...known, ...builtInFamilies]);
  if (guard.browser) check(guard.browser, guarded, ["intentGuard", "browser"], report);
  for (const [name, policy] of Object.entries(guard.intents)) {
    check(policy, guarded, ["intentGuard", "intents", name], report);
  }
}

function check(settings: GuardedFamilySettings, known: ReadonlySet<string>, path: IssuePath, report: Report): void {
  for (const field of ["allowedFamilies", "softAllowedFamilies", "requiredSuccessFamilies"] as const) {
    settings[field]?.forEach((family, index) => {
      if (known.has(family)) return;
      const near = nearestName(family, known);
      const what = builtInFamilies.has(family)
        ? "define it in `families`, or write `intentGuard` for the built-in ones"
        : near === undefined
          ? "correct its spelling or define it in `families`"
          : `did you mean \`${near}\`?`;
      report([...path, field, index], `no tool is in a family \`${family}\`, ${what}`, [
        ["families", family],
        ["tools", ANY, "families"],
        ["intentGuard", "enabled"],
      ]);
    });
  }
}
