/** Messages that the model sees and the client does not, stored in UserGuard until the client's next request. */

/** Where a hidden exchange stands in the conversation that the client sends. */
export type ExchangeAnchor =
  /**
   * For the task: before the message that bears one of these calls, or asks a person under one of these codes.
   * `position`: how many messages with calls come before it in the task, since providers repeat ids.
   */
  | {
      readonly kind: "calls";
      readonly ids: readonly string[];
      readonly codes: readonly string[];
      readonly position: number;
    }
  /** For the task: refused calls, in the message with the question under one of these codes, else before the task's first message. */
  | { readonly kind: "refusals"; readonly codes: readonly string[] }
  /** Managed calls that outlast their task: before the reply that they led to. */
  | ({ readonly kind: "reply" } & RetainedAnchor)
  /** The same for a turn whose reply failed: behind the user's message. */
  | ({ readonly kind: "request" } & RetainedAnchor);

interface RetainedAnchor {
  /** Digest of the reply, or of the user's message, each with what came before it. */
  readonly digest: string;
  /** How many messages of the user come up to it: of two that read the same, each has its own exchanges. */
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
