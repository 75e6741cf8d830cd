/** The ledger of keys over real Durable Object storage and a KV that fails, or waits, when it is told to. */
import { env, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keyLookUp, storageKey } from "../../../src/auth/kv-keys.ts";
import { sha256Hex } from "../../../src/lib/digest.ts";
import { newId } from "../../../src/lib/ids.ts";
import type { KvPort } from "../../../src/ports/kv-port.ts";
import type { KeyRecord } from "../../../src/ports/tenant-ledger-port.ts";
import { type KeyLedger, keyLedger } from "../../../src/stores/tenant/keys.ts";
import { memoryKv } from "../../support/memory-kv.ts";

const start = 1_900_000_000_000;
const actor = { tenant: "acme", user: "root", keyId: "key_root" };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: start });
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A KV whose next write of a kind fails, or waits to be let through. */
function faultyKv() {
  const kv = memoryKv();
  const wrapped = { failing: new Set<string>(), held: undefined as Promise<void> | undefined, asked: () => {} };
  const act = async (kind: string, work: () => Promise<void>) => {
    wrapped.asked();
    const { held } = wrapped;
    wrapped.held = undefined;
    await held;
    if (wrapped.failing.has(kind)) throw new Error(`KV ${kind} failed: 500`);
    await work();
  };
  const port: KvPort = {
    get: kv.get,
    put: (key, value) => act("put", () => kv.put(key, value)),
    delete: (key) => act("delete", () => kv.delete(key)),
  };
  return Object.assign(wrapped, port);
}

type Body = (ledger: KeyLedger, kv: ReturnType<typeof faultyKv>, reopened: () => KeyLedger) => Promise<void>;

function withLedger(body: Body): Promise<void> {
  const stub = env.TENANT_LEDGER.get(env.TENANT_LEDGER.idFromName(crypto.randomUUID()));
  return runInDurableObject(stub, async (_, { storage }) => {
    const kv = faultyKv();
    // As after the object was evicted: nothing is known but what is stored.
    const reopened = () => keyLedger(storage, kv, () => {});
    await body(reopened(), kv, reopened);
  });
}

function newRecord(): KeyRecord {
  const id = newId("key", Date.now());
  const key = { id, tenant: "acme", user: "ada", role: "user", connections: [], createdAt: Date.now() };
  return { key, name: "", createdBy: actor };
}

/** What a held write waits for, and how to let it through. */
function hold(kv: ReturnType<typeof faultyKv>) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  kv.held = promise;
  kv.asked = reached.resolve;
  return { letThrough: resolve, reached: reached.promise };
}

const inKv = async (kv: KvPort, hash: string) => (await kv.get(storageKey(hash))) !== null;

describe("a key that KV does not take", () => {
  it("does not exist, and what may have been written is deleted", () =>
    withLedger(async (ledger, kv) => {
      kv.failing.add("put");
      const record = newRecord();
      expect(await ledger.create(record, "h1")).toEqual({ ok: false, error: "unavailable" });
      expect([await ledger.find(record.key.id), (await ledger.list({ limit: 9, order: "asc" })).data]).toEqual([
        undefined,
        [],
      ]);
      await kv.put(storageKey("h1"), "written all the same").catch(() => {});
      kv.failing.clear();
      await kv.put(storageKey("h1"), "written all the same");
      expect(ledger.next()).toBe(start);
      await ledger.settle();
      expect(await inKv(kv, "h1")).toBe(false);
    }));

  it("is given up where the object died on the way", () =>
    withLedger(async (ledger, kv, reopened) => {
      const { reached } = hold(kv);
      void ledger.create(newRecord(), "h1");
      await reached;
      const next = reopened();
      expect(next.next()).toBe(start + 60_000);
      await kv.put(storageKey("h1"), "{}");
      vi.setSystemTime(start + 60_000);
      await next.settle();
      expect(await inKv(kv, "h1")).toBe(false);
    }));
});

