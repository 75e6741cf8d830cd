/** @module-tag attack/load */
import { createExecutionContext, env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createApp } from "../../../src/app.ts";
import { createKey } from "../../../src/auth/kv-keys.ts";
import { createDeps } from "../../../src/create-deps.ts";
import { lengthPrefixed } from "../../../src/lib/digest.ts";
import { believing, issuer } from "../identity/issuer.ts";
import { type Gateway, gateway } from "../support/gateway.ts";
import { says, user } from "../support/script.ts";

const start = 1_900_000_000_000;
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const hi = { json: { model: "m", messages: [user("hi")] } };

async function limited(gate: Gateway, max: number, windowMs = 60_000) {
  const owner = { tenant: gate.tenant, user: "ada", role: "user", connections: [], rateLimit: { max, windowMs } };
  const { token, key } = await createKey(env.KV, owner, Date.now());
  return { key: token, meter: env.KEY_METER.getByName(lengthPrefixed("key", gate.tenant, key.id)) };
}

const limitsOf = ({ headers }: Response) =>
  ["limit", "remaining", "reset"].map((what) => headers.get(`x-ratelimit-${what}-requests`));

describe("a key's request rate limit", () => {
  it("is told with each answer, and refuses what is beyond it before anything is done", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    const headers = { "x-ratelimit-limit-requests": "9999", "x-ratelimit-limit-tokens": "5" };
    const gate = await gateway({ upstream: says({ text: "ok", headers }) });
    const { key } = await limited(gate, 2);
    const first = await gate.fetch("/v1/chat/completions", { ...hi, key });
    expect([first.status, ...limitsOf(first)]).toEqual([200, "2", "1", "1m0s"]);
    expect(first.headers.get("x-ratelimit-limit-tokens")).toBe("5");
    vi.setSystemTime(start + 30_000);
    const second = await gate.fetch("/v1/sessions/none", { key });
    expect([second.status, ...limitsOf(second)]).toEqual([404, "2", "0", "1m0s"]);
    const third = await gate.fetch("/v1/chat/completions", { ...hi, key });
    expect([third.status, ...limitsOf(third), third.headers.get("retry-after")]).toEqual([429, "2", "0", "1m0s", "30"]);
    expect(await third.json()).toMatchObject({ error: { code: "request_rate_limited", type: "rate_limit_error" } });
    expect((await gate.fetch("/v1/models", { key })).status).toBe(429);
    // The body is not even parsed.
    expect((await gate.fetch("/v1/chat/completions", { method: "POST", body: "{", key })).status).toBe(429);
    expect(gate.sent.length).toBe(1);
    vi.setSystemTime(start + 60_000);
    expect((await gate.fetch("/v1/chat/completions", { ...hi, key })).status).toBe(200);
    expect((await gate.fetch("/v1/chat/completions", { ...hi, key })).status).toBe(429);
  });

  it("holds exactly for parallel requests", async () => {
    const gate = await gateway({ upstream: says({ text: "ok" }) });
    const { key } = await limited(gate, 5);
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => gate.fetch("/v1/chat/completions", { ...hi, key })),
    );
    expect(replies.filter(({ status }) => status === 200).length).toBe(5);
    expect(gate.sent.length).toBe(5);
  });

  it("survives the eviction of its object", async () => {
    const gate = await gateway({ upstream: says({ text: "ok" }) });
    const { key, meter } = await limited(gate, 2);
    for (let n = 0; n < 2; n++) expect((await gate.fetch("/v1/models", { key })).status).toBe(200);
    await evictDurableObject(meter);
    expect((await gate.fetch("/v1/models", { key })).status).toBe(429);
  });

  it("forgets in storage, too, what no window holds", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    const gate = await gateway({ upstream: says({ text: "ok" }) });
    const { key, meter } = await limited(gate, 100, 1_000);
    for (let n = 0; n < 5; n++) {
      vi.setSystemTime(start + n * 1_000);
      await gate.fetch("/v1/models", { key });
    }
    const rows = await runInDurableObject(meter, (_, { storage }) =>
      storage.sql.exec("SELECT first FROM uses").toArray(),
    );
    expect(rows).toEqual([{ first: start + 4_000 }]);
  });

  it("admits nothing where the meter cannot be reached", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const gate = await gateway({ upstream: says({ text: "ok" }) });
    const { key } = await limited(gate, 5);
    const stub = { take: () => Promise.reject(new Error("the object is overloaded")) };
    const deps = { ...createDeps(env), meterOf: () => stub as never };
    const init = { method: "POST", headers: { authorization: `Bearer ${key}` }, body: JSON.stringify(hi.json) };
    for (const path of ["/v1/chat/completions", "/v1/models"]) {
      const response = await createApp(deps).request(
        `https://gateway.test${path}`,
        init,
        env,
        createExecutionContext(),
      );
      expect([response.status, await response.json()]).toMatchObject([
        503,
        { error: { code: "rate_limit_unavailable" } },
      ]);
    }
  });

  it("admits nothing where the meter is silent", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const gate = await gateway();
    const { key } = await limited(gate, 5);
    const asked = Promise.withResolvers<void>();
    const take = () => {
      asked.resolve();
      return new Promise(() => {});
    };
    const app = createApp({ ...createDeps(env), meterOf: () => ({ take }) as never });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const answer = app.request("https://gateway.test/v1/models", { headers: { authorization: `Bearer ${key}` } });
    await asked.promise;
    await vi.advanceTimersByTimeAsync(15_000);
    expect([(await answer).status, await (await answer).json()]).toMatchObject([
      503,
      { error: { code: "rate_limit_unavailable" } },
    ]);
  });

  it("that is not there costs nothing: no meter is asked", { tags: ["control"] }, async () => {
    const gate = await gateway();
    const meterOf = vi.fn();
    const app = createApp({ ...createDeps(env), meterOf });
    const authorization = `Bearer ${gate.key}`;
    const response = await app.request("https://gateway.test/v1/me", { headers: { authorization } });
    expect([response.status, limitsOf(response), meterOf.mock.calls]).toEqual([200, [null, null, null], []]);
  });
});

