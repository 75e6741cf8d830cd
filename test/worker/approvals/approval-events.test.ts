/** Approvals as server-sent events: what waits, what changes, and what came while nobody listened. */
import { type env, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Gateway, gateway } from "../support/gateway.ts";
import { askApproval, objectOf } from "./asked-approval.ts";

const policy = { tools: { edit_note: { category: "modification", redact: ["content"] } } };
const open = () => gateway({ policy });

interface Event {
  readonly event: string | undefined;
  readonly id: number | undefined;
  readonly data: Record<string, unknown> | undefined;
}

afterEach(() => vi.useRealTimers());

/** Reads a stream block by block; comments and `retry` are events without a name. */
function reading(response: Response) {
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = "";
  async function block(): Promise<string | undefined> {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end >= 0) {
        const found = text.slice(0, end);
        text = text.slice(end + 2);
        return found;
      }
      const { done, value } = await reader.read();
      if (done) return undefined;
      text += decoder.decode(value, { stream: true });
    }
  }
  const field = (found: string, name: string) =>
    found
      .split("\n")
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  return {
    block,
    /** The next block that has a field `event`, or one that moves the id on alone. */
    async next(): Promise<Event | undefined> {
      for (;;) {
        const found = await block();
        if (found === undefined) return undefined;
        const [event, id, data] = ["event", "id", "data"].map((name) => field(found, name));
        if (event === undefined && id === undefined) continue;
        return {
          event,
          id: id === undefined ? undefined : Number(id),
          data: data === undefined ? undefined : (JSON.parse(data) as Record<string, unknown>),
        };
      }
    },
    end: () => reader.cancel(),
  };
}

async function listen(gate: Gateway, query = "", init: Parameters<Gateway["fetch"]>[1] = {}) {
  const response = await gate.fetch(`/v1/approvals/events${query}`, init);
  expect(response.status).toBe(200);
  return reading(response);
}
const answer = (gate: Gateway, id: string, action: string) => gate.fetch(`/v1/approvals/${id}`, { json: { action } });

