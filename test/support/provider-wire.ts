/** Answers in the wire formats of Anthropic and Google, as their documentation has them. */

export interface WireCall {
  readonly id: string;
  readonly name: string;
  /** JSON text, in the pieces in which it is sent. */
  readonly args: readonly string[];
  /** Google's. */
  readonly signature?: string;
}

export interface WireStep {
  readonly thinking?: { readonly text: string; readonly signature: string };
  readonly redacted?: string;
  readonly text?: readonly string[];
  readonly calls?: readonly WireCall[];
  /** The provider's own word. */
  readonly stop?: string;
}

export const call = (id: string, name: string, args: unknown = {}, signature?: string): WireCall => {
  const text = JSON.stringify(args);
  return { id, name, args: [text.slice(0, 5), text.slice(5)], ...(signature === undefined ? {} : { signature }) };
};

/** The events of an answer of `POST /v1/messages`. */
export function anthropicEvents({ thinking, redacted, text = [], calls = [], stop }: WireStep): string[] {
  const events: { readonly type: string; readonly [key: string]: unknown }[] = [];
  let index = 0;
  const block = (content_block: object, deltas: readonly object[]) => {
    events.push({ type: "content_block_start", index, content_block });
    for (const delta of deltas) events.push({ type: "content_block_delta", index, delta });
    events.push({ type: "content_block_stop", index });
    index += 1;
  };
  const usage = {
    input_tokens: 30,
    cache_creation_input_tokens: 7,
    cache_read_input_tokens: 100,
    output_tokens: 1,
    service_tier: "standard",
  };
  const message = {
    id: "msg_01",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5-20250929",
    content: [],
  };
  events.push({ type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null, usage } });
  events.push({ type: "ping" });
  if (thinking) {
    const { text: thought, signature } = thinking;
    block({ type: "thinking", thinking: "", signature: "" }, [
      { type: "thinking_delta", thinking: thought.slice(0, 4) },
      { type: "thinking_delta", thinking: thought.slice(4) },
      { type: "signature_delta", signature },
    ]);
  }
  if (redacted !== undefined) block({ type: "redacted_thinking", data: redacted }, []);
  if (text.length > 0)
    block(
      { type: "text", text: "" },
      text.map((one) => ({ type: "text_delta", text: one })),
    );
  for (const { id, name, args } of calls)
    block({ type: "tool_use", id, name, input: {} }, [
      { type: "input_json_delta", partial_json: "" },
      ...args.map((partial_json) => ({ type: "input_json_delta", partial_json })),
    ]);
  const reason = stop ?? (calls.length > 0 ? "tool_use" : "end_turn");
  events.push({
    type: "message_delta",
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: 20 },
  });
  events.push({ type: "message_stop" });
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

/** The events of an answer of `POST /v1beta/models/…:streamGenerateContent?alt=sse`. */
export function googleEvents({ thinking, text = [], calls = [], stop }: WireStep): string[] {
  const parts: object[] = [
    ...(thinking ? [{ text: thinking.text, thought: true }] : []),
    ...text.map((one, at) => ({
      text: one,
      ...(thinking && calls.length === 0 && at === text.length - 1 ? { thoughtSignature: thinking.signature } : {}),
    })),
    ...calls.map(({ id, name, args, signature }) => ({
      functionCall: { id, name, args: JSON.parse(args.join("")) },
      ...(signature === undefined ? {} : { thoughtSignature: signature }),
    })),
  ];
  const head = { modelVersion: "gemini-2.5-flash", responseId: "resp_01" };
  const usageMetadata = {
    promptTokenCount: 137,
    candidatesTokenCount: 15,
    thoughtsTokenCount: 5,
    totalTokenCount: 157,
    cachedContentTokenCount: 100,
  };
  const events = [
    ...parts.map((part) => ({ candidates: [{ content: { parts: [part], role: "model" }, index: 0 }], ...head })),
    {
      candidates: [{ content: { parts: [{ text: "" }], role: "model" }, finishReason: stop ?? "STOP", index: 0 }],
      usageMetadata,
      ...head,
    },
  ];
  return events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`);
}

export type ProviderName = "anthropic" | "google";
export const PROVIDERS = { anthropic: anthropicEvents, google: googleEvents };
export const MODEL = { anthropic: "anthropic/claude-sonnet-4-5", google: "google/gemini-2.5-flash" };
