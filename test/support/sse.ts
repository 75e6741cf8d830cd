/** Builders and readers of OpenAI chat completion streams, for tests that run in workerd and in node. */

export interface ChunkOptions {
  readonly id?: string;
  readonly model?: string;
  readonly created?: number;
  /** The choice's index. */
  readonly index?: number;
  readonly finish?: string;
  /** Set, the chunk carries it; with a delta of `null` this is the usage chunk, which has no choices. */
  readonly usage?: unknown;
  readonly logprobs?: unknown;
  /** Further members of the chunk itself, such as `toolgate`. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** One `chat.completion.chunk`. A delta of `null` makes a chunk without choices. */
export function chunk(delta: Readonly<Record<string, unknown>> | null, options: ChunkOptions = {}) {
  const { index = 0, finish = null, logprobs = null, usage, extra } = options;
  return {
    id: options.id ?? "chatcmpl-test",
    object: "chat.completion.chunk",
    created: options.created ?? 1_790_000_000,
    model: options.model ?? "test-model",
    system_fingerprint: "fp_test",
    choices: delta === null ? [] : [{ index, delta, logprobs, finish_reason: finish }],
    ...(usage === undefined ? {} : { usage }),
    ...extra,
  };
}

/** The stream's text. A string among the objects is the data of its event as it stands, so that broken JSON can be sent. */
export function sse(objects: readonly unknown[], { done = false }: { readonly done?: boolean } = {}): string {
  const data = objects.map((object) => (typeof object === "string" ? object : JSON.stringify(object)));
  if (done) data.push("[DONE]");
  return data.map((text) => `data: ${text}\n\n`).join("");
}

/** A body that hands out its bytes in pieces of `splitEvery`, so also in the middle of a character, or as they were given. */
export function toStream(
  source: string | readonly Uint8Array[],
  { splitEvery }: { readonly splitEvery?: number } = {},
): ReadableStream<Uint8Array> {
  const given = typeof source === "string" ? [new TextEncoder().encode(source)] : source;
  const pieces = given.flatMap((bytes) => split(bytes, splitEvery ?? Math.max(bytes.length, 1)));
  let next = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces[next++];
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
  });
}

function split(bytes: Uint8Array, size: number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.slice(at, at + size));
  return pieces;
}

export interface SseEvent {
  /** The event's lines as they came, without the blank line that ends it. */
  readonly raw: string;
  /** The `event:` field, where there is one. */
  readonly event?: string;
  /** The `data:` lines, joined; absent for an event of comments alone (a heartbeat). */
  readonly data?: string;
  /** The data parsed; absent where it is no JSON (`[DONE]`). */
  readonly json?: unknown;
  readonly comments: readonly string[];
  /** False for what the stream broke off in: a client would never have seen it. */
  readonly complete: boolean;
}

/** Every event of a reply, in order. Reads to the end; an aborted body rejects. */
export async function readSse(source: Response | ReadableStream<Uint8Array> | string): Promise<SseEvent[]> {
  const text = typeof source === "string" ? source : await new Response(bodyOf(source)).text();
  const blocks = text.replace(/\r\n?/g, "\n").split("\n\n");
  const rest = blocks.pop() ?? "";
  const events = blocks.filter((block) => block.trim() !== "").map((block) => parseEvent(block, true));
  if (rest.trim() !== "") events.push(parseEvent(rest, false));
  return events;
}

function bodyOf(source: Response | ReadableStream<Uint8Array>): ReadableStream<Uint8Array> | null {
  return source instanceof ReadableStream ? source : (source.body as ReadableStream<Uint8Array> | null);
}

function parseEvent(block: string, complete: boolean): SseEvent {
  const raw = block.replace(/^\n+/, "");
  const lines = raw.split("\n");
  const field = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).replace(/^ /, ""));
  const data = lines.some((line) => line.startsWith("data:")) ? field("data").join("\n") : undefined;
  return { raw, event: field("event")[0], data, json: parseJson(data), comments: field(""), complete };
}

function parseJson(data: string | undefined): unknown {
  if (data === undefined) return undefined;
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

export interface AccumulatedCall {
  id: string;
  name: string;
  /** The fragments joined, as the client would parse them. */
  arguments: string;
}

export interface Accumulated {
  text: string;
  reasoning: string;
  refusal: string;
  toolCalls: AccumulatedCall[];
  finishReason: string | null;
  usage?: unknown;
  /** The last `toolgate` object. */
  toolgate?: unknown;
  /** The first `error` object. */
  error?: unknown;
  /** Whether `[DONE]` came. */
  done: boolean;
}

interface Fragment {
  readonly index: number;
  readonly id?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}

interface Chunk {
  readonly choices?: readonly {
    readonly index: number;
    readonly delta?: {
      readonly content?: string | null;
      readonly reasoning_content?: string | null;
      readonly reasoning?: string | null;
      readonly refusal?: string | null;
      readonly tool_calls?: readonly Fragment[];
    };
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: unknown;
  readonly toolgate?: unknown;
  readonly error?: unknown;
}

/** What a client ends up with for one choice, put together as the official OpenAI client does: calls by their index. */
export function accumulate(events: readonly SseEvent[], { index = 0 }: { readonly index?: number } = {}): Accumulated {
  const result: Accumulated = {
    text: "",
    reasoning: "",
    refusal: "",
    toolCalls: [],
    finishReason: null,
    done: false,
  };
  const calls = new Map<number, AccumulatedCall>();
  for (const { json, data, complete } of events) {
    if (!complete) continue;
    if (data === "[DONE]") result.done = true;
    if (typeof json !== "object" || json === null) continue;
    const { choices, usage, toolgate, error } = json as Chunk;
    result.usage = usage ?? result.usage;
    result.toolgate = toolgate ?? result.toolgate;
    result.error ??= error;
    for (const choice of choices ?? []) {
      if (choice.index !== index) continue;
      const delta = choice.delta ?? {};
      result.text += delta.content ?? "";
      result.reasoning += delta.reasoning_content ?? delta.reasoning ?? "";
      result.refusal += delta.refusal ?? "";
      for (const fragment of delta.tool_calls ?? []) addFragment(calls, fragment);
      result.finishReason = choice.finish_reason || result.finishReason;
    }
  }
  result.toolCalls = [...calls.entries()].sort(([a], [b]) => a - b).map(([, call]) => call);
  return result;
}

/** The last id and name that are not empty stand; arguments are appended. */
function addFragment(calls: Map<number, AccumulatedCall>, fragment: Fragment): void {
  const call = calls.get(fragment.index) ?? { id: "", name: "", arguments: "" };
  calls.set(fragment.index, call);
  if (fragment.id) call.id = fragment.id;
  if (fragment.function?.name) call.name = fragment.function.name;
  call.arguments += fragment.function?.arguments ?? "";
}
