/** Whether an answer is the one that the script holds: a fast wrong answer is no answer. */
import { accumulate, readSse } from "../../support/sse.ts";
import type { Workload } from "./requests.ts";
import { wordsSurfaces } from "./surfaces.ts";
import { scriptedWords } from "./upstream.ts";

/** What is wrong with an answer; nothing, if every word or the whole call came and the answer ended as it should. */
export async function findFault(status: number, text: string, workload: Workload): Promise<string | undefined> {
  if (status !== 200) return `status ${status}: ${text.slice(0, 300)}`;
  if (workload.surface !== "chat") return findSurfaceFault(text, workload.surface, workload.words);
  return workload.kind === "json" ? findJsonFault(text, workload) : findStreamFault(text, workload);
}

async function findSurfaceFault(
  text: string,
  surface: Exclude<Workload["surface"], "chat">,
  words: number,
): Promise<string | undefined> {
  const answer = wordsSurfaces[surface].read(await readSse(text));
  if (answer.error !== undefined) return `error event: ${JSON.stringify(answer.error).slice(0, 300)}`;
  if (answer.text !== scriptedWords(words).join("")) return `other words than the ${words} sent: ${text.slice(0, 300)}`;
  return answer.ended ? undefined : "the answer has no end";
}

async function findStreamFault(text: string, { kind, words }: Workload): Promise<string | undefined> {
  const result = accumulate(await readSse(text));
  if (result.error !== undefined) return `error event: ${JSON.stringify(result.error).slice(0, 300)}`;
  if (result.text !== scriptedWords(words).join(""))
    return `other words than the ${words} sent: ${result.text.slice(0, 100)}`;
  const calls = result.toolCalls.map((call) => `${call.name} ${call.arguments}`).join("; ");
  if (calls !== (kind === "tools" ? 'read_file {"path":"example"}' : "")) return `other calls than sent: ${calls}`;
  if (result.finishReason !== (kind === "tools" ? "tool_calls" : "stop")) return `finish reason ${result.finishReason}`;
  if (!result.usage) return "no usage";
  return result.done ? undefined : "no [DONE]";
}

interface Completion {
  readonly choices?: readonly { readonly message?: { readonly content?: unknown }; readonly finish_reason?: unknown }[];
}

function findJsonFault(text: string, { words }: Workload): string | undefined {
  let body: Completion;
  try {
    body = JSON.parse(text) as Completion;
  } catch {
    return `no JSON: ${text.slice(0, 100)}`;
  }
  const choice = body.choices?.[0];
  if (choice?.message?.content !== scriptedWords(words).join("")) return `other words: ${text.slice(0, 200)}`;
  return choice.finish_reason === "stop" ? undefined : `finish reason ${choice.finish_reason}`;
}
