/**
 * Why a tool was withheld or a call was not simply allowed: a closed union, worded by one exhaustive table
 * for each audience (`reason-texts.ts`). Codes are stable: clients, audit queries and policy cases rely on them.
 */
import type { State } from "../session/state.ts";
import type { InstructionKind } from "./origin/origin-types.ts";

export interface ArgumentIssue {
  /** JSON pointer into the arguments, "" for the whole. */
  readonly path: string;
  readonly message: string;
}

export interface UntrustedArgument {
  /** JSON pointer into the arguments. */
  readonly path: string;
  /** The result that holds the value; absent: the model made it. */
  readonly from?: { readonly tool: string; readonly callId: string };
  /** How the user's messages hold the value, though it does not count as theirs. Absent: they do not, or a result holds it. */
  readonly inMessages?: MessagePlace;
}

/** `quoted`: only in text that the user quoted or pasted. `unsure`: as words that may mean something else. */
export type MessagePlace = "quoted" | "unsure";

export type Reason =
  | { readonly code: "unknown_tool"; readonly tool: string }
  | { readonly code: "not_offered"; readonly tool: string }
  /** The policy does not list it, and denies unlisted tools. */
  | { readonly code: "unlisted_tool"; readonly tool: string }
  | { readonly code: "definition_changed"; readonly tool: string }
  /** No arguments can be checked against its JSON Schema; `message` says why. */
  | { readonly code: "schema_invalid"; readonly tool: string; readonly message: string }
  | { readonly code: "mode_forbids"; readonly tool: string; readonly mode: string }
  | { readonly code: "state_forbids"; readonly tool: string; readonly state: State }
  | { readonly code: "intent_forbids"; readonly tool: string; readonly intents: readonly string[] }
  | {
      readonly code: "family_blocked";
      readonly tool: string;
      readonly families: readonly string[];
      readonly intents: readonly string[];
    }
  | {
      readonly code: "soft_limit_reached";
      readonly tool: string;
      readonly families: readonly string[];
      readonly intents: readonly string[];
      readonly max: number;
    }
  | {
      readonly code: "role_forbids";
      readonly tool: string;
      readonly role: string;
      /** The roles that may use it. */
      readonly roles: readonly string[];
    }
  | { readonly code: "auth_required"; readonly tool: string }
  | { readonly code: "connection_missing"; readonly tool: string; readonly connection: string }
  | { readonly code: "arguments_invalid"; readonly tool: string; readonly issues: readonly ArgumentIssue[] }
  | {
      readonly code: "arguments_suspicious";
      readonly tool: string;
      /** The set of patterns that matched (`shell`, `sql`, …). */
      readonly set: string;
      /** JSON pointer to the value that matched. */
      readonly path: string;
    }
  /** A condition of the policy holds for the arguments. `say`: the words of each such condition. */
  | { readonly code: "condition_denies"; readonly tool: string; readonly say: readonly string[] }
  | { readonly code: "condition_asks"; readonly tool: string; readonly say: readonly string[] }
  /** No call of these selectors has succeeded in the session. */
  | { readonly code: "after_unmet"; readonly tool: string; readonly after: readonly string[] }
  /** Results of these tools, the first of them, are in the session. */
  | { readonly code: "never_after"; readonly tool: string; readonly read: readonly string[] }
  | {
      readonly code: "at_most_reached";
      readonly tool: string;
      readonly per: "turn" | "task" | "session";
      readonly max: number;
    }
  /**
   * Untrusted text is in the conversation, and neither the user nor a trusted source gave the values of these arguments. Without
   * arguments: the call has no value that a source could have given.
   */
  | { readonly code: "argument_untrusted"; readonly tool: string; readonly arguments: readonly UntrustedArgument[] }
  /** The user's own words contain none of the intents that permit the call. No intents: their last message refuses what it does. */
  | { readonly code: "intent_undetected"; readonly tool: string; readonly intents: readonly string[] }
  /** An untrusted result of the task holds instructions to the model. */
  | {
      readonly code: "instructions_found";
      readonly tool: string;
      /** The tool whose result it is; null if it is not known. */
      readonly from: string | null;
      readonly kind: InstructionKind;
    }
  | {
      readonly code: "rate_limited";
      readonly tool: string;
      readonly max: number;
      readonly windowMs: number;
      readonly retryAfterMs: number;
      /** The selector whose tools share the limit. Absent: it is the tool's own. */
      readonly shared?: string;
    }
  | { readonly code: "first_use"; readonly tool: string }
  | { readonly code: "confirmation_required"; readonly tool: string }
  /** The user was asked and said no; `reason` in the user's own words. */
  | { readonly code: "approval_denied"; readonly tool: string; readonly reason: string | null }
  | { readonly code: "approval_expired"; readonly tool: string }
  /** The user wrote something else, or reset the session. */
  | { readonly code: "approval_cancelled"; readonly tool: string }
  /** There is no approval for this very call: for other arguments, for another session, used already, or none at all. */
  | { readonly code: "approval_mismatch"; readonly tool: string }
  /** The call that this one would undo is undone already. */
  | { readonly code: "already_undone"; readonly tool: string }
  | { readonly code: "intent_unknown"; readonly intent: string; readonly intents: readonly string[] }
  /** The policy has the intent, but the user's own words do not ask for it. */
  | { readonly code: "intent_not_detected"; readonly intent: string; readonly intents: readonly string[] }
  /** The step's stream was not orderly, so none of its calls counts. */
  | { readonly code: "stream_disorderly"; readonly tool: string; readonly detail: string }
  /** A rule threw: it denies. */
  | { readonly code: "rule_failed"; readonly rule: string };

export type ReasonCode = Reason["code"];

const isAmong =
  (...codes: readonly ReasonCode[]) =>
  ({ code }: { readonly code: string }): boolean =>
    (codes as readonly string[]).includes(code);

/** Withheld until the task holds an intent that permits the tool: a selection opens it. */
export const isLackOfIntent = isAmong("state_forbids", "intent_forbids");

/** Ends with the task: in another one the tool may be used. */
export const endsWithTask = isAmong("state_forbids", "intent_forbids", "family_blocked", "soft_limit_reached");

const UNREQUESTED = ["family_blocked", "intent_not_detected", "intent_undetected"] as const;
/** The user has requested no such thing. */
export const isUnrequested = isAmong("state_forbids", "intent_forbids", ...UNREQUESTED);

/** A reason with the text that the user reads before answering. Rules never make it: it is rendered once for each call. */
export type DisclosedReason = Reason & { readonly disclosure?: string };

/** @param disclosed the texts of the call; "" if the call does not ask for it. */
export const discloseReasons = (
  reasons: readonly Reason[],
  { firstUse, confirmation }: { readonly firstUse: string; readonly confirmation: string },
): readonly DisclosedReason[] =>
  reasons.map((reason) => {
    if (reason.code === "first_use") return { ...reason, disclosure: firstUse };
    return reason.code === "confirmation_required" ? { ...reason, disclosure: confirmation } : reason;
  });
