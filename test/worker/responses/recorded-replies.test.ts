/**
 * Recorded answers of real providers through both surfaces: a client of the Responses API ends up with the words and calls that a
 * client of chat completions has. Cut after each of their events, they end as an error and release nothing.
 */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { type Accumulated, accumulate, readSse, toStream } from "../../support/sse.ts";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { fromDeltas, functionTool, type Responded, respond, typesOf } from "./respond.ts";

interface Recording {
  readonly id: string;
  readonly file: string;
  readonly form: "sse" | "chunks" | "json";
  readonly api: string;
  readonly tools: readonly string[];
}

const { TEST_STREAMS: streams } = env as { readonly TEST_STREAMS?: Fetcher };
const load = async (file: string): Promise<string | undefined> => {
  const response = await streams?.fetch(`https://data.test/${file}`);
  return response?.ok ? response.text() : undefined;
};
const manifest = await load("manifest.json");
const { fixtures } = JSON.parse(manifest ?? '{"fixtures":[]}') as { fixtures: Recording[] };
const chats = fixtures.filter(({ api, form }) => api === "chat" && form !== "json");

async function recorded({ file, form }: Recording): Promise<string> {
  const text = (await load(file)) ?? "";
  if (form !== "chunks") return text;
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return `${lines.map((line) => `data: ${line}\n\n`).join("")}data: [DONE]\n\n`;
}

function gatewayFor({ tools }: Recording, body: () => ReadableStream<Uint8Array> | string): Promise<Gateway> {
  const listed = Object.fromEntries(tools.map((name) => [name, { category: "read_only" }]));
  const upstream = () => new Response(body(), { headers: { "content-type": "text/event-stream" } });
  return gateway({ policy: { handshake: { select: "off" }, tools: listed }, upstream });
}

const request = ({ tools }: Recording) => ({
  input: "go",
  stream: true,
  ...(tools.length > 0 ? { tools: tools.map((name) => functionTool(name, { type: "object" })) } : {}),
});

async function chatReply(gate: Gateway, recording: Recording): Promise<Accumulated> {
  const tools = recording.tools.map((name) => tool(name, { type: "object" }));
  const messages = [{ role: "user", content: "go" }];
  return accumulate(await readSse(await gate.chat({ stream: true, messages, ...(tools.length > 0 ? { tools } : {}) })));
}

const reasoningIn = ({ output }: Responded): string =>
  output
    .filter(({ type }) => type === "reasoning")
    .flatMap(({ content }) => (content as { text: string }[]).map(({ text }) => text))
    .join("");

if (manifest === undefined) it.skip("recorded replies: there are none in ../shared/data, and TOOLGATE_DATA names none");

describe.skipIf(manifest === undefined)("recorded answers", () => {
  it.each(chats.map((recording) => [recording.id, recording] as const))("%s", async (_id, recording) => {
    const text = await recorded(recording);
    const gate = await gatewayFor(recording, () => text);
    const expected = await chatReply(gate, recording);
    // Of another user: nothing of the chat goes on.
    const got = await respond(gate, request(recording), {}, await gate.keyFor("bob", "user"));
    expect([got.text, reasoningIn(got), got.refusal]).toEqual([expected.text, expected.reasoning, expected.refusal]);
    const failed = expected.error !== undefined;
    const calls = expected.toolCalls.map(({ id, name, arguments: args }) => [id, name, args]);
    expect(got.calls.map(({ call_id: id, name, arguments: args }) => [id, name, args])).toEqual(failed ? [] : calls);
    expect(typesOf(got).at(-1)).toMatch(failed ? /failed/ : /completed|incomplete/);
    if (failed) return;
    expect(fromDeltas(got).join("").length).toBe(
      expected.text.length +
        expected.reasoning.length +
        expected.refusal.length +
        calls.flat(2).join("").length -
        calls.map(([id = "", name = ""]) => id + name).join("").length,
    );
    const { usage } = got.response as { usage: { total_tokens: number } | null };
    const { usage: own } = expected as { usage?: { total_tokens?: number } };
    if (own?.total_tokens !== undefined) expect(usage?.total_tokens).toBe(own.total_tokens);
  });

  const withCalls = chats.filter(({ tools }) => tools.length > 0);
  it.for(withCalls.map((recording) => [recording.id, recording] as const))(
    "%s, cut after any event, releases nothing",
    async ([, recording], { skip }) => {
      const text = (await recorded(recording)).replaceAll("\r\n", "\n");
      const events = text.split("\n\n").filter((event) => event.trim() !== "");
      const finish = events.findIndex((event) => /"finish_reason":\s*"/.test(event));
      skip(finish === -1, "it ends without a finish reason");
      // Of a long stream some places: each cut is a turn.
      const step = Math.max(1, Math.floor(finish / 12));
      let cut = 1;
      const gate = await gatewayFor(recording, () =>
        toStream(
          events
            .slice(0, cut)
            .map((one) => `${one}\n\n`)
            .join(""),
        ),
      );
      for (; cut <= finish; cut += step) {
        const got = await respond(gate, request(recording));
        if (got.http !== 200) continue;
        expect([typesOf(got).at(-1), got.calls]).toEqual(["response.failed", []]);
        expect(JSON.stringify(got.events)).not.toContain('"type":"function_call"');
      }
    },
  );
});
