/** Webhooks out: put down with what happened, delivered by the object's alarm, whatever the receivers do. */
import { env, runInDurableObject } from "cloudflare:test";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readLink } from "../../../src/approvals/link-token.ts";
import { parseKeyRing } from "../../../src/lib/key-ring.ts";
import { webhookSecrets } from "../../../src/lib/standard-webhook.ts";
import { waitingCount } from "../../../src/stores/guard/outbox/outbox.ts";
import { UserGuard } from "../../../src/stores/objects/user-guard.ts";
import { isolateMeter } from "../../../src/telemetry/metrics/isolate-meter.ts";
import { askFor } from "../approvals/asking.ts";
import { type Gateway, gateway } from "../support/gateway.ts";
import { type CapturedLog, captureLog } from "../telemetry/capture-log.ts";

const SIGNING_KEYS = `k1:${"a1".repeat(16)}`;
const keys = (() => {
  const parsed = parseKeyRing(SIGNING_KEYS, "signing key");
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
})();
const [a, b] = ["https://a.example/hook?token=xyz", "https://b.example/hook"];
/** Far enough ahead that no alarm rings by itself. */
const start = Date.now() + 30 * 24 * 3600_000;
const DAY_MS = 24 * 3600_000;

interface Received {
  readonly url: string;
  readonly at: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly init: RequestInit;
}

let log: CapturedLog;
let received: Received[];
/** What each receiver answers; 204 unless told. */
let answers: Map<string, () => Response | Promise<Response>>;

beforeEach(() => {
  log = captureLog();
  received = [];
  answers = new Map();
  vi.useFakeTimers({ toFake: ["Date"], now: start });
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init = {}) => {
    const url = String(input);
    const headers = Object.fromEntries(new Headers(init.headers as HeadersInit));
    received.push({ url, at: Date.now(), headers, body: String(init.body), init: init as RequestInit });
    const answer = answers.get(url)?.() ?? new Response(null, { status: 204 });
    const aborted = new Promise<never>((_, reject) =>
      init.signal?.addEventListener("abort", () => reject(init.signal?.reason)),
    );
    return Promise.race([answer, aborted]);
  });
});
afterEach(() => {
  vi.useRealTimers();
});

interface Running {
  readonly guard: UserGuard;
  /** Rings the alarm, and waits until nothing is being sent. */
  ring(): Promise<void>;
  ask(options?: Parameters<typeof askFor>[2]): ReturnType<typeof askFor>;
}

/** The object with webhooks; made anew over the same storage, as after a restart, each time. */
function running<T>(
  gate: Gateway,
  work: (object: Running, storage: DurableObjectStorage) => Promise<T>,
  settings: object = {},
): Promise<T> {
  return runInDurableObject(gate.stub, async (_, state) => {
    const variables = { WEBHOOKS: JSON.stringify([{ url: a }]), SIGNING_KEYS, PUBLIC_URL: "https://tools.example" };
    const guard = new UserGuard(state, { ...env, ...variables, ...settings });
    const { context } = guard as unknown as { context: { alarm: { webhooks: { idle(): Promise<void> } } } };
    const ring = async () => {
      await guard.alarm();
      await context.alarm.webhooks.idle();
    };
    return work({ guard, ring, ask: (options) => askFor(guard.apis, gate, options) }, state.storage);
  });
}

const told = ({ body }: Received) =>
  JSON.parse(body) as { type: string; timestamp: string; data: Record<string, unknown> };
const waiting = ({ sql }: DurableObjectStorage) => sql.exec("SELECT * FROM webhooks").toArray();

