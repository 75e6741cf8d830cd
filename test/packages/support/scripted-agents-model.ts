/** A model of the OpenAI Agents SDK that answers from a script, the same in one piece and as a stream. */
import {
  type AgentOutputItem,
  type Model,
  type ModelRequest,
  type ModelResponse,
  type StreamEvent,
  Usage,
} from "@openai/agents";

export class ScriptedAgentsModel implements Model {
  readonly asked: ModelRequest[] = [];
  /** How the answers end, as a chat completion says it; undefined: it says nothing. */
  finish: string | undefined;
  private answers: readonly (readonly AgentOutputItem[])[] = [];

  script(...answers: readonly (readonly AgentOutputItem[])[]): void {
    this.asked.length = 0;
    this.answers = answers;
  }

  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    return {
      usage: new Usage({ requests: 1, inputTokens: 10, outputTokens: 5, totalTokens: 15 }),
      output: [...this.next(request)],
      providerData: { choices: [{ finish_reason: this.finish }] },
    };
  }

  async *getStreamedResponse(request: ModelRequest): AsyncGenerator<StreamEvent> {
    const output = this.next(request);
    yield { type: "response_started" };
    for (const item of output) {
      yield { type: "model", event: item };
      if (item.type !== "message") continue;
      const [part] = item.content as { text: string }[];
      for (const delta of part?.text.split(/(?<= )/) ?? []) yield { type: "output_text_delta", delta };
    }
    yield { type: "model", event: { choices: [{ finish_reason: this.finish }] } };
    const usage = { requests: 1, inputTokens: 10, outputTokens: 5, totalTokens: 15 };
    yield { type: "response_done", response: { id: "r", usage, output: output as never } };
  }

  private next(request: ModelRequest): readonly AgentOutputItem[] {
    this.asked.push(request);
    const [answer, ...others] = this.answers;
    if (!answer) throw new Error("the script has no more answers");
    this.answers = others;
    return answer;
  }
}

export const says = (text: string): AgentOutputItem => ({
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text }],
});

export const calls = (callId: string, name: string, args: unknown): AgentOutputItem => ({
  type: "function_call",
  callId,
  name,
  arguments: JSON.stringify(args),
  status: "completed",
});

export const toolNames = ({ tools, handoffs }: ModelRequest): readonly string[] => [
  ...tools.map(({ name }) => name),
  ...handoffs.map(({ toolName }) => toolName),
];
