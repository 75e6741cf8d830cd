/** The port by which a conversation asks the person: for messages, and for answers to approvals. */
import type { AnswerBody, ApprovalView } from "../../api-views/approval-views.ts";

/** A member of the request's `toolgate.approvals`. Without an action: it was answered on another channel. */
export interface NativeAnswer extends Partial<AnswerBody> {
  readonly id: string;
}

export type Answers =
  | { readonly kind: "answers"; readonly answers: readonly NativeAnswer[] }
  /** Another message, which cancels what waits. */
  | { readonly kind: "message"; readonly text: string }
  /** Not answered: the calls go on waiting. */
  | { readonly kind: "left" };

export interface Asker {
  /** The person's next message; undefined: there are no more. */
  message(): Promise<string | undefined>;
  /** @param problem why the gateway did not accept the last answers. */
  answers(approvals: readonly ApprovalView[], problem: string | undefined): Promise<Answers>;
  /** Drops keys that are typed while a reply comes, except the one that stops it. @returns ends that. */
  holdKeys(onStop: () => void): () => void;
}

/** Yes, and for later calls too: `always`, and at a first use `enable`. */
export const lastingAnswer = ({ asks, grantable }: ApprovalView): AnswerBody => ({
  action: "approve",
  ...(asks.includes("first_use") ? { enable: true } : {}),
  ...(grantable ? { grant: { until: "session" } } : {}),
});
