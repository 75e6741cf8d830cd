/**
 * Proves a policy's invariants: for every situation that the policy can distinguish, by the functions that a turn calls. Pure.
 *
 * The situations are enumerated, never sampled:
 *  1. each tool that the policy lists, and one of each kind of the others (`tool-kinds.ts`)
 *  2. callers: role, mode, linked providers (`callers.ts`)
 *  3. the task: its state and intents (`situations.ts`)
 *  4. the conversation: trusted or not, values grounded or not (`situations.ts`)
 *  5. arguments: one for each way of meeting the tool's conditions (`argument-cases.ts`)
 * The first that breaks the invariant is its counterexample. For what cannot be enumerated the worst is supposed; if that breaks the
 * invariant, it is not proved. An invariant that is not proved is as bad as a broken one: the policy is refused.
 */
import type { CooperativeTask } from "../../lib/concurrency.ts";
import { type WorkBudget, workBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../compile.ts";
import { type Invariant, type InvariantEffect, listOf } from "../document/invariant-parts.ts";
import { type ToolTraits, traitsOf } from "../traits.ts";
import { type ArgumentCases, argumentCases, injectedCases, isReadable, matcherOf } from "./argument-cases.ts";
import { callersOf } from "./callers.ts";
import { type Counterexample, counterexampleOf } from "./counterexample.ts";
import { type CallSituation, isConfirmed, isOffered, judgeSituation } from "./judge-situation.ts";
import { isAboutQuestions, taskSituations, textSituations } from "./situations.ts";
import { supposedPolicy } from "./supposed-policy.ts";
import { isAbout, listedTools, type ToolKind, unlistedTools } from "./tool-kinds.ts";

export interface Proof {
  /** Its index in the document's list. */
  readonly index: number;
  readonly say: string;
  readonly proved: boolean;
  /** Situations that were judged, each for all that are like it or stricter. */
  readonly situations: number;
  /** Present if it is broken. */
  readonly counterexample?: Counterexample;
  /** Present if it can neither be proved nor refuted: why, and what to do. */
  readonly problem?: string;
}

/** Measured: a policy of 700 KB with 4,600 tools, 100 roles, 50 modes and 200 intents spends at most two thirds of two seconds on it. */
const MAX_WORK = 12_000_000;
const CALLER_WORK = 40;
const SITUATION_WORK = 300;
/** To find the roles of arguments costs the most. */
const UNTRUSTED_WORK = 700;
const TOOL_WORK = 100;
const MAX_UNLISTED = 3_000;

const TOO_MANY =
  "cannot be proved: the policy tells too many situations apart; name a `tool`, a `class` or a `role` in the invariant, or use fewer selectors with `*`";

interface Search {
  readonly policy: CompiledPolicy;
  readonly unlisted: readonly ToolKind[] | undefined;
  /** The budget for reading all schemas. */
  readonly work: WorkBudget;
  readonly known: Map<ToolTraits, { readonly parameters: unknown; readonly found: ArgumentCases }>;
  left: number;
  situations: number;
}

class TooMuch extends Error {}

export function* proving(policy: CompiledPolicy, invariants: readonly Invariant[]): CooperativeTask<readonly Proof[]> {
  if (invariants.length === 0) return [];
  const wantsUnlisted = invariants.some(({ when }) => when.listed !== true);
  const unlisted = wantsUnlisted ? unlistedTools(policy, invariants, MAX_UNLISTED) : [];
  const search: Search = {
    policy,
    unlisted,
    work: workBudget(10 * MAX_WORK),
    known: new Map(),
    left: MAX_WORK,
    situations: 0,
  };
  const proofs: Proof[] = [];
  for (const [index, invariant] of invariants.entries()) {
    search.situations = 0;
    const found = yield* proveOne(search, invariant);
    const { situations } = search;
    proofs.push({ index, say: invariant.say, proved: found === undefined, situations, ...found });
  }
  return proofs;
}

type Failure = Pick<Proof, "counterexample" | "problem">;

function* proveOne(search: Search, invariant: Invariant): CooperativeTask<Failure | undefined> {
  try {
    let problem: Failure | undefined;
    for (const tool of kindsFor(search, invariant)) {
      yield spend(search, TOOL_WORK);
      if (!isAbout(invariant, tool)) continue;
      search.situations++;
      if (alwaysAsks(invariant, tool)) continue;
      const found = yield* searchTool(search, invariant, tool);
      if (found?.counterexample) return found;
      problem ??= found;
    }
    if (invariant.when.listed !== true && search.unlisted === undefined) return { problem: TOO_MANY };
    return problem;
  } catch (error) {
    if (error instanceof TooMuch) return { problem: TOO_MANY };
    throw error;
  }
}

/**
 * Whether the invariant cannot break: a listed tool that always asks runs no call unasked. Only an unlisted one can be a hand-off,
 * which is exempt.
 */
const alwaysAsks = ({ never }: Invariant, { traits }: ToolKind): boolean =>
  traits.listed &&
  (traits.needsConfirmation || traits.gate) &&
  listOf(never.effect)?.every((effect) => effect === "allow") === true;

function* kindsFor({ policy, unlisted }: Search, { when }: Invariant): Generator<ToolKind> {
  if (when.listed !== false) yield* listedTools(policy);
  if (when.listed !== true) yield* unlisted ?? [];
}

/** Throws `TooMuch`. */
function spend(search: Search, units: number): number {
  search.left -= units;
  if (search.left < 0) throw new TooMuch();
  return units;
}

function* searchTool(search: Search, invariant: Invariant, tool: ToolKind): CooperativeTask<Failure | undefined> {
  const { cases, whole } = casesFor(search, invariant, tool);
  const found = yield* breaking(search, invariant, tool, cases);
  if (found) return { counterexample: found };
  if (whole || isAboutOffers(invariant)) return undefined;
  for (const asks of isAboutQuestions(invariant) ? [false, true] : [false]) {
    const supposed = supposedTool(search, invariant, tool, asks);
    if (!(yield* breaking(search, invariant, supposed.tool, supposed.cases))) continue;
    const { name } = tool.traits;
    const problem = `cannot be proved: the schemas or patterns of \`${name}\` hold more than the proof reads (types, \`enum\`, \`const\`, bounds and lengths of single arguments); make them simpler, or leave \`${name}\` out of the invariant`;
    return { problem };
  }
  return undefined;
}

const isAboutOffers = ({ never }: Invariant): boolean => (listOf(never.effect) ?? []).includes("offer");

type Cases = readonly Readonly<Record<string, unknown>>[];

function casesFor(search: Search, invariant: Invariant, { policy, traits, definition }: ToolKind) {
  const { work } = search;
  const { when } = invariant;
  const conditions = [...traits.conditions.map((one) => one.if), ...(when.arguments ? [when.arguments] : [])];
  const parameters = traits.parameters ?? closed(definition.parameters);
  const found = argumentsOf(search, traits, parameters, conditions, when.arguments === undefined);
  // A text that looks like an attack needs a question; the texts that a policy's own patterns find are not known.
  const { sets, action } = traits.injection;
  const asks = isAboutQuestions(invariant) && action === "ask" && sets.length > 0;
  const injected = asks ? found.cases.flatMap((args) => injectedCases(parameters, args, work)) : [];
  const hasOwnPatterns = sets.some((set) => policy.injection.custom.has(set));
  const isMeant = when.arguments === undefined ? () => true : matcherOf(when.arguments, work);
  return {
    isRead: found.whole,
    whole: found.whole && !hasOwnPatterns,
    cases: [...found.cases, ...injected].filter(isMeant),
  };
}

/** Most invariants ask for the same. */
function argumentsOf(
  { work, known }: Search,
  traits: ToolTraits,
  parameters: unknown,
  conditions: readonly unknown[],
  isUsual: boolean,
): ArgumentCases {
  const before = isUsual ? known.get(traits) : undefined;
  // A hand-off has the traits of a tool that takes arguments.
  if (before && before.parameters === parameters) return before.found;
  const found = argumentCases(parameters, conditions, work);
  if (isUsual) known.set(traits, { parameters, found });
  return found;
}

/** A tool whose definition takes nothing, as a hand-off's; any other takes what a client says. */
const closed = (parameters: unknown): unknown =>
  (parameters as { additionalProperties?: unknown }).additionalProperties === false ? parameters : undefined;

/** The tool without objections of unreadable parts. An unreadable `arguments` of the invariant means every call. */
function supposedTool(search: Search, invariant: Invariant, tool: ToolKind, asks: boolean) {
  const { arguments: meant, ...others } = invariant.when;
  const when = meant && isReadable(meant) ? { ...others, arguments: meant } : others;
  const suppose = (none: boolean) => {
    const policy = supposedPolicy(tool.policy, { asks, none });
    const traits = traitsOf(policy, tool.traits.name);
    const { parameters: _, ...rest } = tool.definition;
    const parameters = traits.parameters ?? (closed(tool.definition.parameters) || { type: "object" });
    const supposed: ToolKind = { ...tool, policy, traits, definition: { ...rest, parameters } };
    return { tool: supposed, ...casesFor(search, { ...invariant, when: none ? others : when }, supposed) };
  };
  const first = suppose(false);
  return first.isRead ? first : suppose(true);
}

/** The first situation in which the tool does what the invariant forbids. */
function* breaking(
  search: Search,
  invariant: Invariant,
  tool: ToolKind,
  cases: Cases,
): CooperativeTask<Counterexample | undefined> {
  const effects: ReadonlySet<InvariantEffect> = new Set(listOf(invariant.never.effect));
  const tasks = taskSituations(tool.policy, invariant, tool.traits);
  const texts = textSituations(tool.policy, invariant);
  const walk = callersOf(tool, invariant, search.work);
  let callers = walk.next();
  for (; !callers.done; callers = walk.next()) {
    search.situations++;
    yield spend(search, CALLER_WORK);
  }
  for (const caller of callers.value)
    for (const task of tasks)
      for (const text of texts) {
        if (effects.has("offer")) {
          yield spend(search, SITUATION_WORK);
          search.situations++;
          const situation = { tool, caller, task, text, arguments: {} };
          if (isOffered(situation, search.work)) return counterexampleOf(situation, "offer");
          continue;
        }
        for (const args of cases) {
          yield spend(search, text.trust === "untrusted" ? UNTRUSTED_WORK : SITUATION_WORK);
          search.situations++;
          const found = broken({ tool, caller, task, text, arguments: args }, invariant, effects);
          if (found) return found;
        }
      }
  return undefined;
}

function broken(
  situation: CallSituation,
  { when }: Invariant,
  effects: ReadonlySet<InvariantEffect>,
): Counterexample | undefined {
  const { effect, grounded } = judgeSituation(situation);
  if (effect === undefined || !effects.has(effect)) return undefined;
  if (when.grounded !== undefined && when.grounded !== grounded) return undefined;
  return isConfirmed(situation, effects) ? counterexampleOf(situation, effect) : undefined;
}
