import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sha256Hex } from "../../../src/lib/digest.ts";
import { err, ok } from "../../../src/lib/result.ts";
import type { KvPort } from "../../../src/ports/kv-port.ts";
import { compiledPolicies } from "../../../src/stores/policies/policy-cache.ts";
import { policySource, putPolicy } from "../../../src/stores/policies/policy-source.ts";
import { failingKv } from "./failing-kv.ts";

const fallback = { document: { name: "default" }, digest: sha256Hex(JSON.stringify({ name: "default" })) };
const strict = { name: "strict", modes: {} };
const minute = 60_000;

let logged: string[];
beforeEach(() => {
  logged = [];
  vi.spyOn(console, "error").mockImplementation((line) => void logged.push(String(line)));
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe("policySource", () => {
  test("a tenant without a pointer gets the embedded document", async () => {
    const source = policySource(failingKv(), fallback);
    expect(await source.load("acme", 0)).toEqual(ok({ ...fallback, size: 18, source: "embedded", stale: false }));
  });

  test("what was put is loaded, for its tenant alone, and looked up again after 60 s", async () => {
    const kv = failingKv();
    const source = policySource(kv, fallback);
    await source.load("acme", 0);
    const digest = await putPolicy(kv, "acme", strict, 5);
    expect(digest).toBe(sha256Hex(JSON.stringify(strict)));
    expect(await source.load("acme", minute - 1)).toMatchObject({ value: { source: "embedded" } });
    expect(await source.load("acme", minute)).toMatchObject({ value: { digest, document: strict, source: "kv" } });
    expect(await source.load("other", minute)).toMatchObject({ value: { source: "embedded" } });
    kv.reads.length = 0;
    await source.load("acme", 2 * minute - 1);
    expect(kv.reads).toEqual([]);
    await source.load("acme", 2 * minute);
    expect(kv.reads).toEqual(["policy:current:acme"]);
  });

  test("the version is written before the pointer", async () => {
    const written: string[] = [];
    const kv: KvPort = { ...failingKv(), put: async (key) => void written.push(key) };
    const digest = await putPolicy(kv, "acme", strict, 5);
    expect(written).toEqual([`policy:doc:${digest}`, "policy:current:acme"]);
  });

  test("while KV fails the version last known is served as stale, without a look at every request", async () => {
    const kv = failingKv();
    const source = policySource(kv, fallback);
    await putPolicy(kv, "acme", strict, 0);
    await source.load("acme", 0);
    kv.failing = true;
    kv.reads.length = 0;
    expect(await source.load("acme", minute)).toMatchObject({ value: { document: strict, stale: true } });
    expect(await source.load("acme", minute + 4_999)).toMatchObject({ value: { document: strict, stale: true } });
    expect(kv.reads).toHaveLength(1);
    kv.failing = false;
    expect(await source.load("acme", minute + 5_000)).toMatchObject({ value: { document: strict, stale: false } });
  });

  test("of a tenant that nothing is known of while KV fails, nothing is served", async () => {
    const kv = failingKv();
    kv.failing = true;
    expect(await policySource(kv, fallback).load("acme", 0)).toEqual(err("policy_unavailable"));
  });

  test.each([
    ["a pointer to a version that is not there yet", "policy:current:acme", '{"digest":"00","at":1}', "is not in KV"],
    ["a pointer that is none", "policy:current:acme", '"x"', "not a policy pointer"],
    ["a pointer that is no JSON", "policy:current:acme", "{", "SyntaxError"],
  ])("%s leaves the known version in force, and the log has the cause", async (_, key, value, cause) => {
    const kv = failingKv();
    const source = policySource(kv, fallback);
    await putPolicy(kv, "acme", strict, 0);
    await source.load("acme", 0);
    await kv.put(key, value);
    expect(await source.load("acme", minute)).toMatchObject({ value: { document: strict, stale: true } });
    expect(logged).toEqual([expect.stringMatching(new RegExp(`"policy_unreadable","tenant":"acme".*${cause}`))]);
    expect(await policySource(kv, fallback).load("acme", minute)).toEqual(err("policy_unavailable"));
  });

  test("a document that is not the one its digest promises is not served", async () => {
    const kv = failingKv();
    const digest = await putPolicy(kv, "acme", strict, 0);
    await kv.put(`policy:doc:${digest}`, '{"name":"loose"}');
    expect(await policySource(kv, fallback).load("acme", 0)).toEqual(err("policy_unavailable"));
    expect(logged.join()).toMatch(/"policy_unreadable","tenant":"acme".*was altered/);
  });

  test("a failing KV is logged once, and not as a policy that cannot be read", async () => {
    const kv = failingKv();
    kv.failing = true;
    const source = policySource(kv, fallback);
    for (const tenant of ["acme", "other"]) await source.load(tenant, 0);
    expect(logged).toEqual([expect.stringContaining("policy_store_unreadable")]);
  });
});

describe("what an isolate was told", () => {
  const [strictText, looseText] = [strict, { name: "loose" }].map((document) => JSON.stringify(document));
  const pointer = (text = "", at: number) => ({ digest: sha256Hex(text), at });
  const current = (kv: KvPort, value: unknown) => kv.put("policy:current:acme", JSON.stringify(value));
  const nameIn = async (source: ReturnType<typeof policySource>, now: number) => {
    const loaded = await source.load("acme", now);
    return loaded.ok ? (loaded.value.document as { name: string }).name : loaded.error;
  };

  test("shows at once, without a look at KV, and is looked up again after 60 s", async () => {
    const kv = failingKv();
    const source = policySource(kv, fallback);
    expect(await nameIn(source, 0)).toBe("default");
    source.noteWritten("acme", pointer(strictText, 10), strictText ?? "", 10);
    kv.reads.length = 0;
    expect([await nameIn(source, 10), kv.reads]).toEqual(["strict", []]);
    await putPolicy(kv, "acme", { name: "loose" }, 20);
    expect(await nameIn(source, minute + 9)).toBe("strict");
    expect(await nameIn(source, minute + 10)).toBe("loose");
    source.noteWritten("acme", { digest: null, at: minute + 20 }, null, minute + 20);
    expect(await nameIn(source, minute + 20)).toBe("default");
  });

  test("gives way to nothing older: neither a pointer that KV still shows, nor what is told late", async () => {
    const kv = failingKv();
    const source = policySource(kv, fallback);
    await putPolicy(kv, "acme", { name: "loose" }, 5);
    source.noteWritten("acme", pointer(strictText, 10), strictText ?? "", 10);
    expect(await nameIn(source, 5 * minute)).toBe("strict");
    source.noteWritten("acme", pointer(looseText, 9), looseText ?? "", 5 * minute);
    expect(await nameIn(source, 5 * minute)).toBe("strict");
  });

  test("outlives a missing pointer for as long as KV may not show it, and no longer", async () => {
    const source = policySource(failingKv(), fallback);
    source.noteWritten("acme", pointer(strictText, 0), strictText ?? "", 0);
    expect(await nameIn(source, minute)).toBe("strict");
    expect(await nameIn(source, 2 * minute)).toBe("default");
  });

  test.each([
    ["pointer", "policy:current:", ["strict", "strict"]],
    ["document", "policy:doc:", ["loose", "strict"]],
  ])("while the %s was being read is not undone by what the read brings", async (_, slowly, served) => {
    const kv = failingKv();
    await putPolicy(kv, "acme", { name: "loose" }, 5);
    const reached = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const slow: KvPort = {
      ...kv,
      async get(key) {
        if (key.startsWith(slowly)) {
          reached.resolve();
          await answer.promise;
        }
        return kv.get(key);
      },
    };
    const source = policySource(slow, fallback);
    const loading = nameIn(source, 10);
    await reached.promise;
    source.noteWritten("acme", pointer(strictText, 10), strictText ?? "", 10);
    answer.resolve();
    expect([await loading, await nameIn(source, 11)]).toEqual(served);
  });

  test("is read with whatever time: ISO text, as `npm start` once wrote it, and back to the embedded policy", async () => {
    const kv = failingKv();
    const source = policySource(kv, fallback);
    await putPolicy(kv, "acme", strict, 0);
    const at = Date.UTC(2026, 10, 1);
    await current(kv, { digest: sha256Hex(strictText ?? ""), at: new Date(at).toISOString() });
    expect(await nameIn(source, at)).toBe("strict");
    await current(kv, { digest: null, at: at + 1 });
    expect(await nameIn(source, at + minute)).toBe("default");
    await current(kv, { digest: sha256Hex(strictText ?? ""), at });
    expect(await nameIn(source, at + 2 * minute)).toBe("default");
    for (const broken of [
      { digest: null },
      { digest: 1, at: 1 },
      { digest: null, at: "soon" },
      { digest: null, at: 1e300 },
    ]) {
      await current(kv, broken);
      expect(await policySource(kv, fallback).load("acme", at)).toEqual(err("policy_unavailable"));
    }
  });
});

describe("compiledPolicies", () => {
  function compiler() {
    const seen: unknown[] = [];
    const compile = (document: unknown) => {
      seen.push(document);
      return JSON.stringify(document).includes("bad") ? err(["`bad` is not a name"]) : ok({ of: document });
    };
    return { seen, compile };
  }
  /** Two policies come to more than 1,000. */
  const bytesOf = (_: unknown, length: number) => 400 + length;

  test("compiles a document once, whoever asks for it", async () => {
    const kv = failingKv();
    const { seen, compile } = compiler();
    const policies = compiledPolicies({ source: policySource(kv, fallback), compile, compilerVersion: "1", bytesOf });
    const digest = await putPolicy(kv, "a", strict, 0);
    await putPolicy(kv, "b", strict, 0);
    for (const tenant of ["a", "b", "a"]) {
      const got = await policies.get(tenant, 0);
      expect(got).toEqual(ok({ policy: { of: strict }, digest, source: "kv", stale: false }));
    }
    expect(seen).toEqual([strict]);
  });

  test("an invalid document is refused whole, once compiled", async () => {
    const kv = failingKv();
    const { seen, compile } = compiler();
    const policies = compiledPolicies({ source: policySource(kv, fallback), compile, compilerVersion: "1", bytesOf });
    const digest = await putPolicy(kv, "a", { name: "bad" }, 0);
    const failure = err({ kind: "policy_invalid", digest, errors: ["`bad` is not a name"] });
    expect([await policies.get("a", 0), await policies.get("a", 1)]).toEqual([failure, failure]);
    expect(seen).toHaveLength(1);
    kv.failing = true;
    expect(await policies.get("b", 0)).toEqual(err({ kind: "policy_unavailable" }));
  });

  test("is bounded by what its policies hold", async () => {
    const kv = failingKv();
    const { seen, compile } = compiler();
    const source = policySource(kv, fallback);
    const policies = compiledPolicies({ source, compile, compilerVersion: "1", bytesOf, maxBytes: 1_000 });
    await putPolicy(kv, "a", { name: "x".repeat(20) }, 0);
    await putPolicy(kv, "b", { name: "y".repeat(20) }, 0);
    for (const tenant of ["a", "b", "b", "a"]) await policies.get(tenant, 0);
    expect(seen).toHaveLength(3);
  });
});
