/** An edit, made whole and judged as if the model had called so itself. */
import type { Answer, Approval } from "../approvals/approval.ts";
import { applyChanges, type Changes } from "../approvals/edit.ts";
import { canonicalJson } from "../lib/canonical-json.ts";
import { sha256Hex } from "../lib/digest.ts";
import { redactArguments } from "../lib/redact.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { textForClient } from "../policy/reason-texts.ts";
import type { Reason } from "../policy/reasons.ts";
import { traitsOf } from "../policy/traits.ts";
import { discloseFor } from "./disclose-for.ts";
import type { Arguments } from "./read-arguments.ts";
import { type Moment, vetHeld } from "./settle-approvals.ts";
import type { Turn } from "./turn.ts";

/** @returns what is wrong with the new arguments, for the person. What else stands against the call is told as its refusal. */
export function editedAnswer(
  turn: Turn,
  moment: Moment,
  approval: Approval,
  changes: Changes,
): Result<NonNullable<Answer["edited"]>, string> {
  const traits = traitsOf(turn.input.policy, approval.tool);
  const applied = applyChanges(JSON.parse(approval.arguments) as Arguments, changes, traits.redact);
  if (!applied.ok) return applied;
  const value = applied.value;
  const { reasons } = vetHeld(turn, moment, approval, value);
  const wrong = reasons.filter((reason) => isWrong(reason, approval));
  if (wrong.length > 0) return err(wrong.map(textForClient).join("; "));
  const recorded = redactArguments(value, traits.redact);
  return ok({
    arguments: JSON.stringify(value),
    digest: sha256Hex(canonicalJson(value)),
    recorded,
    disclosure: discloseFor(turn, traits, recorded, approval.asks, reasons),
  });
}

/** What looks like an attack was not asked about: the new values are the person's, but may have come from somebody else. */
const isWrong = ({ code }: Reason, { asks }: Approval): boolean =>
  code === "arguments_invalid" || (code === "arguments_suspicious" && !asks.includes(code));
