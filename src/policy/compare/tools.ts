/** The tools whose settings differ, or that one policy offers where the other withholds them. Pure. */

import type { Piecework } from "../../lib/concurrency.ts";
import { hostOf } from "../../lib/host.ts";
import type { CompiledPolicy } from "../compile.ts";
import type { PolicyDocument } from "../document/document.ts";
import { secretsIn } from "../document/request-template.ts";
import type { RunSettings } from "../document/run-parts.ts";
import { toolFamilies } from "../intent-guard/tool-families.ts";
import { parseSelector } from "../selectors.ts";
import { traitsOf } from "../traits.ts";
import { type EffectChange, effectChanges, situationsOf } from "./effects.ts";
import { differingFields, isEmpty, type JsonFields } from "./json-fields.ts";
import type { Limited } from "./limited.ts";

export interface ToolChange {
  /** A name; a name with `*` for tools that neither policy lists and whose name matches; `*` for any other such tool. */
  readonly tool: string;
  /** The traits that differ. */
  readonly before: JsonFields;
  readonly after: JsonFields;
  readonly effects: readonly EffectChange[];
}

const MAX_NAMES = 2_000;
/** Questions to the rules in one comparison. Each takes some microseconds, and so do fifty patterns. */
const MAX_JUDGED = 100_000;
/** For one tool. */
const MAX_EFFECTS = 100;

/**
 * The tools to compare: all that a document names, and all that clients were seen with. A glob stands for the unlisted tools
 * that it matches, since it matches its own text. So does `*`, which no other glob matches and no tool can be called.
 */
export function comparedTools(
  documents: readonly PolicyDocument[],
  seen: readonly string[],
  limited: Limited,
): readonly string[] {
  const names = new Set(["*", ...seen]);
  if (documents.some(({ intentGuard }) => intentGuard?.enabled)) for (const name of familyExamples) names.add(name);
  for (const text of documents.flatMap(selectorTexts)) {
    const selector = parseSelector(text);
    if (selector.ok && (selector.value.kind === "name" || selector.value.kind === "glob")) names.add(text);
  }
  return limited.first([...names].sort(), MAX_NAMES);
}

/** One tool of each built-in family: it shows what changes for all of them. */
const familyExamples = Object.values(toolFamilies).flatMap((names: readonly string[]) =>
  names.filter((name) => name.endsWith("_*")).slice(0, 1),
);

const selectorTexts = ({ tools, rateLimits, modes, intents, families }: PolicyDocument): string[] => [
  ...Object.keys(tools),
  ...Object.keys(rateLimits),
  ...Object.values(modes).flatMap(({ allow, deny }) => [...allow, ...deny]),
  ...Object.values(intents).flatMap((intent) => intent.tools ?? []),
  ...Object.values(families).flat(),
];

export function* compareTools(
  before: CompiledPolicy,
  after: CompiledPolicy,
  tools: readonly string[],
  limited: Limited,
): Piecework<readonly ToolChange[]> {
  const traits: Omit<ToolChange, "effects">[] = [];
  for (const tool of tools) {
    traits.push({ tool, ...differingFields(toolView(before, tool), toolView(after, tool)) });
    yield 200 + 2 * (before.groups.length + after.groups.length);
  }
  // Tools whose own traits differ come first: not all may be affordable.
  const order = [...traits].sort((a, b) => Number(isSame(a)) - Number(isSame(b)));
  const situations = situationsOf(before, after);
  const patterns = mostPatterns(before) + mostPatterns(after);
  const affordable = Math.floor(MAX_JUDGED / Math.max(1, 2 * situations.count * (1 + patterns / 50)));
  const effects = new Map<string, readonly EffectChange[]>();
  for (const { tool } of limited.first(order, affordable)) {
    effects.set(tool, limited.first(yield* effectChanges(before, after, tool, situations), MAX_EFFECTS));
  }
  return traits
    .map((change) => ({ ...change, effects: effects.get(change.tool) ?? [] }))
    .filter((change) => !isSame(change) || change.effects.length > 0);
}

const isSame = ({ before, after }: Pick<ToolChange, "before" | "after">): boolean => isEmpty(before) && isEmpty(after);

/** The most patterns that one question to the rules may try. */
function mostPatterns({ modes, intents }: CompiledPolicy): number {
  const most = (counts: readonly number[]) => counts.reduce((max, count) => Math.max(max, count), 0);
  const ofModes = [...modes.values()].map(({ allow, deny }) => allow.patterns.length + deny.patterns.length);
  return most(ofModes) + most([...intents.values()].map(({ tools }) => tools?.patterns.length ?? 0));
}

/** The traits of a tool as a person reads them. The order of lists plays no part. */
function toolView(policy: CompiledPolicy, name: string): JsonFields {
  const traits = traitsOf(policy, name);
  const { listed, category, asks, gate, confirm, reversible, undo, destination, sensitive, trusted, injection } =
    traits;
  return {
    ...{
      listed,
      category,
      class: traits.class,
      asks,
      gate,
      confirm,
      reversible,
      undo,
      destination,
      sensitive,
      trusted,
    },
    families: [...traits.families].sort(),
    roles: traits.roles?.toSorted(),
    requires_auth: traits.requiresAuth,
    connections: traits.connections.toSorted(),
    rate_limits: traits.windows.map(({ key, max, windowMs }) => ({ key, max, window_ms: windowMs })),
    redact: traits.redact.toSorted(),
    hide_from_approver: traits.hideFromApprover.toSorted(),
    injection: {
      sets: injection.sets.toSorted(),
      action: injection.action,
      except: injection.except.toSorted(),
    },
    description: traits.description,
    parameters: traits.parameters,
    ...runView(policy.tools.get(name)?.run),
    disclosure: traits.disclosure,
    learn_more: traits.learnMore,
    preview: traits.preview,
    timeout_seconds: traits.timeoutSeconds,
  };
}

/** Each member under its name in the document, as `run.url`. `run.host` and `run.secrets` follow from these. */
function runView(run: RunSettings | undefined): JsonFields {
  if (run === undefined) return {};
  const members = Object.fromEntries(Object.entries(run).map(([name, value]) => [`run.${name}`, value]));
  if (run.kind === "mcp") return members;
  return { ...members, "run.host": run.url && hostOf(run.url), "run.secrets": secretsIn(run.headers) };
}
