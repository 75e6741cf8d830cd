/** Every call that a turn or an operator's request makes to a store, while that store throws, is overloaded or is silent. */
import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createApp } from "../../../src/app.ts";
import { createDeps } from "../../../src/create-deps.ts";
import type { Env } from "../../../src/deps.ts";
import type { UserGuardApis } from "../../../src/stores/guard/guard-apis.ts";
import type { ObjectCall } from "../../../src/stores/objects/object-ports.ts";
import type { UserGuard } from "../../../src/stores/objects/user-guard.ts";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { runInGuard } from "../support/run-in-guard.ts";
import { type Answer, ask, call, readAnswer, says, user } from "../support/script.ts";
import { turnsOf } from "../support/session-turns.ts";

const policy = {
  handshake: { select: "off" },
  tools: { read_file: { category: "read_only" }, web_get: { category: "external" } },
};
const tools = [tool("read_file")];
const hi = [user("go")];

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Failure = (call: () => Promise<unknown>) => Promise<unknown>;

/** What the runtime's own errors bear. */
const failing = (message: string, marks: object = {}): Failure => {
  return () => Promise.reject(Object.assign(new Error(message), marks));
};
const failures: Readonly<Record<string, Failure>> = {
  throws: failing("internal error; reference = x"),
  "is overloaded": failing("Durable Object is overloaded", { overloaded: true, retryable: true }),
  // Its deadline is reached as soon as the clock is moved.
  "is silent": () => new Promise(() => {}),
};

type Method = { [Api in keyof UserGuardApis]: `${Api}.${keyof UserGuardApis[Api] & string}` }[keyof UserGuardApis];

/** @param path of the method that fails, every time; the others answer. */
function brokenGuard(stub: DurableObjectStub<UserGuard>, path: Method, fail: Failure): object {
  const call: ObjectCall<UserGuardApis> = (...named) =>
    (stub as unknown as { call: ObjectCall<UserGuardApis> }).call(...named);
  return {
    call: (...named: Parameters<ObjectCall<UserGuardApis>>) =>
      named.slice(0, 2).join(".") === path ? fail(() => call(...named)) : call(...named),
  };
}

interface Broken {
  readonly guard?: readonly [Method, Failure];
  readonly kv?: Failure;
  readonly db?: Failure;
}

