/** What each reason code means and what somebody can do about it; the type asks for every code. */
import type { ReasonCode } from "../../policy/reasons.ts";

export interface ReasonNote {
  readonly means: string;
  readonly todo: string;
}

const note = (means: string, todo: string): ReasonNote => ({ means, todo });

export const reasonNotes: Readonly<Record<ReasonCode, ReasonNote>> = {
  unknown_tool: note(
    "the model called a tool that the request does not define",
    "nothing; the model takes another way",
  ),
  not_offered: note("the model called a tool that was withheld", "look at the other reasons of the same decision"),
  unlisted_tool: note("the policy does not list the tool and denies what it does not list", "list it in `tools`"),
  definition_changed: note(
    "the tool's definition is not the accepted one",
    "compare and accept it (`GET /admin/mcp`); for a client tool begin a new session, or change `parameters`",
  ),
  schema_invalid: note("the tool's JSON Schema is broken, so no call can be checked", "mend the schema"),
  mode_forbids: note("the session's mode does not permit the tool", "change the mode"),
  state_forbids: note("the tool is not safe, and no intent is held", "say what you want; give the intent words"),
  intent_forbids: note(
    "the held intents do not list the tool",
    "ask for the other intent, or add the tool to `intents.NAME.tools`",
  ),
  family_blocked: note("the tool's family does not belong to the held intents", "add it to `allowedFamilies`"),
  soft_limit_reached: note("the task has no detours left", "raise `softBlockAfter`"),
  role_forbids: note("the user's role may not use the tool", "another key, or `roles` of the tool"),
  auth_required: note("the tool needs a user who is signed in", "sign in"),
  connection_missing: note("the user has not linked the provider", "link it: [connections](tools.md#connections)"),
  arguments_invalid: note("the arguments do not fit the tool's JSON Schema", "nothing; the model hears what is wrong"),
  arguments_suspicious: note("the arguments look like an attack", "`injection` of the tool or the policy"),
  rate_limited: note("the tool was used as often as is permitted", "wait for `retry_after` seconds"),
  first_use: note("the first use of an external tool needs consent", "answer the question"),
  confirmation_required: note("a person must confirm the call", "answer the question"),
  approval_denied: note("the person said no", "nothing; the model hears the reason"),
  approval_expired: note("nobody answered in time", "ask again; raise `timeoutSeconds` or `inlineExpiresAfter`"),
  approval_cancelled: note("the user wrote something else, or reset the session", "ask again"),
  approval_mismatch: note(
    "no approval covers this very call",
    "ask again; an approval holds for one call and its arguments",
  ),
  already_undone: note("the call that this one would undo is undone already", "nothing"),
  intent_unknown: note(
    "the model selected an intent that the policy does not have",
    "nothing; the model chooses again",
  ),
  intent_not_detected: note(
    "the model selected an intent that the user's words do not hold, after untrusted text",
    "say in your own words what to do; mark tools whose results you trust",
  ),
  intent_conflict: note("the model selected different intents in one step", "nothing; the model chooses again"),
  stream_disorderly: note("the model's reply broke off, so none of its calls counts", "ask again"),
  rule_failed: note("a rule failed, so the call was refused", "report it: this is a defect"),
};
