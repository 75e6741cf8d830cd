/** Step 8 of a turn: pure rules first, then one call to UserGuard for what must be counted, all calls together. */
import { discloseCall } from "../approvals/disclosure.ts";
import { disclosureText } from "../approvals/disclosure-text.ts";
import { canonicalJson } from "../lib/canonical-json.ts";
import { describeError } from "../lib/describe-error.ts";
import { sha256Hex } from "../lib/digest.ts";
import { log } from "../lib/log.ts";
import { parseStrictJson } from "../lib/strict-json.ts";
import type { ModelCall } from "../model/model-port.ts";
import type { Decision, Effect } from "../policy/decision.ts";
import type { CountedChecks } from "../policy/facts.ts";
import { readHandshake } from "../policy/handshake.ts";
import type { Reason } from "../policy/reasons.ts";
import { traitsOf } from "../policy/traits.ts";
import { vetCall } from "../policy/vet.ts";
import type { CallToDecide, Decided } from "./guard-port.ts";
import type { StepOffer } from "./offer-step.ts";
import { recordedArguments } from "./recorded-arguments.ts";
import { stateOf, type Turn, type TurnDeps } from "./turn.ts";

export interface VettedCall extends Decision {
  readonly call: ModelCall;
  /** As the call goes on: compact JSON of what was vetted. */
  readonly arguments: string;
  readonly ordinal: number | undefined;
  readonly handshake: boolean;
}

export interface VettedStep {
  readonly calls: readonly VettedCall[];
  /** The intent that the handshake selected. */
  readonly selected: string | undefined;
}

const NOTHING_COUNTED: CountedChecks = { windows: [] };

export async function vetStep(
  deps: TurnDeps,
  turn: Turn,
  step: StepOffer,
  calls: readonly ModelCall[],
): Promise<VettedStep> {
  if (calls.length === 0) return { calls: [], selected: undefined };
  const pure = settleHandshake(calls.map((call) => vetPurely(turn, step, call)));
  const selected = pure.find((vetted) => vetted.intent !== undefined && vetted.effect === "allow")?.intent;
  const decided = await decide(
    deps,
    turn,
    selected,
    pure.map((vetted) => vetted.toDecide),
  );
  const vetted = pure.map(({ call, toDecide }, index): VettedCall => {
    const decision = decided[index];
    if (!decision) throw new Error("a call was left undecided");
    return { ...decision, call, arguments: toDecide.arguments, handshake: toDecide.handshake };
  });
  return { calls: vetted, selected };
}

interface PurelyVetted {
  readonly call: ModelCall;
  readonly effect: Effect;
  /** The intent that a handshake call names. */
  readonly intent: string | undefined;
  readonly toDecide: CallToDecide;
}

function vetPurely(turn: Turn, { offer, facts }: StepOffer, call: ModelCall): PurelyVetted {
  const handshake = call.name === offer.handshake?.name;
  const args = readArguments(call);
  if (!args.ok)
    return vetted(
      turn,
      call,
      handshake,
      { effect: "deny", reasons: [args.reason], counted: NOTHING_COUNTED },
      call.arguments,
      null,
    );
  if (handshake && offer.handshake) {
    const intent = readHandshake(offer.handshake, args.value);
    const decision = intent.ok
      ? { effect: "allow" as const, reasons: [] }
      : { effect: "deny" as const, reasons: [intent.error] };
    const read = vetted(
      turn,
      call,
      true,
      { ...decision, counted: NOTHING_COUNTED },
      JSON.stringify(args.value),
      args.value,
    );
    return { ...read, intent: intent.ok ? intent.value : undefined };
  }
  const decision = vetCall(turn.input.policy, facts, offer, { id: call.id, tool: call.name, arguments: args.value });
  return vetted(turn, call, false, decision, JSON.stringify(args.value), args.value);
}

