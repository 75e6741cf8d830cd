/** Finds the tools whose settings differ, or that one policy offers and the other withholds. Pure. */
import type { CooperativeTask } from "../../lib/concurrency.ts";
import { hostOf } from "../../lib/host.ts";
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import type { CompiledPolicy } from "../compile.ts";
import { selectorsIn } from "../document/checks/name-checks.ts";
import type { PolicyDocument } from "../document/document-schema.ts";
import { secretsIn } from "../document/request-template.ts";
import type { RunSettings } from "../document/run-parts.ts";
import { toolFamilies } from "../intent-guard/tool-families.ts";
import { selectorKind } from "../selectors.ts";
import { traitsOf } from "../traits.ts";
import { decideFor, type Situation } from "../usable-tools.ts";
import { differingFields, isEmpty, type JsonFields, type Limits, unionOf } from "./differences.ts";

export interface ToolChange {
  /** A name; a name with `*` for tools that neither policy lists and whose name matches; `*` for any other such tool. */
  readonly tool: string;
  /** The traits that differ. */
  readonly before: JsonFields;
  readonly after: JsonFields;
  readonly effects: readonly EffectChange[];
}

/** A situation in which only one policy offers the tool, to a user who is signed in and has linked every provider. */
interface EffectChange {
  /** `*`: every role. */
  readonly role: string;
  /** `*`: every mode that both policies have. */
  readonly mode: string;
  /** Present if the task has no intent. */
  readonly state?: "reasoning" | "action";
  /** Present if it has one; `*`: every intent that both policies have. */
  readonly intent?: string;
  readonly before: "offered" | "withheld";
  readonly after: "offered" | "withheld";
  /** Codes of the reasons on the side that withholds it. */
  readonly reasons: readonly string[];
}

const MAX_NAMES = 2_000;
/** Questions to the rules in one comparison. Each takes some microseconds, and so do fifty patterns. */
const MAX_QUESTIONS = 100_000;
/** For one tool. */
const MAX_EFFECTS = 100;

/**
 * The tools to compare: all that a document names, and all that clients were seen with. A glob represents the unlisted tools
 * that it matches, since it matches its own text. So does `*`: no other glob matches it, and no tool can have that name.
 */
export function comparedTools(
  documents: readonly PolicyDocument[],
  seen: readonly string[],
  limits: Limits,
): readonly string[] {
  const isGuarded = documents.some(({ intentGuard }) => intentGuard?.enabled);
  const named = documents.flatMap((document) => [...selectorsIn(document)]).map(({ text }) => text);
  const names = named.filter((text) => ["name", "glob"].includes(selectorKind(text) ?? ""));
  return limits.first(unionOf(["*", ...seen, ...names], isGuarded ? familyExamples : []), MAX_NAMES);
}

/** One tool of each built-in family: it shows what changes for all of them. */
const familyExamples = Object.values(toolFamilies).flatMap((names: readonly string[]) =>
  names.filter((name) => name.endsWith("_*")).slice(0, 1),
);

export function* compareTools(
  before: CompiledPolicy,
  after: CompiledPolicy,
  tools: readonly string[],
  limits: Limits,
): CooperativeTask<readonly ToolChange[]> {
  const changes: Omit<ToolChange, "effects">[] = [];
  for (const tool of tools) {
    changes.push({ tool, ...differingFields(toolView(before, tool), toolView(after, tool)) });
    yield 200 + 2 * (before.groups.length + after.groups.length);
  }
  const situations = situationsOf(before, after);
  const count = situations.role.length * situations.mode.length * (situations.intent.length + 1);
  const cost = Math.max(1, 2 * count * (1 + (mostPatterns(before) + mostPatterns(after)) / 50));
  const affords = limits.budget(MAX_QUESTIONS);
  const effects = new Map<string, readonly EffectChange[]>();
  // Tools whose own traits differ come first: the budget may not reach all.
  for (const { tool } of [...changes].sort((a, b) => Number(isSame(a)) - Number(isSame(b)))) {
    if (!affords(cost)) break;
    effects.set(tool, limits.first(yield* effectChanges(before, after, tool, situations), MAX_EFFECTS));
  }
  return changes
    .map((change) => ({ ...change, effects: effects.get(change.tool) ?? [] }))
    .filter((change) => !isSame(change) || change.effects.length > 0);
}

const isSame = ({ before, after }: Pick<ToolChange, "before" | "after">): boolean => isEmpty(before) && isEmpty(after);

