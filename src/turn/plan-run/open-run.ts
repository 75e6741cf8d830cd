/**
 * The turn of a run. The user's wish is its new message where the plan's session does not know it yet, so that intents are
 * detected as in a chat; later runs are continuations, which bring what the client ran.
 */
import type { Channel } from "../../approvals/approval.ts";
import type { WorkBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { ToolDefinition } from "../../policy/facts.ts";
import type { KeptPlan } from "../../ports/plans-port.ts";
import type { Ceilings } from "../../ports/turns-port.ts";
import type { Principal } from "../../session/principal.ts";
import type { ManagedTools } from "../../tools/tool-runner.ts";
import { type Conversation, readConversation } from "../../wire/conversation.ts";
import type { JsonObject } from "../../wire/read-chunk.ts";
import { openTurn } from "../open/open-turn.ts";
import type { Turn, TurnDeps, TurnInput } from "../turn.ts";

/** What the client brings of a call that was released to it. */
export interface ClientResult {
  readonly callId: string;
  readonly tool: string;
  readonly text: string;
  /** The client says that it failed; else what it looks like decides, as in a chat. */
  readonly isError: boolean;
}

export interface RunInput {
  /** Of the turn. */
  readonly id: string;
  readonly principal: Principal;
  readonly policy: CompiledPolicy;
  readonly managed: ManagedTools | undefined;
  readonly plan: KeptPlan;
  /** The client's tools, read from the plan. */
  readonly tools: readonly ToolDefinition[];
  readonly results: readonly ClientResult[];
  readonly channel: Channel;
  readonly ceilings?: Ceilings | undefined;
  /** For a layer of detection that asks a model. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of the request. */
  readonly work: WorkBudget;
}

export async function openRun(deps: TurnDeps, input: RunInput): Promise<Turn> {
  // A session that was forgotten is told once more what is wanted; what it had handed out has gone with it.
  const known = (await deps.guard.sessions.find(input.plan.session)) !== undefined;
  const turn = await openTurn(deps, turnInput(known ? input : { ...input, results: [] }, known));
  const { unknownApprovals = [] } = turn.opened;
  if (unknownApprovals.length > 0) throw new Error("the plan's turn was not opened");
  return turn;
}

/** @param known the plan's session has the user's wish already. */
export function turnInput(input: RunInput, known: boolean): TurnInput {
  const { plan, tools } = input;
  const messages = messagesOf(input, known);
  return {
    id: input.id,
    principal: input.principal,
    policy: input.policy,
    managed: input.managed,
    request: {
      body: {},
      messages,
      tools,
      toolChoice: { kind: "auto", explicit: false },
      choices: 1,
      model: plan.model,
      stream: false,
      includeUsage: false,
      jsonMode: false,
      sessionId: plan.session,
      answers: undefined,
      providerFields: [],
    },
    conversation: conversationOf(input, messages),
    // No two runs are the same request: what an earlier one did is kept with the plan.
    digest: `plan:${input.id}`,
    plan: plan.id,
    resent: false,
    sessionId: plan.session,
    mode: plan.mode,
    reset: false,
    channel: input.channel,
    ceilings: input.ceilings,
    headers: input.headers,
    work: input.work,
    // What a step has begun is brought to its end, whoever is there to see it.
    signal: new AbortController().signal,
  };
}

/** In OpenAI's form: whose results they are tells whether somebody else's text has come in. */
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

function conversationOf({ results }: RunInput, messages: readonly JsonObject[]): Conversation {
  const read = readConversation(messages);
  const told = read.results.map((result, index) => {
    const { text, isError } = results[index] as ClientResult;
    return { ...result, text, succeeded: result.succeeded && !isError };
  });
  // The run belongs to its plan, whatever its messages look like.
  return { ...read, asked: undefined, results: told, thread: undefined };
}