function vetted(
  turn: Turn,
  call: ModelCall,
  handshake: boolean,
  decision: { readonly effect: Effect; readonly reasons: readonly Reason[]; readonly counted: CountedChecks },
  text: string,
  value: Readonly<Record<string, unknown>> | null,
): PurelyVetted {
  const { policy } = turn.input;
  const traits = traitsOf(policy, call.name);
  const recorded = policy.audit.logToolCalls && value !== null ? recordedArguments(value, traits.redact) : null;
  const told = (asked: "first_use" | "confirmation_required") => {
    const persistsGate = policy.gates.persistApprovals;
    const disclosed = { traits, arguments: recorded ?? {}, language: "en", asks: [asked], persistsGate } as const;
    return disclosureText(discloseCall(disclosed));
  };
  return {
    call,
    effect: decision.effect,
    intent: undefined,
    toDecide: {
      callId: call.id,
      tool: call.name,
      families: handshake ? [] : [...traits.families],
      arguments: text,
      extra: call.extra,
      recorded,
      disclosed: {
        firstUse: decision.counted.gate ? told("first_use") : "",
        confirmation: decision.counted.confirmation ? told("confirmation_required") : "",
      },
      digest: value === null ? null : sha256Hex(canonicalJson(value)),
      effect: decision.effect,
      reasons: decision.reasons,
      counted: decision.counted,
      handshake,
      undoable: traits.undo !== undefined,
    },
  };
}

/** Two different intents in one step contradict each other: both are refused. */
function settleHandshake(calls: readonly PurelyVetted[]): readonly PurelyVetted[] {
  const intents = [...new Set(calls.flatMap(({ intent }) => (intent === undefined ? [] : [intent])))];
  if (intents.length < 2) return calls;
  const reasons: Reason[] = [{ code: "intent_conflict", intents }];
  return calls.map((vetted) =>
    vetted.intent === undefined
      ? vetted
      : { ...vetted, effect: "deny", toDecide: { ...vetted.toDecide, effect: "deny", reasons } },
  );
}

type ReadArguments =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly reason: Reason };

const FAULTS = {
  syntax: "the arguments are not valid JSON",
  duplicate_key: "the arguments hold a key twice",
  proto_key: "the arguments hold the key `__proto__`",
  number: "the arguments hold a number that does not survive being read",
  depth: "the arguments are nested too deeply",
} as const;

/** Arguments that two readers could take for different things are refused. No text at all means no arguments. */
function readArguments(call: ModelCall): ReadArguments {
  const refuse = (message: string): ReadArguments => ({
    ok: false,
    reason: { code: "arguments_invalid", tool: call.name, issues: [{ path: "", message }] },
  });
  if (call.arguments.trim() === "") return { ok: true, value: {} };
  const parsed = parseStrictJson(call.arguments);
  if (!parsed.ok) return refuse(FAULTS[parsed.error.problem]);
  const value = parsed.value;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return refuse("the arguments are not a JSON object");
  return { ok: true, value };
}

/** Records the refusal of calls that had begun in a step whose end was not orderly. Never rejects: nothing waits for it. */
export async function recordDisorder(
  deps: TurnDeps,
  turn: Turn,
  disorder: { readonly detail: string; readonly begun: readonly string[] },
): Promise<void> {
  const calls = disorder.begun.slice(0, 100).map((name): CallToDecide => {
    const tool = name.slice(0, 128);
    const reasons: Reason[] = [{ code: "stream_disorderly", tool, detail: disorder.detail }];
    return {
      callId: "",
      tool,
      families: [],
      arguments: "",
      extra: undefined,
      recorded: null,
      disclosed: { firstUse: "", confirmation: "" },
      digest: null,
      effect: "deny",
      reasons,
      counted: NOTHING_COUNTED,
      handshake: false,
    };
  });
  try {
    await decide(deps, turn, undefined, calls);
  } catch (error) {
    log("error", "refusals_not_recorded", { turn: turn.input.id, ...describeError(error) });
  }
}

function decide(
  deps: TurnDeps,
  turn: Turn,
  select: string | undefined,
  calls: readonly CallToDecide[],
): Promise<readonly Decided[]> {
  return deps.guard.decide({
    turn: turn.input.id,
    session: turn.opened.session,
    step: turn.steps,
    moment: {
      role: turn.input.principal.role,
      mode: turn.mode,
      state: stateOf(turn),
      intents: turn.intents,
      policy: turn.input.policy.version,
    },
    select,
    calls,
  });
}