/** The most patterns that one question to the rules may try. */
function mostPatterns({ modes, intents }: CompiledPolicy): number {
  const ofModes = [...modes.values()].map(({ allow, deny }) => allow.patterns.length + deny.patterns.length);
  const ofIntents = [...intents.values()].map(({ tools }) => tools?.patterns.length ?? 0);
  return [ofModes, ofIntents].reduce((sum, counts) => sum + counts.reduce((most, one) => Math.max(most, one), 0), 0);
}

/** The values that both policies have; of roles, those that either has. Other modes and intents count as added or removed. */
type Situations = Readonly<Record<"role" | "mode" | "intent", readonly string[]>>;

const situationsOf = (before: CompiledPolicy, after: CompiledPolicy): Situations => ({
  role: unionOf(before.roles, after.roles),
  mode: [...before.modes.keys()].filter((name) => after.modes.has(name)).sort(),
  intent: [...before.intents.keys()].filter((name) => after.intents.has(name)).sort(),
});

function* effectChanges(
  before: CompiledPolicy,
  after: CompiledPolicy,
  tool: string,
  situations: Situations,
): CooperativeTask<EffectChange[]> {
  const connections = [...traitsOf(before, tool).connections, ...traitsOf(after, tool).connections];
  const state = before.handshake.select === "off" && after.handshake.select === "off" ? "action" : "reasoning";
  const changes: EffectChange[] = [];
  for (const role of situations.role) {
    for (const mode of situations.mode) {
      for (const intent of [undefined, ...situations.intent]) {
        yield 100;
        const situation = { role, mode, intents: intent === undefined ? [] : [intent], connections };
        const [was, is] = [withheldBy(before, tool, situation), withheldBy(after, tool, situation)];
        if ((was === undefined) === (is === undefined)) continue;
        const [sideBefore, sideAfter] = was ? (["withheld", "offered"] as const) : (["offered", "withheld"] as const);
        const task: Pick<EffectChange, "state" | "intent"> = intent === undefined ? { state } : { intent };
        changes.push({ role, mode, ...task, before: sideBefore, after: sideAfter, reasons: was ?? is ?? [] });
      }
    }
  }
  const dimensions = ["role", "mode", "intent"] as const;
  return dimensions.reduce<EffectChange[]>((all, one) => collapse(all, one, situations[one]), changes);
}

/** The codes of the reasons; undefined if the tool is offered. */
function withheldBy(policy: CompiledPolicy, tool: string, situation: Situation): readonly string[] | undefined {
  const { effect, reasons } = decideFor(policy, tool, situation);
  return effect === "deny" ? [...new Set(reasons.map(({ code }) => code))] : undefined;
}

/** Changes that differ only in one dimension, and together have all its values, become one with `*`. */
function collapse(
  changes: EffectChange[],
  dimension: "role" | "mode" | "intent",
  values: readonly string[],
): EffectChange[] {
  // A single value keeps its name.
  if (values.length < 2) return changes;
  const groups = Map.groupBy(changes, (change) =>
    JSON.stringify([change[dimension] === undefined, { ...change, [dimension]: "" }]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    const isWhole = first?.[dimension] !== undefined && group.length === values.length;
    return isWhole ? [{ ...first, [dimension]: "*" }] : group;
  });
}

/** The traits of a tool as a person reads them: names in snake case, lists sorted. */
function toolView(policy: CompiledPolicy, name: string): JsonFields {
  const {
    name: _,
    base: __,
    windows,
    injection,
    parameters,
    conditions,
    useLimits,
    needsConfirmation,
    ...traits
  } = traitsOf(policy, name);
  const { sets, action, except } = injection;
  const fields = Object.entries(traits).map(([trait, value]) => [
    trait.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value instanceof Set || Array.isArray(value) ? [...value].sort() : value,
  ]);
  return {
    ...Object.fromEntries(fields),
    asks: needsConfirmation,
    rate_limits: windows.map(({ key, max, windowMs }) => ({ key, max, window_ms: windowMs })),
    injection: { sets: sets.toSorted(), action, except: except.toSorted() },
    conditions: conditions.toSorted(inOrder),
    at_most: useLimits.toSorted(inOrder),
    parameters,
    ...runView(policy.tools.get(name)?.run),
  };
}

/** Their order in the document means nothing. */
const inOrder = (one: unknown, other: unknown): number => (canonicalJson(one) < canonicalJson(other) ? -1 : 1);

/** Each member under its name in the document, as `run.url`. `run.host` and `run.secrets` follow from these. */
function runView(run: RunSettings | undefined): JsonFields {
  if (run === undefined) return {};
  const members = Object.fromEntries(Object.entries(run).map(([name, value]) => [`run.${name}`, value]));
  if (run.kind === "mcp") return members;
  return { ...members, "run.host": run.url && hostOf(run.url), "run.secrets": secretsIn(run.headers) };
}
