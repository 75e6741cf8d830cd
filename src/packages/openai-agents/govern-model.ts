/** One call of an agent's model: a turn of the gateway, whose reply is the model's answer. */
import type { AgentInputItem, AgentOutputItem, ModelRequest, ModelResponse } from "@openai/agents";
import { Usage } from "@openai/agents";
import type { JsonObject } from "../../lib/json/json-value.ts";
import type { StepRequest } from "../../ports/model-port.ts";
import type { ReleasedCall } from "../../wire/call-parts.ts";
import type { CallLedger } from "../kernel/call-ledger.ts";
import { settleTurn } from "../kernel/ended-turn.ts";
import type { ChatTurn, Kernel } from "../kernel/kernel.ts";
import { ToolgateError } from "../kernel/toolgate-error.ts";
import { type Denial, takeDenials } from "../kernel/waiting-calls.ts";
import { keepThoughts, type WholeModel, wholeModel } from "../kernel/whole-model.ts";
import { type EndedTurn, inParagraphs, type WholeReply } from "../kernel/whole-reply.ts";
import { assistantItem, callItem, chatMessages, modelInput, type ResultItem } from "./chat-messages.ts";
import { readAnswer } from "./read-answer.ts";

export interface GovernedCalls {
  readonly kernel: Kernel;
  readonly ledger: CallLedger;
  /** Names of tools that run only what was released. */
  readonly guarded: Set<string>;
  /** By the id of a call: the answer that made it. */
  readonly thoughts: Map<string, readonly AgentOutputItem[]>;
  /** The last request to the model. */
  lastTurn: Pick<ChatTurn, "model" | "messages" | "tools">;
}

type Answers = WholeModel<ModelResponse>;

/** @param ask one call of the model itself. @param reply where the turn's words go. */
export async function runModel(
  calls: GovernedCalls,
  request: ModelRequest,
  ask: (request: ModelRequest, step: StepRequest) => Promise<ModelResponse>,
  { reply, stream }: { readonly reply: WholeReply; readonly stream: boolean },
): Promise<ModelResponse> {
  const { kernel, thoughts } = calls;
  refuseUnseen(request);
  const model = wholeModel<ModelResponse>(async (step) => {
    const answer = readAnswer(await ask(stepRequest(request, step, thoughts), step), stream ? undefined : step.links);
    keepThoughts(thoughts, answer.calls, answer.native.output);
    return answer;
  });
  const { input, answers } = await deniedAnswers(kernel, request.input);
  const turn = chatTurn(calls, request, input, stream);
  calls.lastTurn = turn;
  await kernel.run({ ...turn, ...(answers.length > 0 ? { answers } : {}) }, model.port, reply);
  const ended = await reply.ended;
  return responseOf(ended, model, await settleTurn(calls, ended, model.thrown), stream);
}

/** The turn can judge only a conversation that it sees, not one that the provider keeps. */
function refuseUnseen({ previousResponseId, conversationId, prompt }: ModelRequest): void {
  const unseen = { previousResponseId, conversationId, prompt };
  const named = Object.entries(unseen).find(([, value]) => value !== undefined);
  if (!named) return;
  throw new ToolgateError(
    `\`${named[0]}\` is not supported: the provider would add messages or tools that the policy does not see. Give the agent a session or the whole input`,
    "unsupported_parameter",
  );
}

function chatTurn(
  calls: GovernedCalls,
  request: ModelRequest,
  input: ModelRequest["input"],
  stream: boolean,
): ChatTurn {
  const { kernel, guarded } = calls;
  const { tools, handoffs, modelSettings, outputType, systemInstructions, signal } = request;
  const isGuarded = handoffs.length === 0 && tools.every(({ name }) => guarded.has(name));
  const { toolChoice } = modelSettings;
  const isWord = toolChoice === undefined || ["auto", "required", "none"].includes(toolChoice);
  return {
    model: "model",
    messages: chatMessages(systemInstructions, input),
    tools: [...tools.map(wireTool), ...handoffs.map(wireHandoff)],
    toolChoice: isWord ? toolChoice : { type: "function", function: { name: toolChoice } },
    stream,
    jsonMode: outputType !== "text",
    approvals: kernel.approvals === "native" && isGuarded ? "native" : "inline",
    signal,
  };
}

function wireTool(tool: ModelRequest["tools"][number]): JsonObject {
  if (tool.type === "function") {
    const { name, description, parameters, strict } = tool;
    return { type: "function", function: { name, description, parameters, strict } };
  }
  throw new ToolgateError(
    `the tool \`${tool.name}\` is of type \`${tool.type}\`, whose calls cannot be vetted: only function tools are supported`,
    "unsupported_tool",
  );
}

