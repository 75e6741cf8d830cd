/** The messages of the conversation, with a field for the result of each call that was released to the application. */
import type { Message, ToolCall } from "../../api-views/chat-views.ts";
import { texts } from "./texts.ts";

type ToolMessage = Extract<Message, { role: "tool" }>;

interface TranscriptProps {
  readonly messages: readonly Message[];
  readonly onResult: (message: ToolMessage) => void;
}

export function Transcript({ messages, onResult }: TranscriptProps) {
  const given = new Set(messages.flatMap((message) => (message.role === "tool" ? [message.tool_call_id] : [])));
  const calls = messages.flatMap((message) => (message.role === "assistant" ? (message.tool_calls ?? []) : []));
  const open = calls.find(({ id }) => !given.has(id));
  return (
    <>
      <ol class="transcript" aria-live="polite">
        {messages.map((message, index) => (
          <Line key={`${index} ${message.role}`} message={message} />
        ))}
      </ol>
      {open && <ResultForm key={open.id} call={open} onResult={onResult} />}
    </>
  );
}

function Line({ message }: { readonly message: Message }) {
  switch (message.role) {
    case "user":
      return (
        <li class="bubble mine">
          <span class="hint">{texts.you}</span>
          <p>{message.content}</p>
        </li>
      );
    case "tool":
      return (
        <li class="bubble">
          <span class="hint">{texts.result}</span>
          <pre class="json">{message.content}</pre>
        </li>
      );
    case "assistant":
      return (
        <li class="bubble">
          <span class="hint">{texts.model_}</span>
          {message.content && <p>{message.content}</p>}
          {message.tool_calls?.map(({ id, function: { name, arguments: args } }) => (
            <div key={id}>
              <p class="mono">{texts.calls(name)}</p>
              <pre class="json">{args}</pre>
            </div>
          ))}
        </li>
      );
  }
}

/** The page runs no tools: the user types the result. */
function ResultForm({
  call,
  onResult,
}: {
  readonly call: ToolCall;
  readonly onResult: (message: ToolMessage) => void;
}) {
  return (
    <form
      class="stacked padded"
      onSubmit={(event) => {
        event.preventDefault();
        const content = String(new FormData(event.currentTarget).get("result") ?? "");
        onResult({ role: "tool", tool_call_id: call.id, content });
      }}
    >
      <label>
        {texts.giveResult(call.function.name)}
        <textarea name="result" rows={2} class="mono" defaultValue='{"ok":true}' />
      </label>
      <button type="submit" class="button">
        {texts.give}
      </button>
    </form>
  );
}
