/** The port to Toolgate's own tools. */
import type { BuiltinRun, builtinNames } from "../policy/document/run-parts.ts";
import type { ExecutionResult } from "./execution-result.ts";
import type { PreparedCall } from "./tool-runner.ts";

export type BuiltinName = (typeof builtinNames)[number];

export interface BuiltinDefinition {
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface BuiltinPort {
  definition(tool: BuiltinName): BuiltinDefinition;
  /** Within `call.deadline`. What it throws is told as `unavailable`, without its message. */
  run(call: PreparedCall, tool: BuiltinName, settings: BuiltinRun): Promise<ExecutionResult>;
}
