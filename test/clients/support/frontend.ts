/**
 * A chat frontend around the official OpenAI client that knows nothing of the gateway: it sends the whole history, runs the
 * tools that the reply calls, sends their results, and shows the words.
 */
import type OpenAI from "openai";
import type {
  ChatCompletionMessage,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from "openai/resources/chat/completions";

export interface FrontendOptions {
  readonly client: OpenAI;
  /** None where the gateway runs all tools. */
  readonly tools?: ChatCompletionTool[];
  readonly stream: boolean;
  /** Runs a call; what it returns is sent to the model. */
  readonly run: (tool: string, args: Readonly<Record<string, unknown>>) => Promise<unknown>;
  /** How often the model was called since its script was set. */
  readonly modelCalls: () => number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reply {
  /** All words that the person sees until it is their turn again. */
  readonly text: string;
  readonly message: ChatCompletionMessage;
  readonly finish: string;
  /** What the gateway tells clients that look for it; a stock client does not. */
  readonly toolgate: { readonly stop_reason: string; readonly approvals: readonly AskedCall[] };
}

export interface AskedCall {
  readonly id: string;
  readonly code: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly disclosure: string;
  readonly question: string;
}

interface Ran {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** As it was called when the tool ran. */
  readonly modelCalls: number;
}

export interface Frontend {
  readonly messages: ChatCompletionMessageParam[];
  /** What ran since the person's last words. */
  readonly ran: readonly Ran[];
  /** Until the reply that calls no tool. */
  say(content: string): Promise<Reply>;
  /** The same history once more, as a client does that lost the reply, or that adds to the body. */
  again(extra?: object): Promise<Reply>;
}

export function openFrontend({ client, tools, stream, run, modelCalls, headers = {} }: FrontendOptions): Frontend {
  const messages: ChatCompletionMessageParam[] = [];
  let ran: Ran[] = [];

  async function send(extra: object): Promise<Omit<Reply, "text">> {
    const body = { model: "gpt", messages: [...messages], tools, ...extra };
    const completion = stream
      ? await streamed(client, body, headers)
      : await client.chat.completions.create(body, { headers });
    const [choice] = completion.choices;
    if (!choice) throw new Error("the reply has no choice");
    const { toolgate } = completion as unknown as Pick<Reply, "toolgate">;
    return { message: choice.message, finish: choice.finish_reason, toolgate };
  }

  async function converse(extra: object = {}): Promise<Reply> {
    let words = "";
    for (let first = true; ; first = false) {
      const reply = await send(first ? extra : {});
      messages.push(reply.message);
      words += reply.message.content ?? "";
      const calls = reply.message.tool_calls ?? [];
      if (calls.length === 0) return { ...reply, text: words };
      for (const call of calls) {
        if (call.type !== "function") throw new Error(`a call of type ${call.type}`);
        const { name: tool, arguments: text } = call.function;
        const args = JSON.parse(text) as Record<string, unknown>;
        ran.push({ tool, args, modelCalls: modelCalls() });
        const result = await run(tool, args);
        messages.push({ role: "tool", tool_call_id: call.id, content: JSON.stringify(result) });
      }
    }
  }

  return {
    messages,
    get ran() {
      return ran;
    },
    say(content) {
      ran = [];
      messages.push({ role: "user", content });
      return converse();
    },
    again(extra) {
      ran = [];
      return converse(extra);
    },
  };
}

/** The client puts a stream together by itself, but for the member that it does not know. */
async function streamed(
  client: OpenAI,
  body: { model: string; messages: ChatCompletionMessageParam[]; tools?: ChatCompletionTool[] },
  headers: Readonly<Record<string, string>>,
) {
  let toolgate: unknown;
  const stream = client.chat.completions.stream(body, { headers });
  stream.on("chunk", (chunk) => {
    toolgate = (chunk as { toolgate?: unknown }).toolgate ?? toolgate;
  });
  return { ...(await stream.finalChatCompletion()), toolgate };
}
