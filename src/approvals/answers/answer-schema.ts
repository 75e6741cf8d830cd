/**
 * A person's answer to an approval, whichever request carries it. Pure. Unknown fields are refused: an answer misread would run
 * a call that nobody meant. A field that is `null` counts as absent.
 */
import * as z from "zod";
import { isObject } from "../../lib/json/json-value.ts";
import { type AnswerAction, answerActions } from "../approval.ts";
import type { Changes } from "../edit/edit.ts";

export interface ApprovalAnswer {
  /** Undefined: the call was answered elsewhere, and the client collects its result. */
  readonly action: AnswerAction | undefined;
  /** With `edit`; never empty. */
  readonly changes: Changes | undefined;
  /** With `deny` alone. */
  readonly reason: string | null;
  /** Checked against the call later. */
  readonly grant: unknown;
  /** The tool is enabled beyond this call, where its first use needs a question. */
  readonly enables: boolean;
  /** With `approve`: the task may use the values of the result that the question names. */
  readonly endorses: boolean;
}

/** UTF-16 units of the person's own words, which the model receives. */
export const MAX_REASON = 1_000;
/** More members than any call that a person could look through. */
const MAX_UNSET = 200;

export const answerFields = () => ({
  action: z.enum(answerActions).nullish(),
  // Not `z.record`: it would drop a member named `__proto__`.
  arguments: z
    .custom<Readonly<Record<string, unknown>>>(isObject, "must be an object: the arguments to change, by name")
    .nullish(),
  unset: z
    .array(z.string(), "must be a list of names of arguments")
    .max(MAX_UNSET)
    .transform((names) => [...new Set(names)])
    .nullish(),
  reason: z
    .string()
    .max(MAX_REASON)
    .refine((text) => text.isWellFormed() && text.trim() !== "", `must be text of 1 to ${MAX_REASON} characters`)
    .transform((text) => text.trim())
    .nullish(),
  grant: z.unknown().optional(),
  enable: z.boolean().nullish(),
  endorse: z.boolean().nullish(),
});

type AnswerFields = z.output<z.ZodObject<ReturnType<typeof answerFields>>>;

/** For `superRefine`: which fields go together. */
export function checkAnswer(fields: AnswerFields, context: z.core.$RefinementCtx): void {
  const report = (field: keyof AnswerFields, message: string) =>
    context.addIssue({ code: "custom", path: [field], message });
  const { action, arguments: set, unset, reason, grant, enable, endorse } = fields;
  const approves = action === "approve" || action === "edit";
  if (!approves && grant != null) report("grant", "is for the actions `approve` and `edit`: leave it out, or approve");
  if (!approves && enable) report("enable", "is for the actions `approve` and `edit`: leave it out, or approve");
  if (action !== "approve" && endorse) report("endorse", 'is for `"action": "approve"`: leave it out, or approve');
  if (action !== "deny" && reason != null) report("reason", 'is for `"action": "deny"`: leave it out');
  if (action !== "edit") {
    for (const name of ["arguments", "unset"] as const)
      if (fields[name] != null) report(name, 'is for `"action": "edit"`: send that, or leave it out');
    return;
  }
  const members = Object.keys(set ?? {});
  if (members.length === 0 && (unset ?? []).length === 0)
    report("arguments", "or `unset` must say what the edit changes; to change nothing, approve");
  const both = unset?.find((name) => members.includes(name));
  if (both !== undefined) report("unset", `names \`${both.slice(0, 64)}\`, which \`arguments\` sets: choose one`);
}

/** For `transform`, after `checkAnswer`. */
export function toAnswer({
  action,
  arguments: set,
  unset,
  reason,
  grant,
  enable,
  endorse,
}: AnswerFields): ApprovalAnswer {
  return {
    action: action ?? undefined,
    changes: action === "edit" ? { set: set ?? {}, unset: unset ?? [] } : undefined,
    reason: reason ?? null,
    grant: grant ?? undefined,
    enables: enable === true,
    endorses: endorse === true,
  };
}
