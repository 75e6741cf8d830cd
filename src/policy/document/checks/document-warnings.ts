/** Settings that will not do what whoever wrote them relies on: silence would be a false promise. Pure. */

import { toPointer, valueAt } from "../../../lib/json/json-value.ts";
import { canDetect } from "../../handshake.ts";
import { effectiveIntents, guardedDetection } from "../../intent-guard/effective-intents.ts";
import { warnFamilies } from "../../intent-guard/warn-families.ts";
import { runsProviderTools } from "../../request-fields.ts";
import type { PolicyDocument } from "../document-schema.ts";
import { familyNames } from "../family-names.ts";
import { type PolicyWarning, policyWarning, sortIssues, type Warn } from "../policy-issue.ts";
import { warnDisclosures } from "./disclosure-warnings.ts";
import { warnIntents } from "./intent-warnings.ts";
import { warnRuns } from "./run-warnings.ts";
import { warnLiteralSecrets } from "./secret-warnings.ts";
import { warnSemantic } from "./semantic-warnings.ts";
import { warnServers } from "./server-warnings.ts";
import { warnSystemFirst } from "./system-first-warnings.ts";
import { warnTools } from "./tool-warnings.ts";
import { warnUndo } from "./undo-checks.ts";

/** @param input the document as it was written: who writes a default down relies on it as on any other value. */
export function warnDocument(document: PolicyDocument, input: unknown): PolicyWarning[] {
  const warnings: PolicyWarning[] = [];
  const warn: Warn = (code, path, message) => warnings.push(policyWarning(code, toPointer(path), message));

  if (lacksWords(document, input)) {
    const path = ["handshake", "mustMatchDetected"];
    const message = "is not in force: no layer has words to detect an intent by, so the handshake may select any";
    warn("detection_without_words", path, message);
  }
  warnTools(document, warn);
  warnSystemFirst(document, warn);
  warnFamilies(document, warn);
  warnRuns(document, warn);
  warnLiteralSecrets(document, warn);
  warnServers(document, warn);
  for (const name of unusedSets(document))
    warn("injection_set_unused", ["injection", "custom", name], "is in no `sets`, so nothing uses it");
  warnIntents(document, warn);
  warnDisclosures(document, warn);
  warnUndo(document, warn);
  document.passFields.forEach((name, index) => {
    if (!runsProviderTools(name))
      warn("pass_field_needless", ["passFields", index], `has no effect: \`${name}\` goes to the provider anyway`);
  });
  warnSemantic(guardedDetection(document), effectiveIntents(document), warn);
  const known = familyNames(document);
  for (const [path, family] of namedFamilies(document)) {
    if (!known.has(family)) warn("family_unknown", path, `no tool is in a family \`${family}\`, check its spelling`);
  }
  return sortIssues(warnings);
}

/** `mustMatchDetected` is written down, and there is nothing that could match. */
function lacksWords(document: PolicyDocument, input: unknown): boolean {
  if (valueAt(input, ["handshake", "mustMatchDetected"]) === undefined) return false;
  const { layers } = guardedDetection(document);
  const intents = Object.values(effectiveIntents(document));
  return document.handshake.mustMatchDetected !== "never" && !canDetect(layers, intents);
}

function unusedSets(document: PolicyDocument): string[] {
  const used = new Set(document.injection.sets);
  for (const settings of Object.values(document.tools)) {
    if (settings.injection) for (const set of settings.injection.sets ?? []) used.add(set);
  }
  return Object.keys(document.injection.custom).filter((name) => !used.has(name));
}

function namedFamilies(document: PolicyDocument): [(string | number)[], string][] {
  const named: [(string | number)[], string][] = [];
  const inSelectors = (texts: readonly string[], path: (string | number)[]) => {
    texts.forEach((text, index) => {
      if (text.startsWith("family:")) named.push([[...path, index], text.slice("family:".length)]);
    });
  };
  for (const [name, mode] of Object.entries(document.modes)) {
    inSelectors(mode.allow, ["modes", name, "allow"]);
    inSelectors(mode.deny, ["modes", name, "deny"]);
  }
  for (const [name, intent] of Object.entries(document.intents)) {
    inSelectors(intent.tools ?? [], ["intents", name, "tools"]);
  }
  for (const field of ["tools", "rateLimits"] as const) {
    for (const key of Object.keys(document[field])) {
      if (key.startsWith("family:")) named.push([[field, key], key.slice("family:".length)]);
    }
  }
  return named;
}
