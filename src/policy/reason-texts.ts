/**
 * The wording of reasons, one exhaustive switch per audience. Pure.
 * The model gets what helps it to take another way, and never another tool's name: a refusal must not be a list of what
 * else there is. The client gets what helps a person or an operator.
 */
import type { ArgumentIssue, DisclosedReason, Reason } from "./reasons.ts";

const prefix = "tool_policy_blocked: ";

/** Behind a refusal that no tools follow: there is no other way to take, and nobody else tells the user. */
const noMoreTools = "; no tools are available now: answer the user in words, and tell what was not done and why";

/** Of a call that the model has not made itself, of a tool whose name is not for the user. No tools follow. */
export const NAMELESS_REFUSAL = `${prefix}what the user asks for is not available to this user${noMoreTools}`;

/**
 * The texts of all reasons of a refusal; where the tool was not offered, only that, so that nothing tells it exists.
 * @param asIs the model has not made the call itself, and may know of the tool: why it was not offered is told.
 */
export function refusalForModel(
  reasons: readonly Reason[],
  { noTools = false, asIs = false }: { readonly noTools?: boolean; readonly asIs?: boolean } = {},
): string {
  const hidden = reasons.find(isOfOffer);
  const others = reasons.filter((reason) => !isOfOffer(reason));
  const end = noTools ? noMoreTools : "";
  if (!hidden || (asIs && others.length > 0)) return prefix + others.map(modelWords).join("; ") + end;
  return noTools ? `${prefix}${quote(hidden.tool)} is not available${end}` : textForModel(hidden);
}

const isOfOffer = (reason: Reason) => reason.code === "unknown_tool" || reason.code === "not_offered";

/** One reason, on one line; begins with `tool_policy_blocked: `. */
export function textForModel(reason: Reason): string {
  return prefix + modelWords(reason);
}

function modelWords(reason: Reason): string {
  switch (reason.code) {
    case "unknown_tool":
    case "not_offered":
      return `${quote(reason.tool)} is not available, use one of the tools that were given`;
    case "unlisted_tool":
    case "schema_invalid":
    case "definition_changed":
      return `${quote(reason.tool)} cannot be used in this conversation`;
    case "mode_forbids":
      return `${quote(reason.tool)} is not permitted in the current mode`;
    case "state_forbids":
      return `${quote(reason.tool)} cannot be used before an intent is selected`;
    case "intent_forbids":
      return `${quote(reason.tool)} does not belong to the selected intent ${list(reason.intents)}`;
    case "family_blocked":
      return `${quote(reason.tool)}${ofFamilies(reason.families)} does not belong to the selected intent ${list(reason.intents)}`;
    case "soft_limit_reached":
      return `${quote(reason.tool)}${ofFamilies(reason.families)} is only a detour from the selected intent ${list(reason.intents)} and was used ${reason.max} times, return to the task`;
    case "role_forbids":
      return `the user's role may not use ${quote(reason.tool)}`;
    case "auth_required":
      return `${quote(reason.tool)} needs a user who is signed in`;
    case "connection_missing":
      return `the user has not linked ${quote(reason.connection)}, which ${quote(reason.tool)} needs`;
    case "arguments_invalid":
      return `the arguments of ${quote(reason.tool)} are not valid: ${issues(reason.issues)}`;
    case "arguments_suspicious":
      return `the arguments of ${quote(reason.tool)} look like an attack${at(reason.path)}`;
    case "rate_limited":
      return `${quote(reason.tool)} was used as often as is permitted, try again in ${duration(reason.retryAfterMs)}`;
    case "first_use":
      return `the user must consent to the first use of ${quote(reason.tool)}`;
    case "confirmation_required":
      return `the user must confirm this use of ${quote(reason.tool)}`;
    case "approval_denied":
      return `the user refused this use of ${quote(reason.tool)}${said(reason.reason)}`;
    case "approval_expired":
      return `the user did not confirm this use of ${quote(reason.tool)} in time`;
    case "approval_cancelled":
      return `the user went on without confirming this use of ${quote(reason.tool)}`;
    case "approval_mismatch":
      return `the user has not confirmed this very use of ${quote(reason.tool)}`;
    case "already_undone":
      return `${quote(reason.tool)} would undo what is undone already`;
    case "intent_unknown":
      return `there is no intent ${quote(reason.intent)}, choose one of ${list(reason.intents)}`;
    case "intent_not_detected":
      return `the user's own words do not ask for ${quote(reason.intent)}, and others may have written text in this conversation: tell the user to say in their own words what to do, or choose one of ${list(reason.intents)}`;
    case "intent_conflict":
      return `different intents were selected at once (${list(reason.intents)}), select one`;
    case "stream_disorderly":
      return `the call of ${quote(reason.tool)} did not arrive whole, make it again`;
    case "rule_failed":
      return "the call could not be checked";
  }
}

