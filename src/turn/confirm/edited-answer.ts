/** An edit, made whole and judged as if the model had called so itself. */
import type { Answer, Approval } from "../../approvals/approval.ts";
import type { Changes } from "../../approvals/edit/edit.ts";
import { editArguments, editedCall } from "../../approvals/edit/edited-call.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { textForClient } from "../../policy/reason-texts.ts";
import type { Reason } from "../../policy/reasons.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { Turn } from "../turn.ts";
import { discloseFor, schemaOf } from "./disclose-for.ts";
import { type Moment, vetHeld } from "./settle-approvals.ts";

/** @returns what is wrong with the new arguments, for the person. What else stands against the call is told as its refusal. */
export function editedAnswer(
  turn: Turn,
  moment: Moment,
  approval: Approval,
  changes: Changes,
): Result<NonNullable<Answer["edited"]>, string> {
  const traits = traitsOf(turn.input.policy, approval.tool);
  const { redact } = traits;
  const schema = schemaOf(turn, approval.tool) ?? approval.schema;
  const edited = editArguments(approval, changes, { redact, schema, work: turn.input.work });
  if (!edited.ok) return edited;
  const { reasons } = vetHeld(turn, moment, approval, edited.value);
  const wrong = reasons.filter((reason) => isWrong(reason, approval));
  if (wrong.length > 0) return err(wrong.map(textForClient).join("; "));
  return ok(editedCall(approval, edited.value, redact, discloseFor(turn, traits, reasons)));
}

/** What looks like an attack was not asked about: the new values are the person's, but may have come from somebody else. */
const isWrong = ({ code }: Reason, { asks }: Approval): boolean =>
  code === "arguments_invalid" || (code === "arguments_suspicious" && !asks.includes(code));
