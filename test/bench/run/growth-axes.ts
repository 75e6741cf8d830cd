/** What grows, and how: requests with more tools, a longer history, policies with more intents. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { codingTools, type Message, type RequestOptions } from "./requests.ts";

export interface Axis {
  readonly name: string;
  /** Each the double of an earlier one at its end, so that the last doubling can be looked at. */
  readonly sizes: readonly number[];
  readonly unit: string;
  readonly slopeUnit: string;
  /** Milliseconds for a step of `sizes` to `slopeUnit`. */
  readonly scale: number;
  readonly request: (size: number) => RequestOptions;
  /** The policy in force; the embedded one unless told. */
  readonly policy?: (size: number) => unknown;
}

export const axes: readonly Axis[] = [
  {
    name: "tools in the request",
    sizes: [10, 30, 60, 125, 250, 500],
    unit: "tools",
    slopeUnit: "µs a tool",
    scale: 1000,
    request: (size) => ({ tools: manyTools(size) }),
  },
  {
    name: "history of the conversation",
    sizes: [10, 50, 125, 250, 500, 1000, 2000],
    unit: "KB",
    slopeUnit: "ms a MB",
    scale: 1000,
    request: (size) => ({ history: longHistory(size * 1000) }),
  },
  {
    name: "intents in the policy",
    sizes: [1, 50, 125, 250, 500, 1000],
    unit: "intents",
    slopeUnit: "µs an intent",
    scale: 1000,
    request: () => ({}),
    policy: policyWithIntents,
  },
];

/** The coding agent's tools again and again, each under a name of its own. */
function manyTools(count: number): unknown[] {
  const known = codingTools as readonly { readonly type: string; readonly function: { readonly name: string } }[];
  return Array.from({ length: count }, (_, i) => {
    const tool = known[i % known.length] ?? { type: "function", function: { name: "tool" } };
    const name = i < known.length ? tool.function.name : `${tool.function.name}_${i}`;
    return { ...tool, function: { ...tool.function, name } };
  });
}

/** Messages of about 2,000 characters, the user's and the assistant's in turn. */
function longHistory(bytes: number): Message[] {
  const text = "The test fails where two writers meet: the second finds the file half written, and gives up. ";
  const roles = ["user", "assistant"] as const;
  return Array.from({ length: Math.max(2, Math.round(bytes / 2000)) }, (_, i) => ({
    role: roles[i % 2] ?? "user",
    content: `${i}: ${text.repeat(21)}`,
  }));
}

const basePolicy = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../policies/default.json"), "utf8"),
) as Record<string, unknown>;

export function policyWithIntents(count: number): unknown {
  const intents = Array.from({ length: count }, (_, i) => [
    `INTENT_${i}`,
    {
      description: `work of kind ${i} on the user's project`,
      keywords: [`kind ${i}`, `work ${i}`, `job ${i}`],
      patterns: [`(do|start|finish)\\s+(the\\s+)?(work|job)\\s+${i}\\b`],
      examples: [`please do the work of kind ${i}`],
      tools: ["category:read_only", "edit_file", "write_file", `tool_${i}`],
    },
  ]);
  return { ...basePolicy, intents: Object.fromEntries(intents) };
}
