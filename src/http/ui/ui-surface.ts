/** `POST /api/chat`: the AI SDK's UI messages, which `useChat` sends and shows. Pure except for the format of its reply. */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { err, ok } from "../../lib/result.ts";
import { readChatRequest } from "../../wire/chat-request.ts";
import { invalidRequest } from "../../wire/request-fault.ts";
import { problemOf } from "../problem.ts";
import type { Surface } from "../surface/surface.ts";
import { joinAnswers } from "./approval-parts.ts";
import { uiFormat } from "./ui-format.ts";
import { readUiMessages } from "./ui-messages.ts";

/** Applications add members of their own to a body, so only these go on to the provider. */
const SETTINGS = [
  ...["temperature", "top_p", "max_tokens", "max_completion_tokens", "stop", "seed", "presence_penalty"],
  ...["frequency_penalty", "reasoning_effort", "parallel_tool_calls", "tool_choice", "user", "metadata"],
] as const;

export const uiSurface: Surface = {
  read(body, { keptNumbers, defaultModel }) {
    const read = readBody(body, defaultModel);
    if (!read.ok) return err(problemOf(read.error));
    const { chat: chatBody, open } = read.value;
    const chat = readChatRequest(chatBody, keptNumbers);
    if (!chat.ok) return err(problemOf(chat.error));
    const names = new Set(chat.value.tools.map(({ name }) => name));
    return ok({
      chat: { ...chat.value, sessionId: read.value.id ?? chat.value.sessionId },
      user: body.user,
      format: uiFormat(open, names),
      isResumable: true,
    });
  },
};

function readBody(body: JsonObject, defaultModel: string | undefined) {
  const { id, model = defaultModel, system } = body;
  if (id != null && typeof id !== "string") return invalidRequest("`id` must be a string: it names the session", "id");
  if (model == null) return invalidRequest("`model` must be set: the gateway has no model of its own", "model");
  if (system != null && typeof system !== "string") return invalidRequest("`system` must be a string", "system");
  const read = readUiMessages(body.messages);
  if (!read.ok) return read;
  const approvals = joinAnswers(body.toolgate, read.value.answers, read.value.settled);
  if (!approvals.ok) return approvals;
  const tools = chatTools(body.tools);
  const settings = SETTINGS.filter((name) => body[name] != null).map((name) => [name, body[name]] as const);
  const chat: JsonObject = {
    ...Object.fromEntries(settings),
    model,
    messages: [...(system ? [{ role: "system", content: system }] : []), ...read.value.messages],
    ...(tools === undefined ? {} : { tools }),
    stream: true,
    stream_options: { include_usage: true },
    ...(approvals.value === undefined ? {} : { toolgate: approvals.value }),
  };
  return ok({ chat, open: read.value.open, id: id ?? undefined });
}

/** For lists that come again as the same objects (`parseKnowingTools`): what is known of their tools is remembered by identity. */
const readBefore = new WeakMap<object, readonly unknown[]>();

/** @param tools OpenAI's list, a list of the AI SDK's definitions, or such definitions by name. */
function chatTools(tools: unknown): unknown {
  if (tools == null) return undefined;
  const list = isObject(tools) ? Object.entries(tools).map(namedTool) : tools;
  if (!Array.isArray(list)) return list;
  if (list.length === 0) return undefined;
  const read = readBefore.get(list) ?? list.map(chatTool);
  readBefore.set(list, read);
  return read;
}

const namedTool = ([name, definition]: readonly [string, unknown]): unknown =>
  isObject(definition) ? { ...definition, type: definition.type ?? "function", name } : definition;

/** An entry that is no function of the client's is passed on unchanged, to be refused. */
function chatTool(tool: unknown): unknown {
  if (!isObject(tool) || tool.type !== "function" || "function" in tool) return tool;
  const { name, description, inputSchema, parameters = inputSchema, strict } = tool;
  const definition: JsonObject = { name };
  if (description != null) definition.description = description;
  if (parameters != null) definition.parameters = parameters;
  if (strict != null) definition.strict = strict;
  return { type: "function", function: definition };
}