/** One reason, for a person or an operator; a disclosure may have several lines. */
export function textForClient(reason: DisclosedReason): string {
  switch (reason.code) {
    case "unknown_tool":
      return `the request defines no tool ${quote(reason.tool)}`;
    case "not_offered":
      return `${quote(reason.tool)} was not offered to the model`;
    case "unlisted_tool":
      return `the policy does not list ${quote(reason.tool)} in its \`tools\`, and denies what it does not list`;
    case "definition_changed":
      return `the definition of ${quote(reason.tool)} is not the one that was accepted`;
    case "schema_invalid":
      return `no call of ${quote(reason.tool)} can be checked: ${reason.message}`;
    case "mode_forbids":
      return `the mode ${quote(reason.mode)} does not permit ${quote(reason.tool)}`;
    case "state_forbids":
      return `${quote(reason.tool)} is not safe, so it waits for an intent (state ${reason.state})`;
    case "intent_forbids":
      return `${quote(reason.tool)} is not among the tools of ${list(reason.intents)}`;
    case "family_blocked":
      return `${quote(reason.tool)}${ofFamilies(reason.families)} is in no family that ${list(reason.intents)} allows`;
    case "soft_limit_reached":
      return `${quote(reason.tool)}${ofFamilies(reason.families)} is only softly allowed by ${list(reason.intents)}, ${reason.max} times a task`;
    case "role_forbids":
      return `the role ${quote(reason.role)} may not use ${quote(reason.tool)}, only ${list(reason.roles)} may`;
    case "auth_required":
      return `${quote(reason.tool)} needs a user who is signed in`;
    case "connection_missing":
      return `${quote(reason.tool)} needs ${quote(reason.connection)}, link it first`;
    case "arguments_invalid":
      return `the arguments of ${quote(reason.tool)} are not valid: ${issues(reason.issues)}`;
    case "arguments_suspicious":
      return `the arguments of ${quote(reason.tool)} match a pattern of the set ${quote(reason.set)}${at(reason.path)}`;
    case "rate_limited":
      return `${quote(reason.tool)} may be used ${reason.max} times in ${duration(reason.windowMs)}, try again in ${duration(reason.retryAfterMs)}`;
    case "first_use":
      return reason.disclosure || `the first use of ${quote(reason.tool)} needs the user's consent`;
    case "confirmation_required":
      return reason.disclosure || `this use of ${quote(reason.tool)} needs the user's confirmation`;
    case "approval_denied":
      return `this use of ${quote(reason.tool)} was refused${said(reason.reason)}`;
    case "approval_expired":
      return `this use of ${quote(reason.tool)} was not confirmed in time`;
    case "approval_cancelled":
      return `this use of ${quote(reason.tool)} was cancelled: another message came first`;
    case "approval_mismatch":
      return `there is no confirmation for this very use of ${quote(reason.tool)}`;
    case "already_undone":
      return `${quote(reason.tool)} would undo what is undone already`;
    case "intent_unknown":
      return `the model selected an intent ${quote(reason.intent)} that was not offered`;
    case "intent_not_detected":
      return `the model selected the intent ${quote(reason.intent)}, which the user's own words do not ask for; say in your own words what you want`;
    case "intent_conflict":
      return `the model selected different intents in one step: ${list(reason.intents)}`;
    case "stream_disorderly":
      return `the call of ${quote(reason.tool)} was refused because the model's reply was not orderly: ${reason.detail}`;
    case "rule_failed":
      return `the rule ${quote(reason.rule)} failed, so the call was refused`;
  }
}

/** Names come from models and clients: one line, bounded, and no quote of their own. */
export function quote(name: string): string {
  return `\`${name.slice(0, 128).replace(/[\p{Cc}`]/gu, " ")}\``;
}

export const list = (names: readonly string[]): string => names.map(quote).join(", ");

/** A person's words, on one line and bounded. */
const said = (reason: string | null): string =>
  reason ? `: "${reason.slice(0, 500).replace(/[\p{Cc}\u2028\u2029"]+/gu, " ")}"` : "";

const ofFamilies = (families: readonly string[]): string => (families.length > 0 ? ` (family ${list(families)})` : "");

const at = (path: string): string => (path === "" ? "" : ` at ${quote(path)}`);

const issues = (found: readonly ArgumentIssue[]): string =>
  found.map(({ path, message }) => (path === "" ? message : `${quote(path)} ${message}`)).join("; ");

/** Rounded up, so that trying again after it is not too early. */
function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