describe("a receiver", () => {
  it("that knows nothing but the specification accepts what it is told, in order", async () => {
    const gate = await gateway();
    await running(gate, async ({ guard, ring, ask }, storage) => {
      const approval = await ask({ arguments: { path: "n.txt", token: "sk-very-secret" }, redact: ["token"] });
      // Before the gathering of records, at once.
      expect(await storage.getAlarm()).toBe(start);
      await ring();
      await guard.apis.approvals.answer(approval.id, { action: "deny", via: "api", by: "ada", reason: "not that" });
      expect(await storage.getAlarm()).toBe(start);
      await ring();
      expect(waiting(storage)).toEqual([]);

      const stock = new Webhook(webhookSecrets(keys, a)[0]?.secret ?? "");
      for (const { headers, body } of received) expect(stock.verify(body, headers)).toEqual(JSON.parse(body));
      expect(
        received.map(({ url, init, headers }) => [url, init.method, init.redirect, headers["content-type"]]),
      ).toEqual([1, 2].map(() => [a, "POST", "manual", "application/json"]));
      expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(2);
      const [first, second] = received.map(told);
      expect(first).toMatchObject({
        type: "approval.asked",
        timestamp: new Date(start).toISOString(),
        data: {
          object: "approval",
          id: approval.id,
          status: "pending",
          tool: "write_file",
          tenant: gate.tenant,
          user: "ada",
          arguments: { path: "n.txt", token: "[redacted]" },
          links: { open: expect.stringMatching(/^https:\/\/tools\.example\/approve\/[\w-]+\.[\w-]{43}$/) },
        },
      });
      const { open } = (first as ReturnType<typeof told>).data.links as { open: string };
      const { id, expiresAt } = approval;
      expect(readLink(keys, open.split("/").at(-1) ?? "")).toEqual({
        approval: id,
        tenant: gate.tenant,
        user: "ada",
        expiresAt,
      });
      expect(second).toMatchObject({
        type: "approval.answered",
        data: { id, status: "denied", answer: { via: "api", by: "ada", reason: "not that" }, links: {} },
      });
      expect(received.map(({ body }) => body).join()).not.toContain("sk-very-secret");
      expect(log.text()).not.toMatch(/sk-very-secret|token=xyz/);
    });
  });

  it("is told of the tenant and the events that it asked for, without links where the gateway has no address", async () => {
    const gate = await gateway();
    const WEBHOOKS = JSON.stringify([
      { url: a, tenant: "another" },
      { url: b, tenant: gate.tenant, events: ["approval.answered"] },
      { url: "https://c.example/", events: ["approval.asked"] },
      { url: "https://c.example/", tenant: gate.tenant, events: ["approval.asked"] },
    ]);
    const work = async ({ guard, ring, ask }: Running) => {
      const { id } = await ask();
      await guard.apis.approvals.answer(id, { action: "approve", via: "api", by: "ada", reason: null });
      await ring();
    };
    await running(gate, work, { WEBHOOKS, PUBLIC_URL: undefined });
    expect(received.map((one) => [one.url, told(one).type, told(one).data.links]).sort()).toEqual([
      [b, "approval.answered", {}],
      ["https://c.example/", "approval.asked", {}],
    ]);
  });

  it("is told of what ends without an answer, by its time or with its conversation", async () => {
    const gate = await gateway();
    await running(gate, async ({ guard, ring, ask }) => {
      const brief = await ask({ lastsMs: 60_000 });
      const dropped = await ask({ session: "other" });
      const taken = await ask({ session: "third" });
      await guard.apis.approvals.answer(taken.id, { action: "approve", via: "api", by: "ada", reason: null });
      await ring();
      received.length = 0;
      vi.setSystemTime(brief.expiresAt);
      await ring();
      await guard.apis.sessions.delete("other");
      await guard.apis.sessions.delete("third");
      await ring();
      expect(received.map(told)).toMatchObject([
        { type: "approval.ended", data: { id: brief.id, status: "expired", answer: null, links: {} } },
        { type: "approval.ended", data: { id: dropped.id, status: "cancelled", answer: null, links: {} } },
        // Approved, and never run.
        { type: "approval.ended", data: { id: taken.id, status: "cancelled", links: {} } },
      ]);
    });
  });

  it("is told no more than it can hold", async () => {
    const gate = await gateway();
    const text = "x".repeat(100_000);
    await running(gate, async ({ ring, ask }) => {
      await ask({ arguments: { text }, schema: { description: "y".repeat(60_000) } });
      await ring();
    });
    const [one] = received;
    expect(one?.body.length).toBeLessThan(70_000);
    expect(told(one as Received).data).toMatchObject({
      arguments: null,
      schema: null,
      omitted: ["schema", "arguments"],
      question: "Write file?",
    });
  });
});

