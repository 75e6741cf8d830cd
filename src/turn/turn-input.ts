/** Makes the input of a turn, from a chat's request or without a chat. */
import { ok, type Result } from "../lib/result.ts";
import type { CompiledPolicy } from "../policy/compile.ts";
import { withInferred } from "../policy/infer/with-inferred.ts";
import type { Principal } from "../session/principal.ts";
import type { ToolRunner } from "../tools/tool-runner.ts";
import type { ChatRequest } from "../wire/chat-request.ts";
import { readConversation } from "../wire/conversation.ts";
import type { RequestFault } from "../wire/request-fault.ts";
import { checkToolChoice } from "../wire/tool-choice.ts";
import { joinTools, type TurnInput } from "./turn.ts";

/**
 * The parts that follow from a chat's request alone.
 * @param ownTools the tools that an inferring policy judges, if they are not the request's.
 */
export async function chatTurnInput(
  runner: Pick<ToolRunner, "managed"> | undefined,
  policy: CompiledPolicy,
  principal: Principal,
  chat: ChatRequest,
  ownTools = chat.tools,
): Promise<Result<Pick<TurnInput, "policy" | "managed" | "request" | "conversation">, RequestFault>> {
  // With several choices, each would have to continue from a tool's result on its own: no tool is managed then.
  const known = chat.choices > 1 ? undefined : await runner?.managed(policy, principal);
  const managed = known && known.names.size > 0 ? known : undefined;
  const choice = checkToolChoice(chat.toolChoice, joinTools(chat.tools, managed).all);
  if (!choice.ok) return choice;
  const inferring = withInferred(managed?.policy ?? policy, ownTools);
  return ok({ policy: inferring, managed, request: chat, conversation: readConversation(chat.messages) });
}

/** The request of a turn that no chat began: a run of a plan, an undo outside a chat, or a call made by a client's own model. */
export const ownRequest = (
  parts: Partial<Pick<ChatRequest, "messages" | "tools" | "model">> = {},
): TurnInput["request"] => ({
  messages: [],
  tools: [],
  model: "",
  sessionId: undefined,
  body: {},
  toolChoice: { kind: "auto", explicit: false },
  choices: 1,
  stream: false,
  includeUsage: false,
  jsonMode: false,
  answers: undefined,
  providerFields: [],
  ...parts,
});

type RequiredTurnFields =
  | "id"
  | "principal"
  | "policy"
  | "digest"
  | "sessionId"
  | "mode"
  | "channel"
  | "work"
  | "signal";

/** A turn that no chat began. Without messages, unless `parts` brings some. */
export const turnWithoutChat = (parts: Pick<TurnInput, RequiredTurnFields> & Partial<TurnInput>): TurnInput => ({
  includeRuns: false,
  request: ownRequest(),
  conversation: {
    newMessage: undefined,
    previousReply: undefined,
    results: [],
    firstMessageDigest: "",
    conversationKey: undefined,
  },
  clientRetry: false,
  reset: false,
  headers: {},
  ...parts,
});
