/** Reads a reply of `/v1/chat/completions` as a client does, streamed or whole. */
import { createParser } from "eventsource-parser";

interface ReplyCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** The object `toolgate` of a reply, as far as cases look at it. */
interface ReplyNote {
  readonly turn_id: string;
  readonly state: string;
  readonly intent: string | null;
  readonly stop_reason: string;
  /** The calls that wait for a person. */
  readonly approvals?: readonly WaitingCall[];
}

/** An approval in the form of the API: the members that answers need. */
export interface WaitingCall extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly tool: string;
  readonly code: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly calls: readonly ReplyCall[];
  readonly note: ReplyNote | undefined;
  readonly error: { readonly code?: string | null; readonly message?: string } | undefined;
}

interface Delta {
  readonly content?: string | null;
  readonly tool_calls?: readonly {
    readonly index?: number;
    readonly id?: string;
    readonly function?: { readonly name?: string; readonly arguments?: string };
  }[];
}

interface Chunk {
  readonly choices?: readonly { readonly delta?: Delta; readonly message?: Delta }[];
  readonly toolgate?: ReplyNote;
  readonly error?: Reply["error"];
}

/** Reads to the end. */
export async function readReply(response: Response): Promise<Reply> {
  const body = await response.text();
  const streams = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const chunks = streams ? eventsOf(body) : [parsed(body) ?? { error: { message: body.slice(0, 500) } }];
  let text = "";
  const calls: { id: string; name: string; arguments: string }[] = [];
  for (const choice of chunks.map(({ choices }) => choices?.[0])) {
    const delta = choice?.delta ?? choice?.message ?? {};
    text += delta.content ?? "";
    for (const [place, { index = place, id, function: part }] of (delta.tool_calls ?? []).entries()) {
      const call = calls[index] ?? { id: "", name: "", arguments: "" };
      calls[index] = call;
      call.id ||= id ?? "";
      call.name ||= part?.name ?? "";
      call.arguments += part?.arguments ?? "";
    }
  }
  return {
    status: response.status,
    headers: response.headers,
    text,
    calls,
    note: chunks.findLast(({ toolgate }) => toolgate)?.toolgate,
    error: chunks.find(({ error }) => error)?.error,
  };
}

function eventsOf(body: string): Chunk[] {
  const chunks: Chunk[] = [];
  const parser = createParser({
    onEvent({ data }) {
      const chunk = parsed(data);
      if (chunk) chunks.push(chunk);
    },
  });
  parser.feed(body);
  return chunks;
}

function parsed(text: string): Chunk | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
