/** The gateway that the AI SDK suggests: `streamText`, its parts encoded again as OpenAI chunks. Governs nothing. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  generateText,
  jsonSchema,
  type LanguageModelUsage,
  type ModelMessage,
  streamText,
  type TextStreamPart,
  type ToolSet,
  tool,
} from "ai";

interface Env {
  readonly UPSTREAM_BASE_URL: string;
  readonly UPSTREAM_API_KEY: string;
}

interface ChatRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: readonly { readonly function: { name: string; description?: string; parameters: object } }[];
}

const finishReasons: Readonly<Record<string, string>> = {
  "tool-calls": "tool_calls",
  "content-filter": "content_filter",
};

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    if (new URL(request.url).pathname === "/health") return new Response("ok");
    const body = (await request.json()) as ChatRequest;
    const provider = createOpenAICompatible({
      name: "upstream",
      baseURL: env.UPSTREAM_BASE_URL,
      apiKey: env.UPSTREAM_API_KEY,
      includeUsage: true,
    });
    const options = {
      model: provider(body.model),
      system: body.messages.find(({ role }) => role === "system")?.content,
      messages: body.messages.filter(({ role }) => role !== "system") as ModelMessage[],
      tools: readTools(body.tools ?? []),
      abortSignal: request.signal,
    };
    if (!body.stream) return Response.json(completion(await generateText(options), body.model));
    const result = streamText(options);
    return new Response(encode(result.stream, body.model), { headers: { "content-type": "text/event-stream" } });
  },
};

interface Generated {
  readonly text: string;
  readonly finishReason: string;
  readonly totalUsage: LanguageModelUsage;
}

function completion({ text, finishReason, totalUsage }: Generated, model: string): object {
  const message = { role: "assistant", content: text };
  const finish_reason = finishReasons[finishReason] ?? finishReason;
  return {
    ...identity("chat.completion", model),
    choices: [{ index: 0, message, finish_reason }],
    usage: wireUsage(totalUsage),
  };
}

const identity = (object: string, model: string) => ({
  id: `chatcmpl-${crypto.randomUUID()}`,
  object,
  created: Math.floor(Date.now() / 1000),
  model,
});

function wireUsage({ inputTokens, outputTokens, totalTokens }: LanguageModelUsage): object {
  return { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: totalTokens };
}

function readTools(tools: NonNullable<ChatRequest["tools"]>): ToolSet {
  return Object.fromEntries(
    tools.map(({ function: { name, description, parameters } }) => [
      name,
      tool({ description, inputSchema: jsonSchema(parameters) }),
    ]),
  );
}

function encode(parts: AsyncIterable<TextStreamPart<ToolSet>>, model: string): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  void write(parts, model, writable.getWriter());
  return readable;
}

async function write(
  parts: AsyncIterable<TextStreamPart<ToolSet>>,
  model: string,
  writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
  const encoder = new TextEncoder();
  const base = identity("chat.completion.chunk", model);
  const send = (data: object) => writer.write(encoder.encode(`data: ${JSON.stringify({ ...base, ...data })}\n\n`));
  const sendDelta = (delta: object, finish_reason: string | null = null) =>
    send({ choices: [{ index: 0, delta, finish_reason }] });
  let calls = 0;
  await sendDelta({ role: "assistant", content: "" });
  for await (const part of parts) {
    if (part.type === "text-delta") await sendDelta({ content: part.text });
    else if (part.type === "reasoning-delta") await sendDelta({ reasoning_content: part.text });
    else if (part.type === "tool-call") {
      const fn = { name: part.toolName, arguments: JSON.stringify(part.input) };
      await sendDelta({ tool_calls: [{ index: calls++, id: part.toolCallId, type: "function", function: fn }] });
    } else if (part.type === "error") {
      await send({ error: { message: String(part.error), type: "upstream_error", code: null, param: null } });
    } else if (part.type === "finish") {
      await sendDelta({}, finishReasons[part.finishReason] ?? part.finishReason);
      await send({ choices: [], usage: wireUsage(part.totalUsage) });
    }
  }
  await writer.write(encoder.encode("data: [DONE]\n\n"));
  await writer.close();
}
