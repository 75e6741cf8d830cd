/** One call of an agent's model: a turn of the gateway, whose reply is the model's answer. */
import { AIMessage, type BaseMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import type { ModelRequest } from "langchain";
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import type { StepRequest } from "../../ports/model-port.ts";
import type { ReleasedCall } from "../../wire/call-parts.ts";
import type { CallLedger } from "../kernel/call-ledger.ts";
import { settleTurn } from "../kernel/ended-turn.ts";
import type { Kernel } from "../kernel/kernel.ts";
import { ToolgateError } from "../kernel/toolgate-error.ts";
import { type Denial, takeDenials } from "../kernel/waiting-calls.ts";
import { keepThoughts, type WholeAnswer, wholeModel } from "../kernel/whole-model.ts";
import { type EndedTurn, inParagraphs, wholeReply } from "../kernel/whole-reply.ts";
import { chatMessages, langchainMessages, rebuiltAnswer } from "./chat-messages.ts";
import { readAnswer } from "./read-answer.ts";

export interface GovernedCalls {
  readonly kernel: Kernel;
  readonly ledger: CallLedger;
  /** By the id of a call: the answer that made it. */
  readonly thoughts: Map<string, AIMessage>;
  /** The agent's tools in the last request of its model. */
  tools: readonly JsonObject[];
}

/** The members of an agent's model request that do not depend on its state and context. */
type AgentRequest = Pick<
  ModelRequest,
  "model" | "messages" | "systemMessage" | "systemPrompt" | "tools" | "toolChoice" | "responseFormat" | "runtime"
>;

/** Returned by the framework's handler: the answer, or a structured one that it has read. */
type HandlerResult = AIMessage | { readonly structuredResponse: unknown; readonly messages: readonly BaseMessage[] };

export type AskModel = (request: AgentRequest) => Promise<unknown>;

export async function governModel(calls: GovernedCalls, request: AgentRequest, ask: AskModel): Promise<AIMessage> {
  const { kernel, thoughts } = calls;
  const { signal } = request.runtime;
  let structured: HandlerResult | undefined;
  const model = wholeModel<AIMessage>(async (step) => {
    const result = (await ask(stepRequest(request, step, thoughts))) as HandlerResult;
    structured = "structuredResponse" in result ? result : undefined;
    if (structured) return structuredAnswer(structured, step);
    const answer = readAnswer(result as AIMessage, step.links);
    keepThoughts(thoughts, answer.calls, answer.native);
    return answer;
  });
  const { messages, answers } = await deniedAnswers(kernel, allMessages(request));
  calls.tools = request.tools.map(wireTool);
  const reply = wholeReply(modelName(request), signal);
  const turn = {
    model: modelName(request),
    messages: chatMessages(messages),
    tools: calls.tools,
    toolChoice: request.toolChoice,
    stream: false,
    jsonMode: request.responseFormat !== undefined,
    ...(answers.length > 0 ? { answers } : {}),
    signal,
  };
  await kernel.run(turn, model.port, reply);
  const ended = await reply.ended;
  const released = await settleTurn(calls, ended, model.thrown);
  // The structured answer that the framework has read is passed on as it is.
  if (structured && ended.ending.kind === "answer" && released.length === 0) return structured as unknown as AIMessage;
  return replyMessage(ended, model.answers.at(-1), released);
}

const modelName = ({ model }: AgentRequest): string => {
  const named = model as unknown as { readonly model?: unknown; readonly modelName?: unknown };
  const name = named.model ?? named.modelName;
  return typeof name === "string" && name !== "" ? name.slice(0, 200) : "model";
};

const allMessages = ({ systemMessage, messages }: AgentRequest): readonly BaseMessage[] =>
  systemMessage.text === "" ? messages : [systemMessage, ...messages];

function wireTool(given: AgentRequest["tools"][number]): JsonObject {
  const isClient = typeof (given as { readonly invoke?: unknown }).invoke === "function";
  if (isClient) return convertToOpenAITool(given as Parameters<typeof convertToOpenAITool>[0]) as unknown as JsonObject;
  const name = String((given as JsonObject).name ?? (given as JsonObject).type);
  throw new ToolgateError(
    `the tool \`${name}\` is run by the provider: its calls cannot be vetted before they run`,
    "unsupported_tool",
  );
}

/** Frameworks stream a model's tokens past its middleware: calls before they are vetted, words before they are guarded. */
const SILENT = ["langsmith:nostream", "nostream"];

function stepRequest(request: AgentRequest, step: StepRequest, thoughts: GovernedCalls["thoughts"]): AgentRequest {
  const messages = [...langchainMessages(step.messages, thoughts)];
  const systemMessage =
    messages[0] && SystemMessage.isInstance(messages[0]) ? (messages.shift() as SystemMessage) : undefined;
  const given = new Map(request.tools.map((one) => [String((one as { readonly name?: unknown }).name), one]));
  const tools = step.tools.map(
    ({ name, description = "", parameters }) =>
      given.get(name) ??
      tool(async () => "", { name, description, schema: (parameters ?? { type: "object", properties: {} }) as never }),
  );
  const model = request.model as unknown as { withConfig(config: object): typeof request.model };
  const system = systemMessage ?? new SystemMessage("");
  return {
    ...request,
    model: model.withConfig({ tags: SILENT }),
    messages,
    // Only one of `systemMessage` and `systemPrompt` may differ from the framework's own.
    ...(system.text === request.systemPrompt ? {} : { systemMessage: system }),
    tools,
    toolChoice: step.tools.length > 0 ? (step.toolChoice as AgentRequest["toolChoice"]) : undefined,
  };
}

/** A structured answer's calls are the answer itself: data that nothing runs. */
function structuredAnswer(
  { structuredResponse, messages }: Exclude<HandlerResult, AIMessage>,
  { links }: StepRequest,
): WholeAnswer<AIMessage> {
  const text = JSON.stringify(structuredResponse);
  const own = messages.find((one): one is AIMessage => AIMessage.isInstance(one)) ?? new AIMessage("");
  const filtered = links?.filterBody({ choices: [{ index: 0, message: { content: text } }] });
  const isChanged = filtered !== undefined && JSON.stringify(filtered).includes(JSON.stringify(text)) === false;
  const answer = readAnswer(rebuiltAnswer(own, text, []), undefined);
  const fault = isChanged ? "the structured answer holds a link that untrusted text may have chosen" : undefined;
  return { ...answer, calls: [], fault };
}

/** The model's words that are kept, and the gateway's own. */
function wordsOf(ending: EndedTurn["ending"], answer: WholeAnswer<AIMessage> | undefined): readonly string[] {
  if (ending.kind === "answer") return [ending.step ? (answer?.text ?? "") : "", ending.lines ?? ""];
  if (ending.kind === "stop") return [ending.words ?? "", ending.text];
  return [];
}

function replyMessage(
  { ending, note, preface }: EndedTurn,
  answer: WholeAnswer<AIMessage> | undefined,
  calls: readonly ReleasedCall[],
): AIMessage {
  const text = inParagraphs([preface, ...wordsOf(ending, answer)]);
  const message = rebuiltAnswer(
    answer?.native,
    text,
    calls.map(({ id, tool: name, arguments: args }) => ({ id, name, arguments: args })),
  );
  message.response_metadata = { ...message.response_metadata, toolgate: note };
  return message;
}

/** The member that marks a refusal in a message's artifact. */
export const DENIED = "toolgate_denied";

/** The user's refusals in the messages. The turn takes them as answers, and reports them to the model itself. */
async function deniedAnswers(kernel: Kernel, messages: readonly BaseMessage[]) {
  const denied = new Map<string, Denial>();
  for (const message of messages.slice(messages.findLastIndex((one) => AIMessage.isInstance(one)) + 1))
    if (ToolMessage.isInstance(message) && isObject(message.artifact) && message.artifact[DENIED] === true)
      denied.set(message.tool_call_id, { reason: message.text });
  const { ids, answers } = await takeDenials(kernel, denied);
  return { messages: messages.flatMap((message) => withoutCalls(message, ids)), answers };
}

function withoutCalls(message: BaseMessage, ids: ReadonlySet<string>): readonly BaseMessage[] {
  if (ToolMessage.isInstance(message)) return ids.has(message.tool_call_id) ? [] : [message];
  if (!AIMessage.isInstance(message) || !message.tool_calls?.some(({ id = "" }) => ids.has(id))) return [message];
  const left = message.tool_calls.filter(({ id = "" }) => !ids.has(id));
  return [
    rebuiltAnswer(
      message,
      message.text,
      left.map(({ id = "", name, args }) => ({ id, name, arguments: JSON.stringify(args) })),
    ),
  ];
}
