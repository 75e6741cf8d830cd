/** A turn's input, and what is known of the turn once it is open. Nothing here changes; events go into the log. */

import type { Channel } from "../approvals/approval.ts";
import type { Detection } from "../intent/detection.ts";
import { canonicalJson } from "../lib/json/canonical-json.ts";
import type { KeyRing } from "../lib/key-ring.ts";
import type { WorkBudget } from "../lib/work-budget.ts";
import type { CompiledPolicy } from "../policy/compile.ts";
import type { ToolDefinition } from "../policy/facts.ts";
import type { ConcurrencyLimits, OpenResult } from "../ports/turns/open-turn-request.ts";
import { rootSession } from "../session/conversation-fingerprint.ts";
import type { CallMaker, Principal } from "../session/principal.ts";
import { deriveState, type State } from "../session/state.ts";
import type { ManagedTools } from "../tools/tool-runner.ts";
import type { ChatRequest } from "../wire/chat-request.ts";
import type { Conversation } from "../wire/conversation.ts";
import { holdsUntrustedResults, withoutRuns } from "./history/retained-results.ts";
import { holdsTaintedResults } from "./open/tainted-results.ts";
import { holdsUntrustedHosted } from "./open/untrusted.ts";
import type { InlineAnswer } from "./open/user-message.ts";
import { newTurnLog, type TurnLog } from "./turn-log.ts";

/** What a link to the page that answers a question is made of. */
export interface QuestionLinks {
  /** The gateway's public address, without a slash at the end. */
  readonly publicUrl: string;
  readonly keys: KeyRing;
}

export interface TurnInput {
  readonly id: string;
  readonly principal: Principal;
  /** Includes the tools that were found at MCP servers. */
  readonly policy: CompiledPolicy;
  /** Absent: no tool is managed. */
  readonly managed?: ManagedTools | undefined;
  /** Whether the reply lists managed calls. */
  readonly includeRuns: boolean;
  /** Whether that list includes the results. Absent: no. */
  readonly includeResults?: boolean | undefined;
  readonly request: ChatRequest;
  readonly conversation: Conversation;
  /** The turn's tools, if no client brings them; they are not pinned. Absent: the request's and the managed ones. */
  readonly ownTools?: readonly ToolDefinition[] | undefined;
  /** Digest of the request's bytes. */
  readonly digest: string;
  /** The plan that the turn runs. The turn has no model, and its progress is stored with the plan. */
  readonly plan?: string | undefined;
  /** With `plan`: a person has seen all its calls and approved it under this policy. Absent: not approved. */
  readonly planApproved?: true | undefined;
  /**
   * The turn is one call that a client's own model made outside a chat. The end of that model's turn is unknown, so limits per turn count
   * per task, and the task goes on.
   */
  readonly toolCall?: true | undefined;
  /** The client marks the request as a retry. */
  readonly clientRetry: boolean;
  readonly sessionId: string | undefined;
  readonly mode: string | undefined;
  readonly reset: boolean;
  /** Limits the work of all vetting in the turn. */
  readonly work: WorkBudget;
  /** How a person is asked, if a call needs approval. */
  readonly channel: Channel;
  /** Absent: questions carry no link. */
  readonly links?: QuestionLinks | undefined;
  /** The console's address of turns, without a slash at the end, if the requester is an operator. Absent: they are none. */
  readonly console?: string | undefined;
  /** Absent: no limit on the user's open turns. */
  readonly ceilings?: ConcurrencyLimits | undefined;
  /** Sent to the upstream. */
  readonly headers: Readonly<Record<string, string>>;
  /** Fires when the client goes away. */
  readonly signal: AbortSignal;
}

/** The facts of a turn once it is open. */
interface TurnContext {
  readonly input: TurnInput;
  readonly opened: OpenResult;
  /** When UserGuard answered, in milliseconds since the epoch; undefined if it has not: in a preview, or a speculative step. */
  readonly openedAt: number | undefined;
  /** The session's id, as the client and the records know it. */
  readonly sessionId: string;
  /** Includes the connections that operators set. */
  readonly principal: Principal;
  /** The request's and the managed ones. */
  readonly tools: readonly ToolDefinition[];
  /** Names of tools whose definition is not the accepted one. */
  readonly changedDefinitions: ReadonlySet<string>;
  readonly mode: string;
  readonly stateOpened: State;
  /** What was detected in the new message; undefined on a continuation and for a command. */
  readonly detection: Detection | undefined;
  /** The user's message, if it reads as an answer to the question before it. */
  readonly answer: InlineAnswer | undefined;
  /** The first step may be the system's. */
  readonly systemFirstAllowed: boolean;
  /** Part of the name of the tags around untrusted results. */
  readonly resultTag: string;
}