describe("a receiver that fails", () => {
  it.each([
    ["answers 500", () => new Response("no", { status: 500 })],
    ["sends elsewhere", () => new Response(null, { status: 302, headers: { location: b } })],
    ["answers 404", () => new Response(null, { status: 404 })],
    ["cannot be reached", () => Promise.reject(new TypeError("no route"))],
  ])("%s is tried again under the same id, less and less often, and is given up after a day", async (_, fail) => {
    const gate = await gateway();
    const counted = vi.spyOn(isolateMeter(), "count");
    answers.set(a, fail);
    await running(gate, ({ ask }) => ask({ lastsMs: 2 * DAY_MS }));
    for (let tries = 0; tries < 60; tries++) {
      // Each time by an object that has just been made: nothing is kept but what is stored.
      const next = await running(
        gate,
        async ({ ring }, storage) => {
          await ring();
          return (await storage.getAlarm()) ?? Number.NaN;
        },
        { METRICS: "1" },
      );
      if (log.lines("webhook_given_up").length > 0) break;
      vi.setSystemTime(next);
    }
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(received.map(({ url }) => url))).toEqual(new Set([a]));
    const times = [...new Set(received.map(({ at }) => (at - start) / 1000))];
    expect(times.length).toBe(received.length);
    const waits = times.map((at, n) => at - (times[n - 1] ?? 0));
    expect(waits.slice(0, 8)).toEqual([0, 1, 2, 4, 8, 16, 32, 64]);
    expect(Math.max(...waits)).toBe(3600);
    const last = times.at(-1) ?? 0;
    expect(last).toBeGreaterThan(22 * 3600);
    expect(last).toBeLessThanOrEqual(24 * 3600);
    expect(log.lines("webhook_given_up")).toMatchObject([
      { level: "error", type: "approval.asked", host: "a.example", attempts: received.length },
    ]);
    expect(log.text()).not.toContain("token=xyz");
    expect(await running(gate, async (_object, storage) => waiting(storage))).toEqual([]);
    const countOf = (name: string) => counted.mock.calls.filter(([one]) => one === name).length;
    expect([countOf("toolgate_webhooks_failed"), countOf("toolgate_webhooks_given_up")]).toEqual([received.length, 1]);
    counted.mockRestore();
  });

  it("and comes back is told at the next try, after a restart too, with a signature of that moment", async () => {
    const gate = await gateway();
    answers.set(a, () => new Response(null, { status: 503, headers: { "retry-after": "120" } }));
    await running(gate, async ({ ring, ask }) => {
      await ask();
      await ring();
    });
    answers.clear();
    await running(gate, async ({ ring }, storage) => {
      expect(await storage.getAlarm()).toBe(start + 120_000);
      await ring();
      expect(received.length).toBe(1);
      vi.setSystemTime(start + 120_000);
      await ring();
      expect(waiting(storage)).toEqual([]);
    });
    const [first, second] = received.map(({ headers }) => headers);
    expect(second?.["webhook-id"]).toBe(first?.["webhook-id"]);
    expect(Number(second?.["webhook-timestamp"]) - Number(first?.["webhook-timestamp"])).toBe(120);
    expect(second?.["webhook-signature"]).not.toBe(first?.["webhook-signature"]);
  });

  it("and is gone (410) is told nothing more of what waits", async () => {
    const gate = await gateway();
    answers.set(a, () => new Response(null, { status: 410 }));
    await running(gate, async ({ ring, ask }, storage) => {
      await ask();
      await ask({ session: "other" });
      await ring();
      expect(received.length).toBe(1);
      expect(waiting(storage)).toEqual([]);
      expect(log.lines("webhook_receiver_gone")).toMatchObject([{ host: "a.example", status: 410, dropped: 2 }]);
    });
  });

  it("with one message holds up no other of its own", async () => {
    const gate = await gateway();
    let poison = "";
    await running(gate, async ({ ring, ask }, storage) => {
      poison = (await ask()).id;
      const ids = [poison];
      answers.set(
        a,
        () => new Response(null, { status: told(received.at(-1) as Received).data.id === poison ? 500 : 204 }),
      );
      await ring();
      for (let n = 0; n < 3; n++) {
        vi.setSystemTime(start + (n + 1) * 10_000);
        ids.push((await ask({ session: `s${n}` })).id);
        await ring();
      }
      expect(waiting(storage).map(({ data }) => (JSON.parse(String(data)) as { id: string }).id)).toEqual([poison]);
      expect(new Set(received.map((one) => told(one).data.id))).toEqual(new Set(ids));
    });
  });

  it("and hangs is left after its time, and holds up neither the audit trail nor another receiver", async () => {
    const gate = await gateway();
    const WEBHOOKS = JSON.stringify([{ url: a }, { url: b }]);
    const hangs = Promise.withResolvers<Response>();
    answers.set(a, () => hangs.promise);
    const work = async ({ guard, ask }: Running, storage: DurableObjectStorage) => {
      const { context } = guard as unknown as { context: { alarm: { webhooks: { idle(): Promise<void> } } } };
      const undelivered = () => waitingCount(storage.sql);
      for (const session of ["one", "two"]) {
        await ask({ session });
        expect(undelivered()).toBeGreaterThan(0);
        await guard.alarm();
        expect(undelivered()).toBe(0);
        expect(received.filter(({ url }) => url === b).length).toBe(session === "one" ? 1 : 2);
      }
      // One at a time: the hanging receiver is not sent a second message meanwhile.
      expect(received.filter(({ url }) => url === a).length).toBe(1);
      expect(received[0]?.init.signal).toBeInstanceOf(AbortSignal);
      hangs.reject(new DOMException("the time is over", "TimeoutError"));
      await context.alarm.webhooks.idle();
      expect(log.lines("webhook_failed")).toMatchObject([{ host: "a.example", attempt: 1 }]);
      expect(waiting(storage).length).toBe(2);
      expect(await storage.getAlarm()).toBe(start + 1000);
    };
    await running(gate, work, { WEBHOOKS });
  });
});