/** The bindings of `env`, some of which fail. */
function broken({ guard, kv, db }: Broken): Env {
  const failingMethods = (target: object, names: readonly string[], fail: Failure) =>
    new Proxy(target, {
      get(_, name) {
        const member = Reflect.get(target, name) as unknown;
        if (names.includes(String(name))) return () => fail(() => Promise.resolve());
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
  const objects = env.USER_GUARD;
  return {
    ...env,
    UPSTREAM_BASE_URL: "https://upstream.test/v1",
    ...(guard
      ? {
          USER_GUARD: {
            idFromName: (name: string) => objects.idFromName(name),
            get: (id: DurableObjectId) => brokenGuard(objects.get(id), ...guard),
          } as unknown as Env["USER_GUARD"],
        }
      : {}),
    ...(kv ? { KV: failingMethods(env.KV, ["get"], kv) as KVNamespace } : {}),
    // A statement is only made: it fails when it is run.
    ...(db
      ? {
          AUDIT_DB: {
            prepare: () => ({ bind: () => ({ all: db, first: db, run: db }) }),
            batch: db,
          } as unknown as D1Database,
        }
      : {}),
  };
}

async function send(settings: Env, gate: Gateway, request: Request): Promise<Response> {
  const upstream = (async (_: RequestInfo, init?: RequestInit) =>
    says({ text: "hi", calls: [call("c", "read_file")] })(
      JSON.parse(String(init?.body)),
      new Request("https://u.test"),
    )) as typeof fetch;
  request.headers.set("authorization", `Bearer ${gate.key}`);
  const context = createExecutionContext();
  const response = await createApp(createDeps(settings, { fetch: upstream })).fetch(request, settings, context);
  // Read first: work that nobody waits for may be of a store that is silent.
  const text = await response.text();
  await waitOnExecutionContext(context);
  return new Response(text, response);
}

/** Moves the clock past every deadline, as often as something waits for one. */
async function answered<T>(work: Promise<T>): Promise<T> {
  let done = false;
  const ended = work.finally(() => {
    done = true;
  });
  while (!done) await vi.advanceTimersByTimeAsync(20_000);
  return ended;
}

const get = (path: string, init?: RequestInit) => new Request(`https://gateway.test${path}`, init);
const chat = (stream: boolean, headers: object = {}) =>
  get("/v1/chat/completions", {
    method: "POST",
    headers: { "x-toolgate-session": "s", ...headers },
    body: JSON.stringify({ model: "m", stream, messages: hi, tools }),
  });
const fakeClock = () => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

const errorOf = async (response: Response) => {
  const answer: Answer = await readAnswer(response);
  expect(answer.error).toMatchObject({ message: expect.any(String), type: "server_error", code: expect.any(String) });
  return { status: answer.status, code: answer.error?.code, calls: answer.calls, finish: answer.finish };
};

for (const [how, fail] of Object.entries(failures)) {
  describe(`a store that ${how}`, () => {
    it.each([true, false])("UserGuard, at open: a 503, and the model is not asked (stream %s)", async (stream) => {
      const gate = await gateway({ policy });
      fakeClock();
      const response = await answered(send(broken({ guard: ["turns.open", fail] }), gate, chat(stream)));
      expect(await errorOf(response)).toMatchObject({ status: 503, code: "gateway_unavailable", calls: [] });
      vi.useRealTimers();
      expect([await gate.turns(), await gate.decisions()]).toEqual([[], []]);
    });

    it.each([true, false])(
      "UserGuard, at decide: nothing is released, and no clean end pretends so (stream %s)",
      async (stream) => {
        const gate = await gateway({ policy });
        fakeClock();
        const response = await answered(send(broken({ guard: ["turns.decide", fail] }), gate, chat(stream)));
        const told = await errorOf(response);
        expect(told).toMatchObject({
          status: stream ? 200 : 503,
          code: "gateway_unavailable",
          calls: [],
          finish: null,
        });
        vi.useRealTimers();
        expect(await gate.turns()).toMatchObject([{ stop_reason: "gateway_error" }]);
        expect(await gate.decisions()).toEqual([]);
      },
    );

    it("UserGuard, at close: the reply is whole; the object records the turn as never closed", async () => {
      const gate = await gateway({ policy });
      fakeClock();
      const response = await answered(send(broken({ guard: ["turns.close", fail] }), gate, chat(false)));
      expect((await readAnswer(response)).calls.length).toBe(1);
      vi.useRealTimers();
      expect((await gate.decisions()).length).toBe(1);
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * 3600_000 });
      expect(await gate.turns()).toMatchObject([{ error: "the turn was never closed" }]);
    });

    it.each<[Method, string, string, object | undefined]>([
      ["sessions.find", "GET", "/v1/sessions/s", undefined],
      ["sessions.setMode", "PATCH", "/v1/sessions/s", { mode: "default" }],
      ["sessions.delete", "DELETE", "/v1/sessions/s", undefined],
      ["gates.open", "POST", "/v1/gates/web_get", {}],
      ["gates.withdraw", "DELETE", "/v1/gates/web_get", undefined],
      ["gates.list", "GET", "/v1/gates", undefined],
      ["approvals.list", "GET", "/v1/approvals", undefined],
      ["approvals.find", "GET", `/v1/approvals/appr_${"0".repeat(26)}`, undefined],
      ["approvals.find", "POST", `/v1/approvals/appr_${"0".repeat(26)}`, { action: "approve" }],
      ["approvals.changes", "GET", "/v1/approvals/events", undefined],
      ["grants.list", "GET", "/v1/grants", undefined],
      ["grants.withdraw", "DELETE", "/v1/grants/x", undefined],
    ])("UserGuard, at %s: a 503 (%s %s)", async (method, verb, path, body) => {
      const gate = await gateway({ policy });
      fakeClock();
      const request = get(path, { method: verb, body: body && JSON.stringify(body) });
      const response = await answered(send(broken({ guard: [method, fail] }), gate, request));
      expect(await errorOf(response)).toMatchObject({ status: 503, code: "gateway_unavailable" });
    });

    it("KV, that knows the keys: a 503", async () => {
      const gate = await gateway({ policy });
      fakeClock();
      const response = await answered(send(broken({ kv: fail }), gate, chat(true)));
      expect(await errorOf(response)).toMatchObject({ status: 503, code: "keys_unavailable" });
    });

    it("KV, that knows the policy: a 503, and no other policy in its place", async () => {
      const gate = await gateway({ policy });
      const settings = { ...env, UPSTREAM_BASE_URL: "https://upstream.test/v1" };
      const kv = {
        get: (key: string) => (key.startsWith("policy:") ? fail(() => Promise.resolve()) : env.KV.get(key)),
      } as unknown as KVNamespace;
      fakeClock();
      const response = await answered(send({ ...settings, KV: kv }, gate, chat(true)));
      expect(await errorOf(response)).toMatchObject({ status: 503, code: "policy_unavailable" });
    });

    it.each([
      ["GET", "/v1/audit/turns"],
      ["GET", "/v1/audit/decisions"],
      ["GET", "/v1/audit/decisions?reason=rate_limited"],
      ["GET", "/v1/audit/verify?user=ada"],
      ["GET", "/v1/approvals?scope=tenant"],
      ["GET", "/v1/approvals/events?scope=tenant"],
      ["GET", `/v1/approvals/appr_${"0".repeat(26)}`],
    ])("D1, that is asked: a 503 (%s %s)", async (method, path) => {
      const gate = await gateway({ policy, role: "admin" });
      fakeClock();
      const response = await answered(send(broken({ db: fail }), gate, get(path, { method })));
      expect(await errorOf(response)).toMatchObject({ status: 503, code: "audit_unavailable" });
    });
  });
}

describe("an object that may have been moved while it was asked", () => {
  const once = (done: boolean): Failure => {
    let asked = 0;
    return async (work) => {
      asked += 1;
      if (asked > 1) return work();
      if (done) await work();
      throw Object.assign(new Error("Durable Object reset because its code was updated."), { retryable: true });
    };
  };

  it.each([
    ["before", false],
    ["after", true],
  ])("is asked again to open, and opens once (it failed %s the work)", async (_, done) => {
    const gate = await gateway({ policy, upstream: says({ calls: [call("c", "read_file")] }) });
    await ask(gate, { messages: hi, tools }, { "x-toolgate-session": "s" });
    // A reset is written before it is answered: done twice it would fail, or begin a task too many.
    const request = chat(false, { "x-toolgate-reset": "true" });
    const response = await send(broken({ guard: ["turns.open", once(done)] }), gate, request);
    const answer = await readAnswer(response);
    expect([answer.status, answer.calls.length]).toEqual([200, 1]);
    const task = await runInGuard(gate.stub, (_object, { storage }) => [
      storage.sql.exec("SELECT task FROM sessions").toArray(),
      turnsOf(storage.sql).length,
    ]);
    expect(task).toEqual([[{ task: 2 }], 2]);
    const turns = await gate.turns();
    // The call of the first turn was abandoned by the second: once, and it is in the record.
    expect(turns).toMatchObject([{ settled: [] }, { settled: [{ outcome: "abandoned" }] }]);
  });

  it.each(["turns.close", "sessions.find"] as const)("is asked again to %s", async (method) => {
    const gate = await gateway({ policy });
    await readAnswer(await send(broken({ guard: [method, once(true)] }), gate, chat(false)));
    const session = await send(broken({ guard: [method, once(true)] }), gate, get("/v1/sessions/s"));
    expect(session.status).toBe(200);
    expect(await gate.turns()).toMatchObject([{ stop_reason: "completed" }]);
  });

  it("is not asked again to decide: nobody would know what the first decision reserved", async () => {
    const gate = await gateway({ policy });
    const response = await send(broken({ guard: ["turns.decide", once(true)] }), gate, chat(false));
    expect(await errorOf(response)).toMatchObject({ status: 503, calls: [] });
    expect(await gate.decisions()).toHaveLength(1);
  });

  it("gets back at the turn's end what a decision reserved that nobody heard of", async () => {
    const tightly = { read_file: { category: "read_only", rateLimits: [{ max: 1, window: "1h" }] } };
    const gate = await gateway({ policy: { ...policy, tools: tightly } });
    const unheard = await send(broken({ guard: ["turns.decide", once(true)] }), gate, chat(true));
    expect(await errorOf(unheard)).toMatchObject({ calls: [] });
    const next = await readAnswer(await send(broken({}), gate, chat(false)));
    expect(next.calls.map(({ id }) => id)).toEqual(["c"]);
  });
});
