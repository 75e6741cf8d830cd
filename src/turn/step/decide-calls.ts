/** Calls that the pure rules have judged, decided together where the counts are. */
import { describeError } from "../../lib/describe-error.ts";
import { log } from "../../lib/log.ts";
import { discloseReasons, type Reason } from "../../policy/reasons.ts";
import type { CallToDecide, DecidedCall } from "../../ports/turns-port.ts";
import { stateOf, type Turn, type TurnDeps } from "../turn.ts";

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