export interface Turn extends TurnContext {
  readonly log: TurnLog;
}

type MessageReading = Partial<Pick<TurnContext, "detection" | "answer" | "systemFirstAllowed">>;

export function newTurn(input: TurnInput, opened: OpenResult, read: MessageReading = {}, openedAt?: number): Turn {
  // The policy may have been replaced since they were selected: an intent that it no longer has permits nothing.
  const intents = opened.intents.filter((name) => input.policy.intents.has(name));
  const { all, changed } = input.ownTools
    ? { all: input.ownTools, changed: [] }
    : joinTools(input.request.tools, input.managed);
  return {
    input,
    opened: { ...opened, hidden: withoutRuns(opened.hidden, opened.runs) },
    openedAt,
    sessionId: rootSession(opened.session),
    principal: withConnections(input.principal, opened.connections),
    tools: all,
    changedDefinitions: new Set([...opened.changedDefinitions, ...changed, ...(input.managed?.changed ?? [])]),
    mode: opened.mode ?? "default",
    stateOpened: deriveState({ select: input.policy.handshake.select, intents, modelCalled: false }),
    detection: read.detection,
    answer: read.answer,
    systemFirstAllowed: read.systemFirstAllowed === true,
    resultTag: opened.resultTag ?? crypto.randomUUID().replaceAll("-", ""),
    log: newTurnLog({
      intents,
      undetected: opened.undetected ?? [],
      endorsed: opened.endorsed ?? [],
      preflightDue: beginsWork(input, opened),
      reminded: opened.reminded,
      wordsOnly: opened.waiting?.some(isSystemCall) || opened.runs?.some(isSystemCall) || false,
      untrusted:
        opened.untrusted ||
        holdsUntrustedHosted(input.policy, input.request.responses?.hosted) ||
        holdsUntrustedResults(input.policy, opened.hidden) ||
        holdsTaintedResults(input.policy, opened, input.request.messages),
      succeeded: opened.succeeded,
      waiting: opened.waiting?.filter(({ status }) => status === "pending") ?? [],
    }),
  };
}

/** An answer begins no task. A plan brings its own tools, so each of its runs is checked. */
const beginsWork = ({ plan, conversation }: TurnInput, { waiting }: OpenResult): boolean =>
  plan !== undefined || (conversation.newMessage !== undefined && !waiting?.length);

const isSystemCall = ({ madeBy }: { readonly madeBy?: CallMaker | undefined }): boolean => madeBy === "system";

function withConnections(principal: Principal, linked: readonly string[] = []): Principal {
  if (linked.length === 0) return principal;
  return { ...principal, connections: [...new Set([...principal.connections, ...linked])] };
}

/** The current state. */
export const stateOf = ({ input, log }: Turn): State =>
  deriveState({ select: input.policy.handshake.select, intents: log.intents, modelCalled: log.stepBegun });

interface JoinedTools {
  /** The client's tools in their order, then the managed ones. */
  readonly all: readonly ToolDefinition[];
  /** Names that the client gives to tools which differ from the managed ones: neither may be used. */
  readonly changed: readonly string[];
}

/** A client tool that equals the managed one of its name counts as the managed one. */
export function joinTools(tools: readonly ToolDefinition[], managed: ManagedTools | undefined): JoinedTools {
  if (!managed || managed.names.size === 0) return { all: tools, changed: [] };
  const own = new Map(managed.definitions.map((definition) => [definition.name, definition]));
  const changed: string[] = [];
  const brought = tools.map((tool) => {
    const same = own.get(tool.name);
    if (!same) return tool;
    own.delete(tool.name);
    if (isSame(tool, same)) return same;
    changed.push(tool.name);
    return tool;
  });
  return { all: [...brought, ...own.values()], changed };
}

/** Parameters that a client leaves undescribed are left to the policy, as everywhere. */
const isSame = ({ parameters: sent }: ToolDefinition, { parameters }: ToolDefinition): boolean =>
  sent === undefined || sent === null || canonicalJson(sent) === canonicalJson(parameters);
