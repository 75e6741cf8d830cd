/** What a policy document must hold beyond its shape: names that exist, selectors and patterns that can be read. Pure. */

import { pointerKeys, toPointer } from "../../../lib/json/json-value.ts";
import { nearestName } from "../../../lib/text/nearest-name.ts";
import type { WorkBudget } from "../../../lib/work-budget.ts";
import { schemaFaults } from "../../arguments/argument-schema.ts";
import { compilePattern } from "../../arguments/linear-pattern.ts";
import { checkFamilyNames } from "../../intent-guard/check-family-names.ts";
import { checkIntentGuard } from "../../intent-guard/check-guard.ts";
import { governedTwin, isGoverned } from "../../request-fields.ts";
import { parseSelector, type Selector } from "../../selectors.ts";
import { injectionSetNames } from "../document-parts.ts";
import type { PolicyDocument } from "../document-schema.ts";
import { MalformedParts, type IssuePath as Path, type PolicyIssue, type Report } from "../policy-issue.ts";
import { checkIntents } from "./document-intents.ts";
import { checkEntities } from "./entity-checks.ts";
import { checkRuns } from "./run-checks.ts";
import { checkUndo } from "./undo-checks.ts";

/**
 * @param malformed parts that are not in the document as it is read: what may only follow from them is left out.
 * Throws `WorkSpent` when the budget is spent.
 */
export function checkDocument(
  document: PolicyDocument,
  work: WorkBudget,
  malformed = new MalformedParts(),
): PolicyIssue[] {
  const issues: PolicyIssue[] = [];
  const report: Report = (path, message, reads = []) => {
    if (!malformed.mayCause(path, reads)) issues.push({ path: toPointer(path), message });
  };
  checkCounts(document, report);
  checkSelectors(document, report);
  checkRoles(document, report);
  checkTools(document, report, work);
  checkRuns(document, report);
  checkUndo(document, report);
  checkIntents(document, report);
  checkIntentGuard(document, report);
  checkFamilyNames(document, report);
  checkPatterns(document, report, work);
  checkEntities(document, report, work);
  checkInjection(document, report);
  checkPassFields(document, report);
  return issues;
}

function checkSelectors(document: PolicyDocument, report: Report): void {
  const check = (texts: readonly string[], path: Path) => {
    texts.forEach((text, index) => {
      const selector = parseSelector(text);
      if (!selector.ok) report([...path, index], selector.error);
    });
  };
  for (const [name, mode] of Object.entries(document.modes)) {
    check(mode.allow, ["modes", name, "allow"]);
    check(mode.deny, ["modes", name, "deny"]);
  }
  for (const [name, intent] of Object.entries(document.intents)) check(intent.tools ?? [], ["intents", name, "tools"]);
  for (const field of ["tools", "rateLimits"] as const) {
    for (const key of Object.keys(document[field])) {
      const selector = parseSelector(key);
      if (!selector.ok) report([field, key], selector.error);
    }
  }
  for (const [family, members] of Object.entries(document.families)) {
    members.forEach((member, index) => {
      const selector = parseSelector(member);
      // A family that is made of families or categories could depend on itself.
      const ofNames = selector.ok && (selector.value.kind === "name" || selector.value.kind === "glob");
      if (!ofNames) report(["families", family, index], "must be a name or a name with `*`");
    });
  }
}

/** Each tool of a request, of which there may be hundreds, is held against all of these. */
const MAX_GLOBS = 300;
const MAX_SELECTORS = 2_000;
/** Each is asked for its tools. */
const MAX_SERVERS = 32;

function checkCounts(document: PolicyDocument, report: Report): void {
  const selectors = new Set([
    ...Object.keys(document.tools),
    ...Object.keys(document.rateLimits),
    ...Object.values(document.modes).flatMap(({ allow, deny }) => [...allow, ...deny]),
    ...Object.values(document.intents).flatMap(({ tools = [] }) => tools),
    ...Object.values(document.families).flat(),
  ]);
  const globs = [...selectors].filter((text) => text.length > 1 && text.includes("*")).length;
  const others = [...selectors].filter((text) => text.includes(":")).length;
  if (globs > MAX_GLOBS) report([], `has ${globs} names with \`*\`, and ${MAX_GLOBS} are the most: use families`);
  if (others > MAX_SELECTORS)
    report([], `has ${others} selectors such as \`family:…\`, and ${MAX_SELECTORS} are the most`);
  const servers = Object.keys(document.mcpServers).length;
  if (servers > MAX_SERVERS) report(["mcpServers"], `has ${servers} servers, and ${MAX_SERVERS} are the most`);
}

