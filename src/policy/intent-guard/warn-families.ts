/** Settings of families that ask for something which cannot be, or for nothing. Pure. */
import type { PolicyDocument } from "../document/document-schema.ts";
import type { IssuePath, Warn } from "../document/policy-issue.ts";
import { effectiveIntents } from "./effective-intents.ts";

export function warnFamilies(document: PolicyDocument, warn: Warn): void {
  const guard = document.intentGuard;
  for (const [name, { families }] of Object.entries(effectiveIntents(document))) {
    const own = Object.hasOwn(document.intents, name) && document.intents[name]?.families !== undefined;
    const path = own ? ["intents", name, "families"] : ["intentGuard", "intents", name];
    if (families?.enabled) warnDemands(families, path, warn);
    const said = guard?.enabled && Object.hasOwn(guard.intents, name) ? guard.intents[name] : undefined;
    if (said && own) {
      warn(
        "guard_overridden",
        ["intentGuard", "intents", name],
        "has no effect: `families` of the intent itself takes its place",
      );
    } else if (said && said.enabled === undefined && !families?.enabled) {
      warn(
        "guard_not_in_force",
        ["intentGuard", "intents", name],
        "is not in force: set `enabled` to true, or to false to say that it rests",
      );
    }
  }
  if (guard?.browser)
    warn("guard_older_form", ["intentGuard", "browser"], "is the older form, write `intents.browser_access`");
}

type Families = NonNullable<PolicyDocument["intents"][string]["families"]>;

function warnDemands(families: Families, path: IssuePath, warn: Warn): void {
  const { requiredSuccessFamilies: required, allowedFamilies, softAllowedFamilies } = families;
  const permitted = new Set([...allowedFamilies, ...softAllowedFamilies]);
  required.forEach((family, index) => {
    if (permitted.has(family)) return;
    warn(
      "family_not_allowed",
      [...path, "requiredSuccessFamilies", index],
      `\`${family}\` is not allowed, so no tool of it can succeed`,
    );
  });
  if (families.failTaskIfUnmet && required.length === 0) {
    warn("fail_without_required", [...path, "failTaskIfUnmet"], "has no effect without `requiredSuccessFamilies`");
  }
}
