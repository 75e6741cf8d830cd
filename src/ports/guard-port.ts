/**
 * The port to UserGuard, where everything that must be counted or remembered about one user of one tenant is kept.
 *
 * Each method is one transaction: it happens whole or not at all, and no two overlap. A turn calls `open` once before
 * the model, `decide` once for each step that has calls, `keep` before calls are released where hidden exchanges must
 * be there with the client's next request, and `close` once the reply has ended, which nobody waits for.
 *
 * An open that only reads, and a close that the next request need not find, are answered before they are written; they
 * are written within milliseconds, in order, and before anything else is decided or told. If the write of an open is
 * lost, the turn is unknown: it decides nothing, and leaves no record but a line in the log when it is closed. If that of a
 * close is lost, the turn is recorded later, as one that was never closed.
 */
import type { Answer, Approval, Channel } from "../approvals/approval.ts";
import type { Disclosure } from "../approvals/disclosure/disclosed.ts";
import type { Decision, Effect } from "../policy/decision.ts";
import type { CountedChecks } from "../policy/facts.ts";
import type { Reason } from "../policy/reasons.ts";
import type { CallMaker } from "../session/call-maker.ts";
import type { Principal } from "../session/principal.ts";
import type { SessionInfo } from "../session/session-info.ts";
import type { State } from "../session/state.ts";
import type { IntentMove } from "../session/task.ts";
import type { Thread } from "../session/thread.ts";
import type { Variant } from "../session/variant.ts";
import type { RunEntry } from "../tools/run.ts";
import type { Ceilings } from "../turn/ceilings.ts";
import type { TurnAccount } from "../turn/record/turn-account.ts";
import type { ToolResult } from "../wire/conversation.ts";
import type { ApprovalsPort } from "./approvals-port.ts";
import type { CallsPort } from "./calls-port.ts";
import type { ConnectionsPort } from "./connections-port.ts";
import type { PlansPort } from "./plans-port.ts";
import type { KeptRun, RunsPort } from "./run-port.ts";

export interface OpenRequest {
  readonly turn: string;
  /** The same open was sent before, and it is not known what became of it: it is not done twice. */
  readonly again?: boolean;
  readonly principal: Principal;
  readonly model: string;
  readonly session: {
    /** The id that the client chose; without one the session is found by `pair`, or opened. */
    readonly id: string | undefined;
    readonly opening: string;
    readonly pair: string | undefined;
    /**
     * What the request holds of the conversation. One that does not hold the session's last reply, or whose system prompt is
     * another author's, gets a side session: a task of its own that changes nothing of this one. Absent: no other is meant.
     */
    readonly thread?: Thread | undefined;
    /** A command or a reset is meant for the session, whatever the client leaves out of the conversation. */
    readonly command?: boolean | undefined;
  };
  /** Digest of the request, and whether the client itself says that it sends it again. */
  readonly digest: string;
  readonly resent: boolean;
  /** Sets the session's mode; already checked against policy and role. */
  readonly mode: string | undefined;
  /** Version of the policy that the turn is judged by. */
  readonly policy: string;
  /** Clears intents, counters, pins, the mode and what is pending; results that the request brings still settle. */
  readonly reset: boolean;
  readonly newMessage: boolean;
  readonly intents: IntentMove;
  /** Names detected in the new message, whatever their confidence. */
  readonly detected: readonly string[];
  /** The conversation holds text of a tool that the policy does not trust; remembered until a reset. */
  readonly untrusted: boolean;
  readonly results: readonly ToolResult[];
  /** The variant of the task that a new message begins; absent where its intent has no call that the system could make. */
  readonly variant?: Variant | undefined;
  /** Name and digest of each tool of the request. */
  readonly definitions: readonly (readonly [name: string, digest: string])[];
  /** What the request may answer of the calls that wait for a person; absent: nothing. */
  readonly answering?: Answering | undefined;
  /** What the user may have open at once; `holds` only where this reply may be held. Absent: no ceiling. */
  readonly ceilings?: Partial<Ceilings> | undefined;
}

/**
 * The task does not move where calls of it wait that the request may answer: whether it does is told by what it answers.
 * `inline`: the codes that stand in its last assistant message, where the user's message reads as an answer. `native`: the
 * approvals that the body names; where the client named no session, they tell which it is. `undo`: what waits is answered
 * first, whoever wants to take something back has not answered it.
 */
export type Answering =
  | { readonly kind: "undo" }
  | { readonly kind: "inline"; readonly codes: readonly string[] }
  | { readonly kind: "native"; readonly ids: readonly string[] };

