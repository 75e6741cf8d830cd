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
import { builtInEntities, type EntityPattern, type EntitySettings, patternsOf } from "../entity-parts.ts";
import { ANY, type Check, type Finding, type IssuePath, type ReadPath } from "../policy-issue.ts";
import { unknownName } from "./name-checks.ts";

/** A `primaryTool` is among the intent's `tools`. */
export const checkPrimaryTools: Check = (document) => {
  const policy = once(() => compileForTraits(document));
  return Object.entries(document.intents).flatMap(([name, { tools, primaryTool: tool }]): Finding[] => {
    // A selector that cannot be read has an error of its own, and may mean the primary tool.
    if (tool === undefined || !tools || tools.some((text) => selectorKind(text) === undefined)) return [];
    const isAmong = () => tools.includes(tool) || isSelected(policy(), tools, tool);
    const reads = [["intents", name, "tools"], ...(tools.every(isName) ? [] : readForTraits(tool))];
    return [
      [
        ["intents", name, "primaryTool"],
        !isAmong() && `\`${tool}\` is not among the intent's \`tools\`, add it`,
        reads,
      ],
    ];
  });
};

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

export const checkFallback: Check = (document) => {
  const { fallback } = document.detection;
  const intents = effectiveIntents(document);
  if (fallback === undefined || Object.hasOwn(intents, fallback)) return [];
  const fault = unknownName("intent", fallback, Object.keys(intents), "add it to `intents`");
  return [
    [
      ["detection", "fallback"],
      fault,
      [
        ["intents", fallback],
        ["intentGuard", "enabled"],
      ],
    ],
  ];
};

/** The intents of `intentGuard` exist, and each that is in force allows some family. */
export const checkGuard: Check = (document) => {
  const { intentGuard: guard, intents } = document;
  if (guard === undefined) return [];
  const builtIn = [...builtInIntents.keys()];
  const paths = new Map<string, IssuePath>(guard.browser && [["browser_access", ["intentGuard", "browser"]]]);
  for (const name of Object.keys(guard.intents)) paths.set(name, ["intentGuard", "intents", name]);
  return [
    ...Object.keys(guard.intents).map((name): Finding => {
      const known = builtInIntents.has(name) || Object.hasOwn(intents, name);
      const fault = !known && `unknown intent, use one of ${builtIn.join(", ")}, or add it to \`intents\``;
      return [["intentGuard", "intents", name], fault, [["intents", name]]];
    }),
    ...[...paths].map(([name, path]): Finding => {
      const fault =
        guard.enabled &&
        allowsNothing(document, name) &&
        "is enabled but allows no family, which blocks every tool: name some in `allowedFamilies`";
      const reads = [["enabled"], ["browser"], ["intents", name]].map((step) => ["intentGuard", ...step]);
      return [path, fault, [...reads, ["intents", name, "families"]]];
    }),
  ];
};

function allowsNothing(document: PolicyDocument, name: string): boolean {
  const families = effectiveIntent(document, name)?.families;
  if (!families?.enabled) return false;
  return families.allowedFamilies.length === 0 && families.softAllowedFamilies.length === 0;
}

/** The families that some tool can be in: the policy's own, and with `intentGuard` the built-in ones. */
export const knownFamilies = ({ families, tools, intentGuard }: PolicyDocument): ReadonlySet<string> =>
  new Set([
    ...Object.keys(families),
    ...Object.values(tools).flatMap((settings) => settings.families ?? []),
    ...(intentGuard?.enabled ? builtInFamilies : []),
  ]);

/** The families that an intent names exist. An error, not a warning: a misspelt family would block all that the intent is for. */
export const checkFamilies: Check = (document) => {
  const { intents, intentGuard: guard } = document;
  const known = knownFamilies(document);
  // A guard that is switched off means the families that it would bring.
  const guarded = new Set([...known, ...builtInFamilies]);
  return [
    ...Object.entries(intents).flatMap(([name, { families }]) =>
      unknownFamilies(families, known, ["intents", name, "families"]),
    ),
    ...unknownFamilies(guard?.browser, guarded, ["intentGuard", "browser"]),
    ...Object.entries(guard?.intents ?? {}).flatMap(([name, settings]) =>
      unknownFamilies(settings, guarded, ["intentGuard", "intents", name]),
    ),
  ];
};

function unknownFamilies(
  settings: GuardedFamilySettings | undefined,
  known: ReadonlySet<string>,
  path: IssuePath,
): Finding[] {
  const fields = ["allowedFamilies", "softAllowedFamilies", "requiredSuccessFamilies"] as const;
  return fields.flatMap((field) =>
    (settings?.[field] ?? []).map((family, index): Finding => {
      const fault = builtInFamilies.has(family)
        ? `no tool is in a family \`${family}\`, define it in \`families\`, or use \`intentGuard\` for the built-in ones`
        : unknownName("family", family, known, "correct its spelling or define it in `families`");
      const reads = [
        ["families", family],
        ["tools", ANY, "families"],
        ["intentGuard", "enabled"],
      ];
      return [[...path, field, index], !known.has(family) && fault, reads];
    }),
  );
}

/** The document's `entities`, and the names that intents give of them. */
export const checkEntities: Check = ({ entities, intents }, work) => {
  const known = new Set<string>([...builtInEntities, ...Object.keys(entities)]);
  return [
    ...Object.entries(entities).flatMap(([name, entity]) => {
      const under = (path: ReadPath): ReadPath => ["entities", name, ...path];
      return entityFindings(entity, work).map(([path, fault, reads = []]): Finding => {
        return [["entities", name, ...path], fault, reads.map(under)];
      });
    }),
    ...Object.entries(intents).flatMap(([name, intent]) =>
      intent.entities.map((entity, index): Finding => {
        const fault = !known.has(entity) && unknownName("entity", entity, known, "add it to `entities`");
        return [["intents", name, "entities", index], fault, [["entities", entity]]];
      }),
    ),
  ];
};

function entityFindings(entity: EntitySettings, work: WorkBudget): Finding[] {
  const { pattern, synonyms, type, min, max } = entity;
  const isNumber = type === "integer" || type === "number";
  const forNumbers = "applies to numbers only, set `type` to integer or number";
  return [
    [
      [],
      pattern === undefined && synonyms === undefined && "can never be found, give it a `pattern` or `synonyms`",
      [["pattern"], ["synonyms"]],
    ],
    ...patternsOf(entity).flatMap((one) => patternFinding(one, work)),
    [["min"], isNumber && (min ?? -Infinity) > (max ?? Infinity) && "is more than `max`", [["max"]]],
    [["min"], !isNumber && min !== undefined && forNumbers, [["type"]]],
    [["max"], !isNumber && max !== undefined && forNumbers, [["type"]]],
  ];
}

function patternFinding({ match, value = "", path }: EntityPattern, work: WorkBudget): Finding[] {
  const compiled = compilePattern(match, work);
  if (!compiled.ok) return [[path, `cannot be used as a pattern: ${compiled.error}`]];
  const { groupCount } = compiled.value;
  const missing = [...value.matchAll(/\$(\d)/g)].find(([, group]) => Number(group) > groupCount);
  const fault = missing && `names group \`${missing[0]}\`, which the pattern does not have`;
  return [[[...path.slice(0, -1), "value"], fault, [path]]];
}
