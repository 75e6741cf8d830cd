/** One call of a governed model: a turn of the gateway, whose reply is the model's answer. */
import type {
  JSONSchema7,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import type { JsonObject } from "../../lib/json/json-value.ts";
import type { NativeAnswer } from "../../wire/approval-answers.ts";
import type { CallLedger } from "../kernel/call-ledger.ts";
import { failureOf, waitingCalls } from "../kernel/ended-turn.ts";
import type { ChatTurn, Kernel } from "../kernel/kernel.ts";
import { ToolgateError } from "../kernel/toolgate-error.ts";
import { type Denial, takeDenials } from "../kernel/waiting-calls.ts";
import { keepThoughts } from "../kernel/whole-model.ts";
import { chatMessages } from "./chat-messages.ts";
import { sdkModel } from "./sdk-model.ts";
import type { AssistantPart } from "./step-reader.ts";
import { partsReply } from "./turn-parts.ts";

type Part = LanguageModelV4StreamPart;

/** Shared by all models of one toolgate. */
export interface GovernedCalls {
  readonly kernel: Kernel;
  readonly ledger: CallLedger;
  /** Names of tools that run only what was released. */
  readonly guarded: Set<string>;
  /** By the id of a call: the model's thoughts with it. */
  readonly memory: Map<string, readonly AssistantPart[]>;
}

export interface ModelTurn {
  readonly calls: GovernedCalls;
  readonly model: LanguageModelV4;
  readonly params: LanguageModelV4CallOptions;
}

interface Target {
  readonly stream: boolean;
  readonly signal: AbortSignal;
  readonly open: () => boolean;
  send(parts: readonly Part[]): void;
  ready(): Promise<void>;
  begun(): void;
  failed(error: unknown): void;
}

/** Never rejects: what fails is reported to the target. */
export async function runTurnOf({ calls, model, params }: ModelTurn, target: Target): Promise<void> {
  const { kernel, ledger, memory } = calls;
  try {
    const { prompt, answers } = await deniedAnswers(kernel, params.prompt);
    const sdk = sdkModel({
      model,
      params,
      memory,
      remember: ({ parts }) => keepThoughts(memory, callsIn(parts), parts),
      sink: { part: (part) => parts.take(part), ready: target.ready },
    });
    const parts = partsReply({
      model: model.modelId,
      onlyLastStep: !target.stream || params.responseFormat?.type === "json",
      send: target.send,
      begun: target.begun,
      answers: () => sdk.answers,
      waiting: (note) => waitingCalls(kernel, note),
      released: (released) => ledger.release(released),
      failed: (ending) => target.failed(failureOf(ending, sdk.thrown)),
      isOpen: target.open,
    });
    const request = chatTurn({ calls, model, params }, prompt, answers, target);
    await kernel.run(request, sdk.port, parts.reply);
  } catch (error) {
    target.failed(error);
  }
}

function chatTurn(
  { calls: { guarded, kernel }, model, params }: ModelTurn,
  prompt: LanguageModelV4Prompt,
  answers: readonly NativeAnswer[],
  { stream, signal }: Target,
): ChatTurn {
  const tools = (params.tools ?? []).map(wireTool);
  // A framework's own approval is effective only if the tool itself waits for it.
  const isNative = (params.tools ?? []).every(({ name }) => guarded.has(name));
  return {
    model: model.modelId,
    messages: chatMessages(prompt),
    tools,
    toolChoice: wireChoice(params.toolChoice),
    stream,
    jsonMode: params.responseFormat?.type === "json",
    ...(answers.length > 0 ? { answers } : {}),
    approvals: kernel.approvals === "native" && isNative ? "native" : "inline",
    signal,
  };
}

interface ToolParts {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: JSONSchema7;
  readonly strict?: boolean | undefined;
}

export const chatTool = ({ name, description, inputSchema, strict }: ToolParts): JsonObject => ({
  type: "function",
  function: {
    name,
    ...(description === undefined ? {} : { description }),
    parameters: inputSchema,
    ...(strict === undefined ? {} : { strict }),
  },
});

function wireTool(tool: NonNullable<LanguageModelV4CallOptions["tools"]>[number]): JsonObject {
  if (tool.type === "function") return chatTool(tool);
  const message = `the tool \`${tool.name}\` is run by the provider: its calls cannot be vetted before they run`;
  throw new ToolgateError(message, "unsupported_tool");
}

function wireChoice(choice: LanguageModelV4CallOptions["toolChoice"]): unknown {
  if (!choice) return undefined;
  return choice.type === "tool" ? { type: "function", function: { name: choice.toolName } } : choice.type;
}

const callsIn = (parts: readonly AssistantPart[]): readonly { readonly id: string }[] =>
  parts.flatMap((part) => (part.type === "tool-call" ? [{ id: part.toolCallId }] : []));

/** The user's refusals in the prompt. The turn takes them as answers, and reports them to the model itself. */
async function deniedAnswers(
  kernel: Kernel,
  prompt: LanguageModelV4Prompt,
): Promise<{ readonly prompt: LanguageModelV4Prompt; readonly answers: readonly NativeAnswer[] }> {
  const denied = new Map<string, Denial>();
  for (let at = prompt.length - 1; prompt[at]?.role === "tool"; at -= 1) {
    const message = prompt[at];
    if (message?.role !== "tool") continue;
    for (const part of message.content)
      if (part.type === "tool-result" && part.output.type === "execution-denied")
        denied.set(part.toolCallId, { reason: part.output.reason });
  }
  if (denied.size === 0) return { prompt, answers: [] };
  const { ids, answers } = await takeDenials(kernel, denied);
  return {
    prompt: prompt.map((message) => withoutCalls(message, ids)).filter(({ content }) => content.length > 0),
    answers,
  };
}

function withoutCalls(message: LanguageModelV4Prompt[number], ids: ReadonlySet<string>): LanguageModelV4Prompt[number] {
  if (message.role !== "assistant" && message.role !== "tool") return message;
  const isOther = (part: { readonly type: string; readonly toolCallId?: string }) =>
    part.toolCallId === undefined || !ids.has(part.toolCallId);
  const content = (message.content as { readonly type: string; readonly toolCallId?: string }[]).filter(isOther);
  return content.length === message.content.length ? message : ({ ...message, content } as typeof message);
}
