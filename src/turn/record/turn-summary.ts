/** The summary of a turn for the log, metrics and traces. */
import type { TurnSummary } from "../../ports/turns/turn-observer.ts";
import { stateOf, type Turn } from "../turn.ts";
import { systemFirstNote } from "../turn-log.ts";
import { withheldOf } from "./reply-note.ts";

export function summaryOf(turn: Turn): TurnSummary {
  const { input, log, detection } = turn;
  return {
    session: turn.sessionId,
    mode: turn.mode,
    stateOpened: turn.stateOpened,
    stateClosed: stateOf(turn),
    intents: log.intents,
    // Only names in the policy: a model that detects may name anything.
    detected: detection?.intents.flatMap(({ name }) => (input.policy.intents.has(name) ? [name] : [])),
    detectionMissed: detection?.missed ?? [],
    variant: turn.opened.variant,
    systemFirst: systemFirstNote(turn)?.outcome,
    plan: input.plan,
    channel: input.channel,
    offered: log.offered.size,
    withheld: withheldOf(turn).length,
    tokensSaved: log.tokensSaved,
    decisions: log.decisions.map(({ tool, effect, reasons, approval, madeBy }) => ({
      tool: isKnown(turn, tool) ? tool : undefined,
      effect,
      reasons: reasons.map(({ code }) => code),
      approval,
      madeBy,
    })),
  };
}

const isKnown = ({ input }: Turn, name: string): boolean =>
  name === input.policy.handshake.tool ||
  input.managed?.names.has(name) === true ||
  input.request.tools.some((tool) => tool.name === name);
