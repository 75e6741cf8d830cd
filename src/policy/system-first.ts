/**
 * Which call an intent has that the system could make without asking the model, and whether a client's `tool_choice` lets it.
 * Pure. Source: reference/intent-detection-and-safe-tools.md, part 4.1: the primary tool.
 */
import type { CompiledPolicy } from "./compile.ts";
import type { CompiledIntent } from "./intents.ts";

export interface PrimaryCall {
  readonly intent: CompiledIntent;
  readonly tool: string;
}

/** @param managed names of the tools that the gateway runs now; undefined where there are none. */
export function primaryCall(
  policy: CompiledPolicy,
  [name, ...others]: readonly string[],
  managed: ReadonlySet<string> | undefined,
): PrimaryCall | undefined {
  if (!managed || name === undefined || others.length > 0) return undefined;
  const intent = policy.intents.get(name);
  const tool = intent?.primaryTool;
  return intent && tool !== undefined && managed.has(tool) ? { intent, tool } : undefined;
}
