/**
 * The port to the turns of one user. UserGuard stores what must be counted or remembered about that user.
 *
 * Each method is one transaction: it happens whole or not at all, and no two overlap. A turn calls `open` once before
 * the model, `decide` once for each step that has calls, `saveHidden` before a release whose hidden exchanges the
 * client's next request needs, and `close` once the reply has ended. Nobody waits for `close`.
 *
 * An open that only reads is answered before it is written, and so is a close that the next request does not depend on. The
 * writes follow within milliseconds, in order, and before any other answer. If the write of an open is lost, the turn is unknown:
 * it decides nothing, and its close leaves a line in the log instead of a record. If the write of a close is lost, the turn is
 * recorded later, as one that was never closed.
 */

import type { Answer, Approval } from "../approvals/approval.ts";
import type { JsonObject } from "../lib/json/json-value.ts";
import type { Decision, Effect } from "../policy/decision.ts";
import type { CountedChecks, ToolHistory } from "../policy/facts.ts";
import type { ArgumentOrigin } from "../policy/origin/judge-origins.ts";
import type { StoredWrites } from "../policy/origin/stored-values.ts";
import type { Reason } from "../policy/reasons.ts";
import type { CallMaker, Principal } from "../session/principal.ts";
import type { State } from "../session/state.ts";
import type { IntentChange } from "../session/task.ts";
import type { Thread } from "../session/thread.ts";
import type { Variant } from "../session/variant.ts";
import type { RunEntry } from "../tools/run.ts";
import type { ToolResult } from "../wire/conversation.ts";
import type { KeptRun } from "./calls-port.ts";
import type { HiddenExchange } from "./hidden-exchange.ts";
import type { Question } from "./question.ts";
import type { TurnAccount } from "./turn-account.ts";

/** What one user may have open at once. */
export interface Ceilings {
  readonly turns: number;
  /** Replies that are held open for a person's answer. */
  readonly holds: number;
}

export interface OpenRequest {
  readonly turn: string;
  /** The same open was sent before and its result was lost: it is not done twice. */
  readonly repeated?: boolean;
  readonly principal: Principal;
  readonly model: string;
  readonly session: {
    /** The id that the client chose; without one the session is found by `pair`, or opened. */
    readonly id: string | undefined;
    readonly opening: string;
    readonly pair: string | undefined;
    /**
     * The part of the conversation that the request holds. A request without the session's last reply, or with another system
     * prompt, gets a side session: a task of its own that changes nothing in this one. Absent: it belongs to this session.
     */
    readonly thread?: Thread | undefined;
    /** A command or a reset: it belongs to the session even if the client leaves out the conversation. */
    readonly command?: boolean | undefined;
  };
  /** Digest of the request, and whether the client marks it as sent again. */
  readonly digest: string;
  readonly resent: boolean;
  /** Sets the session's mode; already checked against policy and role. */
  readonly mode: string | undefined;
  /** Version of the policy that decides in this turn. */
  readonly policy: string;
  /** Clears intents, counters, pins, the mode and what is pending; results that the request brings still settle. */
  readonly reset: boolean;
  readonly newMessage: boolean;
  readonly intents: IntentChange;
  /** Names detected in the new message, whatever their confidence. */
  readonly detected: readonly string[];
  /** The conversation holds untrusted text; the session remembers that until a reset. */
  readonly untrusted: boolean;
  readonly results: readonly ToolResult[];
  /** The variant of the task that a new message begins; absent where its intent has no call that the system could make. */
  readonly variant?: Variant | undefined;
  /** Name and digest of each tool of the request. */
  readonly definitions: readonly (readonly [name: string, digest: string])[];
  /** The policy asks what was called before: `OpenResult.history` is wanted. */
  readonly history?: true | undefined;
  /** Which waiting calls the request may answer; absent: none. */
  readonly answering?: Answering | undefined;
  /** The policy trusts a tool: the result names what was stored after untrusted text. */
  readonly wantsStored?: boolean | undefined;
  /** `holds` only where this reply may be held. Absent: no ceiling. */
  readonly ceilings?: Partial<Ceilings> | undefined;
}

/**
 * A task with calls that the request may answer does not advance before the answer is read. `inline`: the codes in the last
 * assistant message, where the user's message reads as an answer. `native`: the approvals that the body names; they identify the
 * session where the client names none. `undo`: a request to undo a call answers nothing that waits.
 */
export type Answering =
  | { readonly kind: "undo" }
  | { readonly kind: "inline"; readonly codes: readonly string[] }
  | { readonly kind: "native"; readonly ids: readonly string[] };

