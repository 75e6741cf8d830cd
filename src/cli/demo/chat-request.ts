/** A chat request as the demo model reads it: its tools, the user's last message, and what has happened since. Pure. */
import { withoutClientText } from "../../intent/user-message/without-client-text.ts";
import type { ScriptedCall } from "../write-answer.ts";
import { type Json, objectOf } from "./fill-arguments.ts";

export interface DemoTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: unknown;
}

export type DemoRequest = ReturnType<typeof readRequest>;

export function readRequest(body: unknown) {
  const { messages: all, tools, tool_choice: choice, response_format: format } = objectOf(body);
  const messages = listOf(all);
  const at = messages.findLastIndex(({ role }) => role === "user");
  const since = messages.slice(at + 1);
  const before = messages.slice(messages.findLastIndex(({ role }, index) => index < at && role !== "tool") + 1, at);
  const calls = new Map(
    messages.flatMap(({ tool_calls: made }) => listOf(made).map((call) => [call.id, callOf(call)])),
  );
  // Results right before the message belong to a question that it answers.
  const relevant = since.some(({ role }) => role === "tool") ? since : before;
  const named = objectOf(objectOf(choice).function).name;
  return {
    system: textOf(messages.find(({ role }) => role === "system")?.content),
    /** The user's last message, without a client's wrappers. */
    message: withoutClientText(messages[at]?.content) ?? "",
    wish: textOf(messages.find(({ role }) => role === "user")?.content),
    tools: listOf(tools).flatMap((tool) => toolOf(tool.function)),
    /** How often tools were called since the message. */
    rounds: since.filter(({ tool_calls }) => listOf(tool_calls).length > 0).length,
    results: relevant.flatMap(({ role, tool_call_id: id, content }) =>
      role === "tool" ? [{ ...(calls.get(id) ?? callOf({})), text: textOf(content) }] : [],
    ),
    choice: typeof named === "string" ? { tool: named } : choice,
    /** Whether JSON is requested. */
    format: /^json/.test(String(objectOf(format).type)) ? objectOf(objectOf(format).json_schema) : undefined,
  };
}

/** @returns none for a tool without a name. */
export function toolOf(definition: unknown): DemoTool[] {
  const { name, description, parameters } = objectOf(definition);
  return typeof name === "string" ? [{ name, description: String(description ?? ""), parameters }] : [];
}

/** @returns also whether it selects an intent, as the handshake's calls do. */
function callOf(call: Json) {
  const { name, arguments: args } = objectOf(call.function);
  return { tool: String(name), selects: /^\s*\{\s*"intents?"\s*:/.test(String(args)) };
}

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(objectOf) : []);

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === "string" ? content : "";
  return content.map((part) => String(objectOf(part).text ?? "")).join("\n");
}

interface DirectedStep {
  readonly say: string;
  readonly calls: readonly ScriptedCall[];
}

/**
 * Directives make the demo model a test double. They may be anywhere in the user's message, one a line or in backticks:
 *
 *     demo: call NAME {json}        calls NAME with exactly these bytes as arguments, offered or not
 *     demo: then call NAME {json}   the same, in a step of its own after the results of the calls before
 *     demo: say TEXT                streams TEXT
 *
 * Arguments end with the line (or the closing backtick). They may be broken JSON; none means `{}`.
 * @returns the steps that the message dictates; empty if it dictates nothing.
 */
export function readDirectives(message: string): readonly DirectedStep[] {
  const steps: { say: string; calls: ScriptedCall[] }[] = [];
  for (const [, inline, line] of message.matchAll(/`demo:([^`\n]*)`|^[^`\n]*?\bdemo:(.*)$/gim)) {
    const directive = (inline ?? line ?? "").trim();
    const call = /^(then\s+)?call\s+(\S+)\s*(.*)$/i.exec(directive);
    const say = /^say\s+(.*)$/i.exec(directive);
    if (!call && !say) continue;
    const last = steps.at(-1);
    const step = last && !call?.[1] ? last : { say: "", calls: [] };
    if (step !== last) steps.push(step);
    if (call) step.calls.push({ name: call[2] ?? "", arguments: call[3]?.trim() || "{}" });
    if (say) step.say += `${step.say === "" ? "" : "\n"}${say[1]}`;
  }
  return steps;
}
