/** The body's own field `toolgate`: the answers of a client that knows approvals to calls that wait for a person. Pure. */
import * as z from "zod";
import { type ApprovalAnswer, answerFields, checkAnswer, toAnswer } from "../approvals/answers/answer-schema.ts";
import { once } from "../lib/once.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { shapeIssues, shapeMessages } from "../policy/document/shape-issues.ts";
import { issueText, paramOf, type RequestFault } from "./request-fault.ts";

/** Checked for its shape alone: the approval that it names decides what it is worth. */
export interface NativeAnswer extends ApprovalAnswer {
  readonly id: string;
}

const MAX_ANSWERS = 50;
const MAX_ID = 128;

const answer = () =>
  z
    .strictObject({ id: z.string().min(1).max(MAX_ID), ...answerFields() })
    .superRefine(checkAnswer)
    .transform(({ id, ...fields }): NativeAnswer => ({ id, ...toAnswer(fields) }));

const toolgateField = once(() =>
  z.strictObject({
    approvals: z
      .array(answer())
      .max(MAX_ANSWERS)
      .superRefine((answers, context) => {
        for (const [index, { id }] of answers.entries())
          if (answers.findIndex((other) => other.id === id) < index)
            context.addIssue({ code: "custom", path: [index, "id"], message: "is answered twice" });
      })
      .nullish(),
  }),
);

/** @returns undefined if the request answers nothing. */
export function readApprovalAnswers(toolgate: unknown): Result<readonly NativeAnswer[] | undefined, RequestFault> {
  if (toolgate == null) return ok(undefined);
  const parsed = toolgateField().safeParse(toolgate, { error: shapeMessages });
  if (parsed.success) return ok(parsed.data.approvals?.length ? parsed.data.approvals : undefined);
  const [issue] = shapeIssues(parsed.error);
  const param = paramOf(["toolgate", ...(issue?.at ?? [])]) ?? null;
  return err({ param, message: `\`${param}\` ${issue ? issueText(issue) : "does not fit"}`, code: "invalid_request" });
}
