/** The turn of a call that a client's own model makes outside of a chat: there are no messages, and nothing is detected. */
import type { Channel } from "../../approvals/approval.ts";
import type { WorkBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { ConcurrencyLimits } from "../../ports/turns/open-turn-request.ts";
import type { Principal } from "../../session/principal.ts";
import type { SessionInfo } from "../../session/state.ts";
import type { ManagedTools } from "../../tools/tool-runner.ts";
import { previewOpenResult } from "../open/preview-open-result.ts";
import { newTurn, ownRequest, type QuestionLinks, type Turn, type TurnInput } from "../turn.ts";

export interface ToolSession {
  readonly principal: Principal;
  readonly policy: CompiledPolicy;
  readonly managed: ManagedTools;
  /** The session's id. */
  readonly session: string;
  /** Undefined: as the session has it. */
  readonly mode: string | undefined;
  readonly channel: Channel;
  readonly links?: QuestionLinks | undefined;
  readonly ceilings?: ConcurrencyLimits | undefined;
  readonly work: WorkBudget;
}

/** @param signal fires when the client goes away. */
export function toolCallTurn(at: ToolSession, id: string, signal: AbortSignal): TurnInput {
  const { principal, policy, managed, session, mode, channel, links, ceilings, work } = at;
  return {
    id,
    principal,
    policy,
    managed,
    includeRuns: false,
    request: ownRequest({ messages: [], tools: [], model: "", sessionId: session }),
    conversation: {
      newMessage: undefined,
      previousReply: undefined,
      results: [],
      firstMessageDigest: "",
      conversationKey: undefined,
    },
    // Two calls that are alike are two calls: no turn is a retry of another.
    digest: `tool:${id}`,
    toolCall: true,
    clientRetry: false,
    sessionId: session,
    mode,
    reset: false,
    channel,
    links,
    ceilings,
    headers: {},
    work,
    signal,
  };
}

/** A turn in the session that is never opened: what would be offered now. */
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
