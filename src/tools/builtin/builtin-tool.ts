/** A tool that Toolgate itself brings. */
import * as z from "zod";
import { describeError, log } from "../../lib/log.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { type ExecutionResult, notStarted, failed as ranAndFailed, succeeded, unknown } from "../run.ts";
import type { PreparedCall } from "../tool-runner.ts";

/** With the decision's id: a call of the same one does nothing twice. */
type BuiltinCall = Pick<PreparedCall, "id" | "arguments"> & {
  readonly principal: Pick<PreparedCall["principal"], "tenant" | "user">;
};

/** One that works on what `Store` keeps. */
export interface ToolOn<Store> {
  /** For the model, where the policy has no words of its own. */
  readonly description: string;
  /** JSON Schema, where the policy gives none. */
  readonly parameters: Readonly<Record<string, unknown>>;
  run(call: BuiltinCall, store: Store): Promise<ExecutionResult>;
}

/** An object schema that takes nothing else. */
export const objectSchema = (
  properties: Readonly<Record<string, unknown>>,
  ...required: readonly string[]
): Readonly<Record<string, unknown>> => ({ type: "object", properties, required, additionalProperties: false });

export function done(value: Readonly<Record<string, unknown>>): ExecutionResult {
  const content = JSON.stringify(value);
  return succeeded(content, { bytes: Buffer.byteLength(content) });
}

/** It could not be done, and nothing was. @param told to the model alone, where it holds what the record must not. */
export const failed = (detail: string, told = ""): ExecutionResult =>
  ranAndFailed("tool_failed", detail, { content: told });

/** The arguments were vetted by a schema; the policy may have set one that says less than the tool must know. */
export function readArguments<T>(schema: z.ZodType<T>, args: unknown): Result<T, ExecutionResult> {
  const read = schema.safeParse(args);
  if (read.success) return ok(read.data);
  const [issue] = read.error.issues;
  return err(notStarted("arguments_unfit", issue?.message ?? "the arguments do not fit"));
}

/**
 * A change whose answer was lost is asked for once more: it is made by its decision, so it is not made twice. Where the store
 * fails again it is not known whether it was made.
 */
export async function writing(work: () => Promise<ExecutionResult>): Promise<ExecutionResult> {
  const first = await attempt(work);
  if (first.ok) return first.outcome;
  if (first.missing) return noStore();
  const second = await attempt(work);
  if (second.ok) return second.outcome;
  return unknown("unavailable", "the store failed");
}

export async function reading(work: () => Promise<ExecutionResult>): Promise<ExecutionResult> {
  const read = await attempt(work);
  if (read.ok) return read.outcome;
  return read.missing ? noStore() : failed("the store could not be read; try again later");
}

export const noStore = (): ExecutionResult => notStarted("unavailable", "this deployment has no store for this tool");

type Attempt =
  | { readonly ok: true; readonly outcome: ExecutionResult }
  | { readonly ok: false; readonly missing: boolean };

async function attempt(work: () => Promise<ExecutionResult>): Promise<Attempt> {
  try {
    return { ok: true, outcome: await work() };
  } catch (error) {
    log("error", "tools_store_failed", describeError(error));
    // A database that was bound and never migrated.
    return { ok: false, missing: /no such table/.test(String(error)) };
  }
}

const MOST = 50;
const USUAL = 10;

export const limitSchema = { type: "integer", minimum: 1, maximum: MOST, default: USUAL };

/** A policy's own schema may allow more than is given. */
export const limitOf = () =>
  z
    .int({ error: "`limit` must be a whole number" })
    .nullish()
    .transform((limit) => Math.min(MOST, Math.max(1, limit ?? USUAL)));