export interface Opened {
  /** The key of the session, or of the side session: `rootSession` tells what the client knows. */
  readonly session: string;
  readonly mode: string | undefined;
  /** Whether the client named no session, and has not come back with the first reply of the one opened for it. */
  readonly fresh: boolean;
  readonly intents: readonly string[];
  /** Detected in the user's words of this task, and before where they only followed up. */
  readonly detected: readonly string[];
  /** Families of which a call succeeded since the user's words last changed the intents. */
  readonly succeeded: readonly string[];
  /** The model was reminded in this task of what its intent requires. */
  readonly reminded: boolean;
  readonly untrusted: boolean;
  /** That of the task; kept while its intents are. */
  readonly variant?: Variant | undefined;
  /**
   * The same request has come before in this task: and was answered, where there is a variant; or, where the open is done again,
   * in another turn, whatever became of that.
   */
  readonly again?: true;
  readonly changedDefinitions: readonly string[];
  /** Exchanges of this task that the client never saw, in order. */
  readonly hidden: readonly HiddenExchange[];
  /**
   * The calls that the same request already got, still unsettled: they are given again and spend nothing. Not where
   * role, mode or policy changed since, or a consent was withdrawn.
   */
  readonly replay: readonly ReleasedCall[] | undefined;
  /**
   * Calls of the session's task that wait for a person, and those whose answer no turn has acted on yet, in the order they
   * were made. Told where the request may answer them, is the one that asked, sent again (same digest), or is a continuation.
   * One that the body names is told even if a turn has acted on it (`settledBy`).
   */
  readonly waiting?: readonly Approval[];
  /**
   * Calls that waited until this request's new message or reset overtook them: `cancelled`, also where they were approved and
   * not yet released; or `denied` or `expired`, which no turn has told the model yet.
   */
  readonly cancelled?: readonly Approval[];
  /** Named by the body, and unknown, of another session, or not of its task: nothing was moved, and the turn must refuse. */
  readonly unknownApprovals?: readonly string[];
  /** The user has as many open as may be: nothing was moved, and the turn must refuse. */
  readonly over?: keyof Ceilings | undefined;
  /** Providers that the user has linked, as operators set them; the principal's own come besides. */
  readonly connections?: readonly string[];
  /**
   * Managed calls that an earlier try of the same request made: the turn goes on from them, in order, and none of them is
   * run again, whatever has changed since. Those that are `started` are waited for. An approval whose call was run names the run (`settledBy`). With
   * `replay` they are what ran before, or beside, the calls that are given again.
   */
  readonly runs?: readonly KeptRun[];
}

/** Messages to put back before the assistant message whose calls bear one of these ids. */
export interface HiddenExchange {
  readonly anchors: readonly string[];
  /** How many messages with calls come before it in its task: providers repeat ids. */
  readonly place: number;
  readonly messages: readonly unknown[];
  /** Holds results of managed calls: kept beyond its task, within bounds. */
  readonly lasting?: true | undefined;
}

export interface ReleasedCall {
  readonly id: string;
  readonly tool: string;
  /** In the form that was vetted. */
  readonly arguments: string;
  /** Vendor fields that go back with it. */
  readonly extra: Record<string, unknown> | undefined;
}

export interface DecideRequest {
  readonly turn: string;
  readonly session: string;
  readonly step: number;
  /** What the records say of the moment. */
  readonly moment: {
    readonly role: string;
    readonly mode: string;
    readonly state: State;
    readonly intents: readonly string[];
    readonly policy: string;
  };
  /** The intent that the handshake selected in this step; the task holds it from here on. */
  readonly select: string | undefined;
  readonly calls: readonly CallToDecide[];
  /** False: what a person is told, and says, stays out of the record. Default true. */
  readonly logConfirmations?: boolean;
  /** False: the policy gives no grants, and those given before count no more. Default true. */
  readonly grants?: boolean;
}

