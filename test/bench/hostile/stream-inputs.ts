/** What an upstream sends: streams and bodies, in shapes that no honest model makes. */
import { chunk, sse } from "../../support/sse.ts";
import type { UpstreamAnswer } from "./gateway.ts";
import { bytesOf, fill, type HostileInput, MAX_BYTES, noise } from "./hostile-input.ts";
import { outcomeOf } from "./outcome.ts";

const SIZE = MAX_BYTES - 2_000;
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const head = sse([chunk({ role: "assistant", content: "" })]);
const tail = (finish = "stop") => sse([chunk({}, { finish })], { done: true });
const call = (fragment: object, index = 0) => ({ tool_calls: [{ index, ...fragment }] });
const opening = (name = "write_file") => call({ id: "c", type: "function", function: { name, arguments: "" } });
/** A chunk without what most hold: as small as they come. */
const small = (delta: object) => JSON.stringify({ choices: [{ index: 0, delta }] });
const smalls = (delta: object) => many(Math.floor(SIZE / (small(delta).length + 8)), () => small(delta));
const whole = (body: string): UpstreamAnswer => ({ pieces: [`${head}${body}${tail()}`] });
/** Each byte of its own in a piece of its own would be the network's doing, not the input's: pieces of some hundred. */
const inPieces = (text: string, size: number): UpstreamAnswer => ({
  pieces: text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [],
});

const streams: Readonly<Record<string, UpstreamAnswer>> = {
  "many small words at once": whole(sse(smalls({ content: "a" }))),
  "many small words, in pieces": inPieces(`${head}${sse(smalls({ content: "a" }))}${tail()}`, 97),
  "one long word": whole(sse([chunk({ content: "a".repeat(SIZE) })])),
  "one word of escapes": whole(sse([`{"choices":[{"index":0,"delta":{"content":"${"\\u0061".repeat(SIZE / 6)}"}}]}`])),
  "words with escaped keys": whole(sse(many(900, () => `{"choices":[{"index":0,"delta":{"cont\\u0065nt":"a"}}]}`))),
  "words that name calls": whole(sse(smalls({ content: "tool_calls function_call message" }))),
  "words of fences": whole(sse(smalls({ content: "```\n" }))),
  "words of markup": whole(sse([chunk({ content: fill("<a **b [c](", SIZE) })])),
  "reasoning and words": whole(sse(smalls({ reasoning_content: "a", content: "b" }))),
  "events of comments": whole(":\n".repeat(SIZE / 2)),
  "events of blank lines": whole("\n".repeat(SIZE)),
  "events of carriage returns": whole("\r".repeat(SIZE)),
  "lines without an end": whole(`data: ${"a".repeat(SIZE)}`),
  "fields that nobody knows": whole("x: y\n".repeat(SIZE / 5)),
  "data in many lines": whole(`data: {\n${"data: \n".repeat(SIZE / 7)}data: }\n\n`),
  "broken JSON": whole(sse(many(2_000, () => '{"choices":[{"index":0,"delta":{"content":"a"'))),
  "deep JSON": whole(sse(many(60, () => `{"choices":[],"x":${"[".repeat(400)}${"]".repeat(400)}}`))),
  "chunks of many keys": whole(
    sse([JSON.stringify({ choices: [], ...Object.fromEntries(many(6_000, (i) => [`k${i}`, 1])) })]),
  ),
  "chunks of many choices": whole(
    sse([JSON.stringify({ choices: many(1_500, () => ({ index: 0, delta: { content: "a" } })) })]),
  ),
  "chunks of many finishes": whole(sse(many(900, () => chunk({}, { finish: "stop" })))),
  "usage again and again": whole(sse(many(300, () => chunk(null, { usage: { prompt_tokens: 1 } })))),
  "a call in small fragments": whole(sse([chunk(opening()), ...smalls(call({ function: { arguments: "1" } }))])),
  "a call in small fragments, in pieces": inPieces(
    `${head}${sse([chunk(opening()), ...smalls(call({ function: { arguments: "1" } }))])}${tail("tool_calls")}`,
    97,
  ),
  "many calls": { calls: many(550, () => ({ name: "write_file", arguments: "{}" })) },
  "many calls that are refused": { calls: many(550, () => ({ name: "other", arguments: "{}" })) },
  "many calls of broken JSON": { calls: many(550, () => ({ name: "write_file", arguments: "{" })) },
  "many calls of the handshake": {
    calls: many(450, (i) => ({ name: "select_intent", arguments: `{"intent":"i${i}"}` })),
  },
  "a call of numbers": { calls: [{ name: "write_file", arguments: `{"a":[${"1.5e3,".repeat(SIZE / 7)}1]}` }] },
  "a call of long numbers": {
    calls: [
      { name: "write_file", arguments: `{"a":[${"1".repeat(300)}e-300${`,${"1".repeat(300)}e-300`.repeat(180)}]}` },
    ],
  },
  "a call of one long number": { calls: [{ name: "write_file", arguments: `{"a":${"1".repeat(SIZE / 2)}}` }] },
  "a call of backslashes": { calls: [{ name: "write_file", arguments: `{"a":"${"\\\\".repeat(SIZE / 4)}"}` }] },
  "a call of escaped keys": {
    calls: [{ name: "write_file", arguments: `{${many(3_000, (i) => `"\\u0061${i}":1`).join(",")}}` }],
  },
  "a call of long words": {
    calls: [{ name: "write_file", arguments: JSON.stringify({ path: "a", text: noise("ab \n", SIZE / 2) }) }],
  },
  "a call with a long name": { calls: [{ name: "a".repeat(SIZE / 2), arguments: "{}" }] },
  "a call with vendor fields": whole(
    sse([
      chunk(
        call({
          id: "c",
          type: "function",
          function: { name: "write_file", arguments: "{}" },
          extra_content: Object.fromEntries(many(4_000, (i) => [`k${i}`, 1])),
        }),
      ),
    ]),
  ),
};

