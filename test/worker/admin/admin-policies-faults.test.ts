import { env, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { TenantLedger } from "../../../src/stores/objects/tenant-ledger.ts";
import { policyDigest, putPolicy } from "../../../src/stores/policies/policy-source.ts";
import { tool } from "../support/gateway.ts";
import { ask, says, user } from "../support/script.ts";
import { type Kv, type PolicyAdmin, pointerOf, policyAdmin, withKv } from "./policy-admin.ts";

const first = { name: "first", handshake: { select: "off" } } as const;
const second = { ...first, name: "second" };
const third = { ...first, name: "third" };

let errors: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  errors = vi.spyOn(console, "error").mockImplementation(() => {});
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const down = async (): Promise<never> => {
  throw new Error("KV is down");
};
const isPointer = (key: unknown) => String(key).startsWith("policy:current:");

/** A put of pointers that fails, after it was applied or before. */
const failingPointer =
  (applied: boolean) =>
  (real: KVNamespace): Partial<Kv> => ({
    put: (async (key: string, value: string) => {
      if (!isPointer(key)) return real.put(key, value);
      if (applied) await real.put(key, value);
      throw new Error("KV PUT failed: 500");
    }) as KVNamespace["put"],
  });

const ring = ({ ledger }: PolicyAdmin) => runInDurableObject(ledger, (object: TenantLedger) => object.alarm());
const alarmOf = ({ ledger }: PolicyAdmin) =>
  runInDurableObject(ledger, (_: TenantLedger, { storage }) => storage.getAlarm());
const stateOf = ({ ledger }: PolicyAdmin) =>
  runInDurableObject(
    ledger,
    (_: TenantLedger, { storage }) =>
      storage.sql.exec<{ state: string }>("SELECT state FROM policy_pointer").one().state,
  );

/** The version that another isolate would serve, which knows nothing yet. */
const inKv = async ({ gate }: PolicyAdmin) => (await pointerOf(gate.tenant))?.digest;

describe("a write that KV does not take", () => {
  it("whole is not acknowledged, and leaves the version before in force", async () => {
    const admin = await policyAdmin();
    await admin.put(first);
    const refused = await withKv(
      admin.ledger,
      () => ({ put: down }),
      () => admin.put(second),
    );
    expect([refused.status, refused.body.error.code]).toEqual([503, "policy_not_stored"]);
    expect(await admin.current()).toMatchObject({ document: first });
    expect([await inKv(admin), (await admin.versions()).length]).toEqual([policyDigest(first), 1]);
    expect((await admin.put(second)).status).toBe(200);
  });

  it.each([
    ["is taken all the same", true],
    ["is not", false],
  ])("on the pointer, which %s, is put right by the alarm, until KV is seen to agree", async (_, applied) => {
    const start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    const admin = await policyAdmin();
    await admin.put(first);
    const refused = await withKv(admin.ledger, failingPointer(applied), async () => {
      const answer = await admin.put(second);
      expect(await inKv(admin)).toBe(policyDigest(applied ? second : first));
      await ring(admin);
      expect(await alarmOf(admin)).toBeGreaterThan(start);
      return answer;
    });
    expect([refused.status, refused.body.error.code]).toEqual([503, "policy_not_stored"]);
    // Not adopted: the ledger knows where that pointer comes from.
    expect(await admin.current()).toMatchObject({ document: first });
    expect(await admin.versions()).toHaveLength(1);
    const wrong = await pointerOf(admin.gate.tenant);

    vi.setSystemTime(start + 31_000);
    await ring(admin);
    const right = await pointerOf(admin.gate.tenant);
    expect(right?.digest).toBe(policyDigest(first));
    // Later than the wrong one, so that isolates which saw that let it go.
    expect(right?.at).toBeGreaterThan(wrong?.at ?? Number.POSITIVE_INFINITY);
    expect(await stateOf(admin)).toBe("unchecked");

    // The put that was reported as failed is applied late, over the right one.
    await env.KV.put(`policy:current:${admin.gate.tenant}`, JSON.stringify({ ...wrong, digest: policyDigest(second) }));
    vi.setSystemTime(start + 100_000);
    await ring(admin);
    vi.setSystemTime(start + 101_000);
    await ring(admin);
    expect(await inKv(admin)).toBe(policyDigest(first));
    vi.setSystemTime(start + 200_000);
    await ring(admin);
    expect([await stateOf(admin), await inKv(admin)]).toEqual(["settled", policyDigest(first)]);
    expect(await admin.versions()).toHaveLength(1);
  });

  it("at first leaves the embedded policy in force, and puts that right too", async () => {
    const admin = await policyAdmin();
    await withKv(admin.ledger, failingPointer(true), () => admin.put(first));
    expect(await inKv(admin)).toBe(policyDigest(first));
    await ring(admin);
    expect([await inKv(admin), (await admin.current()).source]).toEqual([null, "embedded"]);
    expect(await admin.versions()).toEqual([]);
  });

  it("does not stand in the way of the next one, which wins over a pointer that comes late", async () => {
    const start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    const admin = await policyAdmin();
    await admin.put(first);
    await withKv(admin.ledger, failingPointer(false), () => admin.put(second));
    expect((await admin.put(third, { "if-match": `"${policyDigest(first)}"` })).status).toBe(200);
    const put = await pointerOf(admin.gate.tenant);
    await env.KV.put(
      `policy:current:${admin.gate.tenant}`,
      JSON.stringify({ digest: policyDigest(second), at: (put?.at ?? 0) - 1 }),
    );
    vi.setSystemTime(start + 70_000);
    await ring(admin);
    await ring(admin);
    expect(await inKv(admin)).toBe(policyDigest(third));
  });
});

describe("a ledger that fails", () => {
  it("after KV took the pointer acknowledges nothing, and puts the version before into force again", async () => {
    const admin = await policyAdmin();
    await admin.put(first);
    const sql = (text: string) =>
      runInDurableObject(admin.ledger, (_: TenantLedger, { storage }) => void storage.sql.exec(text));
    await sql("CREATE TRIGGER full BEFORE INSERT ON policy_versions BEGIN SELECT RAISE(ABORT, 'disk full'); END");
    const refused = await admin.put(second);
    expect([refused.status, refused.body.error.code]).toEqual([503, "ledger_unavailable"]);
    expect(errors.mock.calls.flat().join(" ")).toContain("disk full");
    await sql("DROP TRIGGER full");
    expect([await inKv(admin), (await admin.current()).document]).toEqual([policyDigest(second), first]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31_000 });
    expect(await alarmOf(admin)).toBeLessThanOrEqual(Date.now());
    await ring(admin);
    expect(await inKv(admin)).toBe(policyDigest(first));
  });

  it("to read KV answers what it acknowledged, and nothing where it never acknowledged anything", async () => {
    const admin = await policyAdmin();
    const failing = () =>
      withKv(
        admin.ledger,
        () => ({ get: down as unknown as KVNamespace["get"] }),
        () => admin.ask("GET"),
      );
    expect((await failing()).body.error.code).toBe("policy_unavailable");
    await admin.put(first);
    expect((await failing()).body).toMatchObject({ document: first });
  });
});

