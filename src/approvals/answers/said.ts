/** What a message says to calls that wait, before it is known which those are. */

/** `continue`: go on with what was decided elsewhere; `code`: nothing but codes; `unread`: meant as an answer, and none. */
export type SaidAction =
  | "approve"
  | "always"
  | "deny"
  | "edit"
  | "preview"
  | "learn_more"
  | "continue"
  | "code"
  | "unread";

export interface SaidPart {
  readonly action: SaidAction;
  /** In capitals; empty: whichever waits. */
  readonly codes: readonly string[];
  /** `yes all` */
  readonly all: boolean;
  /** With `deny`: the person's own words; null where there are none. */
  readonly reason: string | null;
  /** With `edit`: what stands behind it, as it was written; "" alone. With `unread`: the message. */
  readonly edit: string;
}

/** Never empty. */
export type Said = readonly SaidPart[];
