/** What a person answers to an approval, as a body of its own. Pure. */
import { type AnswerFields, type FieldFault, readAnswerFields } from "../../approvals/answers/answer-fields.ts";
import type { AnswerAction } from "../../approvals/approval.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { badRequest, type Problem } from "../problem.ts";
import { readStrictObject } from "../strict-body.ts";

export interface AnswerAsked extends AnswerFields {
  readonly action: AnswerAction;
}

const EXAMPLE = '`{ "action": "approve" }`, `"deny"` or `"edit"`';

/** JSON that every reader takes alike: what is approved here is what the client runs. */
export function readAnswerAsked(bytes: ArrayBuffer): Result<AnswerAsked, Problem> {
  const body = readStrictObject(bytes, EXAMPLE);
  if (!body.ok) return body;
  const read = readAnswerFields(body.value);
  if (!read.ok) return err(problemOf(read.error));
  const { action } = read.value;
  if (action === undefined) return err(badRequest("action", `\`action\` is missing: send ${EXAMPLE}`));
  return ok({ ...read.value, action });
}

function problemOf({ field, message, unknown }: FieldFault): Problem {
  const param = field.slice(0, 64);
  return badRequest(param, `\`${param}\` ${message}`, unknown ? "unknown_parameter" : undefined);
}