describe("a token that KV takes too late", () => {
  it("is given up by the alarm, whether of a new key or of a rotated one", () =>
    withLedger(async (ledger, kv) => {
      const first = hold(kv);
      const making = ledger.create(newRecord(), "h1");
      await first.reached;
      vi.setSystemTime(start + 60_000);
      const alarm = ledger.settle();
      first.letThrough();
      expect(await making).toEqual({ ok: false, error: "unavailable" });
      await alarm;
      expect([await inKv(kv, "h1"), (await ledger.list({ limit: 9, order: "asc" })).data]).toEqual([false, []]);

      const record = newRecord();
      await ledger.create(record, "h2");
      const second = hold(kv);
      const rotating = ledger.rotate(record.key.id, "h3", 0, actor);
      await second.reached;
      vi.setSystemTime(start + 120_000);
      const again = ledger.settle();
      second.letThrough();
      expect(await rotating).toEqual({ ok: false, error: "unavailable" });
      await again;
      expect([await inKv(kv, "h2"), await inKv(kv, "h3")]).toEqual([true, false]);
    }));
});

describe("a revocation", () => {
  it("that KV does not take says so, holds, and is made again by the alarm until it is done", () =>
    withLedger(async (ledger, kv, reopened) => {
      const record = newRecord();
      await ledger.create(record, "h1");
      kv.failing.add("delete");
      expect(await ledger.revoke(record.key.id)).toEqual({ ok: true, value: { settled: false } });
      expect(await ledger.find(record.key.id)).toMatchObject({ revoking: true });
      expect(await ledger.rotate(record.key.id, "h2", 0, actor)).toEqual({ ok: false, error: "unknown" });
      expect(ledger.next()).toBe(start + 2_000);
      vi.setSystemTime(start + 2_000);
      expect(await ledger.settle()).toBe(start + 6_000);
      kv.failing.clear();
      vi.setSystemTime(start + 6_000);
      await reopened().settle();
      expect([await inKv(kv, "h1"), await ledger.find(record.key.id)]).toEqual([false, undefined]);
    }));

  it("ends the token of a rotation that was under way", () =>
    withLedger(async (ledger, kv) => {
      const record = newRecord();
      await ledger.create(record, "h1");
      const { reached, letThrough } = hold(kv);
      const rotation = ledger.rotate(record.key.id, "h2", 3600_000, actor);
      await reached;
      const revocation = ledger.revoke(record.key.id);
      letThrough();
      expect(await rotation).toEqual({ ok: false, error: "unknown" });
      expect(await revocation).toEqual({ ok: true, value: { settled: true } });
      expect([await inKv(kv, "h1"), await inKv(kv, "h2")]).toEqual([false, false]);
    }));

  it("is not undone by the write that gives a rotated token its end", () =>
    withLedger(async (ledger, kv) => {
      const record = newRecord();
      await ledger.create(record, "h1");
      const first = hold(kv);
      const rotation = ledger.rotate(record.key.id, "h2", 3600_000, actor);
      await first.reached;
      const second = hold(kv);
      first.letThrough();
      // The old token's value, with its end, is on its way to KV.
      await second.reached;
      const revocation = ledger.revoke(record.key.id);
      second.letThrough();
      await Promise.all([rotation, revocation]);
      expect([await inKv(kv, "h1"), await inKv(kv, "h2")]).toEqual([false, false]);
    }));

  it("is not held up by a write that KV never answers, and ends what that writes late", () =>
    withLedger(async (ledger, kv, reopened) => {
      const record = newRecord();
      await ledger.create(record, "h1");
      const { reached, letThrough } = hold(kv);
      vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: start });
      const rotation = ledger.rotate(record.key.id, "h2", 3600_000, actor);
      await reached;
      const revocation = ledger.revoke(record.key.id);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await revocation).toEqual({ ok: true, value: { settled: true } });
      expect(await rotation).toEqual({ ok: false, error: "unavailable" });
      letThrough();
      await vi.advanceTimersByTimeAsync(120_000);
      expect(await inKv(kv, "h2")).toBe(true);
      await reopened().settle();
      expect([await inKv(kv, "h1"), await inKv(kv, "h2")]).toEqual([false, false]);
    }));

  it("of a key with more tokens than one round ends does not claim that all have ended", () =>
    withLedger(async (ledger, kv) => {
      const record = newRecord();
      await ledger.create(record, "h0");
      const hashes = Array.from({ length: 120 }, (_, index) => `h${index + 1}`);
      for (const hash of hashes) await ledger.rotate(record.key.id, hash, 3600_000, actor);
      expect(await ledger.revoke(record.key.id)).toEqual({ ok: true, value: { settled: false } });
      expect(ledger.next()).toBe(start);
      await ledger.settle();
      expect((await Promise.all(hashes.map((hash) => inKv(kv, hash)))).filter(Boolean)).toEqual([]);
    }));

  it("is made twice, for a write that comes after it", () =>
    withLedger(async (ledger, kv, reopened) => {
      const record = newRecord();
      await ledger.create(record, "h1");
      await ledger.revoke(record.key.id);
      await kv.put(storageKey("h1"), JSON.stringify(record.key));
      expect(ledger.next()).toBe(start + 120_000);
      vi.setSystemTime(start + 120_000);
      expect(await reopened().settle()).toBeUndefined();
      expect(await inKv(kv, "h1")).toBe(false);
    }));
});

