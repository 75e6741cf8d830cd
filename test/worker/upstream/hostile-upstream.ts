/** What the tests of hostile upstreams share: a gateway whose upstream says what a test dictates, and a distrustful client. */
import { expect } from "vitest";
import { type Accumulated, accumulate, readSse, type SseEvent, sse, toStream } from "../../support/sse.ts";
import { type Gateway, gateway, tool } from "../support/gateway.ts";

const path = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };

/** `read_file` and `list_dir` may be called, `write_file` is offered but asks; `rm_rf` is a name that nobody knows. */
export const TOOLS = [tool("read_file", path), tool("list_dir", path), tool("write_file", path)];
export const ALLOWED: ReadonlySet<string> = new Set(["read_file", "list_dir"]);
export const POLICY = {
  handshake: { select: "off" },
  tools: { read_file: { category: "read_only" }, list_dir: { category: "read_only" } },
};

type Script = () => Response;

export interface Stage {
  readonly gate: Gateway;
  /** One request: the first step's answer is the script's, and to a refusal the model answers with words. */
  play(script: Script, options?: { readonly stream?: boolean }): Promise<Heard>;
}

/** What a client heard. */
export interface Heard {
  readonly status: number;
  readonly raw: string;
  readonly events: readonly SseEvent[];
  readonly reply: Accumulated;
  /** Names and parsed arguments of the calls that the client would run. */
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
}

export async function stage(policy: unknown = POLICY, tools: readonly unknown[] = TOOLS): Promise<Stage> {
  let script: Script | undefined;
  const gate = await gateway({
    policy,
    upstream: (body) => {
      const { messages } = body as { messages: readonly { role: string }[] };
      const answer = messages.at(-1)?.role === "tool" ? undefined : script;
      if (answer) return answer();
      return body.stream === true ? streamOf([{ choices: [word("understood")] }, finish("stop")]) : wordsBody();
    },
  });
  return {
    gate,
    async play(next, { stream = true } = {}) {
      script = next;
      const response = await gate.chat({ stream, tools, messages: [{ role: "user", content: "go" }] });
      return hearReply(response);
    },
  };
}

/** Reads a reply as a distrustful client does. */
export async function hearReply(response: Response): Promise<Heard> {
  const raw = await within(response.text());
  const events = (response.headers.get("content-type") ?? "").startsWith("text/event-stream") ? await readSse(raw) : [];
  const reply = accumulate(events);
  expectNoStrangers(raw);
  const made = [
    ...reply.toolCalls,
    ...[1, 2].flatMap((index) => accumulate(events, { index }).toolCalls),
    ...whole(raw),
  ];
  const calls = made.map((call) => ({ name: call.name, arguments: JSON.parse(call.arguments) as unknown }));
  for (const { name } of calls) expect(ALLOWED).toContain(name);
  return { status: response.status, raw, events, reply, calls };
}

/** The calls of a JSON reply. */
function whole(raw: string): { name: string; arguments: string }[] {
  const body = parsed(raw) as { choices?: { message?: { tool_calls?: { function: never }[] } }[] } | undefined;
  return (body?.choices ?? []).flatMap((choice) => (choice?.message?.tool_calls ?? []).map((call) => call.function));
}

const LINE_ENDS = /[\p{Cc}\u2028\u2029]/u;
/** A reader that looks for calls everywhere, and breaks lines wherever any client would: it must find none but allowed ones. */
export function expectNoStrangers(raw: string): void {
  for (const line of raw.split(LINE_ENDS)) {
    const data = line.replace(/^\s*data\s*:\s*/, "");
    const names = new Set<string>();
    const value = parsed(data);
    if (value !== undefined) collectNames(value, names);
    for (const name of names) expect(ALLOWED).toContain(name);
    if (value === undefined) expect(data).not.toMatch(/tool_?-?\w*calls?"?\s*:/i);
  }
}

/** Where a lax reader might look for a call. */
const CALL_KEY = /tool[\s_-]*calls?|function[\s_-]*calls?|tool[\s_-]*use|^custom$/i;

function collectNames(value: unknown, names: Set<string>, called = false): void {
  if (typeof value !== "object" || value === null) return;
  const { type } = value as { type?: unknown };
  const inside = called || (typeof type === "string" && CALL_KEY.test(type));
  for (const [key, item] of Object.entries(value)) {
    // The gateway's own note tells of refused calls by their names.
    if (key === "toolgate") continue;
    if (inside && key === "name" && typeof item === "string" && item !== "") names.add(item);
    collectNames(item, names, inside || CALL_KEY.test(key));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Fails if the reply does not end: nothing may hang. */
export async function within<T>(work: Promise<T>, ms = 60_000): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** An error, and nothing that could be taken for an orderly end: an event, or a status where nothing had begun. */
export function expectErrorEnd({ status, reply, calls, events, raw }: Heard): void {
  expect(calls).toEqual([]);
  if (status !== 200) {
    expect([status, parsed(raw)]).toMatchObject([502, { error: { code: "upstream_unreachable" } }]);
    return;
  }
  expect(reply.error ?? undefined, raw.slice(-500)).toBeDefined();
  expect(reply.finishReason).toBeNull();
  expect(reply.done).toBe(false);
  expect(events.at(-1)?.json).toHaveProperty("error");
}

export function expectCleanEnd({ reply, raw }: Heard): void {
  expect(reply.error, raw.slice(-500)).toBeUndefined();
  expect(reply.done).toBe(true);
}

const STREAM = { headers: { "content-type": "text/event-stream" } };

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export const streamOf = (objects: readonly unknown[], done = true): Response =>
  new Response(toStream(sse(objects, { done })), STREAM);

/** What stands for endless: more than any bound, so that a reader without one is found out and does not starve the timers. */
const ENDLESS_BYTES = 40 * 1024 * 1024;

/** A body with the given pieces, which then ends, breaks, or (`endless`) repeats its last piece. */
export function piecesOf(
  pieces: readonly (string | Uint8Array)[],
  { ending = "close", onPull, onCancel }: PiecesOptions = {},
): Response {
  const bytes = pieces.map((piece) => (typeof piece === "string" ? bytesOf(piece) : piece));
  let next = 0;
  let given = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        onPull?.();
        const piece = bytes[next] ?? (ending === "endless" && given < ENDLESS_BYTES ? bytes.at(-1) : undefined);
        given += piece?.length ?? 0;
        next += 1;
        if (piece) controller.enqueue(piece);
        else if (ending === "break") controller.error(new Error("connection reset"));
        else controller.close();
      },
      cancel: () => onCancel?.(),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, STREAM);
}

interface PiecesOptions {
  readonly ending?: "close" | "break" | "endless";
  readonly onPull?: () => void;
  readonly onCancel?: () => void;
}

/** A choice of words. */
const word = (content: string) => ({ index: 0, delta: { content }, finish_reason: null });

export const words = (content: string) => ({ id: "c", choices: [word(content)] });

export const delta = (fields: Readonly<Record<string, unknown>>) => ({
  id: "c",
  choices: [{ index: 0, delta: fields, finish_reason: null }],
});

/** A fragment of a call. */
export const part = (index: number, name: string | undefined, args: string, id = name && `call_${name}_${index}`) =>
  delta({ tool_calls: [{ index, ...(id ? { id, type: "function" } : {}), function: { name, arguments: args } }] });

export const finish = (reason: string) => ({
  id: "c",
  choices: [{ index: 0, delta: {}, finish_reason: reason }],
});

const wordsBody = () =>
  Response.json({
    id: "c",
    choices: [{ index: 0, message: { role: "assistant", content: "understood" }, finish_reason: "stop" }],
  });
