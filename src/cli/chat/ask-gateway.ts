/** One streamed chat completion. A stream that broke off, or ended without its mark, is a failure and not a reply. */
import { createParser } from "eventsource-parser";
import type { Note, ToolCall } from "../../api-views/chat-views.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { connectionLines, type GatewayAddress } from "../gateway-client.ts";

export interface ChatReply {
  readonly words: string;
  readonly calls: readonly ToolCall[];
  readonly note: Note;
  /** From the request to the end of the reply. */
  readonly ms: number;
}

/** Why there is no reply, in words for the person. */
export interface ChatFailure {
  readonly message: string;
  readonly code: string | undefined;
  /** 0: the gateway was not reached, or the reply broke off. */
  readonly status: number;
}

export interface ChatHeaders {
  readonly session: string;
  readonly mode?: string | undefined;
  readonly user?: string | undefined;
  /** Beside those above, or in their place. */
  readonly others?: Readonly<Record<string, string>>;
}

interface AskSettings {
  readonly headers: ChatHeaders;
  readonly onWords: (words: string) => void;
  readonly signal: AbortSignal;
}

type AskResult = Promise<Result<ChatReply, ChatFailure>>;

export async function askGateway(gateway: GatewayAddress, body: object, settings: AskSettings): AskResult {
  const { signal } = settings;
  const startedAt = performance.now();
  let begun = false;
  try {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: headersOf(gateway, settings.headers),
      body: JSON.stringify({ ...body, stream: true }),
      redirect: "error",
      signal,
    });
    if (!response.ok || !response.body) return err(await refusalOf(response));
    begun = true;
    const read = readEvents(settings.onWords);
    for await (const bytes of response.body.pipeThrough(new TextDecoderStream())) read.feed(bytes);
    return read.end(Math.round(performance.now() - startedAt));
  } catch (error) {
    if (signal.aborted) return err({ message: "stopped", code: "aborted", status: 0 });
    if (begun) return err(BROKEN_OFF);
    return err({ message: connectionLines(gateway, error).join("\n"), code: undefined, status: 0 });
  }
}

function headersOf({ key }: GatewayAddress, { session, mode, user, others }: ChatHeaders): Record<string, string> {
  return {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    accept: "text/event-stream",
    "x-toolgate-session": encodeURIComponent(session),
    "x-toolgate-approvals": "native",
    "x-toolgate-runs": "results",
    ...(mode === undefined ? {} : { "x-toolgate-mode": mode }),
    ...(user === undefined ? {} : { "x-toolgate-user": user }),
    ...others,
  };
}

/** Also what cannot be read. */
const BROKEN_OFF: ChatFailure = { message: "the reply broke off before its end", code: "broken_off", status: 0 };

async function refusalOf(response: Response): Promise<ChatFailure> {
  const body: unknown = await response.json().catch(() => undefined);
  return { ...failureOf(isObject(body) ? body.error : undefined), status: response.status };
}

function failureOf(error: unknown): Omit<ChatFailure, "status"> {
  const { message, code } = isObject(error) ? error : {};
  return {
    message: typeof message === "string" ? message : "the gateway gives no reason",
    code: typeof code === "string" ? code : undefined,
  };
}

interface Delta {
  readonly content?: unknown;
  readonly refusal?: unknown;
  readonly tool_calls?: unknown;
}

function readEvents(onWords: (words: string) => void) {
  const calls: ToolCall[] = [];
  let words = "";
  let note: Note | undefined;
  let failure: ChatFailure | undefined;
  let done = false;

  function take(data: string): void {
    if (data === "[DONE]") {
      done = true;
      return;
    }
    const event: unknown = JSON.parse(data);
    if (!isObject(event)) return;
    if (event.error !== undefined) failure ??= { ...failureOf(event.error), status: 0 };
    if (isObject(event.toolgate)) note = event.toolgate as Note;
    const [choice] = Array.isArray(event.choices) ? event.choices : [];
    const delta: Delta = isObject(choice) && isObject(choice.delta) ? choice.delta : {};
    for (const piece of [delta.content, delta.refusal]) {
      if (typeof piece !== "string" || piece === "") continue;
      words += piece;
      onWords(piece);
    }
    // The gateway releases a call whole, in one event.
    if (Array.isArray(delta.tool_calls)) calls.push(...delta.tool_calls.map(callOf));
  }

  const parser = createParser({ onEvent: ({ data }) => take(data) });
  return {
    feed: (text: string) => parser.feed(text),
    end(ms: number): Result<ChatReply, ChatFailure> {
      if (failure) return err(failure);
      if (!done) return err(BROKEN_OFF);
      return ok({ words, calls, note: note ?? {}, ms });
    },
  };
}

function callOf({ id, function: { name, arguments: args } }: ToolCall): ToolCall {
  return { id, type: "function", function: { name, arguments: args } };
}
