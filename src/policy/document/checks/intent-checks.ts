/** Checks of a document's intents: the tools, families and entities that they name, and `intentGuard`. Pure. */
import { once } from "../../../lib/once.ts";
import type { WorkBudget } from "../../../lib/work-budget.ts";
import { compilePattern } from "../../arguments/linear-pattern.ts";
import { type CompiledPolicy, compilePolicy } from "../../compile.ts";
import { builtInIntents } from "../../intent-guard/built-in-intents.ts";
import { effectiveIntent, effectiveIntents } from "../../intent-guard/effective-intents.ts";
import type { GuardedFamilySettings } from "../../intent-guard/guard-schema.ts";
import { builtInFamilies } from "../../intent-guard/tool-families.ts";
import { compileSelectors, selectorKind } from "../../selectors.ts";
import { permittedBy, traitsOf } from "../../traits.ts";
import type { PolicyDocument } from "../document-schema.ts";
import { builtInEntities, type EntitySettings, patternsOf } from "../entity-parts.ts";
import { ANY, type Findings, type IssuePath, type ReadPath } from "../policy-issue.ts";
import { unknownName } from "./name-checks.ts";

/** A `primaryTool` is among the intent's `tools`. */
export function* checkPrimaryTools(document: PolicyDocument): Findings {
  const policy = once(() => compileForTraits(document));
  for (const [name, { tools, primaryTool: tool }] of Object.entries(document.intents)) {
    // A selector that cannot be read has an error of its own, and may mean the primary tool.
    if (tool === undefined || !tools || tools.some((text) => selectorKind(text) === undefined)) continue;
    const isAmong = tools.includes(tool) || isSelected(policy(), tools, tool);
    const reads = [["intents", name, "tools"], ...(tools.every(isName) ? [] : readForTraits(tool))];
    yield [
      ["intents", name, "primaryTool"],
      !isAmong && `\`${tool}\` is not among the intent's \`tools\`, add it`,
      reads,
    ];
  }
}

const isName = (text: string): boolean => selectorKind(text) === "name";

/** A tool's category, class and families follow from its own settings, those of its groups, and from families. */
function readForTraits(tool: string): readonly ReadPath[] {
  const settings = (key: string) => key === tool || !isName(key);
  const own = ["category", "class", "families"].map((setting) => ["tools", settings, setting]);
  return [...own, ["families"], ["unlistedTools"], ["intentGuard", "enabled"]];
}

/** Without the parts that traits do not need and that may have errors of their own. */
function compileForTraits(document: PolicyDocument): CompiledPolicy | undefined {
  const tools = Object.entries(document.tools).filter(([key]) => selectorKind(key) !== undefined);
  const injection = { ...document.injection, custom: {} };
  const compiled = compilePolicy({ ...document, tools: Object.fromEntries(tools), rateLimits: {}, injection }, "");
  return compiled.ok ? compiled.value : undefined;
}

const isSelected = (policy: CompiledPolicy | undefined, tools: readonly string[], name: string): boolean =>
  policy === undefined || permittedBy(compileSelectors(tools), traitsOf(policy, name));

export function* checkFallback(document: PolicyDocument): Findings {
  const { fallback } = document.detection;
  const known = Object.keys(effectiveIntents(document));
  if (fallback === undefined || known.includes(fallback)) return;
  const reads = [
    ["intents", fallback],
    ["intentGuard", "enabled"],
  ];
  yield [["detection", "fallback"], unknownName("intent", fallback, known, "add it to `intents`"), reads];
}

/** The intents of `intentGuard` exist, and each that is in force allows some family. */
export function* checkGuard(document: PolicyDocument): Findings {
  const { intentGuard: guard, intents } = document;
  if (guard === undefined) return;
  const paths = new Map<string, IssuePath>(guard.browser && [["browser_access", ["intentGuard", "browser"]]]);
  for (const name of Object.keys(guard.intents)) {
    const path = ["intentGuard", "intents", name];
    paths.set(name, path);
    const known = builtInIntents.has(name) || Object.hasOwn(intents, name);
    const builtIn = [...builtInIntents.keys()].join(", ");
    yield [path, !known && `unknown intent, use one of ${builtIn}, or add it to \`intents\``, [["intents", name]]];
  }
  for (const [name, path] of paths) {
    const families = guard.enabled ? effectiveIntent(document, name)?.families : undefined;
    const isEmpty = families?.enabled && families.allowedFamilies.length + families.softAllowedFamilies.length === 0;
    const reads = [["enabled"], ["browser"], ["intents", name]].map((step) => ["intentGuard", ...step]);
    const fault = "is enabled but allows no family, which blocks every tool: name some in `allowedFamilies`";
    yield [path, isEmpty && fault, [...reads, ["intents", name, "families"]]];
  }
}

