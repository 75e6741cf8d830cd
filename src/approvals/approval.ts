/** Types of an approval: a call that waits for a person, and the answer. Plain data: stored, sent between objects and shown. */
import type { Channel } from "../policy/document/channels.ts";
import type { BoundDestinations, EndorsableSource, ShownDestinations } from "../policy/origin/origin-types.ts";
import type { CallMaker } from "../session/principal.ts";
import type { Disclosure, WrittenDisclosure } from "./disclosure/disclosed.ts";

export type { Channel };

export const approvalStatuses = ["pending", "approved", "denied", "expired", "cancelled"] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

/** Includes the destinations of the call: a grant or consent that is given with it is bound to them. */
export interface Approval extends BoundDestinations {
  /** `appr_…` */
  readonly id: string;
  /** Four letters and digits that cannot be confused with others; unique among a user's waiting calls. */
  readonly code: string;
  readonly status: ApprovalStatus;
  readonly tool: string;
  /** The id that the model gave; the call is released with it. */
  readonly callId: string;
  readonly session: string;
  /** The turn and the decision that the approval comes from. */
  readonly turn: string;
  readonly decision: string;
  readonly channel: Channel;
  /** Codes of the reasons for the question: `first_use`, `confirmation_required`, `arguments_suspicious`. */
  readonly asks: readonly string[];
  /** The call's arguments as vetted (compact JSON), or as edited; "" after they are deleted. */
  readonly arguments: string;
  /** Digest of the arguments and `extra`, see `call-digest.ts`. */
  readonly digest: string;
  /** The arguments without redacted values, for records and for users other than the approver. */
  readonly recorded: unknown;
  /** Vendor fields that go back with the call. */
  readonly extra: Record<string, unknown> | undefined;
  /** `WrittenDisclosure`: stored by an earlier version, before disclosures were data. */
  readonly disclosure: Disclosure | WrittenDisclosure;
  /** The beginning of the user's message that the task began with. Absent: none, or deleted. */
  readonly words?: string | undefined;
  /** JSON Schema of the arguments; null if there is none, or if it is too large to store. */
  readonly schema: unknown;
  /** Whether the answer may be `edit`. */
  readonly editable: boolean;
  /** Whether the answer may give a grant. */
  readonly grantable: boolean;
  /** The result that an approval may endorse: the task may then use its values. Absent: none. */
  readonly endorsable?: EndorsableSource | undefined;
  /** Why an answer in the chat must name the code. Absent: not needed by itself, but the conversation at the time of the answer may demand it. */
  readonly typedFor?: CodeDemand | undefined;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly expiresAt: number;
  readonly answeredAt: number | null;
  readonly answer: RecordedAnswer | null;
  /** The decision that released or finally refused the call; null while that is open. */
  readonly usedBy: string | null;
  /** The decision id of the call that it would undo. */
  readonly undoes?: string | undefined;
  /** The maker of the call; absent: the model. */
  readonly madeBy?: CallMaker | undefined;
  /** The plan that it is a step of. */
  readonly plan?: ApprovalPlan | undefined;
}

/**
 * Why a yes without the code is not enough: untrusted text is in the conversation, the policy demands the code, the reply contains
 * another code, or it contains HTML.
 */
export type CodeDemand = "untrusted" | "policy" | "otherCode" | "markup";

/** Whether a text that gives orders to the model may have caused the call. Such a question cannot endorse a result. */
export const holdsOrders = ({ disclosure }: Pick<Approval, "disclosure">): boolean =>
  "instructions" in disclosure && disclosure.instructions != null;

export interface ApprovalPlan {
  readonly id: string;
  readonly step: string;
  /** The step's number, from 1. */
  readonly number: number;
  /** Steps of the plan. */
  readonly total: number;
  /** The plan was cancelled, and the approval with it. */
  readonly cancelled?: true;
}

export const answerActions = ["approve", "deny", "edit"] as const;
export type AnswerAction = (typeof answerActions)[number];

/** The channel of an answer: the chat, the body's `toolgate.approvals`, `POST /v1/approvals/:id`, or a signed link. */
export type AnsweredVia = "inline" | "native" | "api" | "link";

export interface RecordedAnswer {
  readonly action: AnswerAction;
  readonly via: AnsweredVia;
  /** The user id of the person who answered. */
  readonly by: string;
  /** The reason that the person gave for a refusal, if any. */
  readonly reason: string | null;
  /** The question was about the tool's first use, and the person enables it beyond this call. */
  readonly enables?: true | undefined;
  /** With `approve`: the rest of the task may use the values of the result that the question names. */
  readonly endorses?: true | undefined;
}

/** What a person answers, already checked: edited arguments fit the schema. */
export interface Answer extends RecordedAnswer {
  /** Only with `edit`: the complete new arguments. */
  readonly edited?: {
    readonly arguments: string;
    readonly digest: string;
    readonly recorded: unknown;
    readonly disclosure: Disclosure;
  };
  readonly grant?: GrantTerms;
}

/**
 * Terms of a grant: calls that run without another question if they have the same destinations as the call that it was given with. It
 * covers only questions for `confirmation_required`.
 */
export interface GrantTerms extends BoundDestinations {
  /** Whether it is limited to the call's session. */
  readonly session: boolean;
  /** Milliseconds since the epoch; null: until it is withdrawn. */
  readonly expiresAt: number | null;
  /** Conditions on the tool's arguments, by name; empty: any values. */
  readonly arguments: Readonly<Record<string, ArgumentCondition>>;
}

/** `matches`: an RE2 pattern that must match the whole text; other values than strings never match. */
export type ArgumentCondition = { readonly equals: unknown } | { readonly matches: string };

export interface Grant extends Omit<GrantTerms, "session" | "destinations"> {
  /** `grant_…` */
  readonly id: string;
  readonly tool: string;
  /** The session that it is for; null: every session. */
  readonly session: string | null;
  readonly createdAt: number;
  /** The approval that it was given with. */
  readonly approval: string;
}

/** A first-time consent. */
export interface Gate {
  readonly tool: string;
  /** null: every session. */
  readonly session: string | null;
  readonly openedAt: number;
  /** Allowed destinations of its calls, one entry for each call that it was given with; null: any. */
  readonly goesTo: readonly ShownDestinations[] | null;
}
