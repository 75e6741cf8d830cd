/** What the open of a turn sends to UserGuard, and what it gets. The port is `TurnsPort`. */
import type { Approval } from "../../approvals/approval.ts";
import type { JsonObject } from "../../lib/json/json-value.ts";
import type { ToolHistory } from "../../policy/facts.ts";
import type { TaintedWrites } from "../../policy/origin/sources/tainted-values.ts";
import type { ConversationFingerprint } from "../../session/conversation-fingerprint.ts";
import type { Principal } from "../../session/principal.ts";
import type { IntentChange } from "../../session/task.ts";
import type { Variant } from "../../session/variant.ts";
import type { ReleasedCall } from "../../wire/call-parts.ts";
import type { ToolResult } from "../../wire/conversation.ts";
import type { StoredRun } from "../calls-port.ts";
import type { HiddenExchange } from "./hidden-exchange.ts";

/** What one user may have open at once. */
export interface ConcurrencyLimits {
  readonly turns: number;
  /** Replies that are held open for a person's answer. */
  readonly holds: number;
}

export interface OpenRequest {
  readonly turn: string;
  /** The same open was sent before and its result was lost: it is not done twice. */
  readonly repeatedOpen?: boolean;
  readonly principal: Principal;
  readonly model: string;
  readonly session: {
    /** The id that the client chose; without one the session is found by `conversationKey`, or opened. */
    readonly id: string | undefined;
    readonly firstMessageDigest: string;
    readonly conversationKey: string | undefined;
    /**
     * The part of the conversation that the request contains. A request without the session's last reply, or with another system
     * prompt, gets a side session: a task of its own that changes nothing in this one. Absent: it belongs to this session.
     */
    readonly fingerprint?: ConversationFingerprint | undefined;
    /** A command or a reset: it belongs to the session even if the client leaves out the conversation. */
    readonly command?: boolean | undefined;
  };
  /** Digest of the request, and whether the client marks it as sent again. */
  readonly digest: string;
  readonly clientRetry: boolean;
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
  /** The variant of the task that a new message begins; absent if its intent has no call that the system could make. */
  readonly variant?: Variant | undefined;
  /** Name and digest of each tool of the request. */
  readonly definitions: readonly (readonly [name: string, digest: string])[];
  /** The policy needs the earlier calls: `OpenResult.history` is wanted. */
  readonly history?: true | undefined;
  /** Which waiting calls the request may answer; absent: none. */
  readonly answering?: AnswerTarget | undefined;
  /** The policy trusts a tool: the result includes the tainted writes. */
  readonly wantsStored?: boolean | undefined;
  /** Results that go to the model in this turn are marked: `OpenResult.resultTag` is wanted. */
  readonly wantsTag?: boolean | undefined;
  /** `holds` only if this reply may be held. Absent: no ceiling. */
  readonly ceilings?: Partial<ConcurrencyLimits> | undefined;
}

/**
 * A task with calls that the request may answer does not advance before the answer is read.
 *
 * - `inline`: the codes in the last assistant message, if the user's message reads as an answer. With `wishes` it asks for more too.
 *   With `isAside` it answers nothing, and counts only if one of these calls was approved elsewhere.
 * - `native`: the approvals that the body names; they identify the session if the client names none.
 * - `undo`: a request to undo a call answers nothing that waits.
 */
export type AnswerTarget =
  | { readonly kind: "undo" }
  | { readonly kind: "inline"; readonly codes: readonly string[]; readonly wishes?: true; readonly isAside?: true }
  | { readonly kind: "native"; readonly ids: readonly string[] };

export interface OpenResult {
  /** The key of the session or side session; `rootSession` gives the id that the client knows. */
  readonly session: string;
  readonly mode: string | undefined;
  /** The client named no session, and has not yet sent the first reply of the one that was opened for it. */
  readonly fresh: boolean;
  readonly intents: readonly string[];
  /** Detected in the user's words of this task, and of the earlier tasks that it continues. */
  readonly detected: readonly string[];
  /** Held intents that only the model selected, after untrusted text was in the conversation. Absent: none. */
  readonly undetected?: readonly string[] | undefined;
  /** Digests of the results whose values the person lets this task use. Absent: none. */
  readonly endorsed?: readonly string[] | undefined;
  /** Families with a successful call since the user's words last changed the intents. */
  readonly succeeded: readonly string[];
  /** The model was reminded in this task of what its intent requires. */
  readonly reminded: boolean;
  readonly untrusted: boolean;
  /** The task's variant. It does not change while the intents do not. */
  readonly variant?: Variant | undefined;
  /**
   * The task has had the same request before. With a variant: that one was answered. After a repeated open: another turn has it,
   * whatever its outcome.
   */
  readonly seenBefore?: true;
  readonly changedDefinitions: readonly string[];
  /** The calls of the session and its side sessions that UserGuard itself saw. Present if the request wanted it. */
  readonly history?: ToolHistory | undefined;
  /** Exchanges of this task that the client never saw, in order. */
  readonly hidden: readonly HiddenExchange[];
  /**
   * Unsettled calls that the same request already got: it gets them again, and they use up nothing. Absent if role, mode or policy
   * has changed since, or a consent was withdrawn.
   */
  readonly replay: readonly ReleasedCall[] | undefined;
  /**
   * Calls of the task that wait for a person, and those whose answer no turn has acted on yet, in the order they were made. Present
   * if the request may answer them, repeats the request that asked (same digest), or is a continuation. An approval that the body
   * names is present even if a turn has acted on it (`usedBy`).
   */
  readonly waiting?: readonly Approval[];
  /**
   * Waiting calls that this request's new message or reset ended: `cancelled`, also if they were approved and not yet released; or
   * `denied` or `expired`, which the model has not seen yet.
   */
  readonly cancelled?: readonly Approval[];
  /** Named by the body, but unknown, of another session, or not of its task: nothing was changed, and the turn must refuse. */
  readonly unknownApprovals?: readonly string[];
  /** The ceiling that the user has reached: nothing was changed, and the turn must refuse. */
  readonly over?: keyof ConcurrencyLimits | undefined;
  /** Providers that operators linked for the user, besides the principal's own. */
  readonly connections?: readonly string[];
  /** What calls of this user wrote after untrusted text, in any session. Absent: nothing, or it was not wanted. */
  readonly stored?: TaintedWrites;
  /**
   * By the ids of the task's released calls: vendor members that the provider needs back with them, from the last of them. Many
   * clients drop them. Absent: there are none.
   */
  readonly members?: Readonly<Record<string, JsonObject>>;
  /** Marks untrusted results: the same for the whole session, and only the gateway can compute it. Absent: none is known, or wanted. */
  readonly resultTag?: string;
  /**
   * Managed calls that an earlier try of the same request made. The turn continues from them, in order, and runs none of them again,
   * whatever has changed since. It waits for those that are `started`. An approval whose call was run names the run (`usedBy`). With
   * `replay` they ran before or beside the replayed calls.
   */
  readonly runs?: readonly StoredRun[];
}