describe("a stream of one's approvals", () => {
  it("begins with what waits, then tells what is asked and answered, as it happens", async () => {
    const gate = await open();
    const { tenant } = gate;
    const [first, done, second] = [
      await askApproval({ tenant }),
      await askApproval({ tenant }),
      await askApproval({ tenant }),
    ];
    await answer(gate, done.id, "deny");
    const stream = await listen(gate);
    expect(await stream.block()).toMatch(/^retry: \d+$/);
    for (const { id } of [first, second])
      expect(await stream.next()).toMatchObject({ event: "approval.asked", data: { object: "approval", id } });
    const begun = await stream.next();
    expect(begun).toEqual({ event: undefined, id: expect.any(Number), data: undefined });
    await answer(gate, first.id, "approve");
    const answered = await stream.next();
    expect(answered).toMatchObject({ event: "approval.answered", data: { id: first.id, status: "approved" } });
    const asked = await askApproval({ tenant });
    expect(await stream.next()).toMatchObject({ event: "approval.asked", data: { id: asked.id, status: "pending" } });
    expect(answered?.id).toBeGreaterThan(begun?.id ?? 0);
    await stream.end();
  });

  it.each(["last-event-id", "after"])(
    "taken up again by `%s` tells what came meanwhile, and nothing before",
    async (by) => {
      const gate = await open();
      const { tenant } = gate;
      await askApproval({ tenant });
      const before = await listen(gate);
      await before.next();
      const last = await before.next();
      await before.end();
      const [missed, other] = [await askApproval({ tenant }), await askApproval({ tenant })];
      await answer(gate, missed.id, "deny");
      const again =
        by === "after"
          ? await listen(gate, `?after=${last?.id}`)
          : await listen(gate, "?after=0", { headers: { "last-event-id": String(last?.id) } });
      const told = [await again.next(), await again.next()];
      expect(told.map((one) => one?.data?.id).sort()).toEqual([missed.id, other.id].sort());
      expect(told.find((one) => one?.data?.id === missed.id)?.event).toBe("approval.answered");
      // Only the last of what came together moves the client on.
      expect(told.map((one) => one?.id !== undefined)).toEqual([false, true]);
      await again.end();
    },
  );

  it.each(["-1", "x", "1e3", "99999999999999", ""])(
    "taken up by a number that was never told (`%s`) begins anew",
    async (id) => {
      const gate = await open();
      const { id: waiting } = await askApproval({ tenant: gate.tenant });
      const stream = await listen(gate, "", { headers: { "last-event-id": id } });
      expect(await stream.next()).toMatchObject({ event: "approval.asked", data: { id: waiting } });
      await stream.end();
    },
  );

  it("that could not tell all that waits ends without an id, so that who comes back is told of it", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const stub = {
      call: async (_api: string, method: string) => {
        if (method !== "changes") throw new Error("gone");
        return { version: 7, data: [] };
      },
    };
    const USER_GUARD = { idFromName: String, get: () => stub } as unknown as (typeof env)["USER_GUARD"];
    const stream = await listen(await gateway({ policy, variables: { USER_GUARD } }));
    expect([await stream.block(), await stream.block()]).toEqual([expect.stringMatching(/^retry/), undefined]);
  });

  it("refuses a query that it cannot read", async () => {
    const gate = await open();
    for (const query of ["?after=x", "?since=1", "?scope=all", "?tenant=x"]) {
      const response = await gate.fetch(`/v1/approvals/events${query}`);
      expect([query, response.status]).toEqual([query, 400]);
    }
  });

  it("tells many in one go, all of them", async () => {
    const gate = await open();
    const { tenant } = gate;
    const ids = [];
    for (let n = 0; n < 120; n += 1) ids.push((await askApproval({ tenant })).id);
    const whole = await listen(gate);
    const resumed = await listen(gate, "?after=0");
    for (const stream of [whole, resumed]) {
      const told = [];
      while (told.length < ids.length) {
        const one = await stream.next();
        if (one?.data) told.push(one.data.id);
      }
      expect(told).toEqual(ids);
      await stream.end();
    }
  });

  it("tells nothing of another's, and of one's own what is kept from records, too", async () => {
    const gate = await open();
    const { tenant } = gate;
    const key = await gate.keyFor("bob", "admin");
    await askApproval({ tenant });
    const stream = await listen(gate, "", { key });
    expect((await stream.next())?.event).toBeUndefined();
    await askApproval({ tenant });
    const { id } = await askApproval({ tenant, user: "bob" });
    const told = await stream.next();
    expect(told).toMatchObject({ event: "approval.asked", data: { id } });
    expect(told?.data).toMatchObject({ arguments: { content: "secret words" } });
    await stream.end();
  });

  it("ends after a while, and what came meanwhile is told to who comes back", async () => {
    const gate = await open();
    const { tenant } = gate;
    const stream = await listen(gate);
    const begun = await stream.next();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 15 * 60_000 });
    const { id } = await askApproval({ tenant });
    const last = await stream.next();
    if (last) expect(await stream.next()).toBeUndefined();
    const again = await listen(gate, `?after=${begun?.id}`);
    expect(await again.next()).toMatchObject({ data: { id } });
    await again.end();
  });

  it("ends when the client goes", async () => {
    const gate = await open();
    const client = new AbortController();
    const stream = await listen(gate, "", { signal: client.signal });
    await stream.next();
    client.abort();
    await askApproval({ tenant: gate.tenant });
    // What was under way may still be told.
    if (await stream.next()) expect(await stream.next()).toBeUndefined();
  });

  it("ends when its key does", async () => {
    const gate = await open();
    const { tenant } = gate;
    const key = await gate.keyFor("boss", "admin");
    const made = (await (await gate.fetch("/admin/keys", { json: { user: "ada", role: "user" }, key })).json()) as {
      id: string;
      token: string;
    };
    const stream = await listen(gate, "", { key: made.token });
    await stream.next();
    expect((await gate.fetch(`/admin/keys/${made.id}`, { method: "DELETE", key })).status).toBe(200);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    await askApproval({ tenant });
    // What was under way when the key ended may still be told.
    if (await stream.next()) expect(await stream.next()).toBeUndefined();
  });
});

describe("a stream of a tenant's approvals", () => {
  const deliver = (gate: Gateway, user: string) =>
    runInDurableObject(objectOf(gate.tenant, user), (instance) => instance.alarm());

  it("tells an operator what is asked of everybody, and how it ends", async () => {
    const gate = await open();
    const { tenant } = gate;
    const key = await gate.keyFor("boss", "admin");
    const first = await askApproval({ tenant, user: "bob" });
    await deliver(gate, "bob");
    const stream = await listen(gate, "?scope=tenant", { key });
    expect(await stream.next()).toMatchObject({ event: "approval.asked", data: { id: first.id, user: "bob" } });
    expect(await stream.next()).toMatchObject({ event: undefined, id: expect.any(Number) });
    const second = await askApproval({ tenant });
    await deliver(gate, "ada");
    expect(await stream.next()).toMatchObject({ event: "approval.asked", data: { id: second.id, user: "ada" } });
    await answer(gate, second.id, "deny");
    await deliver(gate, "ada");
    const ended = await stream.next();
    expect(ended).toMatchObject({ event: "approval.answered", data: { id: second.id, status: "denied" } });
    await stream.end();
    const third = await askApproval({ tenant, user: "carol" });
    await deliver(gate, "carol");
    const again = await listen(gate, "?scope=tenant", { key, headers: { "last-event-id": String(ended?.id) } });
    const told: unknown[] = [];
    while (told.at(-1) !== third.id) told.push((await again.next())?.data?.id);
    expect(told.at(-1)).toBe(third.id);
    await again.end();
  });
});