export interface CallToDecide {
  readonly callId: string;
  readonly tool: string;
  /** Those that a success of the call counts for. */
  readonly families: readonly string[];
  readonly arguments: string;
  readonly extra: Record<string, unknown> | undefined;
  /** For the record: redacted, or null where the policy leaves arguments out. */
  readonly recorded: unknown;
  /** For the record: what a person is told, of `recorded` only. */
  readonly disclosed: { readonly firstUse: string; readonly confirmation: string };
  readonly digest: string | null;
  /** What the pure rules said. */
  readonly effect: Effect;
  readonly reasons: readonly Reason[];
  readonly counted: CountedChecks;
  /** A call of the handshake tool: recorded, never released. */
  readonly handshake: boolean;
  /** How a person is asked where one must be; absent: nobody can be asked, and such a call is refused. */
  readonly question?: Question | undefined;
  /** The policy names a tool that undoes it: what that may need is kept. */
  readonly undoable?: boolean | undefined;
  /**
   * It undoes the call `of`, which is told in its place in the record, and is decided as undone from then on. What waits for a
   * person as an undo stays one. `key`: what the request is known by, if the same one comes again.
   */
  readonly undo?: { readonly of: string; readonly key?: string | undefined } | undefined;
  /** Who made it; absent: the model. */
  readonly madeBy?: CallMaker | undefined;
  /**
   * It is a step of a plan, which moves with it. `covered`: what the person who approved the plan as a whole would have had to see
   * for it to be this call (`call` is its `digest`); it needs no confirmation of its own if that is what was approved, under this
   * policy. `trusted`: what the client brings back can be believed; of a managed call its entry says so. Throws where the turn
   * does not hold the plan any more, where the step was decided before, and where its call is another. A handshake moves no step.
   */
  readonly plan?:
    | {
        readonly id: string;
        readonly step: string;
        readonly covered?: { readonly call: string } | { readonly template: string } | undefined;
        readonly trusted?: boolean | undefined;
      }
    | undefined;
  /** A managed call: where it is allowed it is entered in the ledger, to be run by this turn. */
  readonly run?: RunEntry | undefined;
  /** The call has waited for a person: under which approval, and what the request itself answers to it. */
  readonly approval?: { readonly id: string; readonly answer?: Answer | undefined } | undefined;
}

export interface Question {
  readonly channel: Channel;
  readonly disclosure: Disclosure;
  /** The arguments without what the policy redacts; absent: as they are recorded (which is null where the policy says so). */
  readonly recorded?: unknown;
  readonly schema: unknown;
  readonly editable: boolean;
  readonly grantable: boolean;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface Decided extends Decision {
  readonly id: string;
  /** The approval that was made, where the effect is `confirm` and somebody can be asked. */
  readonly approval?: Approval | undefined;
  /** The approval that the call named had its end before: another turn acted on it, or cancelled it. */
  readonly stale?: true;
  /** Of the released call in this user's object, or, below zero, of the run that was entered; undefined where it was neither. */
  readonly ordinal: number | undefined;
}

export interface KeepRequest {
  readonly turn: string;
  readonly session: string;
  /** Kept for the length of the task. */
  readonly hidden: readonly HiddenExchange[];
  /** The model was reminded in this turn: not once more in the task. */
  readonly reminded: boolean;
}

export interface CloseRequest {
  readonly turn: string;
  readonly session: string;
  readonly record: TurnAccount;
  /** The first reply's text, where a fresh session must be found by it. */
  readonly replyText: string | undefined;
  /** What the reply is known by when it comes again (`replyMarks`). Absent: it may not have reached the client. */
  readonly reply?: readonly string[] | undefined;
  /** Exchanges that outlast the task, anchored to what was said. */
  readonly lasting?: readonly HiddenExchange[];
  /** Whether the task goes on: calls were released, or the turn failed. */
  readonly taskGoesOn: boolean;
  /**
   * None of the turn's calls reached the client. Whatever was reserved for them is given back, what the turn never heard of
   * included, but for calls that a retry got meanwhile or whose result came back. A turn that released what a person approved
   * gives back nothing: the same request gets the same calls.
   */
  readonly giveBack: boolean;
}

export interface UserGuardPort extends ApprovalsPort, CallsPort, RunsPort, ConnectionsPort, PlansPort {
  open(request: OpenRequest): Promise<Opened>;
  /** @returns a decision for each call, in order. Rejects for a turn or session that is not open: nothing was decided. */
  decide(request: DecideRequest): Promise<readonly Decided[]>;
  /** Keeps hidden exchanges of a turn that is open; what is too large is left out. */
  keep(request: KeepRequest): Promise<void>;
  close(request: CloseRequest): Promise<void>;
  /** @param session undefined: for every one. @returns false where there is no such session: nothing was stored. */
  consent(principal: Principal, tool: string, session: string | undefined): Promise<boolean>;
  /** Withdraws every consent to the tool; no retry gets a call of it again. */
  withdraw(tool: string): Promise<boolean>;
  session(id: string): Promise<SessionInfo | undefined>;
  setMode(id: string, mode: string): Promise<SessionInfo | undefined>;
  deleteSession(id: string): Promise<boolean>;
}
