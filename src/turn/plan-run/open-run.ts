/**
 * Opens the turn of a plan's run. In the first run the user's wish is the new message, so intents are detected as in a chat; later runs are
 * continuations, which bring results of the client's tools.
 */
import type { Channel } from "../../approvals/approval.ts";
import type { JsonObject } from "../../lib/json/json-value.ts";
import type { WorkBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { ToolDefinition } from "../../policy/facts.ts";
import type { StoredPlan } from "../../ports/plans-port.ts";
import type { ConcurrencyLimits } from "../../ports/turns/open-turn-request.ts";
import type { Principal } from "../../session/principal.ts";
import type { ManagedTools } from "../../tools/tool-runner.ts";
import { type Conversation, readConversation } from "../../wire/conversation.ts";
import { openTurn } from "../open/open-turn.ts";
import type { Turn, TurnInput } from "../turn.ts";
import type { TurnDeps } from "../turn-deps.ts";
import { ownRequest, turnWithoutChat } from "../turn-input.ts";

/** The client's result for a call that was released to it. */
export interface ClientResult {
  readonly callId: string;
  readonly tool: string;
  readonly text: string;
  /** Whether the client reports a failure. If absent, the text's shape decides, as in a chat. */
  readonly isError: boolean;
}

export interface RunInput {
  /** The id of the turn. */
  readonly id: string;
  readonly principal: Principal;
  readonly policy: CompiledPolicy;
  readonly managed: ManagedTools | undefined;
  readonly plan: StoredPlan;
  /** The client's tools, read from the plan. */
  readonly tools: readonly ToolDefinition[];
  readonly results: readonly ClientResult[];
  readonly channel: Channel;
  readonly ceilings?: ConcurrencyLimits | undefined;
  /** For a detection layer that asks a model. */
  readonly headers: Readonly<Record<string, string>>;
  readonly work: WorkBudget;
}

export async function openRun(deps: TurnDeps, input: RunInput): Promise<Turn> {
  // If the session expired, the new one gets the wish again; calls that the old one released are gone with it.
  const known = (await deps.guard.sessions.find(input.plan.session)) !== undefined;
  const turn = await openTurn(deps, turnInput(known ? input : { ...input, results: [] }, known));
  const { unknownApprovals = [] } = turn.opened;
  if (unknownApprovals.length > 0) throw new Error("the plan's turn was not opened");
  return turn;
}

/** @param known whether the plan's session holds the user's wish already. */
export function turnInput(input: RunInput, known: boolean): TurnInput {
  const { plan, tools } = input;
  const messages = messagesOf(input, known);
  return turnWithoutChat({
    id: input.id,
    principal: input.principal,
    policy: input.policy,
    managed: input.managed,
    request: ownRequest({ messages, tools, model: plan.model }),
    conversation: conversationOf(input, messages),
    // No run is a retry of another: what an earlier run did is stored with the plan.
    digest: `plan:${input.id}`,
    plan: plan.id,
    ...(plan.approved?.policy === input.policy.version ? { planApproved: true } : {}),
    sessionId: plan.session,
    mode: plan.mode,
    channel: input.channel,
    ceilings: input.ceilings,
    headers: input.headers,
    work: input.work,
    // A call that has begun is finished even if the client goes away.
    signal: new AbortController().signal,
  });
}

/** Messages in OpenAI's form: the tools of the results show the turn whether untrusted text has come in. */
function messagesOf({ plan, results }: RunInput, known: boolean): readonly JsonObject[] {
  const wish: JsonObject = { role: "user", content: plan.input };
  if (!known) return [wish];
  const calls = results.map(({ callId, tool }) => ({
    id: callId,
    type: "function",
    function: { name: tool, arguments: "{}" },
  }));
  const answers = results.map(({ callId, text }) => ({ role: "tool", tool_call_id: callId, content: text }));
  const called = { role: "assistant", content: null, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
  return [wish, called, ...answers];
}

function conversationOf(input: RunInput, messages: readonly JsonObject[]): Conversation {
  const read = readConversation(messages);
  const results = read.results.map((result, index) => {
    const { text, isError } = input.results[index] as ClientResult;
    return { ...result, text, succeeded: result.succeeded && !isError };
  });
  // The session is the plan's, whatever the messages.
  return { ...read, previousReply: undefined, results, fingerprint: undefined };
}
