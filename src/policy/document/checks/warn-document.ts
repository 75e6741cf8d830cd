/** Warns of settings that do not do what their author expects. Pure. */
import { toPointer } from "../../../lib/json/json-value.ts";
import type { PolicyDocument } from "../document-schema.ts";
import { type PolicyWarning, policyWarning, sortIssues, type WarningCheck } from "../policy-issue.ts";
import {
  warnDetection,
  warnFamilies,
  warnGeneralIntent,
  warnKeywords,
  warnLayers,
  warnSemantic,
  warnSystemFirst,
  warnWordless,
} from "./intent-warnings.ts";
import { warnLiteralSecrets } from "./secret-warnings.ts";
import { warnServers } from "./server-warnings.ts";
import {
  warnConditions,
  warnDisclosures,
  warnFamilyNames,
  warnHosted,
  warnInjectionSets,
  warnLimits,
  warnLooseGroups,
  warnMessages,
  warnParameters,
  warnPassFields,
  warnRoles,
  warnRuns,
  warnToolNames,
} from "./tool-warnings.ts";
import { warnTrust } from "./trust-warnings.ts";
import { warnUndo } from "./undo-checks.ts";

const checks: readonly WarningCheck[] = [
  ...[
    warnRoles,
    warnLimits,
    warnParameters,
    warnToolNames,
    warnFamilyNames,
    warnInjectionSets,
    warnPassFields,
    warnHosted,
    warnLooseGroups,
    warnMessages,
  ],
  ...[warnRuns, warnLiteralSecrets, warnServers, warnDisclosures, warnUndo, warnConditions, warnTrust],
  ...[warnDetection, warnLayers, warnKeywords, warnWordless, warnGeneralIntent],
  ...[warnFamilies, warnSemantic, warnSystemFirst],
];

/** @param input the document as it was written: an author relies on a default that is written down as on any other value. */
export function warnDocument(document: PolicyDocument, input: unknown): PolicyWarning[] {
  const warnings: PolicyWarning[] = [];
  for (const check of checks)
    for (const [code, path, text] of check(document, input))
      if (text) warnings.push(policyWarning(code, toPointer(path), text));
  return sortIssues(warnings);
}
