/** Messages that the model sees and the client does not, stored in UserGuard until the client's next request. */

/** The position of a hidden exchange in the conversation that the client sends. */
export type ExchangeAnchor =
  /**
   * For the task: before the message that contains one of these calls, or asks a person under one of these codes. `position`: how
   * many messages with calls come before it in the task, since providers repeat ids.
   */
  | {
      readonly kind: "calls";
      readonly ids: readonly string[];
      readonly codes: readonly string[];
      readonly position: number;
    }
  /** For the task: refused calls, in the message with the question under one of these codes, or before the task's first message. */
  | { readonly kind: "refusals"; readonly codes: readonly string[] }
  /** Managed calls that outlast their task: before the reply that they led to. */
  | ({ readonly kind: "reply" } & RetainedAnchor)
  /** The same for a turn whose reply failed: after the user's message. */
  | ({ readonly kind: "request" } & RetainedAnchor);

interface RetainedAnchor {
  /** Digest of the reply, or of the user's message, each with the conversation before it. */
  readonly digest: string;
  /** How many user messages precede and include it: two with the same text each have their own exchanges. */
  readonly position: number;
  /** The decisions of the turn's managed calls. */
  readonly runs: readonly string[];
}

export interface HiddenExchange {
  readonly anchor: ExchangeAnchor;
  readonly messages: readonly unknown[];
}

/** Whether it is kept beyond its task, within bounds. */
export const outlastsTask = ({ anchor }: HiddenExchange): boolean =>
  anchor.kind === "reply" || anchor.kind === "request";
