/** What became of a message that reads as an answer. */
import type { AnswerAction, Approval, GrantTerms } from "../approval.ts";
import type { Language } from "../disclosure/disclosed.ts";
import type { FrameSettings } from "../disclosure/frame.ts";
import type { Changes } from "../edit/edit.ts";

export interface ResolveSettings extends FrameSettings {
  readonly language: Language;
  /** Whether the policy permits grants, and the longest that one may hold, in milliseconds. */
  readonly grants: boolean;
  readonly longestGrant?: number | undefined;
  /** The codes that the last assistant message holds; absent: those of all that wait. No other call is answered. */
  readonly shown?: readonly string[] | undefined;
}

export interface ResolvedAnswer {
  readonly approval: Approval;
  /**
   * Absent: it was decided elsewhere, or has expired, and is only acted on now. If it was approved there and the message
   * says no to it, the caller refuses it.
   */
  readonly action: AnswerAction | undefined;
  readonly reason?: string | undefined;
  readonly changes?: Changes | undefined;
  readonly grant?: GrantTerms | undefined;
  /** The tool is enabled beyond this call. */
  readonly enables?: true | undefined;
}

/** `reply`: nothing is answered; the text says why, or tells more, and asks again. */
export type Resolution =
  | { readonly kind: "answers"; readonly answers: readonly ResolvedAnswer[] }
  | { readonly kind: "reply"; readonly text: string };