/** A handoff to another agent is a tool like any other. */
const wireHandoff = (handoff: ModelRequest["handoffs"][number]): JsonObject => ({
  type: "function",
  function: { name: handoff.toolName, description: handoff.toolDescription, parameters: handoff.inputJsonSchema },
});

function stepRequest(request: ModelRequest, step: StepRequest, thoughts: GovernedCalls["thoughts"]): ModelRequest {
  const { instructions, items } = modelInput(step.messages, thoughts);
  const given = new Map(request.tools.map((tool) => [tool.name, tool]));
  const handed = new Set(request.handoffs.map(({ toolName }) => toolName));
  const offered = new Set(step.tools.map(({ name }) => name));
  const tools = step.tools
    .filter(({ name }) => !handed.has(name))
    .map(
      ({ name, description = "", parameters }) =>
        given.get(name) ?? {
          type: "function" as const,
          name,
          description,
          parameters: (parameters ?? NO_PARAMETERS) as typeof NO_PARAMETERS,
          strict: false,
        },
    );
  const { toolChoice: _choice, ...modelSettings } = request.modelSettings;
  const choice = tools.length > 0 || handed.size > 0 ? choiceOf(step.toolChoice) : undefined;
  return {
    ...request,
    systemInstructions: instructions,
    input: items,
    tools,
    handoffs: request.handoffs.filter(({ toolName }) => offered.has(toolName)),
    modelSettings: choice === undefined ? modelSettings : { ...modelSettings, toolChoice: choice },
    signal: step.signal,
  };
}

const NO_PARAMETERS = {
  type: "object" as const,
  properties: {},
  required: [] as string[],
  additionalProperties: true as const,
};

const choiceOf = (choice: unknown): string | undefined =>
  typeof choice === "string" ? choice : (choice as { function?: { name?: string } } | undefined)?.function?.name;

function responseOf(
  { ending, note, preface, usage }: EndedTurn,
  { answers }: Answers,
  released: readonly ReleasedCall[],
  stream: boolean,
): ModelResponse {
  const last = answers.at(-1);
  const spoken = stream ? answers.map(({ text }) => text) : [last && isKept(ending) ? last.text : ""];
  const own = ending.kind === "stop" ? ending.text : ending.kind === "answer" ? (ending.lines ?? "") : "";
  const text = inParagraphs([preface, ...spoken, own]);
  const isCut = last?.dropped !== undefined;
  const thoughts = isCut ? [] : (last?.native.output ?? []).filter(({ type }) => type === "reasoning");
  const total = new Usage();
  for (const { native } of answers) total.add(native.usage);
  return {
    usage: total,
    output: [
      // Providers want thoughts back only together with the output that followed them.
      ...(ending.kind === "answer" && ending.step ? thoughts : []),
      // Without any item an agent would ask its model again.
      ...(text === "" && !isCut ? [] : [assistantItem(text)]),
      ...released.map(({ id, tool: name, arguments: args }) => callItem({ id, name, arguments: args })),
    ],
    ...(last?.native.responseId === undefined ? {} : { responseId: last.native.responseId }),
    providerData: { toolgate: note, ...(usage ? { usage } : {}) },
  };
}

const isKept = (ending: EndedTurn["ending"]): boolean =>
  ending.kind === "answer" ? ending.step !== undefined : ending.stopReason === "awaiting_approval";

/** The SDK itself writes a result for a call that a person rejects. The turn takes it as the answer, and reports it to the model. */
async function deniedAnswers(kernel: Kernel, input: ModelRequest["input"]) {
  if (typeof input === "string") return { input, answers: [] };
  const isResult = (item: AgentInputItem): item is ResultItem => item.type === "function_call_result";
  const trailing = input.slice(input.findLastIndex((item) => !isResult(item)) + 1).filter(isResult);
  const denied = new Map(trailing.map((item) => [item.callId, denialOf(item)]));
  const { ids, answers } = await takeDenials(kernel, denied);
  const isOther = (item: AgentInputItem) =>
    !((isResult(item) || item.type === "function_call") && ids.has((item as { callId: string }).callId));
  return { input: input.filter(isOther), answers };
}

function denialOf({ name: tool, output }: ResultItem): Denial {
  const reason = typeof output === "string" ? output : output && "text" in output ? String(output.text) : undefined;
  return { tool, reason };
}
