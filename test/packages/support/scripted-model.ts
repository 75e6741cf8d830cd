/** A model of the AI SDK that answers from a script, the same in one piece and as a stream. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { MockLanguageModelV4 } from "ai/test";

export type Answer = readonly LanguageModelV4StreamPart[];

const usage: LanguageModelV4Usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};

export const finish = (unified: LanguageModelV4FinishReason["unified"]): LanguageModelV4StreamPart => ({
  type: "finish",
  finishReason: { unified, raw: unified },
  usage,
});

export const text = (words: string, id = "0"): Answer => [
  { type: "text-start", id },
  ...words.split(/(?<= )/).map((delta) => ({ type: "text-delta" as const, id, delta })),
  { type: "text-end", id },
];

export const says = (words: string): Answer => [...text(words), finish("stop")];

export interface ScriptedCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
}

export const call = ({ id, tool, input }: ScriptedCall): Answer => {
  const json = typeof input === "string" ? input : JSON.stringify(input);
  return [
    { type: "tool-input-start", id, toolName: tool },
    { type: "tool-input-delta", id, delta: json },
    { type: "tool-input-end", id },
    { type: "tool-call", toolCallId: id, toolName: tool, input: json },
  ];
};

export const calls = (...made: readonly ScriptedCall[]): Answer => [...made.flatMap(call), finish("tool-calls")];

export interface ScriptedModel {
  readonly model: MockLanguageModelV4;
  /** What it was asked, in order. */
  readonly asked: readonly LanguageModelV4CallOptions[];
  script(...answers: readonly Answer[]): void;
  /** Called before each answer. */
  before: () => void;
}

export function scriptedModel(): ScriptedModel {
  const asked: LanguageModelV4CallOptions[] = [];
  let answers: readonly Answer[] = [];
  const next = (options: LanguageModelV4CallOptions): Answer => {
    asked.push(options);
    scripted.before();
    const [answer, ...others] = answers;
    if (!answer) throw new Error("the script has no more answers");
    answers = others;
    return answer;
  };
  const model = new MockLanguageModelV4({
    doGenerate: async (options) => whole(next(options)),
    doStream: async (options) => {
      const parts = next(options);
      return {
        stream: new ReadableStream({
          start(controller) {
            controller.enqueue({ type: "stream-start", warnings: [] });
            for (const part of parts) controller.enqueue(part);
            controller.close();
          },
        }),
      };
    },
  });
  const scripted: ScriptedModel = {
    model,
    asked,
    before() {},
    script: (...more) => {
      asked.length = 0;
      answers = more;
    },
  };
  return scripted;
}

function whole(parts: Answer): LanguageModelV4GenerateResult {
  const content: LanguageModelV4Content[] = [];
  let finishReason: LanguageModelV4FinishReason = { unified: "other", raw: undefined };
  for (const part of parts) {
    if (part.type === "text-start" || part.type === "reasoning-start")
      content.push({ type: part.type === "text-start" ? "text" : "reasoning", text: "" });
    const last = content.at(-1);
    if ((part.type === "text-delta" || part.type === "reasoning-delta") && last && "text" in last)
      last.text += part.delta;
    if (part.type === "tool-call") content.push(part);
    if (part.type === "finish") ({ finishReason } = part);
  }
  return { content, finishReason, usage, warnings: [] };
}

export const toolNames = ({ tools = [] }: LanguageModelV4CallOptions): readonly string[] =>
  tools.map(({ name }) => name);
