/** What a person saw and wrote in a conversation, as output of the tests for people to read. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { root } from "../../../src/cli/settings.ts";

const folder = join(root, "node_modules/.cache/toolgate/transcripts");

export async function keepTranscript(name: string, messages: readonly ChatCompletionMessageParam[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.md`), messages.flatMap(told).join("\n\n"));
}

function told(message: ChatCompletionMessageParam): string[] {
  if (message.role === "user") return [`### The person\n\n${message.content}`];
  if (message.role === "tool") return [`_The frontend ran it:_ \`${message.content}\``];
  if (message.role !== "assistant") return [];
  const calls = (message.tool_calls ?? []).map((call) =>
    call.type === "function" ? `_Released:_ \`${call.function.name}(${call.function.arguments})\`` : "",
  );
  const words = typeof message.content === "string" && message.content !== "" ? [message.content] : [];
  return ["### The assistant", ...words, ...calls];
}
