/** A call that waits for a person, and the person's answer. Plain data: it is stored, sent between objects and shown. */
import type { Channel } from "../policy/document/channels.ts";
import type { BoundDestinations, EndorsableSource, ShownDestinations } from "../policy/origin/origin-types.ts";
import type { CallMaker } from "../session/principal.ts";
import type { Disclosure, WrittenDisclosure } from "./disclosure/disclosed.ts";

export type { Channel };

export const approvalStatuses = ["pending", "approved", "denied", "expired", "cancelled"] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

/** Where the call goes: a grant or a consent that is given with it is bound to that. */
export interface Approval extends BoundDestinations {
  /** `appr_…` */
  readonly id: string;
  /** Four letters and digits that cannot be mistaken for others; no two calls of a user that wait have the same. */
  readonly code: string;
  readonly status: ApprovalStatus;
  readonly tool: string;
  /** As the model gave it; the call is released under it. */
  readonly callId: string;
  readonly session: string;
  /** The turn and the decision that made it. */
  readonly turn: string;
  readonly decision: string;
  readonly channel: Channel;
  /** Codes of the reasons for the question: `first_use`, `confirmation_required`, `arguments_suspicious`. */
  readonly asks: readonly string[];
  /** The call's arguments as they were vetted (compact JSON), or as they were edited; "" once they are forgotten. */
  readonly arguments: string;
  /** Digest of the arguments and `extra`, see `call-digest.ts`. */
  readonly digest: string;
  /** The arguments with what the policy redacts taken out: what records, and people other than the approver, may see. */
  readonly recorded: unknown;
  /** Vendor fields that go back with the call. */
  readonly extra: Record<string, unknown> | undefined;
  /** Written: stored by an earlier version, before disclosures were data. */
  readonly disclosure: Disclosure | WrittenDisclosure;
  /** The beginning of the user's message that the task began with. Absent: none, or it is forgotten. */
  readonly words?: string | undefined;
  /** JSON Schema of the arguments; null where there is none, or it is too large to keep. */
  readonly schema: unknown;
  /** Whether the answer may be `edit`. */
  readonly editable: boolean;
  /** Whether the answer may give a grant. */
  readonly grantable: boolean;
  /** The result that a yes may endorse: the task may then use its values. Absent: none. */
  readonly endorsable?: EndorsableSource | undefined;
  /** Why an answer in the chat must name the code. Absent: it need not, or what the conversation holds then says so. */
  readonly typedFor?: CodeDemand | undefined;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly expiresAt: number;
  readonly answeredAt: number | null;
  readonly answer: RecordedAnswer | null;
  /** The decision that released the call or refused it in the end; null while that is open. */
  readonly usedBy: string | null;
  /** The call that it would undo, by its decision. */
  readonly undoes?: string | undefined;
  /** Who made the call; absent: the model. */
  readonly madeBy?: CallMaker | undefined;
  /** The plan that it is a step of. */
  readonly plan?: ApprovalPlan | undefined;
}

/**
 * Why a mere yes is not enough: what others wrote stands in the conversation, the policy wants it, another code or HTML stands in the
 * reply.
 */
export type CodeDemand = "untrusted" | "policy" | "otherCode" | "markup";

/** A text that gives orders to the model may have chosen the call: its question endorses nothing. */
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

/** The way of an answer: the chat, the body's `toolgate.approvals`, `POST /v1/approvals/:id`, or a signed link. */
export type AnsweredVia = "inline" | "native" | "api" | "link";

export interface RecordedAnswer {
  readonly action: AnswerAction;
  readonly via: AnsweredVia;
  /** The user id of the person who answered. */
  readonly by: string;
  /** The person's own words, where a refusal has some. */
  readonly reason: string | null;
  /** The question was about the tool's first use, and the person enables it beyond this call. */
  readonly enables?: true | undefined;
  /** With `approve`: the rest of the task may use the values of the result that the question names. */
  readonly endorses?: true | undefined;
}

/** What a person answers, already checked: edited arguments fit the schema. */
export interface Answer extends RecordedAnswer {
  /** With `edit`: the whole arguments as they are now. */
  readonly edited?: {
    readonly arguments: string;
    readonly digest: string;
    readonly recorded: unknown;
    readonly disclosure: Disclosure;
  };
  readonly grant?: GrantTerms;
}

/**
 * What a person allows without being asked again, for calls that go where the one goes that it is given with. Only what is asked for
 * as `confirmation_required`.
 */
export interface GrantTerms extends BoundDestinations {
  /** For the call's session alone. */
  readonly session: boolean;
  /** Milliseconds since the epoch; null: until it is withdrawn. */
  readonly expiresAt: number | null;
  /** The tool's arguments that must have this value, by name; empty: any. */
  readonly arguments: Readonly<Record<string, ArgumentCondition>>;
}

/** `matches`: an RE2 pattern that the whole text must match; only a string can. */
export type ArgumentCondition = { readonly equals: unknown } | { readonly matches: string };

export interface Grant extends Omit<GrantTerms, "session" | "destinations"> {
  /** `grant_…` */
  readonly id: string;
  readonly tool: string;
  /** The session that it is for; null: every session. */
  readonly session: string | null;
  readonly createdAt: number;
  /** The approval that gave it. */
  readonly approval: string;
}

/** A first-time consent. */
export interface Gate {
  readonly tool: string;
  /** null: every session. */
  readonly session: string | null;
  readonly openedAt: number;
  /** Where its calls may go, one for each call that it was given with; null: wherever they go. */
  readonly goesTo: readonly ShownDestinations[] | null;
}
