/** What Toolgate's own tools tell of their runs. */
import type * as z from "zod";
import { err, ok, type Result } from "../../lib/result.ts";
import { notStarted, type Ran, failed as ranAndFailed, succeeded } from "../ran.ts";

export function done(value: Readonly<Record<string, unknown>>): Ran {
  const content = JSON.stringify(value);
  return succeeded(content, { bytes: Buffer.byteLength(content) });
}

/** It could not be done, and nothing was. @param told to the model alone, where it holds what the record must not. */
export const failed = (detail: string, told = ""): Ran => ranAndFailed("tool_failed", detail, { content: told });

/** The arguments were vetted by a schema; the policy may have set one that says less than the tool must know. */
export function readArguments<T>(schema: z.ZodType<T>, args: unknown): Result<T, Ran> {
  const read = schema.safeParse(args);
  if (read.success) return ok(read.data);
  const [issue] = read.error.issues;
  return err(notStarted("arguments_unfit", issue?.message ?? "the arguments do not fit"));
}
