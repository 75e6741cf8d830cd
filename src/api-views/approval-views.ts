/** An approval, a grant and a gate as the API returns them. */
import type { AnswerAction, ApprovalStatus, Channel, RecordedAnswer } from "../approvals/approval.ts";
import type { ChangedLine, Consequence, DisclosedArgument } from "../approvals/disclosure/disclosed.ts";

export interface ApprovalView {
  readonly object: "approval";
  readonly id: string;
  /** Null if only the audit trail knows the call. */
  readonly code: string | null;
  readonly status: ApprovalStatus;
  readonly tool: string;
  readonly call_id: string;
  readonly session_id: string;
  /** The turn of the question. Absent: from an older gateway. */
  readonly turn_id?: string;
  readonly channel: Channel;
  readonly asks: readonly string[];
  /** The beginning of the message that the task began with. Null, absent: not for this reader. */
  readonly user_words?: string | null;
  /** Whole, except for what is hidden from this reader. */
  readonly arguments: unknown;
  /** As text; `details` has its parts. */
  readonly disclosure: string;
  /** Names the act: "Delete `old.txt`?" */
  readonly question: string;
  readonly details: {
    readonly language: string;
    readonly category: string | null;
    readonly summary: string;
    readonly effects: readonly Consequence[];
    readonly arguments: readonly ArgumentView[];
    readonly more: number;
    readonly changes: readonly ChangedLine[];
    readonly destination: string | null;
    readonly learn_more: string | null;
  };
  readonly reversible: boolean;
  /** What the answer's `enable` allows beyond this call. */
  readonly first_use: { readonly enables: "session" | "withdrawn" } | null;
  readonly schema: unknown;
  readonly editable: boolean;
  readonly grantable: boolean;
  /** The result whose values the answer's `endorse` lets the rest of the task use. Absent: from an older gateway, or a record. */
  readonly endorsable?: { readonly tool: string; readonly call_id: string } | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly answered_at: string | null;
  readonly answer: RecordedAnswer | null;
  readonly settled_by: string | null;
  readonly plan: {
    readonly id: string;
    readonly step: string;
    readonly step_number: number;
    readonly total_steps: number;
  } | null;
  /** Its user, if an operator reads. */
  readonly user?: string;
}

export interface ArgumentView extends Omit<DisclosedArgument, "cut"> {
  readonly cut: { readonly characters: number; readonly sha256: string } | null;
}

export interface AnswerBody {
  readonly action: AnswerAction;
  readonly reason?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly unset?: readonly string[];
  readonly grant?: GrantBody;
  readonly enable?: boolean;
  readonly endorse?: boolean;
}

export interface GrantBody {
  /** `session`, `withdrawn`, or a duration such as `8h`. */
  readonly until: string;
  readonly arguments?: Readonly<Record<string, { readonly equals: unknown }>>;
}

export interface GrantView {
  readonly id: string;
  readonly tool: string;
  readonly session_id: string | null;
  /** The grant as a sentence. */
  readonly text: string;
  readonly created_at: string;
  readonly expires_at: string | null;
}

export interface GateView {
  readonly tool: string;
  readonly session_id: string | null;
  readonly opened_at: string;
  /** In the policy's words. */
  readonly destination?: string | null;
  /** The destinations of its calls, by argument, for each call that it was given with. Null: any destination. */
  readonly goes_to?: readonly Readonly<Record<string, readonly string[]>>[] | null;
}

/** A released call. */
export interface CallView {
  /** Null if the policy names no undo for the tool. */
  readonly undo: {
    readonly tool: string;
    readonly available: boolean;
    readonly why_not: string | null;
    readonly undone_by: string | null;
  } | null;
}

export interface Principal {
  readonly tenant: string;
  readonly user: string;
  readonly role: string;
  readonly operator: boolean;
  readonly sees_tenant: boolean;
  readonly approves_for_others: boolean;
}

export interface ListOf<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly cut?: boolean;
}