describe("a limit of a thousand requests and more", () => {
  /** Isolates that share a key of which all but `left` requests are made. */
  async function isolates(left: number, exact?: true) {
    const gate = await gateway();
    const rateLimit = { max: 1_000, windowMs: 60_000, exact };
    const owner = { tenant: gate.tenant, user: "ada", role: "user", connections: [], rateLimit };
    const { token, key } = await createKey(env.KV, owner, Date.now());
    const meter = env.KEY_METER.getByName(lengthPrefixed("key", gate.tenant, key.id));
    await runInDurableObject(meter, (_, { storage }) => {
      storage.sql.exec("INSERT INTO uses (first, last, n) VALUES (?1, ?1, ?2)", Date.now(), rateLimit.max - left);
    });
    await evictDurableObject(meter);
    const asked = vi.fn();
    const meterOf = (name: string) => {
      asked();
      return env.KEY_METER.getByName(name);
    };
    const apps = [1, 2, 3].map(() => createApp({ ...createDeps(env), meterOf }));
    const send = async (n: number): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` };
      const response = await apps[n % 3]?.request("https://gateway.test/v1/me", { headers }, env);
      return response?.status ?? 0;
    };
    return { send, asked };
  }

  it("is leased: isolates ask seldom, and never admit more than is left, however many ask at once", async () => {
    const { send, asked } = await isolates(100);
    const statuses: number[] = [];
    for (let n = 0; n < 40; n++) statuses.push(await send(0));
    expect(asked.mock.calls.length).toBeLessThan(15);
    statuses.push(...(await Promise.all(Array.from({ length: 120 }, (_, n) => send(n)))));
    const admitted = statuses.filter((status) => status === 200).length;
    expect(admitted).toBeLessThanOrEqual(100);
    expect(admitted).toBeGreaterThanOrEqual(85);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });

  it("is asked about with each request where it is exact, and has its last one", async () => {
    const { send, asked } = await isolates(10, true);
    const statuses = await Promise.all(Array.from({ length: 30 }, (_, n) => send(n)));
    expect([statuses.filter((status) => status === 200).length, asked.mock.calls.length]).toEqual([10, 30]);
  });
});

describe("the default limit", () => {
  it("counts each key, and each user of an issuer, apart; a key may have one of its own, or none", async () => {
    const from = await issuer("ES256");
    const gate = await gateway({
      upstream: says({ text: "ok" }),
      elsewhere: (request) => from.serve(request),
      variables: (tenant) => ({ ...believing(from)(tenant), KEY_RATE_LIMIT: "1/1h" }),
    });
    const owner = { tenant: gate.tenant, user: "ada", role: "user", connections: [] };
    const free = (await createKey(env.KV, { ...owner, rateLimit: null }, Date.now())).token;
    const two = (await limited(gate, 2)).key;
    const counted = async (key: string) => {
      const statuses: number[] = [];
      for (let n = 0; n < 3; n++) statuses.push((await gate.fetch("/v1/models", { key })).status);
      return statuses;
    };
    expect(await counted(gate.key)).toEqual([200, 429, 429]);
    expect(await counted(await gate.keyFor("ada", "user"))).toEqual([200, 429, 429]);
    expect(await counted(two)).toEqual([200, 200, 429]);
    expect(await counted(free)).toEqual([200, 200, 200]);
    expect(await counted(await from.token({ sub: "ada" }))).toEqual([200, 429, 429]);
    expect(await counted(await from.token({ sub: "ada" }))).toEqual([429, 429, 429]);
    expect(await counted(await from.token({ sub: "bob" }))).toEqual([200, 429, 429]);
  });
});