export interface OpenResult {
  /** The key of the session or side session; `rootSession` gives the id that the client knows. */
  readonly session: string;
  readonly mode: string | undefined;
  /** The client named no session, and has not yet sent the first reply of the one that was opened for it. */
  readonly fresh: boolean;
  readonly intents: readonly string[];
  /** Detected in the user's words of this task, and of the ones before that it only continues. */
  readonly detected: readonly string[];
  /** Held intents that only the model selected, once untrusted text was in the conversation. Absent: none. */
  readonly undetected?: readonly string[] | undefined;
  /** Digests of the results whose values the person lets this task use. Absent: none. */
  readonly endorsed?: readonly string[] | undefined;
  /** Families with a successful call since the user's words last changed the intents. */
  readonly succeeded: readonly string[];
  /** The model was reminded in this task of what its intent requires. */
  readonly reminded: boolean;
  readonly untrusted: boolean;
  /** That of the task; it stays as long as the intents stay. */
  readonly variant?: Variant | undefined;
  /**
   * The task has had the same request before. With a variant: that one was answered. After a repeated open: another turn has it,
   * however that ended.
   */
  readonly again?: true;
  readonly changedDefinitions: readonly string[];
  /** Of the session and its side sessions, as far as UserGuard itself saw it. Present where it was asked for. */
  readonly history?: ToolHistory | undefined;
  /** Exchanges of this task that the client never saw, in order. */
  readonly hidden: readonly HiddenExchange[];
  /**
   * Unsettled calls that the same request already got: it gets them again, and they spend nothing. Absent where role, mode or
   * policy has changed since, or a consent was withdrawn.
   */
  readonly replay: readonly ReleasedCall[] | undefined;
  /**
   * Calls of the task that wait for a person, and those whose answer no turn has acted on yet, in the order they were made.
   * Present where the request may answer them, repeats the one that asked (same digest), or is a continuation. An approval that
   * the body names is present even if a turn has acted on it (`settledBy`).
   */
  readonly waiting?: readonly Approval[];
  /**
   * Waiting calls that this request's new message or reset ended: `cancelled`, also where they were approved and not yet
   * released; or `denied` or `expired`, which the model has not seen yet.
   */
  readonly cancelled?: readonly Approval[];
  /** Named by the body, but unknown, of another session, or not of its task: nothing was changed, and the turn must refuse. */
  readonly unknownApprovals?: readonly string[];
  /** The ceiling that the user has reached: nothing was changed, and the turn must refuse. */
  readonly over?: keyof Ceilings | undefined;
  /** Providers that operators linked for the user, besides the principal's own. */
  readonly connections?: readonly string[];
  /** What calls of this user wrote after untrusted text, in any session. Absent: nothing, or nobody wanted to know. */
  readonly stored?: StoredWrites;
  /**
   * By the ids of the task's released calls: vendor members that the provider wants back with them, of the last of them. Many
   * clients drop them. Absent: there are none.
   */
  readonly members?: Readonly<Record<string, JsonObject>>;
  /** Stands around untrusted results: the same for the whole session, and computable by nobody else. Absent: none is known. */
  readonly resultTag?: string;
  /**
   * Managed calls that an earlier try of the same request made. The turn continues from them, in order, and runs none of them
   * again, whatever has changed since. It waits for those that are `started`. An approval whose call was run names the run
   * (`settledBy`). With `replay` they ran before or beside the replayed calls.
   */
  readonly runs?: readonly KeptRun[];
}

export interface ReleasedCall {
  readonly id: string;
  readonly tool: string;
  /** In the form that was vetted. */
  readonly arguments: string;
  /** Vendor fields that are released with it. */
  readonly extra: Record<string, unknown> | undefined;
}

export interface Selection {
  readonly intents: readonly string[];
  /** Untrusted text may have led to it, as in `addSelected`. */
  readonly untrusted: boolean;
}

export interface DecideRequest {
  readonly turn: string;
  readonly session: string;
  readonly step: number;
  /** What each record says about the turn. */
  readonly auditContext: {
    readonly role: string;
    readonly mode: string;
    readonly state: State;
    readonly intents: readonly string[];
    readonly policy: string;
  };
  /** What the handshake selected in this step; the task holds it too from now on. */
  readonly select: Selection | undefined;
  readonly calls: readonly CallToDecide[];
  /** False: the disclosure and the answer stay out of the record. Default true. */
  readonly logConfirmations?: boolean;
  /** False: the policy gives no grants, and earlier ones have no effect. Default true. */
  readonly grants?: boolean;
}