describe("a rotation", () => {
  it("that KV does not take leaves the key as it was", () =>
    withLedger(async (ledger, kv) => {
      const record = newRecord();
      await ledger.create(record, "h1");
      kv.failing.add("put");
      expect(await ledger.rotate(record.key.id, "h2", 0, actor)).toEqual({ ok: false, error: "unavailable" });
      kv.failing.clear();
      await ledger.settle();
      expect([await inKv(kv, "h1"), await inKv(kv, "h2")]).toEqual([true, false]);
      expect(await ledger.find(record.key.id)).toEqual({ ...record, revoking: false });
    }));

  it("tells of an old token that KV does not end, and ends it later", () =>
    withLedger(async (ledger, kv) => {
      const record = newRecord();
      await ledger.create(record, "h1");
      kv.failing.add("delete");
      expect(await ledger.rotate(record.key.id, "h2", 0, actor)).toMatchObject({ ok: true, value: { settled: false } });
      kv.failing.clear();
      vi.setSystemTime(start + 2_000);
      await ledger.settle();
      expect([await inKv(kv, "h1"), await inKv(kv, "h2")]).toEqual([false, true]);
    }));

  it("gives the old token an end in KV, and takes it out after it", () =>
    withLedger(async (ledger, kv) => {
      const record = newRecord();
      await ledger.create(record, "h1");
      await ledger.rotate(record.key.id, "h2", 3600_000, actor);
      const stored = JSON.parse((await kv.get(storageKey("h1"))) ?? "") as object;
      expect(stored).toEqual({ ...record.key, expiresAt: start + 3600_000 });
      expect(ledger.next()).toBe(start + 3600_000);
      vi.setSystemTime(start + 3600_000);
      await ledger.settle();
      expect([await inKv(kv, "h1"), await inKv(kv, "h2")]).toEqual([false, true]);
    }));

  it("does not give an older token a longer end", () =>
    withLedger(async (ledger, kv) => {
      const record = newRecord();
      await ledger.create(record, "h1");
      await ledger.rotate(record.key.id, "h2", 60_000, actor);
      await ledger.rotate(record.key.id, "h3", 3600_000, actor);
      vi.setSystemTime(start + 60_000);
      await ledger.settle();
      expect(await Promise.all(["h1", "h2", "h3"].map((hash) => inKv(kv, hash)))).toEqual([false, true, true]);
    }));
});

describe("what the ledger writes", () => {
  it("is what requests look up", () =>
    withLedger(async (ledger, kv) => {
      const token = `tg_${"A".repeat(43)}`;
      const record = newRecord();
      await ledger.create(record, sha256Hex(token));
      expect(await keyLookUp(kv)(token, start)).toEqual({ status: "active", key: record.key });
    }));
});
