/** A chat model of LangChain that answers from a script, and streams what it answers. */
import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";

interface Options extends BaseChatModelCallOptions {
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

export interface Asked {
  readonly messages: readonly BaseMessage[];
  readonly tools: readonly string[];
}

export class ScriptedChatModel extends BaseChatModel<Options> {
  readonly asked: Asked[] = [];
  private answers: readonly AIMessage[] = [];

  constructor() {
    super({});
  }

  script(...answers: readonly AIMessage[]): void {
    this.asked.length = 0;
    this.answers = answers;
  }

  _llmType(): string {
    return "scripted";
  }

  override bindTools(tools: BindToolsInput[], more?: Partial<Options>) {
    return this.withConfig({
      ...more,
      tools: tools.map((tool) => convertToOpenAITool(tool as never)),
    } as Partial<Options>);
  }

  async _generate(messages: BaseMessage[], options: this["ParsedCallOptions"]): Promise<ChatResult> {
    const message = this.next(messages, options);
    return { generations: [{ text: message.text, message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const { content, tool_calls: calls = [], response_metadata } = this.next(messages, options);
    const message = new AIMessageChunk({
      content,
      response_metadata,
      tool_call_chunks: calls.map(({ id, name, args }, index) => ({
        id,
        name,
        args: JSON.stringify(args),
        index,
        type: "tool_call_chunk",
      })),
    });
    const chunk = new ChatGenerationChunk({ text: message.text, message });
    yield chunk;
    await runManager?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk });
  }

  private next(messages: readonly BaseMessage[], { tools = [] }: Options): AIMessage {
    this.asked.push({ messages, tools: tools.map(({ function: { name } }) => name) });
    const [answer, ...others] = this.answers;
    if (!answer) throw new Error("the script has no more answers");
    this.answers = others;
    return answer;
  }
}

export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly args: Record<string, unknown>;
}

export const callsTools = (...calls: readonly ScriptedCall[]): AIMessage =>
  new AIMessage({
    content: "",
    tool_calls: calls.map((call) => ({ ...call, type: "tool_call" })),
    // As providers send them, beside what the framework reads.
    additional_kwargs: {
      tool_calls: calls.map(({ id, name, args }) => ({
        id,
        type: "function",
        function: { name, arguments: JSON.stringify(args) },
      })),
    },
    response_metadata: { finish_reason: "tool_calls" },
  });

export const says = (content: string): AIMessage =>
  new AIMessage({ content, response_metadata: { finish_reason: "stop" } });
