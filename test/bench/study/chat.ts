/** The client's side of a request, the same for every column: what the user says, and the answer to a question. */
import type { Agent } from "node:http";
import { accumulate, readSse } from "../../support/sse.ts";
import { exchange, type Sample, type Target } from "../run/exchange.ts";
import type { StudyRequest } from "./requests.ts";
import type { ModelMessage } from "./scripted-model.ts";

const system = "You are Hanachan, who helps people to learn Japanese and Korean. Be brief and kind.";

export interface Said {
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly turn: string | undefined;
  readonly sample: Sample;
}

/** One streamed completion. Throws where it is none. */
export async function complete(
  agent: Agent,
  target: Target,
  user: string,
  request: { readonly messages: readonly ModelMessage[]; readonly tools?: readonly unknown[] },
  started?: number,
): Promise<Said> {
  const body = { model: "scripted", stream: true, stream_options: { include_usage: true }, ...request };
  const { status, text, sample } = await exchange(agent, target, Buffer.from(JSON.stringify(body)), user, started);
  if (status !== 200) throw new Error(`status ${status}: ${text.slice(0, 300)}`);
  const { text: said, toolCalls, toolgate, error } = accumulate(await readSse(text));
  if (error !== undefined) throw new Error(`the reply broke off: ${JSON.stringify(error)}`);
  const turn = (toolgate as { readonly turn_id?: string } | undefined)?.turn_id;
  return { text: said, calls: toolCalls, turn, sample };
}

/** @param ask sends the messages and brings the reply. */
export async function converse(
  { text, answer }: StudyRequest,
  ask: (messages: readonly ModelMessage[]) => Promise<Said>,
): Promise<void> {
  const messages: ModelMessage[] = [
    { role: "system", content: system },
    { role: "user", content: text },
  ];
  const first = await ask(messages);
  if (answer === undefined) return;
  messages.push({ role: "assistant", content: first.text }, { role: "user", content: answer });
  await ask(messages);
}
