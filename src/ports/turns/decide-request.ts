/** The calls of a step as UserGuard decides them. The port is `TurnsPort`. */
import type { Answer, Approval } from "../../approvals/approval.ts";
import type { Decision, Effect } from "../../policy/decision.ts";
import type { CountedChecks } from "../../policy/facts.ts";
import type { ArgumentOrigin } from "../../policy/origin/judge-origins.ts";
import type { Reason } from "../../policy/reasons.ts";
import type { CallMaker } from "../../session/principal.ts";
import type { State } from "../../session/state.ts";
import type { RunEntry } from "../../tools/run.ts";
import type { Question } from "./question.ts";

export interface Selection {
  readonly intents: readonly string[];
  /** Untrusted text may have caused the selection, as in `addSelected`. */
  readonly untrusted: boolean;
  /** The user's message clearly asks for no action. */
  readonly unasked?: boolean;
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
  /** The name for the record, if a name that no tool has may hold what the policy redacts. */
  readonly recordedTool?: string | undefined;
  /** Families that a success of the call counts for. */
  readonly families: readonly string[];
  readonly arguments: string;
  readonly extra: Record<string, unknown> | undefined;
  /** For the record: redacted, or null if the policy leaves arguments out. */
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
  /** Digests of what it writes that came from untrusted text; stored once it is released or run. */
  readonly writes?: readonly string[] | undefined;
  /** It is decided and recorded as usual, and let through whatever the decision is. */
  readonly observe?: true | undefined;
  /** A call of the handshake tool: recorded, never released. */
  readonly handshake: boolean;
  /** The provider has run it: recorded, neither counted nor released. `untrusted`: its result makes the session untrusted. */
  readonly hosted?: { readonly untrusted: boolean } | undefined;
  /** How a person is asked if the decision is `confirm`; absent: no approval can be requested, and the call is refused. */
  readonly question?: Question | undefined;
  /** The policy names a tool that undoes it: arguments and result are stored for that. */
  readonly undoable?: boolean | undefined;
  /**
   * It undoes the call `of`, which counts as undone from then on. An undo that waits for a person stays an undo. `key` identifies the
   * request if it is sent again.
   */
  readonly undo?: { readonly of: string; readonly key?: string | undefined } | undefined;
  /** Who made it; absent: the model. */
  readonly madeBy?: CallMaker | undefined;
  /**
   * A step of a plan, which advances with it. `covered`: the digest of what a person must have seen to have approved this call with
   * the plan as a whole (`call` is its `digest`); under the same policy it then needs no confirmation of its own. `trusted`: the
   * client's result can be trusted; a managed call's entry has that. Throws if the turn no longer holds the plan, if the step was
   * decided before, or if its call is another. A handshake advances no step.
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
  /** The approval that the call has waited for, and the request's own answer to it. */
  readonly approval?: { readonly id: string; readonly answer?: Answer | undefined } | undefined;
}

export interface DecidedCall extends Decision {
  readonly id: string;
  /** The new approval, if the effect is `confirm` and a person can be asked. */
  readonly approval?: Approval | undefined;
  /** Digest of the result that the person endorsed for the task with their answer. */
  readonly endorsed?: string | undefined;
  /** The call is let through, whatever the decision is. */
  readonly observed?: true;
  /** The approval that the call named had ended before: another turn acted on it or cancelled it. */
  readonly stale?: true;
  /** The released call's number in this user's object; below zero for a run; undefined for a call that is neither. */
  readonly ordinal: number | undefined;
}
