/** Responses that are kept: what a later request goes on from, who may read it, and when it is gone. */
import { describe, expect, it } from "vitest";
import { done, edits, policy } from "../approvals/approvals.ts";
import { type Gateway, gateway } from "../support/gateway.ts";
import { runInGuard } from "../support/run-in-guard.ts";
import { call, outlineOf, says as upstreamSays } from "../support/script.ts";
import { functionTool, output, respond, says } from "./respond.ts";

const tools = [
  functionTool("edit_note", { type: "object", properties: { title: { type: "string" } } }),
  functionTool("read_note"),
];
const open = (...steps: Parameters<typeof upstreamSays>[0][]): Promise<Gateway> =>
  gateway({ policy, upstream: steps.map(upstreamSays) });

async function read(gate: Gateway, path: string, init: { method?: string; key?: string; json?: unknown } = {}) {
  const response = await gate.fetch(path, init);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe("a response that is kept", () => {
  for (const stream of [true, false])
    it(`is what the next request goes on from: one session, and results settle (stream ${stream})`, async () => {
      const gate = await open(
        { text: "Reading.", calls: [call("r1", "read_note")] },
        { text: "It says hi." },
        { text: "ok" },
      );
      const first = await respond(gate, { input: "read my note", tools, stream });
      expect([first.response.store, first.calls.length]).toEqual([true, 1]);
      const next = { previous_response_id: first.response.id, tools, stream };
      const second = await respond(gate, { ...next, input: [output("r1", "hi")] });
      expect(outlineOf(gate.sent[1])).toEqual(["user", "assistant(r1)", "tool(r1)"]);
      expect(second.response.previous_response_id).toBe(first.response.id);
      const third = await respond(gate, { ...next, previous_response_id: second.response.id, input: "thanks" });
      expect(outlineOf(gate.sent[2])).toEqual(["user", "assistant(r1)", "tool(r1)", "assistant", "user"]);
      expect(new Set([first, second, third].map(({ response }) => response.toolgate.session_id)).size).toBe(1);
      const settled = (await gate.turns()).map((turn) =>
        (turn.settled as { outcome: string }[]).map((one) => one.outcome),
      );
      expect(settled).toEqual([[], ["succeeded"], []]);
    });

  it("carries a question, which the next message answers", async () => {
    const gate = await gateway({ policy, upstream: [upstreamSays({ calls: [edits("e1")] }), done] });
    const asked = await respond(gate, { input: "please change my note", tools, stream: true });
    const answer = { previous_response_id: asked.response.id, tools, stream: true };
    const yes = await respond(gate, { ...answer, input: "yes" });
    expect([yes.calls, gate.sent.length]).toMatchObject([[{ call_id: "e1" }], 1]);
    // Answered once: the same question answers nothing more.
    const again = await respond(gate, { ...answer, input: "yes " });
    expect(again.calls).toEqual([]);
  });

  it("is read back with its input, and forgotten when asked to", async () => {
    const gate = await open({ text: "Hello" });
    const got = await respond(gate, { input: "hi", metadata: { a: "b" }, stream: true });
    const path = `/v1/responses/${got.response.id}`;
    const { body } = await read(gate, path);
    expect(body).toEqual(got.response);
    // What the client would have besides is there already.
    expect((await read(gate, `${path}?include[]=reasoning.encrypted_content&include[]=x`)).body).toEqual(body);
    const items = await read(gate, `${path}/input_items?include=message.output_text.logprobs`);
    expect(items.body).toMatchObject({
      object: "list",
      data: [{ type: "message", role: "user", content: "hi", id: expect.stringMatching(/^msg_/) }],
      has_more: false,
    });
    expect(await read(gate, path, { method: "DELETE" })).toEqual({
      status: 200,
      body: { id: got.response.id, object: "response", deleted: true },
    });
    for (const method of ["GET", "DELETE"]) expect((await read(gate, path, { method })).status).toBe(404);
    const after = await respond(gate, { input: "more", previous_response_id: got.response.id });
    expect([after.http, after.error?.code]).toEqual([404, "previous_response_not_found"]);
  });

  it("is another user's to nobody: every id of it is unknown", async () => {
    const gate = await open({ text: "Hello" });
    const got = await respond(gate, { input: "my secret" });
    const eve = await gate.keyFor("eve", "user");
    const path = `/v1/responses/${got.response.id}`;
    for (const [place, method] of [
      [path, "GET"],
      [path, "DELETE"],
      [`${path}/input_items`, "GET"],
    ] as const)
      expect((await read(gate, place, { method, key: eve })).status).toBe(404);
    const item = got.output[0]?.id;
    for (const body of [
      { input: "go on", previous_response_id: got.response.id },
      { input: [{ type: "item_reference", id: item }, says("go on")] },
      { input: "go on", conversation: got.response.id },
    ]) {
      const refused = await respond(gate, body, {}, eve);
      expect([refused.http, JSON.stringify(refused.response)]).toEqual([404, expect.not.stringContaining("secret")]);
    }
    expect([gate.sent.length, (await read(gate, path)).status]).toEqual([1, 200]);
  });

  it("stands for its items where a request refers to them", async () => {
    const gate = await open({ text: "Reading.", calls: [call("r1", "read_note")] }, { text: "ok" });
    const got = await respond(gate, { input: "read my note", tools });
    const references = got.output.map(({ id }) => ({ type: "item_reference", id }));
    await respond(gate, { input: [says("read my note"), ...references, output("r1")], tools });
    expect(outlineOf(gate.sent[1])).toEqual(["user", "assistant(r1)", "tool(r1)"]);
    const unknown = await respond(gate, { input: [{ type: "item_reference", id: "msg_nobody" }], tools });
    expect([unknown.http, unknown.error?.code, unknown.error?.param]).toEqual([404, "not_found", "input"]);
  });

  it("is not kept where the request says so, or where the reply failed", async () => {
    const gate = await open({ text: "Hello" });
    const unstored = await respond(gate, { input: "hi", store: false, stream: true });
    const cut = () => new Response("data: {", { headers: { "content-type": "text/event-stream" } });
    const broken = await gateway({ policy, upstream: cut });
    const failed = await respond(broken, { input: "hi", stream: true });
    expect([unstored.response.store, failed.response.status, failed.response.store]).toEqual([false, "failed", false]);
    expect((await read(gate, `/v1/responses/${unstored.response.id}`)).status).toBe(404);
    expect((await read(broken, `/v1/responses/${failed.response.id}`)).status).toBe(404);
  });

  it("is forgotten 30 days after its thread was last used", async () => {
    const gate = await open({ text: "one" }, { text: "two" });
    const first = await respond(gate, { input: "hi" });
    const second = await respond(gate, { input: "more", previous_response_id: first.response.id });
    const other = await respond(gate, { input: "else" });
    await gate.settle();
    await runInGuard(gate.stub, async (instance, { storage }) => {
      const old = Date.now() - 31 * 24 * 3600_000;
      storage.sql.exec("UPDATE response_threads SET seen = ? WHERE id = ?", old, first.response.id);
      await instance.alarm();
      const left = (table: string) => storage.sql.exec(`SELECT COUNT(*) AS n FROM ${table}`).one().n;
      expect(["response_threads", "responses", "response_items"].map(left)).toEqual([1, 1, 2]);
      expect(storage.sql.exec("SELECT DISTINCT response FROM response_parts").toArray().length).toBe(1);
    });
    expect((await read(gate, `/v1/responses/${second.response.id}`)).status).toBe(404);
    expect((await read(gate, `/v1/responses/${other.response.id}`)).status).toBe(200);
  });

  it("is deleted with its session, and so is the conversation that the session was the last in", async () => {
    const gate = await open({ text: "one" }, { text: "two" }, { text: "three" }, { text: "four" }, { text: "five" });
    const within = (session: string) => ({ "x-toolgate-session": session });
    const made = await read(gate, "/v1/conversations", { method: "POST", json: {} });
    const conversation = String(made.body.id);
    const first = await respond(gate, { input: "a", conversation }, within("mine"));
    const last = await respond(gate, { input: "b", conversation }, within("other"));
    const alone = await respond(gate, { input: "c" }, within("mine"));
    const after = await respond(gate, { input: "d", previous_response_id: alone.response.id }, within("third"));
    const deleteOf = async (session: string) =>
      (await read(gate, `/v1/sessions/${session}`, { method: "DELETE" })).status;
    const statuses = async () =>
      Promise.all(
        [
          `conversations/${conversation}`,
          ...[first, last, alone, after].map(({ response }) => `responses/${response.id}`),
        ].map(async (path) => (await read(gate, `/v1/${path}`)).status),
      );
    expect(await statuses()).toEqual([200, 200, 200, 200, 200]);
    expect(await deleteOf("mine")).toBe(200);
    expect(await statuses()).toEqual([200, 404, 200, 404, 200]);
    const onwards = await respond(gate, { input: "e", previous_response_id: after.response.id });
    expect([onwards.http, onwards.error?.code]).toEqual([404, "previous_response_not_found"]);
    expect(await deleteOf("other")).toBe(200);
    expect(await statuses()).toEqual([404, 404, 404, 404, 200]);
    await runInGuard(gate.stub, (_instance, { storage }) => {
      const left = (table: string) => storage.sql.exec(`SELECT COUNT(*) AS n FROM ${table}`).one().n;
      expect(["response_threads", "responses", "response_items"].map(left)).toEqual([1, 1, 2]);
    });
  });

  it("counts with the request that goes on from it, as if the client had sent all", async () => {
    const gate = await gateway({
      policy,
      upstream: [upstreamSays({ text: "ok" })],
      variables: { MAX_BODY_BYTES: "4096", MAX_INFLIGHT_BYTES: "8192" },
    });
    const first = await respond(gate, { input: "a".repeat(2500) });
    // Until a turn is closed its body counts.
    await gate.settle();
    const second = await respond(gate, { input: "b".repeat(2500), previous_response_id: first.response.id });
    expect([second.http, second.error?.code, gate.sent.length]).toEqual([413, "too_large", 1]);
    await gate.settle();
    const short = await respond(gate, { input: "more", previous_response_id: first.response.id });
    expect(short.http).toBe(200);
  });

  it("is given all the same where it is too long to be kept, and says so", async () => {
    const variables = { MAX_BODY_BYTES: String(8 << 20), MAX_INFLIGHT_BYTES: String(16 << 20) };
    const gate = await gateway({ policy, upstream: upstreamSays({ text: "ok" }), variables });
    const got = await respond(gate, { input: "a".repeat((4 << 20) + 1) });
    expect([got.text, got.response.store]).toEqual(["ok", false]);
    expect((await read(gate, `/v1/responses/${got.response.id}`)).status).toBe(404);
  });

  it("makes room by those that were used longest ago", async () => {
    const gate = await open({ text: "one" }, { text: "two" }, { text: "three" });
    const [first, second] = [await respond(gate, { input: "a" }), await respond(gate, { input: "b" })];
    await runInGuard(gate.stub, (_, { storage: { sql } }) => {
      // As if both held nearly all that there is room for.
      sql.exec("UPDATE response_threads SET units = ?", 32 << 20);
      sql.exec("UPDATE response_threads SET seen = seen - 600000 WHERE id = ?", second.response.id);
    });
    const third = await respond(gate, { input: "c" });
    const found = [first, second, third].map(({ response: { id } }) => read(gate, `/v1/responses/${id}`));
    expect((await Promise.all(found)).map(({ status }) => status)).toEqual([200, 404, 200]);
  });

  it("may be longer than a row holds, in any characters", async () => {
    const gate = await open({ text: "ok" });
    const long = `${"語".repeat(400_001)}${"😀".repeat(200_000)}`;
    const got = await respond(gate, { input: long });
    const { body } = await read(gate, `/v1/responses/${got.response.id}/input_items`);
    expect((body.data as { content: string }[])[0]?.content === long).toBe(true);
  });
});

describe("a conversation", () => {
  it("keeps what is said in it, and belongs to its user", async () => {
    const gate = await open({ text: "Hello" }, { text: "Again" });
    const made = await read(gate, "/v1/conversations", { json: { metadata: { a: "b" }, items: [says("I am Ada.")] } });
    expect(made.body).toMatchObject({ object: "conversation", metadata: { a: "b" } });
    const id = String(made.body.id);
    const first = await respond(gate, { input: "hi", conversation: id });
    const second = await respond(gate, { input: "who am I?", conversation: { id }, stream: true });
    expect(outlineOf(gate.sent[1])).toEqual(["user", "user", "assistant", "user"]);
    expect([second.response.conversation, second.response.toolgate.session_id]).toEqual([
      { id },
      first.response.toolgate.session_id,
    ]);
    const items = await read(gate, `/v1/conversations/${id}/items?order=asc&limit=3`);
    expect([(items.body.data as unknown[]).length, items.body.has_more]).toEqual([3, true]);
    const added = await read(gate, `/v1/conversations/${id}/items`, { json: { items: [says("more")] } });
    expect(added.status).toBe(200);
    const eve = await gate.keyFor("eve", "user");
    for (const init of [{}, { method: "DELETE" }, { json: { metadata: {} } }])
      expect((await read(gate, `/v1/conversations/${id}`, { ...init, key: eve })).status).toBe(404);
    const hers = await respond(gate, { input: "who am I?", conversation: id }, {}, eve);
    expect([hers.http, hers.error?.param]).toEqual([404, "conversation"]);
    expect((await read(gate, `/v1/conversations/${id}`, { method: "DELETE" })).body.deleted).toBe(true);
    expect((await read(gate, `/v1/responses/${first.response.id}`)).status).toBe(404);
  });

  it("has its items read and taken out one by one, by its user alone", async () => {
    const gate = await open({ text: "Hello" }, { text: "Again" });
    const items = [says("I am Ada."), says("My number is 7.")];
    const { body: made } = await read(gate, "/v1/conversations", { json: { items } });
    const { body: other } = await read(gate, "/v1/conversations", { json: {} });
    await respond(gate, { input: "hi", conversation: made.id });
    const listed = await read(gate, `/v1/conversations/${made.id}/items?order=asc`);
    const [, number, , answer] = listed.body.data as Record<string, unknown>[];
    const path = (item: unknown, of: unknown = made.id) => `/v1/conversations/${of}/items/${item}`;
    expect(await read(gate, path(number?.id))).toEqual({ status: 200, body: number });
    expect((await read(gate, path(answer?.id))).body).toEqual(answer);
    const eve = await gate.keyFor("eve", "user");
    for (const method of ["GET", "DELETE"]) {
      expect((await read(gate, path(number?.id), { method, key: eve })).status).toBe(404);
      expect((await read(gate, path(number?.id, other.id), { method })).status).toBe(404);
      expect((await read(gate, path("msg_none"), { method })).status).toBe(404);
    }
    expect(await read(gate, path(number?.id), { method: "DELETE" })).toMatchObject({
      status: 200,
      body: { id: made.id },
    });
    expect((await read(gate, path(number?.id))).status).toBe(404);
    await respond(gate, { input: "what is my number?", conversation: made.id });
    expect(JSON.stringify(gate.sent[1]?.messages)).not.toContain("My number");
    const sums = [
      "SELECT units FROM response_threads WHERE id = ?",
      "SELECT SUM(units) AS units FROM responses WHERE thread = ?",
      "SELECT SUM(LENGTH(text)) AS units FROM response_parts JOIN responses ON response = ordinal WHERE thread = ?",
    ];
    const units = await runInGuard(gate.stub, (_, { storage: { sql } }) =>
      sums.map((text) => sql.exec(text, String(made.id)).one().units),
    );
    expect(new Set(units).size).toBe(1);
  });

  it("takes the same words for a new message, once the first were answered", async () => {
    const gate = await gateway({
      policy: { handshake: { select: "off" }, tools: { read_note: { category: "read_only" } } },
      upstream: [
        upstreamSays({ calls: [call("r1", "read_note")] }),
        upstreamSays({ calls: [call("r2", "read_note")] }),
      ],
    });
    const made = await read(gate, "/v1/conversations", { json: {} });
    const body = { input: "read my note", conversation: made.body.id, tools };
    const [first, second] = [await respond(gate, body), await respond(gate, body)];
    expect([first, second].map(({ calls }) => calls[0]?.call_id)).toEqual(["r1", "r2"]);
    // A follow-up names what it goes on from: the same bytes are the same request.
    const next = { input: "read it", previous_response_id: first.response.id, tools };
    const [third, again] = [await respond(gate, next), await respond(gate, next)];
    expect([third.calls[0]?.call_id, again.calls[0]?.call_id, gate.sent.length]).toEqual(["r2", "r2", 3]);
  });

  it.each([
    [{ conversation: "conv_x", previous_response_id: "resp_x" }, "conversation"],
    [{ conversation: "conv_x", store: false }, "store"],
    [{ conversation: 1 }, "conversation"],
    [{ previous_response_id: {} }, "previous_response_id"],
    [{ store: "yes" }, "store"],
  ])("is refused beside what contradicts it: %o", async (more, param) => {
    const gate = await open({ text: "ok" });
    const got = await respond(gate, { input: "hi", ...more });
    expect([got.http, got.error?.param, gate.sent]).toEqual([400, param, []]);
  });

  it("takes no item that a request could not hold", async () => {
    const gate = await open({ text: "ok" });
    const { status, body } = await read(gate, "/v1/conversations", { json: { items: [{ type: "shell_call" }] } });
    expect([status, (body.error as { param: string }).param]).toEqual([400, "items[0].type"]);
  });
});
