/** The attacks by an upstream's stream, on the Responses API: what a client of chat completions is kept from, its client is too. */
import { describe, expect, it } from "vitest";
import { sse, toStream } from "../../support/sse.ts";
import { EVIL } from "../attacks/distrustful-client.ts";
import { streamAttacks } from "../attacks/stream-attacks.ts";
import { type Gateway, gateway, type Upstream } from "../support/gateway.ts";
import { outlineOf, says } from "../support/script.ts";
import { POLICY, TOOLS } from "../upstream/hostile-upstream.ts";
import { readResponded, typesOf } from "./respond.ts";

const headers = { "content-type": "text/event-stream" };
const tools = TOOLS.map(({ function: definition }) => ({ type: "function", ...(definition as object) }));

const understood = says({ text: "understood" });
let answer: Upstream;
let shared: Promise<Gateway> | undefined;
const gate = () => {
  shared ??= gateway({ policy: POLICY, upstream: (...request) => answer(...request) });
  return shared;
};

describe("an upstream that attacks", () => {
  let count = 0;
  it.each(streamAttacks)("%s: %s", async (_name, seen, sent) => {
    const text = typeof sent === "string" ? sent : sse(sent, { done: true });
    const attack = () => new Response(toStream(text), { headers });
    // A refusal is answered with words.
    answer = (body, request) => (outlineOf(body).at(-1)?.startsWith("tool") ? understood(body, request) : attack());
    // Each its own words: none is another's retry.
    const json = { model: "m", input: `go ${++count}`, tools, stream: true, store: false };
    const response = await (await gate()).fetch("/v1/responses", { json });
    const raw = await response.clone().text();
    const got = await readResponded(response);
    expect(raw).not.toContain("forged");
    const calls = got.calls?.map(({ name, arguments: args }) => [name, args]) ?? [];
    expect(calls).toEqual(seen === "one call" ? [["read_file", '{"path":"ok.txt"}']] : []);
    if (seen === "refused") {
      if (got.http === 200) expect(typesOf(got).slice(-2)).toEqual(["error", "response.failed"]);
      else expect(got.http).toBeGreaterThanOrEqual(400);
    } else expect(["completed", "incomplete"]).toContain(got.response.status);
    // The note names the calls that were refused, and the request's own tools are repeated.
    const own = JSON.stringify([...got.events, got.output].map((event) => withoutEcho(event)));
    if (seen !== "words") expect(own).not.toContain(EVIL.name);
    for (const { item } of got.events) expect(item?.name ?? "read_file").toBe("read_file");
  });
});

function withoutEcho(event: unknown): unknown {
  if (typeof event !== "object" || event === null || !("response" in event)) return event;
  const { toolgate: _note, tools: _tools, ...response } = event.response as Record<string, unknown>;
  return { ...event, response };
}