describe("policies written into KV past the ledger", () => {
  const setPointer = ({ gate }: PolicyAdmin, pointer: unknown) =>
    env.KV.put(`policy:current:${gate.tenant}`, typeof pointer === "string" ? pointer : JSON.stringify(pointer));

  it("are adopted as versions, and can be rolled back to", async () => {
    const admin = await policyAdmin({ policy: first });
    const version = policyDigest(first);
    expect(await admin.current()).toMatchObject({ version, created_by: null, document: first });
    expect(await admin.versions()).toMatchObject([{ version, action: "adopted", created_by: null, in_force: true }]);
    const put = await admin.put(second, { "if-match": `"${version}"` });
    expect([put.status, put.body.previous]).toEqual([200, version]);
    expect((await admin.ask("POST", "/rollback", { json: { version } })).status).toBe(200);
    expect((await admin.versions()).map(({ action }) => action)).toEqual(["rollback", "put", "adopted"]);
  });

  it("are compared with inside the write: a condition that names an older version fails", async () => {
    const admin = await policyAdmin();
    await admin.put(first);
    await putPolicy(env.KV, admin.gate.tenant, second, Date.now() + 5);
    const refused = await admin.put(third, { "if-match": `"${policyDigest(first)}"` });
    expect([refused.status, refused.headers.get("etag")]).toEqual([412, `"${policyDigest(second)}"`]);
    expect((await admin.put(third, { "if-match": `"${policyDigest(second)}"` })).status).toBe(200);
    expect((await pointerOf(admin.gate.tenant))?.digest).toBe(policyDigest(third));
  });

  it("with ISO text for a time, as `npm start` wrote it, are adopted likewise, and so is a start without a policy", async () => {
    const admin = await policyAdmin();
    await admin.put(first);
    await env.KV.put(`policy:doc:${policyDigest(second)}`, JSON.stringify(second));
    await setPointer(admin, { digest: policyDigest(second), at: new Date(Date.now() + 1000).toISOString() });
    expect(await admin.current()).toMatchObject({ version: policyDigest(second) });
    // The same file at the next start is no new version.
    await setPointer(admin, { digest: policyDigest(second), at: Date.now() + 2000 });
    await admin.current();
    await setPointer(admin, { digest: null, at: Date.now() + 3000 });
    expect(await admin.current()).toMatchObject({ version: null, source: "embedded" });
    expect((await admin.versions()).map(({ action }) => action)).toEqual(["adopted", "adopted", "put"]);
    // Written with a later time than the adopted one, whatever the clock says.
    await admin.put(third);
    expect((await pointerOf(admin.gate.tenant))?.at).toBeGreaterThan(Date.now() + 2000);
  });

  it("with an older time never displace what was acknowledged, and are put right once KV had time to show it", async () => {
    const start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    const admin = await policyAdmin();
    await admin.put(first);
    for (const [minutes, old] of [
      [1, JSON.stringify({ digest: policyDigest(second), at: start - 1 })],
      [3, JSON.stringify({ digest: policyDigest(second), at: start - 1 })],
      [6, "{"],
    ] as const) {
      await setPointer(admin, old);
      vi.setSystemTime(start + minutes * 60_000);
      expect(await admin.current()).toMatchObject({ document: first });
      await ring(admin);
      const shown = await env.KV.get(`policy:current:${admin.gate.tenant}`);
      if (minutes === 1) expect(shown).toBe(old);
      else expect(JSON.parse(shown ?? "")).toMatchObject({ digest: policyDigest(first) });
      vi.setSystemTime(start + minutes * 60_000 + 66_000);
      await ring(admin);
    }
    expect(await admin.versions()).toHaveLength(1);
  });

  it("that are broken are repaired by the next write", async () => {
    const admin = await policyAdmin();
    const lost = policyDigest({ name: crypto.randomUUID() });
    await setPointer(admin, "{");
    // Neither is there an empty list, nor is a version unknown: nobody can tell what was in force.
    for (const path of ["", "/versions", `/versions/${lost}`])
      expect((await admin.ask("GET", path)).body.error.code).toBe("policy_unavailable");
    await setPointer(admin, { digest: lost, at: Date.now() });
    expect((await admin.ask("GET")).body.error.code).toBe("policy_unavailable");
    const put = await admin.put(first);
    expect([put.status, put.body.changes]).toEqual([200, null]);
    expect(put.body.warnings.at(-1)?.path).toBe("");
    expect(await admin.current()).toMatchObject({ document: first });
  });

  it("before their document shows are complete once it does", async () => {
    const admin = await policyAdmin();
    const late = { name: crypto.randomUUID() };
    await setPointer(admin, { digest: policyDigest(late), at: Date.now() });
    expect((await admin.ask("GET")).status).toBe(503);
    await env.KV.put(`policy:doc:${policyDigest(late)}`, JSON.stringify(late));
    expect(await admin.current()).toMatchObject({ version: policyDigest(late), document: late });
    expect(await admin.versions()).toHaveLength(1);
  });
});

describe("an isolate", () => {
  it("that was told of a write does not go back to an older pointer that KV still shows, nor to none", async () => {
    const start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    const admin = await policyAdmin({ policy: first, upstream: says({ text: "ok" }) });
    const served = async () =>
      (await ask(admin.gate, { messages: [user("go")], tools: [tool("x")] })).headers.get("x-toolgate-policy");
    const key = `policy:current:${admin.gate.tenant}`;
    const old = (await env.KV.get(key)) ?? "";
    vi.setSystemTime(start + 10);
    await admin.put(second);
    await env.KV.put(key, old);
    vi.setSystemTime(start + 61_000);
    expect(await served()).toBe(policyDigest(second).slice(0, 12));
    await env.KV.delete(key);
    vi.setSystemTime(start + 119_000);
    expect(await served()).toBe(policyDigest(second).slice(0, 12));
  });
});
