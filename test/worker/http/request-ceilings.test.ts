/**
 * What one user, and an isolate, may have going on at once.
 * @module-tag attack/load
 */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { asking, edits, hi, says1, tools } from "../approvals/approvals.ts";
import { type Gateway, gateway, type Upstream } from "../support/gateway.ts";
import { ask, says, user } from "../support/script.ts";
import { captureLog } from "../telemetry/capture-log.ts";

afterEach(() => vi.useRealTimers());

// A model that was asked is the sign here that the turn was opened.
const policy = { handshake: { select: "off" }, execution: { speculate: false } };
const chat = { model: "m", messages: [user("hi")] };

/** An upstream that answers nobody until it is let, and tells how many have asked. */
function patient() {
  const answered = Promise.withResolvers<void>();
  const waiting: (() => void)[] = [];
  let asked = 0;
  const upstream: Upstream = async (body, request) => {
    asked += 1;
    for (const one of waiting.splice(0)) one();
    await answered.promise;
    return says({ text: "ok" })(body, request);
  };
  async function until(count: number): Promise<void> {
    while (asked < count) await new Promise<void>((resolve) => waiting.push(resolve));
  }
  return { upstream, until, answer: () => answered.resolve() };
}

async function refusalOf(response: Response) {
  const { error } = (await response.json()) as { error: { code: string; message: string; type: string } };
  return { status: response.status, retryAfter: Number(response.headers.get("retry-after")), ...error };
}

const send = (gate: Gateway, key = gate.key, json: unknown = chat) => gate.fetch("/v1/chat/completions", { json, key });

describe("F4: turns of one user", () => {
  const open = async (variables: object = { MAX_USER_TURNS: "2" }) => {
    const { upstream, until, answer } = patient();
    return { gate: await gateway({ policy, upstream, variables }), until, answer };
  };

  it("are refused beyond the ceiling, in JSON and in streams, and begin again as soon as one ends", async () => {
    const log = captureLog();
    const { gate, until, answer } = await open();
    const first = [send(gate), send(gate)];
    await until(2);
    for (const stream of [false, true]) {
      const late = await refusalOf(await send(gate, gate.key, { ...chat, stream }));
      expect(late).toMatchObject({ status: 429, code: "too_many_turns", type: "rate_limit_error", retryAfter: 1 });
      expect(late.message).toContain("2 turns open, the most at once (`MAX_USER_TURNS`)");
    }
    const other = send(gate, await gate.keyFor("bob", "user"));
    await until(3);
    answer();
    expect((await Promise.all([...first, other])).map(({ status }) => status)).toEqual([200, 200, 200]);
    await gate.settle();
    expect((await send(gate)).status).toBe(200);
    expect((await gate.turns()).length).toBe(3);
    // A turn that never was is not missed.
    expect(log.text()).not.toContain("turn_unknown_at_close");
  });

  it("count on where the user's object has left the memory meanwhile", async () => {
    const { gate, until, answer } = await open();
    const first = [send(gate), send(gate)];
    await until(2);
    const stored = () =>
      runInDurableObject(gate.stub, (_, { storage: { sql } }) =>
        sql.exec("SELECT id FROM sessions WHERE opened > 0").toArray(),
      );
    await vi.waitFor(async () => expect(await stored()).toHaveLength(2), 5_000);
    await evictDurableObject(gate.stub);
    expect((await refusalOf(await send(gate))).code).toBe("too_many_turns");
    answer();
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200]);
    await gate.settle();
    expect((await send(gate)).status).toBe(200);
  });

  it("count no longer than ten minutes where nobody ends them", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_900_000_000_000 });
    const { gate, until, answer } = await open({ MAX_USER_TURNS: "1" });
    const first = send(gate);
    await until(1);
    vi.setSystemTime(1_900_000_000_000 + 599_999);
    expect((await refusalOf(await send(gate))).code).toBe("too_many_turns");
    vi.setSystemTime(1_900_000_000_000 + 600_000);
    const second = send(gate);
    await until(2);
    answer();
    expect([(await first).status, (await second).status]).toEqual([200, 200]);
  });
});

describe("F4: replies that are held for one user", () => {
  it("are refused beyond the ceiling, before the model is asked; other replies are not", async () => {
    const variables = { MAX_USER_HOLDS: "1" };
    const gate = await asking([says1(edits())], {}, { variables });
    const headers = { "x-toolgate-approvals": "hold" };
    const held = ask(gate, { messages: [hi], tools }, headers);
    const [waits] = await pendingOf(gate, 1);
    const late = await gate.chat({ messages: [hi], tools }, headers);
    expect(await refusalOf(late)).toMatchObject({ status: 429, code: "too_many_held_replies", retryAfter: 5 });
    expect(gate.sent.length).toBe(1);
    expect((await ask(gate, { messages: [hi], tools })).note.stop_reason).toBe("awaiting_approval");
    expect((await gate.fetch(`/v1/approvals/${waits?.id}`, { json: { action: "approve" } })).status).toBe(200);
    expect((await held).calls).toMatchObject([{ name: "edit_note" }]);
    const again = ask(gate, { messages: [hi], tools }, headers);
    const next = (await pendingOf(gate, 2)).find(({ channel }) => channel === "hold");
    await gate.fetch(`/v1/approvals/${next?.id}`, { json: { action: "deny" } });
    expect((await again).status).toBe(200);
  });
});

