/** The turn of a call that a client's own model makes outside a chat: there are no messages, and nothing is detected. */
import type { Channel } from "../../approvals/approval.ts";
import type { WorkBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { ConcurrencyLimits } from "../../ports/turns/open-turn-request.ts";
import type { Principal } from "../../session/principal.ts";
import type { SessionInfo } from "../../session/state.ts";
import type { ManagedTools } from "../../tools/tool-runner.ts";
import { previewOpenResult } from "../open/preview-open-result.ts";
import { newTurn, type QuestionLinks, type Turn, type TurnInput } from "../turn.ts";
import { turnWithoutChat } from "../turn-input.ts";

export interface ToolSession {
  readonly principal: Principal;
  readonly policy: CompiledPolicy;
  readonly managed: ManagedTools;
  /** The session's id. */
  readonly session: string;
  /** Undefined: the session's mode. */
  readonly mode: string | undefined;
  readonly channel: Channel;
  readonly links?: QuestionLinks | undefined;
  readonly ceilings?: ConcurrencyLimits | undefined;
  readonly work: WorkBudget;
}

/** @param signal fires when the client goes away. */
export function toolCallTurn(at: ToolSession, id: string, signal: AbortSignal): TurnInput {
  const { principal, policy, managed, session, mode, channel, links, ceilings, work } = at;
  // Two equal calls are two calls: no turn is a retry of another.
  const own = { id, digest: `tool:${id}`, toolCall: true, sessionId: session, signal } as const;
  return turnWithoutChat({ ...own, principal, policy, managed, mode, channel, links, ceilings, work });
}

/** A turn in the session that is never opened: it shows the current offer. */
export function previewToolTurn(
  at: ToolSession,
  session: SessionInfo | undefined,
  connections: readonly string[],
): Turn {
  const mode = at.mode ?? session?.mode;
  return newTurn(
    toolCallTurn(at, "", new AbortController().signal),
    previewOpenResult({ session: at.session, info: session, mode, connections }),
  );
}
