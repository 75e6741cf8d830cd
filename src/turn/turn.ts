/** What a turn is given and what it gathers on its way. */
import type { Approval, Channel } from "../approvals/approval.ts";
import type { Detection } from "../intent/detection.ts";
import type { WorkBudget } from "../lib/work-budget.ts";
import type { CompiledPolicy } from "../policy/compile.ts";
import type { Effect } from "../policy/decision.ts";
import type { ToolDefinition } from "../policy/facts.ts";
import type { Reason } from "../policy/reasons.ts";
import type { DetectorPort } from "../ports/detector-port.ts";
import type { HiddenExchange, Opened, UserGuardPort } from "../ports/guard-port.ts";
import type { ModelPort } from "../ports/model-port.ts";
import type { TurnObserver } from "../ports/turn-observer.ts";
import type { CallMaker } from "../session/call-maker.ts";
import type { Principal } from "../session/principal.ts";
import { deriveState, type State } from "../session/state.ts";
import { rootSession } from "../session/thread.ts";
import type { RunFailure, RunStatus } from "../tools/run.ts";
import type { ManagedTools, ToolRunner } from "../tools/tool-runner.ts";
import type { ChatRequest } from "../wire/chat-request.ts";
import type { Conversation } from "../wire/conversation.ts";
import type { JsonObject } from "../wire/read-chunk.ts";
import type { Ceilings } from "./ceilings.ts";
import type { InlineAnswer } from "./confirm/inline-answer.ts";
import type { QuestionLinks } from "./confirm/question-links.ts";
import { lastingUntrusted, withoutRuns } from "./history/lasting.ts";
import { joinTools } from "./open/join-tools.ts";
import type { SystemFirstNote } from "./system-first/system-first-note.ts";

export interface TurnDeps {
  readonly guard: UserGuardPort;
  readonly model: ModelPort;
  readonly detector: DetectorPort;
  /** Absent: no tool is managed. */
  readonly tools?: ToolRunner | undefined;
  readonly now: () => number;
  readonly watch?: TurnObserver;
}

export interface TurnInput {
  readonly id: string;
  readonly principal: Principal;
  /** With the tools of MCP servers that were found. */
  readonly policy: CompiledPolicy;
  /** Absent: no tool is managed. */
  readonly managed?: ManagedTools | undefined;
  /** The reply tells of managed calls. */
  readonly tellRuns?: boolean;
  readonly request: ChatRequest;
  readonly conversation: Conversation;
  /** Digest of the request's bytes. */
  readonly digest: string;
  /** The plan that the turn runs: there is no model in it, and what it has begun is kept with the plan. */
  readonly plan?: string | undefined;
  /** The client says that it sends the request again. */
  readonly resent: boolean;
  readonly sessionId: string | undefined;
  readonly mode: string | undefined;
  readonly reset: boolean;
  /** What all vetting of the turn is paid from. */
  readonly work: WorkBudget;
  /** How a person is asked, where one must be. */
  readonly channel: Channel;
  /** Absent: no question can carry a link. */
  readonly links?: QuestionLinks | undefined;
  /** Absent: the user may have as many open as there are. */
  readonly ceilings?: Ceilings | undefined;
  /** For the upstream. */
  readonly headers: Readonly<Record<string, string>>;
  /** Fires when the client goes away. */
  readonly signal: AbortSignal;
}

export interface DecisionNote {
  readonly callId: string;
  readonly tool: string;
  readonly effect: Effect;
  readonly reasons: readonly Reason[];
  readonly handshake: boolean;
  /** Absent: the model. */
  readonly madeBy?: CallMaker | undefined;
  /** Id of the approval that it made or acted on. */
  readonly approval?: string | undefined;
}

