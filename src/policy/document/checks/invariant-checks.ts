/** Checks of the names, selectors and schemas of `invariants`: a misspelt one would be kept by any policy. Pure. */
import { pointerKeys } from "../../../lib/json/json-value.ts";
import type { WorkBudget } from "../../../lib/work-budget.ts";
import { schemaFaults } from "../../arguments/argument-schema.ts";
import { effectiveIntents } from "../../intent-guard/effective-intents.ts";
import { compileIntents } from "../../intents.ts";
import { parseSelector } from "../../selectors.ts";
import type { PolicyDocument } from "../document-schema.ts";
import { listOf } from "../invariant-parts.ts";
import { ANY, type Findings } from "../policy-issue.ts";
import { knownFamilies } from "./intent-checks.ts";
import { unknownName } from "./name-checks.ts";

export function* checkInvariants(document: PolicyDocument, work: WorkBudget): Findings {
  if (document.invariants.length === 0) return;
  const intents = compileIntents(effectiveIntents(document), document.execution);
  const known = {
    role: [...document.roles, "admin"],
    mode: ["default", ...Object.keys(document.modes)],
    intent: [...intents.keys()],
  };
  for (const [index, { never, when }] of document.invariants.entries()) {
    const at = ["invariants", index];
    const selector = never.tool === undefined ? undefined : parseSelector(never.tool);
    yield [[...at, "never", "tool"], selector?.ok === false && selector.error];
    const { family } = never;
    const families = knownFamilies(document);
    if (family !== undefined && !families.has(family)) {
      const reads = [["families", family], ["tools", ANY, "families"], ["intentGuard"]];
      yield [[...at, "never", "family"], unknownName("family", family, families, "define it in `families`"), reads];
    }
    for (const kind of ["role", "mode", "intent"] as const)
      for (const name of listOf(when[kind]) ?? []) {
        const fault = !known[kind].includes(name) && unknownName(kind, name, known[kind], `add it to \`${kind}s\``);
        yield [[...at, "when", kind], fault, [[`${kind}s`]]];
      }
    for (const { path, message } of when.arguments === undefined ? [] : schemaFaults(when.arguments, work))
      yield [[...at, "when", "arguments", ...pointerKeys(path)], `not a valid JSON Schema: ${message}`];
    const isContradiction = when.grounded !== undefined && when.trust === "trusted";
    const advice = "`grounded` is judged only where `trust` is `untrusted`, leave one of them out";
    yield [[...at, "when", "grounded"], isContradiction && advice];
  }
}