export interface CallToDecide {
  readonly callId: string;
  readonly tool: string;
  /** Families that a success of the call counts for. */
  readonly families: readonly string[];
  readonly arguments: string;
  readonly extra: Record<string, unknown> | undefined;
  /** For the record: redacted, or null where the policy leaves arguments out. */
  readonly recorded: unknown;
  /** For the record: the disclosure, of `recorded` only. */
  readonly disclosed: { readonly firstUse: string; readonly confirmation: string };
  readonly digest: string | null;
  /** The decision of the pure rules. */
  readonly effect: Effect;
  readonly reasons: readonly Reason[];
  readonly counted: CountedChecks;
  /** For the record, as in `PureDecision`. */
  readonly origins?: readonly ArgumentOrigin[] | undefined;
  /** Digests of what it writes that came from untrusted text; kept once it is released or run. */
  readonly writes?: readonly string[] | undefined;
  /** A call of the handshake tool: recorded, never released. */
  readonly handshake: boolean;
  /** How a person is asked where the decision is `confirm`; absent: nobody can be asked, and the call is refused. */
  readonly question?: Question | undefined;
  /** The policy names a tool that undoes it: arguments and result are stored for that. */
  readonly undoable?: boolean | undefined;
  /**
   * It undoes the call `of`, which counts as undone from then on. An undo that waits for a person stays one. `key` identifies the
   * request if it is sent again.
   */
  readonly undo?: { readonly of: string; readonly key?: string | undefined } | undefined;
  /** Who made it; absent: the model. */
  readonly madeBy?: CallMaker | undefined;
  /**
   * A step of a plan, which advances with it. `covered`: the digest of what a person must have seen to have approved this call with
   * the plan as a whole (`call` is its `digest`); under the same policy it then needs no confirmation of its own. `trusted`: the
   * client's result can be trusted; a managed call's entry has that. Throws where the turn no longer holds the plan, where the step
   * was decided before, and where its call is another. A handshake advances no step.
   */
  readonly plan?:
    | {
        readonly id: string;
        readonly step: string;
        readonly covered?: { readonly call: string } | { readonly template: string } | undefined;
        readonly trusted?: boolean | undefined;
      }
    | undefined;
  /** A managed call: if it is allowed, it is entered in the ledger, and this turn runs it. */
  readonly run?: RunEntry | undefined;
  /** The approval that the call has waited under, and the request's own answer to it. */
  readonly approval?: { readonly id: string; readonly answer?: Answer | undefined } | undefined;
}

export interface DecidedCall extends Decision {
  readonly id: string;
  /** The new approval, where the effect is `confirm` and somebody can be asked. */
  readonly approval?: Approval | undefined;
  /** Digest of the result that the person endorsed for the task with the answer that was acted on. */
  readonly endorsed?: string | undefined;
  /** The approval that the call named had ended before: another turn acted on it or cancelled it. */
  readonly stale?: true;
  /** Of the released call in this user's object; below zero of a run; undefined where it is neither. */
  readonly ordinal: number | undefined;
}

export interface SaveHiddenRequest {
  readonly turn: string;
  readonly session: string;
  /** Stored for the length of the task. */
  readonly hidden: readonly HiddenExchange[];
  /** The model was reminded in this turn: no later turn of the task reminds it again. */
  readonly reminded: boolean;
}

export interface CloseRequest {
  readonly turn: string;
  readonly session: string;
  readonly record: TurnAccount;
  /** The first reply's text, where a fresh session must be found by it. */
  readonly replyText: string | undefined;
  /** Marks by which a later request shows that it holds the reply (`replyMarks`). Absent: it may not have reached the client. */
  readonly reply?: readonly string[] | undefined;
  /** Exchanges that outlast the task, anchored to the reply. */
  readonly retained?: readonly HiddenExchange[];
  /** Calls were released, or the turn failed. */
  readonly taskGoesOn: boolean;
  /**
   * None of the turn's calls reached the client: their reserved uses are returned, also those of a decision whose answer was lost.
   * Not those of calls that a retry got meanwhile or that have a result. A turn that released an approved call returns nothing:
   * the same request gets the same calls.
   */
  readonly giveBack: boolean;
}

export interface TurnsPort {
  open(request: OpenRequest): Promise<OpenResult>;
  /** @returns a decision for each call, in order. Rejects for a turn or session that is not open: nothing was decided. */
  decide(request: DecideRequest): Promise<readonly DecidedCall[]>;
  /** Stores hidden exchanges of a turn that is open; what is too large is left out. */
  saveHidden(request: SaveHiddenRequest): Promise<void>;
  close(request: CloseRequest): Promise<void>;
}
