/**
 * Directives make the demo model a test double. They stand anywhere in the user's message, one a line or in backticks:
 *
 *     demo: call NAME {json}        calls NAME with exactly these bytes as arguments, offered or not
 *     demo: then call NAME {json}   the same, in a step of its own after the results of the calls before
 *     demo: say TEXT                streams TEXT
 *
 * Arguments are everything up to the end of the line (or the closing backtick). They may be broken JSON; none means `{}`.
 */
import type { ScriptedCall } from "../write-answer.ts";

export interface DirectedStep {
  readonly say: string;
  readonly calls: readonly ScriptedCall[];
}

/** The steps that a message dictates; empty where it dictates nothing. Pure. */
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