describe("what waits", () => {
  it("is told although D1 is down, and does not ask D1 sooner than its back-off", async () => {
    const gate = await gateway();
    await env.AUDIT_DB.exec("ALTER TABLE decisions RENAME TO decisions_away");
    try {
      await running(gate, async ({ ring, ask }) => {
        await ask();
        await ring();
        await ask({ session: "two" });
        const failures = log.lines("audit_delivery_failed").length;
        expect(failures).toBe(1);
        await ring();
        expect(received.length).toBe(2);
        expect(log.lines("audit_delivery_failed").length).toBe(failures);
      });
      await running(gate, async ({ ring }, storage) => {
        const armed = (await storage.getAlarm()) ?? 0;
        expect(armed).toBeGreaterThanOrEqual(start + 1000);
        expect(armed).toBeLessThanOrEqual(start + 2000);
        vi.setSystemTime(armed);
        await ring();
        expect(log.lines("audit_delivery_failed").length).toBe(2);
      });
    } finally {
      await env.AUDIT_DB.exec("ALTER TABLE decisions_away RENAME TO decisions");
    }
  });

  it("is told by the object that finds it, where the one that asked died before it rang or while it sent", async () => {
    const gate = await gateway();
    answers.set(a, () => new Promise<Response>(() => {}));
    await running(gate, async ({ guard, ask }, storage) => {
      await ask();
      await guard.alarm();
      expect(received.length).toBe(1);
      await storage.deleteAlarm();
    });
    answers.clear();
    await running(gate, async ({ ring }, storage) => {
      await storage.sync();
      // Made with messages and no alarm, it arms one: at the latest for when the one that died can no longer be sending.
      expect(await storage.getAlarm()).toBeLessThanOrEqual(start + 30_000);
      await ring();
      expect(received.length).toBe(1);
      vi.setSystemTime(start + 30_000);
      await ring();
      expect(waiting(storage)).toEqual([]);
    });
    expect(received.length).toBe(2);
    expect(received[0]?.headers["webhook-id"]).toBe(received[1]?.headers["webhook-id"]);
  });

  it("for a receiver that is none any more is forgotten, and nothing is kept where nobody is told", async () => {
    const gate = await gateway();
    answers.set(a, () => new Response(null, { status: 500 }));
    await running(gate, async ({ ring, ask }) => {
      await ask();
      await ring();
    });
    vi.setSystemTime(start + 10_000);
    const settings = { WEBHOOKS: JSON.stringify([{ url: b }]) };
    await running(
      gate,
      async ({ ring }, storage) => {
        await ring();
        expect(waiting(storage)).toEqual([]);
      },
      settings,
    );
    await running(
      gate,
      async ({ ring, ask }, storage) => {
        await ask({ session: "two" });
        await ring();
        expect(waiting(storage)).toEqual([]);
      },
      { WEBHOOKS: undefined },
    );
    expect(received.length).toBe(1);
  });

  it("waits for better settings where these cannot be read", async () => {
    const gate = await gateway();
    await running(gate, ({ ask }) => ask());
    await runInDurableObject(gate.stub, async (_, state) => {
      const guard = new UserGuard(state, { ...env, WEBHOOKS: "[", SIGNING_KEYS });
      await guard.alarm();
      expect(waiting(state.storage).length).toBe(1);
    });
    await running(gate, async ({ ring }, storage) => {
      // Made with something that is due, it does not wait for what it was armed for.
      await storage.sync();
      expect(await storage.getAlarm()).toBe(start);
      await ring();
    });
    expect(received.length).toBe(1);
  });
});