function checkRoles(document: PolicyDocument, report: Report): void {
  const known = new Set(document.roles);
  document.roles.forEach((role, index) => {
    if (document.roles.indexOf(role) !== index) report(["roles", index], `names \`${role}\` twice`, [["roles"]]);
  });
  for (const field of ["modes", "tools"] as const) {
    for (const [name, entry] of Object.entries(document[field])) {
      entry.roles?.forEach((role: string, index: number) => {
        if (known.has(role)) return;
        report([field, name, "roles", index], `unknown role \`${role}\`, ${knownRoles(role, known)}`, [["roles"]]);
      });
    }
  }
}

function knownRoles(role: string, known: ReadonlySet<string>): string {
  const near = nearestName(role, known);
  return near === undefined ? "add it to `roles`" : `did you mean \`${near}\`?`;
}

/** A selector cannot set what it selects by, and what belongs to one tool cannot be said of a group. */
function refusedOnGroup(selector: Selector): readonly string[] {
  const ofOneTool = ["families", "description", "parameters", "undo", "run"];
  if (selector.kind === "category") return [...ofOneTool, "category"];
  if (selector.kind === "class") return [...ofOneTool, "category", "class"];
  return ofOneTool;
}

function checkTools(document: PolicyDocument, report: Report, work: WorkBudget): void {
  for (const [key, settings] of Object.entries(document.tools)) {
    const selector = parseSelector(key);
    if (selector.ok && selector.value.kind !== "name") {
      for (const setting of refusedOnGroup(selector.value)) {
        if (!Object.hasOwn(settings, setting)) continue;
        const instead = setting === "families" ? "use the document's `families`" : "set it on the tools by name";
        report(["tools", key, setting], `cannot be set on a group, ${instead}`);
      }
    }
    if (document.handshake.select !== "off" && key === document.handshake.tool)
      report(["tools", key], "is the handshake's own name, rename one of them", [
        ["handshake", "select"],
        ["handshake", "tool"],
      ]);
    if (settings.parameters !== undefined) {
      for (const { path, message } of schemaFaults(settings.parameters, work)) {
        report(["tools", key, "parameters", ...pointerKeys(path)], `not a valid JSON Schema: ${message}`);
      }
    }
  }
}

function checkPatterns(document: PolicyDocument, report: Report, work: WorkBudget): void {
  const check = (source: string, path: Path) => {
    const compiled = compilePattern(source, work);
    if (!compiled.ok) report(path, `cannot be used as a pattern: ${compiled.error}`);
  };
  for (const [name, intent] of Object.entries(document.intents)) {
    intent.patterns.forEach((pattern, index) => {
      check(pattern, ["intents", name, "patterns", index]);
    });
  }
  if (document.detection.extract !== undefined) check(document.detection.extract, ["detection", "extract"]);
  for (const [name, patterns] of Object.entries(document.injection.custom)) {
    patterns.forEach((pattern, index) => {
      check(pattern, ["injection", "custom", name, index]);
    });
  }
}

function checkInjection(document: PolicyDocument, report: Report): void {
  const builtIn: readonly string[] = injectionSetNames;
  const known = new Set([...builtIn, ...Object.keys(document.injection.custom)]);
  for (const name of Object.keys(document.injection.custom)) {
    if (builtIn.includes(name)) report(["injection", "custom", name], "is a built-in set, choose another name");
  }
  const check = (sets: readonly string[], path: Path) => {
    sets.forEach((set, index) => {
      if (known.has(set)) return;
      report([...path, index], `unknown set \`${set}\`, use one of ${[...known].join(", ")}`, [
        ["injection", "custom", set],
      ]);
    });
  };
  check(document.injection.sets, ["injection", "sets"]);
  for (const [key, settings] of Object.entries(document.tools)) {
    if (settings.injection) check(settings.injection.sets ?? [], ["tools", key, "injection", "sets"]);
  }
}

function checkPassFields({ passFields }: PolicyDocument, report: Report): void {
  passFields.forEach((name, index) => {
    const twin = governedTwin(name);
    if (isGoverned(name)) report(["passFields", index], `\`${name}\` is governed by the gateway, remove it`);
    if (twin !== undefined)
      report(["passFields", index], `is another spelling of \`${twin}\`, which is governed by the gateway, remove it`);
  });
}
