/** Writes what a scripted model says as an OpenAI-compatible provider would: streamed in pieces, or as one body. */
import type { ServerResponse } from "node:http";

export interface ScriptedMessage {
  readonly text?: string;
  /** Arguments as the model writes them: text. */
  readonly calls?: readonly { readonly name: string; readonly arguments: string }[];
  /** `tool_calls` or `stop` unless told. */
  readonly finish?: string;
}

let count = 0;

export const usage = { prompt_tokens: 40, completion_tokens: 2, total_tokens: 42 };

export function writeAnswer(response: ServerResponse, streamed: boolean, message: ScriptedMessage): void {
  const head = { id: `chatcmpl-${++count}`, created: 1_790_000_000, model: "scripted" };
  const calls = (message.calls ?? []).map((call) => ({ id: `call_${++count}`, type: "function", function: call }));
  const finish = message.finish ?? (calls.length > 0 ? "tool_calls" : "stop");
  if (!streamed) {
    const said = { role: "assistant", content: message.text ?? null, refusal: null };
    const whole = calls.length > 0 ? { ...said, tool_calls: calls } : said;
    const choices = [{ index: 0, message: whole, logprobs: null, finish_reason: finish }];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ...head, object: "chat.completion", choices, usage }));
    return;
  }
  const chunk = (delta: object, reason: string | null = null) => ({
    ...head,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
  });
  const chunks = [
    chunk({ role: "assistant", content: message.text === undefined ? null : "" }),
    ...words(message.text ?? "").map((content) => chunk({ content })),
    ...calls.flatMap((call, index) => fragments(call, index).map((one) => chunk({ tool_calls: [one] }))),
    chunk({}, finish),
    { ...head, object: "chat.completion.chunk", choices: [], usage },
  ];
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  response.end(`${chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("")}data: [DONE]\n\n`);
}

/** A call's opening, then its arguments in pieces, as providers send them. */
function fragments(
  call: { readonly id: string; readonly function: { name: string; arguments: string } },
  index: number,
) {
  const pieces = call.function.arguments.match(/.{1,9}/gsu) ?? [];
  const opening = { index, ...call, function: { name: call.function.name, arguments: "" } };
  return [opening, ...pieces.map((text) => ({ index, function: { arguments: text } }))];
}

const words = (text: string): readonly string[] => text.match(/\S+\s*/gu) ?? [];
