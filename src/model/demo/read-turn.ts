/** What the demo model reads of a prompt: the last user message and what has happened since. Pure. */
import type { LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from "@ai-sdk/provider";

export interface ToolReport {
  readonly tool: string;
  readonly text: string;
  /** The value, where the result was JSON. */
  readonly value?: unknown;
  readonly failed: boolean;
}

export interface DemoTurn {
  readonly message: string;
  /** The tools called since the message, one list per assistant message that called any. */
  readonly rounds: readonly (readonly string[])[];
  /** The results since the message, in order. */
  readonly results: readonly ToolReport[];
  /** Those that came after the last round. */
  readonly latest: readonly ToolReport[];
  /** Those right before the message: it answered the gateway's question about their calls, and nothing was said of them yet. */
  readonly untold: readonly ToolReport[];
}

export function readTurn(prompt: LanguageModelV4Prompt): DemoTurn {
  const start = prompt.findLastIndex(({ role }) => role === "user");
  const user = prompt[start];
  const words = user?.role === "user" ? user.content.map((part) => (part.type === "text" ? part.text : "")) : [];
  const rounds: string[][] = [];
  const results: ToolReport[] = [];
  let seen = 0;
  for (const message of prompt.slice(start + 1)) {
    const { role, content } = message;
    if (role === "assistant") {
      const called = content.flatMap((part) => (part.type === "tool-call" ? [part.toolName] : []));
      if (called.length === 0) continue;
      rounds.push(called);
      seen = results.length;
    } else if (role === "tool") {
      results.push(...reportsIn([message]));
    }
  }
  const untold = reportsIn(
    prompt.slice(prompt.findLastIndex(({ role }, at) => at < start && role !== "tool") + 1, start),
  );
  return { message: withoutContext(words.join("\n")), rounds, results, latest: results.slice(seen), untold };
}

const reportsIn = (messages: LanguageModelV4Prompt): ToolReport[] =>
  messages.flatMap(({ role, content }) =>
    role === "tool" ? content.flatMap((part) => (part.type === "tool-result" ? [report(part)] : [])) : [],
  );

/** Frontends put surroundings into the user's message; they are not what the user asked. */
function withoutContext(text: string): string {
  return ["system-reminder", "environment_details", "context"].reduce(without, text).trim();
}

function without(text: string, tag: string): string {
  const kept: string[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf(`<${tag}>`, from);
    const end = start < 0 ? -1 : text.indexOf(`</${tag}>`, start);
    if (end < 0) return kept.join("") + text.slice(from);
    kept.push(text.slice(from, start));
    from = end + tag.length + 3;
  }
}

function report({ toolName, output }: LanguageModelV4ToolResultPart): ToolReport {
  switch (output.type) {
    case "text":
    case "error-text":
      return { tool: toolName, text: output.value, failed: output.type === "error-text" || isErrorText(output.value) };
    case "execution-denied":
      return { tool: toolName, text: output.reason ?? "execution denied", failed: true };
    case "json":
    case "error-json": {
      const text = typeof output.value === "string" ? output.value : JSON.stringify(output.value);
      const failed = output.type === "error-json" || isErrorValue(output.value);
      return { tool: toolName, text, value: output.value, failed };
    }
    case "content": {
      const text = output.value.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join(" ");
      return { tool: toolName, text, failed: isErrorText(text) };
    }
  }
}

/** The last two are how the gateway begins the result of a call that it ran in vain. */
const isErrorText = (text: string) => /^\s*(tool_policy_blocked|error\b|\[failed\b|\[not done\b)/i.test(text);

function isErrorValue(value: unknown): boolean {
  if (typeof value === "string") return isErrorText(value);
  if (typeof value !== "object" || value === null) return false;
  const { error, isError, ok, success } = value as Record<string, unknown>;
  return (error != null && error !== false) || isError === true || ok === false || success === false;
}