const json = (message: object, more: object = {}): string =>
  JSON.stringify({
    id: "x",
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: "stop" }],
    ...more,
  });

const bodies: Readonly<Record<string, string>> = {
  "a long answer": json({ content: "a".repeat(SIZE) }),
  "many calls": json({
    content: null,
    tool_calls: many(500, (i) => ({
      id: `c${i}`,
      type: "function",
      function: { name: "write_file", arguments: "{}" },
    })),
  }),
  "many keys": json({ content: "a" }, Object.fromEntries(many(6_000, (i) => [`k${i}`, 1]))),
  "many choices": JSON.stringify({
    choices: many(900, () => ({ index: 0, message: { role: "assistant", content: "a" } })),
  }),
  "no JSON": "<".repeat(SIZE),
  brackets: "[".repeat(SIZE),
};

const policy = { handshake: { select: "off" }, detection: { layers: [] } };
const tools = [{ type: "function", function: { name: "write_file", parameters: { type: "object" } } }];
type Headers = Readonly<Record<string, string>>;

const inputOf = (name: string, answer: UpstreamAnswer, stream: boolean): HostileInput => ({
  name: `upstream: ${name}`,
  prepare: (gateway, salt) => gateway.tenant(policy, salt),
  async send(gateway, salt, headers) {
    gateway.script(answer, { text: "ok" });
    const body = { model: "m", stream, messages: [{ role: "user", content: `go ${salt}` }], tools };
    const reply = await gateway.send("POST", "/v1/chat/completions", body, headers as Headers);
    return { bytes: Math.min(bytesOf(answer), MAX_BYTES), outcome: outcomeOf(reply.text, reply.status) };
  },
});

export const streamInputs: readonly HostileInput[] = [
  ...Object.entries(streams).map(([name, answer]) => inputOf(name, answer, true)),
  ...Object.entries(bodies).map(([name, body]) => inputOf(`${name}, as a body`, { json: body }, false)),
];
