/** The body's own field `toolgate`: what a client that knows approvals answers to calls that wait for a person. Pure. */
import { type AnswerFields, readAnswerFields } from "../approvals/answers/answer-fields.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { isObject } from "./read-chunk.ts";
import type { RequestFault } from "./request-fault.ts";

/**
 * Checked for its shape alone: what it is worth is told by the approval that it names. Without an action the call was answered
 * elsewhere, and what became of it is collected.
 */
export interface ApprovalAnswer extends AnswerFields {
  readonly id: string;
}

const MAX_ANSWERS = 50;
const MAX_ID = 128;

const fault = (param: string, message: string): Result<never, RequestFault> =>
  err({ param, message: `\`${param}\` ${message}`, code: "invalid_request" });

/** @returns undefined where the request answers nothing. */
export function readApprovalAnswers(toolgate: unknown): Result<readonly ApprovalAnswer[] | undefined, RequestFault> {
  if (toolgate == null) return ok(undefined);
  if (!isObject(toolgate)) return fault("toolgate", 'must be an object, such as `{ "approvals": [] }`');
  const strange = Object.keys(toolgate).find((key) => key !== "approvals");
  if (strange !== undefined)
    return fault("toolgate", `holds \`${strange.slice(0, 64)}\`, but may hold only \`approvals\``);
  const { approvals } = toolgate;
  if (approvals == null) return ok(undefined);
  if (!Array.isArray(approvals)) return fault("toolgate.approvals", "must be a list");
  if (approvals.length > MAX_ANSWERS) return fault("toolgate.approvals", `may hold at most ${MAX_ANSWERS} answers`);
  const answers: ApprovalAnswer[] = [];
  const ids = new Set<string>();
  for (const [index, value] of approvals.entries()) {
    const read = readOne(value, `toolgate.approvals[${index}]`);
    if (!read.ok) return read;
    if (ids.has(read.value.id)) return fault(`toolgate.approvals[${index}].id`, "is answered twice");
    ids.add(read.value.id);
    answers.push(read.value);
  }
  return ok(answers.length > 0 ? answers : undefined);
}

function readOne(value: unknown, at: string): Result<ApprovalAnswer, RequestFault> {
  if (!isObject(value)) return fault(at, "must be an object with an `id`");
  const { id, ...fields } = value;
  if (typeof id !== "string" || id === "" || id.length > MAX_ID)
    return fault(`${at}.id`, `must be the id of an approval, a text of 1 to ${MAX_ID} characters`);
  const read = readAnswerFields(fields);
  if (!read.ok) return fault(`${at}.${read.error.field.slice(0, 64)}`, read.error.message);
  return ok({ id, ...read.value });
}
