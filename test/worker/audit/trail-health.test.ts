/** What operators see of a database that takes no audit records: `/health`, the log and the metrics. */
import { env, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { UserGuard } from "../../../src/stores/objects/user-guard.ts";
import { samplesOf } from "../../support/metrics-text.ts";
import { type Gateway, gateway } from "../support/gateway.ts";
import { ask, says, user } from "../support/script.ts";

const minutes = (n: number) => n * 60_000;
/** Other files have deliveries that fail: none in these years. */
let start = Date.now() + minutes(60 * 24 * 365 * 2);

let errors: string[];
beforeEach(() => {
  start += minutes(60 * 24);
  errors = [];
  vi.spyOn(console, "error").mockImplementation((...words) => void errors.push(words.join(" ")));
  vi.useFakeTimers({ toFake: ["Date"], now: start });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const variables = { METRICS: "1", METRICS_INTERVAL: "0s" };
const policy = { handshake: { select: "off" } };

/** D1, whose every write fails so. */
const failing = (message: string): D1Database =>
  new Proxy(env.AUDIT_DB, {
    get: (db, name) => (name === "batch" ? async () => Promise.reject(new Error(message)) : Reflect.get(db, name)),
  });

async function deliverTo(db: D1Database, gate: Gateway): Promise<void> {
  await runInDurableObject(gate.stub, (_, state) =>
    new UserGuard(state, { ...env, ...variables, AUDIT_DB: db }).alarm(),
  );
}

async function withOneTurn(): Promise<Gateway> {
  const gate = await gateway({ policy, variables, upstream: says({ text: "ok" }) });
  await ask(gate, { messages: [user("go")] });
  await gate.settle();
  // Any call of the object writes what it had put off.
  await gate.guard.sessions.find("s");
  return gate;
}

const health = async (): Promise<unknown> => (await (await gateway()).fetch("/health")).json();

describe("/health", () => {
  it.each([
    ["full", "D1_ERROR: Exceeded maximum DB size", "audit_database_full"],
    ["failing", "D1_ERROR: D1 DB is overloaded. Too many requests queued.", "audit_delivery_failed"],
  ])(
    "says that the trail is %s, to whoever asks, until no delivery has failed for longer than one is tried again",
    async (audit, message, event) => {
      const gate = await withOneTurn();
      expect(await health()).toEqual({ status: "ok", audit: "ok" });
      await deliverTo(failing(message), gate);
      expect(errors.join()).toContain(`"event":"${event}"`);
      expect(await health()).toEqual({ status: "degraded", audit });
      vi.setSystemTime(start + minutes(5));
      expect(await health()).toMatchObject({ audit });
      vi.setSystemTime(start + minutes(7));
      expect(await health()).toEqual({ status: "ok", audit: "ok" });
    },
  );

  it("says that a receiver of records takes none, which delays no delivery; and the metrics count it", async () => {
    const gate = await withOneTurn();
    vi.spyOn(console, "warn").mockImplementation(() => {});
    vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response("", { status: 500 }));
    const receiver = { url: "https://siem.example/", records: ["turn"] };
    const settings = { WEBHOOKS: JSON.stringify([receiver]), SIGNING_KEYS: "k:0123456789abcdef0123456789abcdef" };
    await runInDurableObject(gate.stub, (_, state) =>
      new UserGuard(state, { ...env, ...variables, ...settings }).alarm(),
    );
    // What was known holds for some seconds.
    await expect
      .poll(async () => {
        vi.setSystemTime(Date.now() + 16_000);
        return health();
      })
      .toEqual({ status: "degraded", audit: "export_failing" });
    expect((await gate.guard.chain.state(0)).waiting).toBe(0);
    const scraped = await gate.fetch("/metrics", { key: await gate.operatorKey() });
    expect(samplesOf(await scraped.text()).get("toolgate_exports_failed_total")).toBeGreaterThan(0);
  });

  it("is degraded where nobody can say how the trail is", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const hub = { idFromName: () => "hub", get: () => ({ trailStatus: () => Promise.reject(new Error("down")) }) };
    const gate = await gateway({ variables: { METRICS_HUB: hub as unknown as typeof env.METRICS_HUB } });
    expect(await (await gate.fetch("/health")).json()).toEqual({ status: "degraded", audit: "unknown" });
  });
});

it("the metrics tell failed attempts, those for want of room, and how old the oldest record is", async () => {
  const gate = await withOneTurn();
  const samples = async () => {
    const response = await gate.fetch("/metrics", { key: await gate.operatorKey() });
    return samplesOf(await response.text());
  };
  const before = await samples();
  vi.setSystemTime(start + minutes(90));
  await deliverTo(failing("D1_ERROR: Exceeded maximum DB size"), gate);
  await deliverTo(failing("D1_ERROR: D1 DB is overloaded. Too many requests queued."), gate);
  const after = await samples();
  const rose = (name: string) => Math.round((after.get(name) ?? 0) - (before.get(name) ?? 0));
  expect(rose("toolgate_audit_deliveries_failed_total")).toBe(2);
  expect(rose("toolgate_audit_database_full_total")).toBe(1);
  expect(rose("toolgate_audit_lag_seconds_count")).toBe(2);
  expect(rose("toolgate_audit_lag_seconds_sum")).toBe(2 * 90 * 60);
});
