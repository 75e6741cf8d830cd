/** The type of a tool that Toolgate itself provides, and helpers for writing one. */
import * as z from "zod";
import { describeError, log } from "../../lib/log.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { type ExecutionResult, failed as failedRun, notStarted, succeeded, unknown } from "../run.ts";
import type { PreparedCall } from "../tool-runner.ts";

/** `id` is the decision's: a repeated call does nothing twice. */
export type BuiltinCall = Pick<PreparedCall, "id" | "arguments"> & {
  readonly principal: Pick<PreparedCall["principal"], "tenant" | "user">;
};

/** A tool that works on a `Store`. */
export interface BuiltinTool<Store> {
  /** For the model, if the policy has no description of its own. */
  readonly description: string;
  /** JSON Schema, if the policy gives none. */
  readonly parameters: Readonly<Record<string, unknown>>;
  run(call: BuiltinCall, store: Store): Promise<ExecutionResult>;
}

interface ToolParts<Store, Args> extends Pick<BuiltinTool<Store>, "description" | "parameters"> {
  readonly schema: () => z.ZodType<Args>;
  run(args: Args, store: Store, call: BuiltinCall): Promise<ExecutionResult>;
}

export const defineTool = <Store, Args>({ schema, run, ...tool }: ToolParts<Store, Args>): BuiltinTool<Store> => ({
  ...tool,
  async run(call, store) {
    const args = readArguments(schema(), call.arguments);
    return args.ok ? run(args.value, store, call) : args.error;
  },
});

/** An object schema that takes nothing else. */
export const objectSchema = (
  properties: Readonly<Record<string, unknown>>,
  ...required: readonly string[]
): Readonly<Record<string, unknown>> => ({ type: "object", properties, required, additionalProperties: false });

export function done(value: Readonly<Record<string, unknown>>): ExecutionResult {
  const content = JSON.stringify(value);
  return succeeded(content, { bytes: Buffer.byteLength(content) });
}

/** It could not be done, and nothing was. @param content for the model only, if it holds what the record must not. */
export const failed = (detail: string, content = ""): ExecutionResult => failedRun("tool_failed", detail, { content });

/** The arguments were vetted by a schema; the policy may have set a looser one than the tool needs. */
export function readArguments<T>(schema: z.ZodType<T>, args: unknown): Result<T, ExecutionResult> {
  const read = schema.safeParse(args);
  if (read.success) return ok(read.data);
  const [issue] = read.error.issues;
  return err(notStarted("arguments_unfit", issue?.message ?? "the arguments do not fit"));
}

/**
 * A change whose answer was lost is sent once more: the store knows it by its decision, so it is not made twice. If the store
 * fails again, it is not known whether it was made.
 */
export async function writing(work: () => Promise<ExecutionResult>): Promise<ExecutionResult> {
  const first = await attempt(work);
  const result = first === "failed" ? await attempt(work) : first;
  if (first === "no_store") return noStore();
  return typeof result === "string" ? unknown("unavailable", "the store failed") : result;
}

export async function reading(work: () => Promise<ExecutionResult>): Promise<ExecutionResult> {
  const result = await attempt(work);
  if (result === "no_store") return noStore();
  return result === "failed" ? failed("the store could not be read; try again later") : result;
}

export const noStore = (): ExecutionResult => notStarted("unavailable", "this deployment has no store for this tool");

async function attempt(work: () => Promise<ExecutionResult>): Promise<ExecutionResult | "failed" | "no_store"> {
  try {
    return await work();
  } catch (error) {
    log("error", "tools_store_failed", describeError(error));
    // A database that was bound and never migrated.
    return /no such table/.test(String(error)) ? "no_store" : "failed";
  }
}

const MOST = 50;
const USUAL = 10;

export const limitSchema = { type: "integer", minimum: 1, maximum: MOST, default: USUAL };

/** A policy's own schema may allow more than is supported. */
export const limitOf = () =>
  z
    .int({ error: "`limit` must be a whole number" })
    .nullish()
    .transform((limit) => Math.min(MOST, Math.max(1, limit ?? USUAL)));
