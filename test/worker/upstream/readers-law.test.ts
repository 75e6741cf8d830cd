/**
 * The law of a release: whatever an upstream sends, every reader of JSON finds the same calls in the reply, at most the one that
 * was vetted. On every way that leads to a release, and for the same request again.
 * @module-tag attack/streams
 * @module-tag attack/streams
 */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { readers } from "../../support/json-readers.ts";
import { type OddMember, oddAnswer, oddMembers } from "../../support/odd-answers.ts";
import { type ReadCall, readCalls } from "../../support/read-calls.ts";
import { sse } from "../../support/sse.ts";
import { asked, codeIn } from "../approvals/approvals.ts";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { type Answer, readAnswer, says, user } from "../support/script.ts";

const policy = {
  handshake: { select: "off" },
  tools: { write_file: { category: "read_only" }, edit_file: { category: "modification" } },
};
const schema = { type: "object", properties: { path: { type: "string" } } };
const tools = [tool("write_file", schema), tool("edit_file", schema)];
const done = { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] };
const understood = says({ text: "understood" });

let gate: Gateway;
let script: { readonly tool: string; readonly odd: readonly OddMember[] };
let sessions = 0;

beforeAll(async () => {
  gate = await gateway({
    policy,
    upstream: (body, request) => {
      const { messages } = body as { messages: readonly { role: string }[] };
      if (messages.at(-1)?.role === "tool") return understood(body, request);
      const headers = { "content-type": body.stream === true ? "text/event-stream" : "application/json" };
      if (body.stream !== true) return new Response(oddAnswer("message", script.tool, script.odd), { headers });
      return new Response(sse([oddAnswer("delta", script.tool, script.odd), done], { done: true }), { headers });
    },
  });
});

interface Heard extends Answer {
  /** The data of each event, or the body. */
  readonly texts: readonly string[];
}

type Send = (body: object) => Promise<Heard>;

/** A conversation of its own. */
function conversation(channel: string, mode: object): Send {
  sessions += 1;
  const headers = { "x-toolgate-session": `s${sessions}`, "x-toolgate-approvals": channel };
  return async (body) => {
    const response = await gate.chat({ messages: [user("go")], tools, ...mode, ...body }, headers);
    const answer = await readAnswer(response.clone());
    const text = await response.text();
    const events = answer.events.flatMap(({ data }) => (data === undefined || data === "[DONE]" ? [] : [data]));
    return { ...answer, texts: answer.events.length > 0 ? events : [text] };
  };
}

/** @returns the one call that all readers find, or undefined where all find none. */
function agreed({ texts, note }: Heard, id = "c1"): ReadCall | undefined {
  const found = readers.map((reader) => readCalls(reader, texts));
  for (const calls of found) expect(calls).toEqual(found[0]);
  const [call, ...others] = found[0] ?? [];
  expect(others).toEqual([]);
  if (call === undefined) return undefined;
  const allowed = note.decisions.filter(({ effect }) => effect === "allow").map((one) => [one.call_id, one.tool]);
  if (allowed.length > 0) expect([[call.id, call.name]]).toEqual(allowed);
  expect([call.id, call.type]).toEqual([id, "function"]);
  return call;
}

/** Tries `play` on many answers; it tells whether a call was released. A law about releases is nothing without them. */
async function law(tool: string, numRuns: number, play: () => Promise<boolean>): Promise<void> {
  let released = 0;
  await fc.assert(
    fc.asyncProperty(oddMembers, async (odd) => {
      script = { tool, odd };
      if (await play()) released += 1;
    }),
    { numRuns },
  );
  expect(released).toBeGreaterThan(numRuns / 10);
}

/** A reply that ends in an error asks for nothing. */
const isAsked = (reply: Heard): boolean => reply.error === undefined && asked(reply).length > 0;

/** What the upstream's call says to `JSON.parse`, by which it is vetted. */
function vettedArguments(said: "delta" | "message"): unknown {
  const answer = JSON.parse(oddAnswer(said, script.tool, script.odd)) as {
    choices: Record<string, { tool_calls: { function: { arguments: string } }[] }>[];
  };
  return JSON.parse(answer.choices[0]?.[said]?.tool_calls[0]?.function.arguments ?? "{}");
}

const modes = [
  ["a stream", { stream: true }],
  ["a body", { stream: false }],
  ["a stream in JSON mode", { stream: true, response_format: { type: "json_object" } }],
  ["a body in JSON mode", { stream: false, response_format: { type: "json_object" } }],
] as const;

describe("every_reader_reads_the_same_single_call", () => {
  it.each(modes)("in %s, and in the same one again", async (_what, mode) => {
    await law("write_file", 120, async () => {
      const send = conversation("inline", mode);
      const first = agreed(await send({}));
      if (first === undefined) return false;
      expect(first.arguments).toEqual(vettedArguments(mode.stream ? "delta" : "message"));
      const before = gate.sent.length;
      expect(agreed(await send({}))).toEqual(first);
      expect(gate.sent.length).toBe(before);
      return true;
    });
  });

  it.each(modes.slice(0, 2))("after a person's yes or edit in the chat: %s", async (_what, mode) => {
    let edits = false;
    await law("edit_file", 60, async () => {
      edits = !edits;
      const send = conversation("inline", mode);
      const first = await send({});
      expect(agreed(first)).toBeUndefined();
      if (!isAsked(first)) return false;
      const said = edits ? `edit ${codeIn(first)} path=b.txt` : `yes ${codeIn(first)}`;
      const call = agreed(await send({ messages: [user("go"), first.message, user(said)] }));
      if (call && edits) expect(call.arguments).toMatchObject({ path: "b.txt" });
      if (call && !edits) expect(call.arguments).toEqual(vettedArguments(mode.stream ? "delta" : "message"));
      return call !== undefined;
    });
  });

  it.each(modes.slice(0, 2))("after an approval that is data: %s", async (_what, mode) => {
    await law("edit_file", 60, async () => {
      const send = conversation("native", mode);
      const first = await send({});
      expect(agreed(first)).toBeUndefined();
      if (!isAsked(first)) return false;
      const approvals = asked(first).map(({ id }) => ({ id, action: "approve" }));
      const approved = await send({ toolgate: { approvals } });
      return agreed(approved) !== undefined;
    });
  });

  it.each(modes.slice(0, 2))("after an edit while the reply is held: %s", async (_what, mode) => {
    const port = gate.guard.approvals;
    await law("edit_file", 40, async () => {
      let ended = false;
      const replying = conversation(
        "hold",
        mode,
      )({}).finally(() => {
        ended = true;
      });
      while (!ended) {
        const { data } = await port.list({ status: "pending", limit: 10, order: "asc" });
        const answer = { action: "edit", arguments: { path: "b.txt" } };
        for (const { id } of data) expect((await gate.fetch(`/v1/approvals/${id}`, { json: answer })).status).toBe(200);
      }
      const call = agreed(await replying);
      if (call) expect(call.arguments).toMatchObject({ path: "b.txt" });
      return call !== undefined;
    });
  });
});