async function pendingOf(gate: Gateway, count: number) {
  for (;;) {
    const list = await gate.fetch("/v1/approvals?status=pending");
    const { data } = (await list.json()) as { data: { id: string; channel: string }[] };
    if (data.length >= count) return data;
  }
}

describe("F4: event streams of one user", () => {
  it("are refused beyond the ceiling, and open again as soon as one is closed", async () => {
    const gate = await gateway({ policy, variables: { MAX_USER_STREAMS: "2" } });
    const events = (key = gate.key) => gate.fetch("/v1/approvals/events", { key });
    const [first, second] = [await events(), await events()];
    expect([first?.status, second?.status]).toEqual([200, 200]);
    expect(await refusalOf(await events())).toMatchObject({
      status: 429,
      code: "too_many_event_streams",
      retryAfter: 10,
    });
    const other = await events(await gate.keyFor("bob", "user"));
    await first?.body?.cancel();
    const third = await events();
    expect([other.status, third.status]).toEqual([200, 200]);
    for (const response of [second, other, third]) await response?.body?.cancel();
  });

  it("count no longer than half a minute where nobody closes them", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_900_000_000_000 });
    const gate = await gateway({ policy, variables: { MAX_USER_STREAMS: "1" } });
    const lost = await gate.fetch("/v1/approvals/events");
    vi.setSystemTime(1_900_000_000_000 + 29_999);
    expect((await gate.fetch("/v1/approvals/events")).status).toBe(429);
    vi.setSystemTime(1_900_000_000_000 + 30_000);
    const next = await gate.fetch("/v1/approvals/events");
    expect(next.status).toBe(200);
    for (const response of [lost, next]) await response.body?.cancel();
  });
});

describe("F4: bodies that an isolate holds", () => {
  const variables = { MAX_BODY_BYTES: "4096", MAX_INFLIGHT_BYTES: "8192" };
  const large = (bytes: number) => ({ ...chat, messages: [user("x".repeat(bytes))] });

  it("are refused where there is no room: of one user's share, then of all; and are let in when there is", async () => {
    const { upstream, until, answer } = patient();
    const gate = await gateway({ policy, upstream, variables });
    const bob = await gate.keyFor("bob", "user");
    const first = send(gate, gate.key, large(3500));
    await until(1);
    const more = await refusalOf(await send(gate, gate.key, large(1000)));
    expect(more).toMatchObject({ status: 429, code: "too_many_bytes", retryAfter: 1 });
    expect(more.message).toContain("4096 bytes at once");
    const second = send(gate, bob, large(3500));
    await until(2);
    const full = await refusalOf(await send(gate, await gate.keyFor("eve", "user"), large(3500)));
    expect(full).toMatchObject({ status: 503, code: "gateway_busy", type: "server_error", retryAfter: 1 });
    expect(full.message).toContain("8192 bytes");
    // Whatever has no room, small requests are served.
    expect((await gate.fetch("/v1/me")).status).toBe(200);
    answer();
    expect([(await first).status, (await second).status]).toEqual([200, 200]);
    await gate.settle();
    expect((await send(gate, gate.key, large(3500))).status).toBe(200);
  });

  it("leave no trace of requests that were refused", async () => {
    const gate = await gateway({ policy, upstream: says({ text: "ok" }), variables });
    for (let n = 0; n < 20; n++) {
      const json = n % 2 === 0 ? { ...large(3000), model: "" } : { input: "x".repeat(3000), tools: 1 };
      await (await gate.fetch(n % 2 === 0 ? "/v1/chat/completions" : "/v1/plans", { json })).text();
    }
    expect((await send(gate, gate.key, large(3500))).status).toBe(200);
  });

  it("are counted on the other routes that take large ones", async () => {
    const { upstream, until, answer } = patient();
    const gate = await gateway({ policy, upstream, variables });
    const embedding = gate.fetch("/v1/embeddings", { json: { input: "x".repeat(3500) } });
    await until(1);
    for (const path of ["/v1/embeddings", "/v1/intents/detect", "/v1/plans"]) {
      const refused = await refusalOf(await gate.fetch(path, { json: { text: "x".repeat(1000) } }));
      expect([path, refused.code]).toEqual([path, "too_many_bytes"]);
    }
    answer();
    expect((await embedding).status).toBe(200);
  });

  it("are at most 4 MiB each, and 2 MiB where nothing large is sent", async () => {
    const gate = await gateway({ policy, upstream: says({ text: "ok" }) });
    const body = (bytes: number) => ({ method: "POST", body: " ".repeat(bytes) });
    const status = async (path: string, bytes: number) => (await gate.fetch(path, body(bytes))).status;
    expect(await status("/v1/chat/completions", 4 * 1024 * 1024 + 1)).toBe(413);
    expect(await status("/v1/approvals/appr_1", 2 * 1024 * 1024 + 1)).toBe(413);
    expect((await send(gate, gate.key, large(4 * 1024 * 1024 - 200))).status).toBe(200);
  });
});
