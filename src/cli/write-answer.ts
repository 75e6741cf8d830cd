/** Writes a model's answer as an OpenAI-compatible provider does: streamed in pieces, or as one body. */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";

export interface ScriptedCall {
  readonly name: string;
  /** As the model writes them: text, which may be broken JSON. */
  readonly arguments: string;
}

export interface ModelAnswer {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** `tool_calls` or `stop` by default. */
  readonly finish?: string;
  /** The model's name; `scripted` by default. */
  readonly model?: string;
  readonly usage?: typeof usage;
}

export const usage = { prompt_tokens: 40, completion_tokens: 2, total_tokens: 42 };

export function writeAnswer(response: ServerResponse, streamed: boolean, answer: ModelAnswer): void {
  const { text, model = "scripted", usage: used = usage } = answer;
  const head = { id: `chatcmpl-${shortId()}`, created: Math.floor(Date.now() / 1000), model };
  const calls = (answer.calls ?? []).map((call) => ({ id: `call_${shortId()}`, type: "function", function: call }));
  const finish = answer.finish ?? (calls.length > 0 ? "tool_calls" : "stop");
  if (!streamed) {
    const plain = { role: "assistant", content: text ?? null, refusal: null };
    const message = calls.length > 0 ? { ...plain, tool_calls: calls } : plain;
    const choices = [{ index: 0, message, logprobs: null, finish_reason: finish }];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ...head, object: "chat.completion", choices, usage: used }));
    return;
  }
  const chunk = (delta: object, reason: string | null = null) => ({
    ...head,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
  });
  const chunks = [
    chunk({ role: "assistant", content: text === undefined ? null : "" }),
    ...words(text ?? "").map((content) => chunk({ content })),
    ...calls.flatMap((call, index) => fragments(call, index).map((one) => chunk({ tool_calls: [one] }))),
    chunk({}, finish),
    { ...head, object: "chat.completion.chunk", choices: [], usage: used },
  ];
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  response.end(`${chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("")}data: [DONE]\n\n`);
}

/** Unique over restarts: sessions outlive the process that named their calls. */
const shortId = (): string => randomUUID().replaceAll("-", "").slice(0, 12);

/** A call's opening, then its arguments in pieces, as providers send them. */
function fragments(call: { readonly id: string; readonly function: ScriptedCall }, index: number) {
  const pieces = call.function.arguments.match(/.{1,9}/gsu) ?? [];
  const opening = { index, ...call, function: { name: call.function.name, arguments: "" } };
  return [opening, ...pieces.map((text) => ({ index, function: { arguments: text } }))];
}

const words = (text: string): readonly string[] => text.match(/\S+\s*/gu) ?? [];
