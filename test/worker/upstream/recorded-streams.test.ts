/**
 * Recorded answers of real providers, replayed: with the gateway between, a client ends up with what it has without it,
 * and words arrive as the very bytes that were recorded.
 */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { type Accumulated, accumulate, readSse, type SseEvent } from "../../support/sse.ts";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { within } from "./hostile-upstream.ts";

interface Recording {
  readonly id: string;
  readonly file: string;
  readonly form: "sse" | "chunks" | "json";
  readonly api: string;
  readonly tools: readonly string[];
  readonly status?: number;
  readonly contentType?: string;
}

interface Chunk {
  readonly choices?: readonly {
    readonly delta?: { readonly tool_calls?: readonly unknown[] };
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: unknown;
  readonly error?: unknown;
}

const { TEST_STREAMS: streams } = env as { readonly TEST_STREAMS?: Fetcher };
const manifest = await load("manifest.json");
const { fixtures } = JSON.parse(manifest ?? '{"fixtures":[]}') as { fixtures: Recording[] };
const chosen = (api: string, json: boolean) =>
  fixtures.filter((one) => one.api === api && (one.form === "json") === json);

async function load(file: string): Promise<string | undefined> {
  const response = await streams?.fetch(`https://data.test/${file}`);
  // Exactly the bytes: `text()` would drop a byte-order mark.
  return response?.ok
    ? new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(await response.arrayBuffer())
    : undefined;
}

/** The bytes of a recording as its provider would send them. */
async function recorded({ file, form }: Recording): Promise<string> {
  const text = await load(file);
  if (text === undefined) throw new Error(`${file} is in the manifest and not in the folder`);
  if (form !== "chunks") return text;
  const events = text.split("\n").filter((line) => line.trim() !== "");
  return `${events.map((line) => `data: ${line}\n\n`).join("")}data: [DONE]\n\n`;
}

async function gatewayFor(recording: Recording, answer: () => Response): Promise<Gateway> {
  const tools = Object.fromEntries(recording.tools.map((name) => [name, { category: "read_only" }]));
  const variables = { CLIENT_UPSTREAM_KEYS: "1" };
  return gateway({ policy: { handshake: { select: "off" }, tools }, upstream: answer, variables });
}

/** What an upstream says of a client's key is the client's to hear; what it says of the gateway's is not. */
const ownKey = { "x-upstream-authorization": "Bearer sk-recorded" };

async function ask(recording: Recording, text: string, stream: boolean): Promise<Response> {
  const { contentType = recording.form === "json" ? "application/json" : "text/event-stream", status = 200 } =
    recording;
  const gate = await gatewayFor(
    recording,
    () => new Response(text, { status, headers: { "content-type": contentType } }),
  );
  const tools = recording.tools.map((name) => tool(name, { type: "object" }));
  const messages = [{ role: "user", content: "go" }];
  return gate.chat({ stream, messages, ...(tools.length > 0 ? { tools } : {}) }, ownKey);
}

if (manifest === undefined) it.skip("recorded streams: there are none in ../shared/data, and TOOLGATE_DATA names none");

const parseCalls = ({ toolCalls }: Accumulated) =>
  toolCalls.map((call) => ({ ...call, arguments: JSON.parse(call.arguments || "{}") as unknown }));

/** Whether an event says words and nothing else, so that it may pass as it came. */
function isWords({ json, data }: SseEvent): boolean {
  if (data === undefined || data === "[DONE]" || typeof json !== "object" || json === null) return false;
  const { choices = [], usage } = json as Chunk;
  if (choices.length === 0 && usage != null) return false;
  return choices.every(({ delta, finish_reason }) => !delta?.tool_calls?.length && !finish_reason);
}

/** What might mean something else to a laxer reader is written anew: there, what it says must be the same. */
const MAY_BE_WRITTEN_ANEW = /tool|function|message|\\u|[\u0085\u2028\u2029]/i;

/** Some providers repeat the whole message in each event, which does not pass. */
function withoutMessages(json: unknown): unknown {
  const { choices, ...rest } = json as { choices?: Record<string, unknown>[] };
  if (!choices) return rest;
  return { ...rest, choices: choices.map(({ message: _message, ...choice }) => choice) };
}

describe.skipIf(manifest === undefined)("recorded streams through the gateway", () => {
  it.each(chosen("chat", false).map((recording) => [recording.id, recording] as const))(
    "%s",
    async (_id, recording) => {
      const text = await recorded(recording);
      const response = await ask(recording, text, true);
      expect(response.status).toBe(200);
      const raw = await within(response.text());
      const [before, after] = [await readSse(text), await readSse(raw)];
      const failed = before.findIndex(({ json }) => (json as Chunk | undefined)?.error != null);
      const heard = failed === -1 ? before : before.slice(0, failed + 1);
      const [expected, actual] = [accumulate(heard), accumulate(after)];
      expect(actual).toMatchObject({ text: expected.text, reasoning: expected.reasoning, refusal: expected.refusal });

      if (failed !== -1) {
        const { code = null, ...error } = expected.error as { readonly code?: unknown };
        expect(actual).toMatchObject({ error: { ...error, code: code === null ? null : String(code) }, done: false });
        expect(actual.toolCalls).toEqual([]);
        expect(actual.finishReason).toBeNull();
      } else {
        expect(parseCalls(actual)).toEqual(parseCalls(expected));
        expect(actual.toolCalls.map(({ name }) => name)).toEqual(expected.toolCalls.map(({ name }) => name));
        const reasons = reasonsOf(before);
        const due = expected.toolCalls.length > 0 && reasons.length === 0 ? ["tool_calls"] : reasons;
        expect(reasonsOf(after)).toEqual(due);
        expect(actual.usage).toEqual(expected.usage);
        expect(actual).toMatchObject({ error: undefined, done: true, toolgate: { stop_reason: "completed" } });
      }
      expectSameWords(heard, raw, after);
    },
  );
});

const reasonsOf = (events: readonly SseEvent[]): string[] =>
  events.flatMap(({ json }) =>
    ((json as Chunk | undefined)?.choices ?? []).flatMap((choice) =>
      choice.finish_reason ? [choice.finish_reason] : [],
    ),
  );

/** Each event of words is in the reply, in order: by its bytes, or anew where it had to be. */
function expectSameWords(before: readonly SseEvent[], raw: string, after: readonly SseEvent[]): void {
  const crlf = raw.includes("\r\n");
  let at = 0;
  let next = 0;
  for (const event of before.filter(isWords)) {
    if (event.json && (event.json as Chunk).error != null) continue;
    const bytes = crlf ? `${event.raw.replaceAll("\n", "\r\n")}\r\n\r\n` : `${event.raw}\n\n`;
    const found = raw.indexOf(bytes, at);
    if (found !== -1) {
      at = found + bytes.length;
      continue;
    }
    const data = event.data ?? "";
    expect(MAY_BE_WRITTEN_ANEW.test(data) || event.comments.length > 0 || event.event !== undefined, data).toBe(true);
    const wanted = withoutMessages(event.json);
    const same = after.findIndex(({ json }, index) => index >= next && isEqual(withoutMessages(json ?? {}), wanted));
    expect(same, `not in the reply: ${data.slice(0, 300)}`).not.toBe(-1);
    next = same + 1;
  }
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

describe.skipIf(manifest === undefined)("recorded JSON answers through the gateway", () => {
  it.each(chosen("chat", true).map((recording) => [recording.id, recording] as const))("%s", async (_id, recording) => {
    const text = await recorded(recording);
    const response = await ask(recording, text, false);
    expect(response.status).toBe(recording.status ?? 200);
    const { toolgate, ...body } = (await within(response.json())) as Record<string, unknown>;
    expect(toolgate).toMatchObject({ stop_reason: "completed" });
    expect(withParsedArguments(body)).toEqual(withParsedArguments(JSON.parse(text)));
  });
});

describe.skipIf(manifest === undefined)("recorded errors through the gateway", () => {
  const errors = chosen("error", true).map((recording) => [recording.id, recording] as const);
  it.each(errors)("%s", async (_id, recording) => {
    const text = await recorded(recording);
    for (const stream of [true, false]) {
      const response = await ask(recording, text, stream);
      expect(response.status).toBe(recording.status);
      expect(await within(response.text())).toBe(text);
    }
  });
});

/**
 * A body whose calls' arguments are parsed: the gateway writes them in their canonical form. The `index` that some
 * providers add to whole calls is a stream's; it does not come back, as siblings may be refused.
 */
function withParsedArguments(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (key, value: unknown) => {
    if (key === "arguments" && typeof value === "string") return JSON.parse(value);
    if (key === "tool_calls" && Array.isArray(value)) return value.map(({ index: _index, ...call }) => call);
    return value;
  });
}
