/**
 * The situations in which a call can be made, as far as they matter for one tool and one invariant. Pure.
 *
 * Rules only object. So if the invariant does not name a side, one side represents both: with the provider linked, under an intent
 * that permits the tool, without untrusted text there are no more objections than on the other side. Only an invariant that is just about
 * `confirm` needs the sides on which the user is asked.
 */
import type { CompiledPolicy } from "../compile.ts";
import { type Invariant, listOf } from "../document/invariant-parts.ts";
import type { Facts } from "../facts.ts";
import { canDetect, mustMatch } from "../handshake.ts";
import { type CompiledIntent, familyAccess } from "../intents.ts";
import type { Sources } from "../origin/sources/sources.ts";
import { permittedBy, type ToolTraits } from "../traits.ts";

/** The state of the task and what it holds. */
export type TaskSituation = Pick<Facts, "state" | "intents" | "selectedByModel" | "selectedAfterUntrusted">;

/** The texts in the conversation. */
export interface TextSituation {
  readonly trust: "trusted" | "untrusted";
  /** The values of the call come from the user. */
  readonly grounded: boolean;
  readonly facts: Pick<Facts, "untrustedSources" | "allSources" | "instructions">;
}

/** Whether a question breaks the invariant: then the sides that only ask are searched too. */
export const isAboutQuestions = ({ never }: Invariant): boolean =>
  !(listOf(never.effect) ?? []).some((effect) => effect !== "confirm");

export function taskSituations(
  policy: CompiledPolicy,
  invariant: Invariant,
  traits: ToolTraits,
): readonly TaskSituation[] {
  const { when } = invariant;
  const states = listOf(when.state);
  const isOff = policy.handshake.select === "off";
  const idle: TaskSituation[] = isOff
    ? [{ state: "action", intents: [] }]
    : [
        { state: "reasoning", intents: [] },
        { state: "request", intents: [] },
      ];
  const named = listOf(when.intent);
  const all = [...(named ? [] : idle), ...heldSituations(policy, traits, named, isAboutQuestions(invariant))];
  return states === undefined ? all : all.filter(({ state }) => states.includes(state));
}

type HeldIntent = readonly [name: string, how: "own" | "added" | "undetected"];

function heldSituations(
  policy: CompiledPolicy,
  traits: ToolTraits,
  named: readonly string[] | undefined,
  withUndetected: boolean,
): TaskSituation[] {
  const helpful = helpfulIntents(policy, traits);
  const hows = withUndetected ? (["own", "added", "undetected"] as const) : (["own", "added"] as const);
  const each = (names: readonly string[]): HeldIntent[] =>
    names.flatMap((name) => hows.map((how): HeldIntent => [name, how]));
  if (named === undefined) return each(helpful).map((one) => asTask([one]));
  const pinned = named.filter((name) => {
    const intent = policy.intents.get(name);
    return intent !== undefined && canBeHeld(policy, intent);
  });
  return each(pinned).flatMap((one) => [
    asTask([one]),
    ...each(helpful.filter((name) => name !== one[0])).map((other) => asTask([one, other])),
  ]);
}

const asTask = (held: readonly HeldIntent[]): TaskSituation => ({
  state: "action",
  intents: held.map(([name]) => name),
  selectedByModel: new Set(held.flatMap(([name, how]) => (how === "own" ? [] : [name]))),
  selectedAfterUntrusted: new Set(held.flatMap(([name, how]) => (how === "undetected" ? [name] : []))),
});

/** Each invariant needs them again: with 1,500 tools, 200 intents and 30 invariants a proof takes 0.6 s, and 1.0 s without this cache. */
const helpfulOf = new WeakMap<ToolTraits, readonly string[]>();

function helpfulIntents(policy: CompiledPolicy, traits: ToolTraits): readonly string[] {
  const known = helpfulOf.get(traits) ?? findHelpful(policy, traits);
  helpfulOf.set(traits, known);
  return known;
}

/** One intent of each kind that permits the tool: the kinds are all that the rules look at. Those with words come first. */
function findHelpful(policy: CompiledPolicy, traits: ToolTraits): readonly string[] {
  const byKind = new Map<string, CompiledIntent>();
  for (const intent of policy.intents.values()) {
    if (intent.tools !== undefined && !permittedBy(intent.tools, traits)) continue;
    const access = familyAccess(intent, traits);
    if (access === "blocked" || !canBeHeld(policy, intent)) continue;
    const kind = access === "soft" ? `soft ${(intent.families?.softBlockAfter ?? 0) > 0}` : access;
    const known = byKind.get(kind);
    if (known === undefined || (!hasWords(known) && hasWords(intent))) byKind.set(kind, intent);
  }
  return [...byKind.values()].map(({ name }) => name);
}

const hasWords = ({ keywords, examples }: CompiledIntent): boolean => keywords.length + examples.length > 0;

/** The user's words or the model must be able to select it. */
function canBeHeld(policy: CompiledPolicy, intent: CompiledIntent): boolean {
  const { select, mustMatchDetected } = policy.handshake;
  const byModel = select !== "off" && (intent.noTools || mustMatchDetected !== "always" || !mustMatch(policy));
  return byModel || canDetect(policy.detection.layers, [intent]);
}

export function textSituations(policy: CompiledPolicy, invariant: Invariant): readonly TextSituation[] {
  const { trust, grounded } = invariant.when;
  const asking = isAboutQuestions(invariant);
  const instructed = asking && policy.results.instructions === "ask" ? [false, true] : [false];
  const trusted: TextSituation = { trust: "trusted", grounded: true, facts: {} };
  const madeUp: TextSituation = { ...trusted, grounded: false, facts: { allSources: () => sourcesWhere(false) } };
  const untrusted = (grounded === undefined ? (asking ? [true, false] : [true]) : [grounded]).flatMap((isGrounded) =>
    instructed.map((found) => untrustedText(isGrounded, found)),
  );
  if (trust === "trusted") return asking ? [trusted, madeUp] : [trusted];
  if (trust === "untrusted" || grounded !== undefined) return untrusted;
  return asking ? [trusted, madeUp, ...untrusted] : [trusted];
}

const sourcesWhere = (grounded: boolean): Sources => ({
  originOf: () => (grounded ? { kind: "user" } : undefined),
  whereFrom: () => undefined,
  placeInMessages: () => undefined,
  holds: () => false,
  givesReceiver: () => grounded,
  // It turns refusals into questions, and no invariant forbids a refusal.
  delegates: () => true,
  // They matter only for ungrounded values, and there a payment asks without them, too.
  statesAmount: () => true,
  leavesAmountOpen: () => false,
});

function untrustedText(grounded: boolean, instructed: boolean): TextSituation {
  const sources = sourcesWhere(grounded);
  const found = { tool: null, kind: "text", passage: "" } as const;
  const instructions = instructed ? { instructions: () => found } : {};
  return { trust: "untrusted", grounded, facts: { untrustedSources: () => sources, ...instructions } };
}
