/** What the demo model says, always by its name: nobody shall take it for a language model. Pure. */
import { fillArguments } from "./fill-arguments.ts";
import { findHandshake } from "./handshake.ts";
import type { ToolReport } from "./read-turn.ts";
import { type DemoTool, object } from "./tool-schema.ts";

/** A result is quoted up to so many characters. */
const QUOTE = 240;

/** Who it is, what it was offered, and how to get a real model. */
export function answer(tools: readonly DemoTool[]): string {
  const names = tools.map(({ name }) => `\`${name}\``).join(", ");
  const offered =
    tools.length === 0 ? "no tools" : `${tools.length} ${tools.length === 1 ? "tool" : "tools"}: ${names}`;
  return (
    `This is Toolgate's demo model: it matches words with tools by rules and understands nothing. ` +
    `In this step it was offered ${offered}. ` +
    (tools.length === 0 ? "" : "Ask for something that one of them does, or name it, and it will be called. ") +
    "For real answers set UPSTREAM_BASE_URL to an OpenAI-compatible provider."
  );
}

/** What came of the calls since the last message. The handshake's own result tells nothing that was asked for. */
export function reportResults(results: readonly ToolReport[], tools: readonly DemoTool[]): string {
  const handshake = findHandshake(tools)?.tool;
  const told = results.filter(({ tool, failed }) => failed || tool !== handshake);
  if (told.length === 0) {
    const names = tools.filter(({ name }) => name !== handshake).map(({ name }) => `\`${name}\``);
    return `The demo model selected an intent, and none of the tools offered after it fits the message (${names.join(", ") || "none"}).`;
  }
  if (told.length === 1) return `The demo model ${tell(told[0] as ToolReport)}`;
  return `The demo model called ${told.length} tools:\n${told.map((report) => `- it ${tell(report)}`).join("\n")}`;
}

function tell({ tool, text, failed }: ToolReport): string {
  const flat = text.replace(/\s+/g, " ").trim();
  const quote = flat.length > QUOTE ? `${flat.slice(0, QUOTE)}…` : flat;
  if (failed) return `called \`${tool}\`, which failed: ${quote}`;
  return quote === "" ? `called \`${tool}\`, which returned nothing` : `called \`${tool}\`, which returned: ${quote}`;
}

/** The answer where JSON is asked for: an object of the schema's shape, or `{ model, answer }`. */
export function answerJson(schema: unknown, message: string, text: string): string {
  if (schema === undefined) return JSON.stringify({ model: "toolgate-demo", answer: text });
  const all = { ...object(schema), required: Object.keys(object(object(schema).properties)) };
  return JSON.stringify(fillArguments(all, { text: message === "" ? "demo model" : message }));
}