/** A managed call of this turn, as the reply may tell of it. */
export interface RunNote {
  /** Of the decision. */
  readonly id: string;
  readonly callId: string;
  readonly tool: string;
  /** Redacted. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly status: RunStatus;
  readonly failure: RunFailure | null;
  readonly ms: number | null;
  readonly trusted: boolean;
  readonly suspicious: readonly string[];
}

/** Mutable: one per turn, changed only by the steps of `run-turn.ts`. */
export interface Turn {
  readonly input: TurnInput;
  readonly opened: Opened;
  /** The session's id, as the client and the records know it. */
  readonly sessionId: string;
  /** With the connections that operators set. */
  readonly principal: Principal;
  /** The request's and the managed ones. */
  readonly tools: readonly ToolDefinition[];
  /** Names of tools whose definition is not the one that was accepted. */
  readonly changedDefinitions: ReadonlySet<string>;
  readonly mode: string;
  readonly stateOpened: State;
  /** What was detected in the new message; undefined on a continuation, and for a command. */
  readonly detection: Detection | undefined;
  /** The user's message, where it reads as an answer to the frame that it follows. */
  readonly answer: InlineAnswer | undefined;
  intents: readonly string[];
  /** What the intents cannot do without must be looked for: a task begins, or the handshake selected. */
  preflightDue: boolean;
  /** The model was reminded, in this task, of what its intent requires. */
  reminded: boolean;
  modelCalled: boolean;
  /** The first step may be the system's. */
  systemDue: boolean;
  /** The system has made its call: what is left to the model is to word what came of it, without tools. */
  wordsOnly: boolean;
  systemFirst?: SystemFirstNote;
  /** Of its arguments those that the policy redacts: the record of what was detected must not tell them. */
  hiddenValues?: readonly string[];
  /** Calls of the model. */
  steps: number;
  corrections: number;
  /** Exchanges of this turn that the client does not see, as the model must see them. */
  exchanges: JsonObject[][];
  /** Hidden exchanges to keep, set when calls are released or asked for, and when a person's refusals are put back. */
  keep: HiddenExchange[];
  /** Calls that wait for a person. */
  waiting: readonly Approval[];
  /** Why a call is not asked about once more in this turn, by its tool and digest: a person has refused it, or it waits already. */
  readonly refused: Map<string, Reason>;
  readonly usages: JsonObject[];
  readonly decisions: DecisionNote[];
  readonly offered: Set<string>;
  readonly withheld: Map<string, readonly Reason[]>;
  tokensSaved: number;
  /** Text that is not to be trusted is in the conversation: it was when the turn began, or a managed call has brought it. */
  untrusted: boolean;
  /** Families of which a call succeeded in the task. */
  readonly succeeded: Set<string>;
  readonly runs: RunNote[];
  /** The managed calls of the turn with their results, as the model must see them in later tasks. */
  readonly lasting: JsonObject[][];
  /** What the gateway says before the model's first words; "" once it is said. */
  notice: string;
  /** The gateway's own words of managed calls that ran unasked, in a reply that is not streamed. */
  said: string;
  /** The record of calls that a broken step began, under way: the turn is open until it has ended. */
  recording?: Promise<void>;
  text: string;
}

export function newTurn(
  input: TurnInput,
  opened: Opened,
  detection: Detection | undefined,
  answer: InlineAnswer | undefined,
): Turn {
  // The policy may have been replaced since they were selected: one that it does not have cannot be acted under.
  const intents = opened.intents.filter((name) => input.policy.intents.has(name));
  const { all, changed } = joinTools(input.request.tools, input.managed);
  return {
    input,
    opened: { ...opened, hidden: withoutRuns(opened.hidden, opened.runs) },
    sessionId: rootSession(opened.session),
    principal: withConnections(input.principal, opened.connections),
    tools: all,
    changedDefinitions: new Set([...opened.changedDefinitions, ...changed, ...(input.managed?.changed ?? [])]),
    mode: opened.mode ?? "default",
    stateOpened: deriveState({ select: input.policy.handshake.select, intents, modelCalled: false }),
    detection,
    answer,
    intents,
    // An answer begins no task.
    preflightDue: input.conversation.newMessage !== undefined && !opened.waiting?.length,
    reminded: opened.reminded,
    modelCalled: false,
    systemDue: false,
    wordsOnly: opened.waiting?.some(bySystem) || opened.runs?.some(bySystem) || false,
    steps: 0,
    corrections: 0,
    exchanges: [],
    keep: [],
    waiting: opened.waiting?.filter(({ status }) => status === "pending") ?? [],
    refused: new Map(),
    usages: [],
    decisions: [],
    offered: new Set(),
    withheld: new Map(),
    tokensSaved: 0,
    untrusted: opened.untrusted || lastingUntrusted(input.policy, opened.hidden),
    succeeded: new Set(opened.succeeded),
    runs: [],
    lasting: [],
    notice: "",
    said: "",
    text: "",
  };
}

const bySystem = ({ madeBy }: { readonly madeBy?: CallMaker | undefined }): boolean => madeBy === "system";

function withConnections(principal: Principal, linked: readonly string[] = []): Principal {
  if (linked.length === 0) return principal;
  return { ...principal, connections: [...new Set([...principal.connections, ...linked])] };
}

export const stateOf = (turn: Turn): State =>
  deriveState({ select: turn.input.policy.handshake.select, intents: turn.intents, modelCalled: turn.modelCalled });
