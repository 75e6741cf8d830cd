/** How much of an upstream's answer is held at once: an isolate has 128 MiB for all that it serves. */
import { expect, it } from "vitest";
import { chunk, sse } from "../../support/sse.ts";
import { gateway } from "../support/gateway.ts";
import { ask, says, user } from "../support/script.ts";

const policy = { handshake: { select: "off" } };
const MI = 1024 * 1024;
const hi = { messages: [user("hi")] };

it("a JSON answer of more than 8 Mi characters is no answer", async () => {
  const gate = await gateway({ policy, upstream: says({ text: "x".repeat(8 * MI) }) });
  const { status, error } = await ask(gate, hi);
  expect([status, error?.code, gate.sent.length]).toEqual([502, "upstream_answer_too_large", 1]);
  const large = await gateway({ policy, upstream: says({ text: "x".repeat(7 * MI) }) });
  expect((await ask(large, hi)).text.length).toBe(7 * MI);
});

it("JSON mode holds no more than 4 Mi characters of words back", async () => {
  const events = [...Array(5).fill(chunk({ content: "x".repeat(MI) })), chunk({}, { finish: "stop" })];
  const upstream = () =>
    new Response(sse(events, { done: true }), { headers: { "content-type": "text/event-stream" } });
  const gate = await gateway({ policy, upstream });
  const tools = [{ type: "function", function: { name: "read_file" } }];
  const asJson = { ...hi, stream: true, response_format: { type: "json_object" } };
  const held = await ask(gate, { ...asJson, tools });
  expect([held.text, held.finish, held.error?.code]).toEqual(["", null, "upstream_stream_disorderly"]);
  // Without tools no step is hidden, so that nothing needs to be held.
  expect((await ask(gate, asJson)).text.length).toBe(5 * MI);
  const plain = await ask(gate, { ...hi, stream: true });
  expect([plain.text.length, plain.finish]).toEqual([5 * MI, "stop"]);
});
