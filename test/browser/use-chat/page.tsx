/** A page as the documentation says to write it: `useChat`, and the questions of the gateway in it. */
import { Chat, useChat } from "@ai-sdk/react";
import {
  DefaultChatTransport,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from "ai";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { ToolApproval, useToolApproval } from "../../../src/packages/react/index.ts";

const tools = {
  write_file: {
    description: "Write a file, replacing what it held",
    inputSchema: {
      type: "object",
      properties: { path: { type: "string" }, content: { type: "string" }, mode: { type: "integer" } },
      required: ["path", "content"],
    },
  },
};

/** What the page's tool was asked to do. */
const done: unknown[] = [];
Object.assign(window, { done });

/** Kept by the address: a page that is loaded again goes on with its chat. */
const resumed = new URLSearchParams(location.search).get("resume");

const chat: Chat<UIMessage> = new Chat({
  ...(resumed === null ? {} : { id: resumed }),
  transport: new DefaultChatTransport({
    api: "/api/chat",
    headers: {
      "x-toolgate-approvals": "native",
      ...(resumed === null ? {} : { "x-toolgate-resume": "true" }),
    },
    body: { model: "test-model", tools },
  }),
  sendAutomaticallyWhen: (options) =>
    lastAssistantMessageIsCompleteWithToolCalls(options) ||
    lastAssistantMessageIsCompleteWithApprovalResponses(options),
  onToolCall({ toolCall }) {
    done.push(toolCall);
    void chat.addToolOutput({ tool: "write_file", toolCallId: toolCall.toolCallId, output: "written" });
  },
});

function Page() {
  const helpers = useChat({ chat, resume: resumed !== null });
  const approvals = useToolApproval(helpers);
  const [text, setText] = useState("");
  return (
    <main>
      <h1>Chat</h1>
      {helpers.messages.map((message) => (
        <article key={message.id} className={message.role}>
          {message.parts.map((part, at) => {
            const key = `${message.id}-${at}`;
            if (part.type === "text") return <p key={key}>{part.text}</p>;
            if (!isToolUIPart(part)) return null;
            return (
              <div key={key}>
                <ToolApproval part={part} approvals={approvals} />
                <p className="state">{part.state}</p>
              </div>
            );
          })}
        </article>
      ))}
      {helpers.error && <p role="alert">{helpers.error.message}</p>}
      <p role="status">{helpers.status}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void helpers.sendMessage({ text });
          setText("");
        }}
      >
        <label>
          Message <input value={text} onChange={(event) => setText(event.target.value)} />
        </label>
      </form>
    </main>
  );
}

createRoot(document.getElementById("root") as HTMLElement).render(<Page />);
