/** What a turn is given, and what is known of it once it is open. Nothing here changes; what happens is in the log. */

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

/** What links to the page that answers a question are made of. */
export interface QuestionLinks {
  /** Where people reach the gateway, without a slash at the end. */
  readonly publicUrl: string;
  readonly keys: KeyRing;
}

export interface TurnInput {
  readonly id: string;
  readonly principal: Principal;
  /** With the tools of MCP servers that were found. */
  readonly policy: CompiledPolicy;
  /** Absent: no tool is managed. */
  readonly managed?: ManagedTools | undefined;
  /** The reply lists managed calls. */
  readonly includeRuns: boolean;
  /** And what they brought. Absent: no. */
  readonly includeResults?: boolean | undefined;
  readonly request: ChatRequest;
  readonly conversation: Conversation;
  /** The turn's tools where no client is there to bring them; they are not pinned. Absent: the request's and the managed ones. */
  readonly ownTools?: readonly ToolDefinition[] | undefined;
  /** Digest of the request's bytes. */
  readonly digest: string;
  /** The plan that the turn runs: there is no model in it, and what it has begun is kept with the plan. */
  readonly plan?: string | undefined;
  /** With `plan`: a person has approved it as a whole under this policy, and has seen its calls. Absent: nobody has. */
  readonly planApproved?: true | undefined;
  /**
   * The turn is one call that a client's own model made outside of a chat: nobody says where a turn of that model ends, so what is
   * counted in a turn counts in the task, and the task goes on.
   */
  readonly toolCall?: true | undefined;
  /** The client says that it sends the request again. */
  readonly clientRetry: boolean;
  readonly sessionId: string | undefined;
  readonly mode: string | undefined;
  readonly reset: boolean;
  /** What all vetting of the turn is paid from. */
  readonly work: WorkBudget;
  /** How a person is asked, where one must be. */
  readonly channel: Channel;
  /** Absent: no question can carry a link. */
  readonly links?: QuestionLinks | undefined;
  /** Where the one who asks can look at turns in the console, without a slash at the end. Absent: they are no operator. */
  readonly console?: string | undefined;
  /** Absent: the user may have as many open as there are. */
  readonly ceilings?: ConcurrencyLimits | undefined;
  /** For the upstream. */
  readonly headers: Readonly<Record<string, string>>;
  /** Fires when the client goes away. */
  readonly signal: AbortSignal;
}

/** What is known of a turn once it is open. */
interface TurnContext {
  readonly input: TurnInput;
  readonly opened: OpenResult;
  /** When UserGuard answered, in milliseconds since the epoch; undefined where it has not: a preview, or a turn begun early. */
  readonly openedAt: number | undefined;
  /** The session's id, as the client and the records know it. */
  readonly sessionId: string;
  /** With the connections that operators set. */
  readonly principal: Principal;
  /** The request's and the managed ones. */
  readonly tools: readonly ToolDefinition[];
  /** Names of tools whose definition is not the accepted one. */
  readonly changedDefinitions: ReadonlySet<string>;
  readonly mode: string;
  readonly stateOpened: State;
  /** What was detected in the new message; undefined on a continuation, and for a command. */
  readonly detection: Detection | undefined;
  /** The user's message, where it reads as an answer to the question before it. */
  readonly answer: InlineAnswer | undefined;
  /** The first step may be the system's. */
  readonly systemMayBegin: boolean;
  /** Stands around untrusted results. */
  readonly resultTag: string;
}

export interface Turn extends TurnContext {
  readonly log: TurnLog;
}

type Reading = Partial<Pick<TurnContext, "detection" | "answer" | "systemMayBegin">>;

export function newTurn(input: TurnInput, opened: OpenResult, read: Reading = {}, openedAt?: number): Turn {
  // The policy may have been replaced since they were selected: an intent that it does not have permits nothing.
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
    systemMayBegin: read.systemMayBegin === true,
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

/** An answer begins no task. A plan brings its tools along, so each of its runs is checked. */
const beginsWork = ({ plan, conversation }: TurnInput, { waiting }: OpenResult): boolean =>
  plan !== undefined || (conversation.newMessage !== undefined && !waiting?.length);

const isSystemCall = ({ madeBy }: { readonly madeBy?: CallMaker | undefined }): boolean => madeBy === "system";

function withConnections(principal: Principal, linked: readonly string[] = []): Principal {
  if (linked.length === 0) return principal;
  return { ...principal, connections: [...new Set([...principal.connections, ...linked])] };
}

/** The state now. */
export const stateOf = ({ input, log }: Turn): State =>
  deriveState({ select: input.policy.handshake.select, intents: log.intents, modelCalled: log.stepBegun });

interface JoinedTools {
  /** The client's in its order, then the managed ones. */
  readonly all: readonly ToolDefinition[];
  /** Names under which the client brings another tool than the managed one: neither may be used. */
  readonly changed: readonly string[];
}

/** A client tool that is the same as the managed one of its name is the managed one. */
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

/** What a client does not say of its tool's parameters it leaves to the policy, as everywhere. */
const isSame = ({ parameters: sent }: ToolDefinition, { parameters }: ToolDefinition): boolean =>
  sent === undefined || sent === null || canonicalJson(sent) === canonicalJson(parameters);
