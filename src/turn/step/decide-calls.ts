/** Calls that the pure rules have judged, decided together where the counts are. */

import { argumentsDigest, callDigest } from "../../approvals/call-digest.ts";
import { describeCall, disclosureText } from "../../approvals/disclosure/disclosure.ts";
import { describeError, log } from "../../lib/log.ts";
import { recordedArguments } from "../../lib/redact.ts";
import { discloseReasons, type Reason } from "../../policy/reasons.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { PureDecision } from "../../policy/vet.ts";
import type { ModelCall } from "../../ports/model-port.ts";
import type { CallToDecide, DecidedCall } from "../../ports/turns-port.ts";
import type { ToolRunner } from "../../tools/tool-runner.ts";
import { discloseFor } from "../confirm/disclose-for.ts";
import { stateOf, type Turn, type TurnDeps } from "../turn.ts";
import type { Arguments } from "./read-arguments.ts";

/** @param select the intent that the handshake selected with them. */
export async function decideCalls(
  deps: TurnDeps,
  turn: Turn,
  select: string | undefined,
  calls: readonly CallToDecide[],
): Promise<readonly DecidedCall[]> {
  const { policy } = turn.input;
  const decided = await deps.guard.turns.decide({
    turn: turn.input.id,
    session: turn.opened.session,
    step: turn.log.steps,
    auditContext: {
      role: turn.input.principal.role,
      mode: turn.mode,
      state: stateOf(turn),
      intents: turn.log.intents,
      policy: policy.version,
    },
    select,
    calls,
    logConfirmations: policy.audit.logConfirmations,
    grants: policy.confirmation.grants.enabled,
  });
  if (decided.length !== calls.length) throw new Error("a call was left undecided");
  return decided.map((one, index) => {
    const call = calls[index];
    return call ? { ...one, reasons: discloseReasons(one.reasons, call.disclosed) } : one;
  });
}

/** More say nothing new. */
const MAX_RECORDED = 64;

/** Records the refusal of calls that had begun in a step whose end was not orderly. Never rejects: nothing waits for it. */
export async function recordDisorder(
  deps: TurnDeps,
  turn: Turn,
  disorder: { readonly detail: string; readonly begun: readonly string[] },
): Promise<void> {
  const calls = disorder.begun.slice(0, MAX_RECORDED).map((name): CallToDecide => {
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
      counted: { windows: [] },
      handshake: false,
    };
  });
  try {
    await decideCalls(deps, turn, undefined, calls);
  } catch (error) {
    log("error", "refusals_not_recorded", { turn: turn.input.id, ...describeError(error) });
  }
}

/** @param value the arguments as they were read; null where they could not be. */
export function callToDecide(
  deps: TurnDeps,
  turn: Turn,
  call: ModelCall,
  { effect, reasons, counted }: PureDecision,
  value: Arguments | null,
  handshake = false,
): CallToDecide {
  const { policy } = turn.input;
  const traits = traitsOf(policy, call.name);
  const logs = policy.audit.logToolCalls && value !== null;
  const whole = value === null ? null : wholeArguments(deps, turn, call.name, value);
  const recorded = logs && whole !== null ? recordedArguments(whole, traits.redact) : null;
  const disclosed = (asks: string) => {
    const own = whole === value ? recorded : logs ? recordedArguments(value, traits.redact) : null;
    const told = own ?? {};
    const suspicious = reasons.flatMap(({ code }) => (code === "arguments_suspicious" ? [code] : []));
    const asked = { asks: [asks, ...suspicious], shown: told, recorded: told };
    return disclosureText(describeCall(discloseFor(turn, traits, reasons), asked));
  };
  return {
    callId: call.id,
    tool: call.name,
    families: handshake ? [] : [...traits.families],
    arguments: value === null ? call.arguments : JSON.stringify(value),
    extra: call.extra,
    recorded,
    disclosed: {
      firstUse: counted.gate ? disclosed("first_use") : "",
      confirmation: counted.confirmation ? disclosed("confirmation_required") : "",
    },
    digest: whole === null ? null : callDigest(whole, call.extra),
    effect,
    reasons,
    counted,
    handshake,
    undoable: traits.undo !== undefined,
    ...(effect !== "deny" && !handshake ? runOf(deps, turn, call.name) : {}),
  };
}

const managing = ({ tools }: TurnDeps, { input }: Turn, tool: string): ToolRunner | undefined =>
  input.managed?.names.has(tool) ? tools : undefined;

/** With what the gateway sets itself: a person's answer, and the record, are of the call as it runs. */
function wholeArguments(deps: TurnDeps, turn: Turn, tool: string, value: Arguments): Arguments {
  const runner = managing(deps, turn, tool);
  if (!runner) return value;
  const { principal, sessionId, input } = turn;
  return { ...value, ...runner.systemArguments(input.policy, tool, { principal, session: sessionId }) };
}

/** Of the arguments of a call as it is decided; the digest of a call without vendor members is the same. */
export const digestOf = (deps: TurnDeps, turn: Turn, tool: string, value: Arguments): string =>
  argumentsDigest(wholeArguments(deps, turn, tool, value));

function runOf(deps: TurnDeps, turn: Turn, tool: string): Pick<CallToDecide, "run"> {
  const runner = managing(deps, turn, tool);
  return runner ? { run: runner.entry(turn.input.policy, tool, deps.now()) } : {};
}