/** The families that some tool can be in: the policy's own, and with `intentGuard` the built-in ones. */
export const knownFamilies = ({ families, tools, intentGuard }: PolicyDocument): ReadonlySet<string> =>
  new Set([
    ...Object.keys(families),
    ...Object.values(tools).flatMap((settings) => settings.families ?? []),
    ...(intentGuard?.enabled ? builtInFamilies : []),
  ]);

/** The families that an intent names exist. An error, not a warning: a misspelt family would block all that the intent is for. */
export function* checkFamilies(document: PolicyDocument): Findings {
  const { intents, intentGuard: guard } = document;
  const known = knownFamilies(document);
  // A guard that is switched off may name the families that it would add.
  const guarded = new Set([...known, ...builtInFamilies]);
  for (const [name, { families }] of Object.entries(intents))
    yield* unknownFamilies(families, known, ["intents", name, "families"]);
  yield* unknownFamilies(guard?.browser, guarded, ["intentGuard", "browser"]);
  for (const [name, settings] of Object.entries(guard?.intents ?? {}))
    yield* unknownFamilies(settings, guarded, ["intentGuard", "intents", name]);
}

function* unknownFamilies(
  settings: GuardedFamilySettings | undefined,
  known: ReadonlySet<string>,
  path: IssuePath,
): Findings {
  for (const field of ["allowedFamilies", "softAllowedFamilies", "requiredSuccessFamilies"] as const)
    for (const [index, family] of (settings?.[field] ?? []).entries()) {
      if (known.has(family)) continue;
      const fault = builtInFamilies.has(family)
        ? `no tool is in a family \`${family}\`, define it in \`families\`, or use \`intentGuard\` for the built-in ones`
        : unknownName("family", family, known, "correct its spelling or define it in `families`");
      yield [
        [...path, field, index],
        fault,
        [
          ["families", family],
          ["tools", ANY, "families"],
          ["intentGuard", "enabled"],
        ],
      ];
    }
}

/** The document's `entities`, and those that its intents name. */
export function* checkEntities({ entities, intents }: PolicyDocument, work: WorkBudget): Findings {
  for (const [name, entity] of Object.entries(entities))
    for (const [path, fault, reads = []] of checkEntity(entity, work))
      yield [["entities", name, ...path], fault, reads.map((read) => ["entities", name, ...read])];
  const known = new Set<string>([...builtInEntities, ...Object.keys(entities)]);
  for (const [name, intent] of Object.entries(intents))
    for (const [index, entity] of intent.entities.entries()) {
      const fault = !known.has(entity) && unknownName("entity", entity, known, "add it to `entities`");
      yield [["intents", name, "entities", index], fault, [["entities", entity]]];
    }
}

function* checkEntity(entity: EntitySettings, work: WorkBudget): Findings {
  const { pattern, synonyms, type, min, max } = entity;
  const isNumber = type === "integer" || type === "number";
  const forNumbers = "applies to numbers only, set `type` to integer or number";
  const isHidden = pattern === undefined && synonyms === undefined;
  yield [[], isHidden && "can never be found, give it a `pattern` or `synonyms`", [["pattern"], ["synonyms"]]];
  yield [["min"], isNumber && (min ?? -Infinity) > (max ?? Infinity) && "is more than `max`", [["max"]]];
  yield [["min"], !isNumber && min !== undefined && forNumbers, [["type"]]];
  yield [["max"], !isNumber && max !== undefined && forNumbers, [["type"]]];
  for (const { match, value = "", path } of patternsOf(entity)) {
    const compiled = compilePattern(match, work);
    if (!compiled.ok) {
      yield [path, `cannot be used as a pattern: ${compiled.error}`];
      continue;
    }
    const { groupCount } = compiled.value;
    const missing = [...value.matchAll(/\$(\d)/g)].find(([, group]) => Number(group) > groupCount);
    const fault = missing && `names group \`${missing[0]}\`, which the pattern does not have`;
    yield [[...path.slice(0, -1), "value"], fault, [path]];
  }
}
