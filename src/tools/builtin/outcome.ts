/** What came of a built-in tool, before the runner bounds and marks it. */
import type * as z from "zod";
import { err, ok, type Result } from "../../lib/result.ts";
import type { RunFailure, RunStatus } from "../run.ts";

export type BuiltinOutcome =
  | { readonly status: "succeeded"; readonly value: unknown }
  | {
      readonly status: Exclude<RunStatus, "started" | "succeeded">;
      readonly failure: RunFailure;
      /** For a person and the record; holds no argument. */
      readonly detail: string;
      /** What the model is told of it. */
      readonly value: { readonly error: string };
    };

export const done = (value: unknown): BuiltinOutcome => ({ status: "succeeded", value });

/** It could not be done, and nothing was. @param detail for the record; what the model is told unless `told` says more. */
export const failed = (detail: string, told = detail): BuiltinOutcome => ({
  status: "failed",
  failure: "tool_failed",
  detail,
  value: { error: told },
});

export const notStarted = (failure: RunFailure, detail: string): BuiltinOutcome => ({
  status: "not_started",
  failure,
  detail,
  value: { error: detail },
});

/** The arguments were vetted by a schema; the policy may have set one that says less than the tool must know. */
export function readArguments<T>(schema: z.ZodType<T>, args: unknown): Result<T, BuiltinOutcome> {
  const read = schema.safeParse(args);
  if (read.success) return ok(read.data);
  const [issue] = read.error.issues;
  return err(notStarted("arguments_unfit", issue?.message ?? "the arguments do not fit"));
}
