/** The AI SDK's own chat, as `useChat` drives it, against a gateway. */
import {
  AbstractChat,
  type ChatInit,
  type ChatStatus,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from "ai";
import { readSse } from "../../support/sse.ts";
import type { Gateway } from "../support/gateway.ts";

/** What the hook keeps in React's state. */
class State {
  status: ChatStatus = "ready";
  error: Error | undefined = undefined;
  messages: UIMessage[] = [];
  pushMessage = (message: UIMessage): void => {
    this.messages = [...this.messages, message];
  };
  popMessage = (): void => {
    this.messages = this.messages.slice(0, -1);
  };
  replaceMessage = (at: number, message: UIMessage): void => {
    this.messages = this.messages.map((one, index) => (index === at ? structuredClone(message) : one));
  };
  snapshot = <T>(thing: T): T => structuredClone(thing);
}

class Chat extends AbstractChat<UIMessage> {
  constructor(init: ChatInit<UIMessage>) {
    super({ ...init, state: new State() });
  }
}

/** An event of a UI message stream. */
export type UiEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

interface UiChat {
  readonly chat: Chat;
  /** Calls that the page was asked to run, in order. */
  readonly ran: { readonly id: string; readonly tool: string; readonly input: unknown }[];
  /** The events of each reply; `[DONE]` as one of its own type. */
  readonly replies: UiEvent[][];
  /** The bodies that were sent. */
  readonly sent: Record<string, unknown>[];
  /** The parts of the last message, without the marks of steps and the gateway's own part. */
  parts(): readonly UiEvent[];
}

export interface UiChatOptions {
  readonly tools?: unknown;
  readonly body?: Record<string, unknown>;
  readonly headers?: Record<string, string>;
  /** Runs a call of the page; without one it never answers. */
  readonly run?: (tool: string, input: unknown) => unknown;
  readonly id?: string;
}

export function uiChat(gate: Gateway, { tools, body, headers = {}, run, id = "chat-1" }: UiChatOptions = {}): UiChat {
  const [ran, replies, sent]: [UiChat["ran"], UiEvent[][], UiChat["sent"]] = [[], [], []];
  const chat: Chat = new Chat({
    id,
    transport: new DefaultChatTransport({
      body: { model: "test-model", ...(tools ? { tools } : {}), ...body },
      headers,
      fetch: async (path, init) => {
        if (init?.body) sent.push(JSON.parse(String(init.body)));
        const response = await gate.fetch(String(path), init as RequestInit);
        if (!response.ok || !response.body) return response;
        const [seen, passed] = response.body.tee();
        replies.push(await eventsOf(seen));
        return new Response(passed, response);
      },
    }),
    sendAutomaticallyWhen: (options) =>
      lastAssistantMessageIsCompleteWithToolCalls(options) ||
      lastAssistantMessageIsCompleteWithApprovalResponses(options),
    onToolCall({ toolCall: { toolCallId, toolName, input } }) {
      ran.push({ id: toolCallId, tool: toolName, input });
      // Not awaited: the SDK would wait for itself.
      if (run) void chat.addToolOutput({ tool: toolName, toolCallId, output: run(toolName, input) as never });
    },
  });
  return {
    chat,
    ran,
    replies,
    sent,
    parts: () =>
      ((chat.messages.at(-1)?.parts ?? []) as UiEvent[]).filter(
        ({ type }) => type !== "step-start" && type !== "data-toolgate",
      ),
  };
}

export const eventsOf = async (source: Response | ReadableStream<Uint8Array>): Promise<UiEvent[]> =>
  (await readSse(source)).flatMap(({ data, json }) =>
    data === undefined ? [] : [(json as UiEvent | undefined) ?? { type: data }],
  );

/** A request as `useChat` sends it. */
export const uiMessage = (role: string, ...parts: unknown[]): Record<string, unknown> => ({
  id: `m-${role}`,
  role,
  parts: parts.map((part) => (typeof part === "string" ? { type: "text", text: part } : part)),
});

export const postUi = (
  gate: Gateway,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
) =>
  gate.fetch("/api/chat", {
    json: { id: "chat-1", model: "test-model", ...body },
    headers,
    ...(signal ? { signal } : {}),
  });
