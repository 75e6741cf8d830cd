/** What the document's `entities` must hold beyond their shape, and what names them. Pure. */
import { nearestName } from "../../../lib/text/nearest-name.ts";
import type { WorkBudget } from "../../../lib/work-budget.ts";
import { compilePattern } from "../../arguments/linear-pattern.ts";
import type { PolicyDocument } from "../document-schema.ts";
import { builtInEntities, type EntityPattern, type EntitySettings, patternsOf } from "../entity-parts.ts";
import type { Report } from "../policy-issue.ts";

export function checkEntities(document: PolicyDocument, report: Report, work: WorkBudget): void {
  for (const [name, entity] of Object.entries(document.entities)) {
    const at = ["entities", name];
    const here: Report = (path, message, reads = []) =>
      report(
        [...at, ...path],
        message,
        reads.map((read) => [...at, ...read]),
      );
    if (entity.pattern === undefined && entity.synonyms === undefined) {
      here([], "has nothing to be found by, give it a `pattern` or `synonyms`", [["pattern"], ["synonyms"]]);
    }
    for (const pattern of patternsOf(entity)) checkPattern(pattern, here, work);
    checkRange(entity, here);
  }
  const known = new Set<string>([...builtInEntities, ...Object.keys(document.entities)]);
  for (const [name, intent] of Object.entries(document.intents)) {
    intent.entities.forEach((entity, index) => {
      if (known.has(entity)) return;
      const near = nearestName(entity, known);
      const advice = near === undefined ? "add it to `entities`" : `did you mean \`${near}\`?`;
      report(["intents", name, "entities", index], `unknown entity \`${entity}\`, ${advice}`, [["entities", entity]]);
    });
  }
}

function checkPattern({ match, value, path }: EntityPattern, report: Report, work: WorkBudget): void {
  const compiled = compilePattern(match, work);
  if (!compiled.ok) {
    report(path, `cannot be used as a pattern: ${compiled.error}`);
    return;
  }
  const { groupCount } = compiled.value;
  const missing = [...(value ?? "").matchAll(/\$(\d)/g)].find(([, group]) => Number(group) > groupCount);
  if (missing)
    report([...path.slice(0, -1), "value"], `names group \`${missing[0]}\`, which the pattern does not have`, [path]);
}

function checkRange({ type, min, max }: EntitySettings, report: Report): void {
  if (type === "integer" || type === "number") {
    if (min !== undefined && max !== undefined && min > max) report(["min"], "is more than `max`", [["max"]]);
    return;
  }
  for (const [field, bound] of Object.entries({ min, max })) {
    if (bound !== undefined) report([field], "is for numbers alone, set `type` to integer or number", [["type"]]);
  }
}
