/** A model of the AI SDK as the turn's model: the offer's tools and the turn's messages go to it, all else as the caller set it. */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolChoice,
} from "@ai-sdk/provider";
import { isObject } from "../../lib/json/json-value.ts";
import { toFunctionTool } from "../../model/sdk/offer-middleware.ts";
import type { ModelPort, StepRequest } from "../../ports/model-port.ts";
import { refusal } from "../kernel/whole-model.ts";
import { promptOf, type StepMemory } from "./chat-messages.ts";
import { partsOf, type ReadAnswer, stepReader } from "./step-reader.ts";

/** Takes the parts of the answers. */
interface PartSink {
  /** @param spoken whether it holds the model's words: some spacing may be due before it. */
  part(part: LanguageModelV4StreamPart): void;
  /** Resolves when the reader has taken enough of it. */
  ready(): Promise<void>;
}

interface SdkModel {
  readonly port: ModelPort;
  /** The model's last error. */
  readonly thrown: unknown;
  /** The last answer. */
  readonly answer: ReadAnswer | undefined;
  /** All answers. */
  readonly answers: readonly ReadAnswer[];
}

interface ModelParts {
  readonly model: LanguageModelV4;
  readonly params: LanguageModelV4CallOptions;
  readonly memory: StepMemory;
  /** Keeps the parts of hidden exchanges. */
  readonly remember: (answer: ReadAnswer) => void;
  readonly sink: PartSink;
}

/** An event that has words, for the turn, which puts space between the words of two answers. The parts go beside the events. */
const WORDS = '"content":"x"';

export function sdkModel({ model, params, memory, remember, sink }: ModelParts): SdkModel {
  let thrown: unknown;
  const answers: ReadAnswer[] = [];
  const port: ModelPort = {
    async step(request, words, onHead) {
      const options = callOptions(params, request, memory);
      const reader = stepReader(request.links, answers.length === 0 ? "" : `${answers.length}-`);
      const pass = (parts: readonly LanguageModelV4StreamPart[]): void => {
        for (const part of parts) {
          if (part.type === "text-delta" && part.delta !== "") words.write(WORDS);
          sink.part(part);
        }
      };
      let begun = false;
      try {
        const parts = await answerParts(model, options, request.stream);
        begun = true;
        onHead({ status: 200, headers: new Headers() });
        for await (const part of parts) {
          pass(reader.take(part));
          if (reader.failed) break;
          await sink.ready();
        }
      } catch (error) {
        thrown = error;
        if (request.signal.aborted) return { kind: "aborted" };
        if (!begun) return refusal(error);
        pass(reader.take({ type: "error", error }));
      }
      if (request.signal.aborted) return { kind: "aborted" };
      const { held, answer } = reader.end();
      pass(held);
      answers.push(answer);
      remember(answer);
      return answer.outcome;
    },
  };
  return {
    port,
    get thrown() {
      return thrown;
    },
    get answer() {
      return answers.at(-1);
    },
    answers,
  };
}

async function answerParts(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  stream: boolean,
): Promise<AsyncIterable<LanguageModelV4StreamPart> | Iterable<LanguageModelV4StreamPart>> {
  if (stream) return (await model.doStream(options)).stream;
  const result = await model.doGenerate(options);
  const { warnings, response } = result;
  const { headers: _headers, body: _body, ...metadata } = response ?? {};
  return [{ type: "stream-start", warnings }, { type: "response-metadata", ...metadata }, ...partsOf(result)];
}

/** The raw answer is not requested: it would hold calls that are not vetted. */
function callOptions(
  { includeRawChunks: _raw, toolChoice: _choice, ...params }: LanguageModelV4CallOptions,
  request: StepRequest,
  memory: StepMemory,
): LanguageModelV4CallOptions {
  const given = new Map((params.tools ?? []).map((tool) => [tool.name, tool]));
  const tools = request.tools.map(
    (definition) =>
      (given.get(definition.name) as LanguageModelV4FunctionTool | undefined) ?? toFunctionTool(definition),
  );
  const toolChoice = tools.length > 0 ? sdkToolChoice(request.toolChoice) : undefined;
  return {
    ...params,
    prompt: promptOf(request.messages, memory),
    tools: tools.length > 0 ? tools : undefined,
    ...(toolChoice ? { toolChoice } : {}),
    abortSignal: request.signal,
  };
}

function sdkToolChoice(choice: unknown): LanguageModelV4ToolChoice | undefined {
  if (choice === "auto" || choice === "none" || choice === "required") return { type: choice };
  const name = isObject(choice) && isObject(choice.function) ? choice.function.name : undefined;
  return typeof name === "string" ? { type: "tool", toolName: name } : undefined;
}
