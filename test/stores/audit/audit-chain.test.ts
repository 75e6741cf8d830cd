import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SealedRecord } from "../../../src/ports/audit-record.ts";
import { genesis, seal, verifyChain } from "../../../src/stores/audit/audit-chain.ts";
import { type AuditKeys, parseAuditKeys } from "../../../src/stores/audit/audit-keys.ts";
import { chainOf, decisionRecord, keys, turnRecord } from "./records.ts";

const ada = { tenant: "acme", user: "ada" };
const chain = chainOf([turnRecord(), ...["a", "b", "c", "d"].map((tool) => decisionRecord({ tool })), turnRecord()]);
const head = chain.at(-1) as SealedRecord;
const anyIndex = fc.nat({ max: chain.length - 1 });

function keysOf(setting: string): AuditKeys {
  const parsed = parseAuditKeys(setting);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
}

describe("verifyChain", () => {
  test("accepts a chain as it was sealed, also read back from JSON", () => {
    expect(verifyChain(keys, chain, { ...ada, head })).toEqual({ ok: true });
    expect(verifyChain(keys, JSON.parse(JSON.stringify(chain)), { ...ada, head })).toEqual({ ok: true });
    expect(verifyChain(keys, [], ada)).toEqual({ ok: true });
  });

  test("any_alteration_of_a_record_shows_where_it_is", () => {
    const alter = fc.constantFrom<(sealed: SealedRecord) => SealedRecord>(
      (sealed) => ({ ...sealed, record: { ...sealed.record, role: "admin" } }),
      (sealed) => ({ ...sealed, record: { ...sealed.record, at: sealed.record.at + 1 } }),
      (sealed) => ({ ...sealed, record: { ...sealed.record, intents: [] } }),
      (sealed) => ({ ...sealed, record: { ...sealed.record, user: "bob" } }),
      (sealed) => ({ ...sealed, previous: "0".repeat(64) }),
      (sealed) => ({ ...sealed, hash: "0".repeat(64) }),
    );
    fc.assert(
      fc.property(anyIndex, alter, (index, change) => {
        const altered = chain.map((sealed, at) => (at === index ? change(sealed) : sealed));
        expect(verifyChain(keys, altered, { ...ada, head })).toEqual({ ok: false, at: index + 1, problem: "altered" });
      }),
    );
  });

  test("any_other_field_of_a_record_is_bound_too", () => {
    for (const name of Object.keys(chain[1]?.record ?? {})) {
      const altered = chain.map((sealed, at) =>
        at === 1 ? { ...sealed, record: { ...sealed.record, [name]: "altered" } } : sealed,
      );
      expect(verifyChain(keys, altered as SealedRecord[], ada), name).toMatchObject({ ok: false, at: 2 });
    }
  });

  test("any_removal_shows", () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyIndex, { minLength: 1 }), (removed) => {
        const left = chain.filter((_, index) => !removed.includes(index));
        expect(verifyChain(keys, left, { ...ada, head })).toMatchObject({ ok: false, at: Math.min(...removed) + 1 });
      }),
    );
  });

  test("truncation_shows_against_the_head", () => {
    fc.assert(
      fc.property(anyIndex, (length) => {
        const cut = chain.slice(0, length);
        expect(verifyChain(keys, cut, { ...ada, head })).toEqual({ ok: false, at: length + 1, problem: "truncated" });
      }),
    );
  });

  test("any_reordering_or_repetition_shows", () => {
    fc.assert(
      fc.property(fc.array(anyIndex, { maxLength: 2 * chain.length }), (order) => {
        const sorted = order.length === chain.length && order.every((index, at) => index === at);
        const records = order.map((index) => chain[index] as SealedRecord);
        expect(verifyChain(keys, records, { ...ada, head }).ok).toBe(sorted);
      }),
      { examples: [[[0, 2, 1, 3, 4, 5]], [[0, 0, 1, 2, 3, 4, 5]], [[0, 1, 2, 3, 4, 5]]] },
    );
  });

  test("one user's chain does not pass for another's, however the names are cut", () => {
    expect(verifyChain(keys, chain, { tenant: "acme", user: "bob" })).toMatchObject({ ok: false, at: 1 });
    expect(genesis("a", "bc")).not.toBe(genesis("ab", "c"));
  });

  test("a record that was sealed rightly shows where it does not belong", () => {
    const restarted = chainOf([turnRecord(), decisionRecord()]);
    const spliced = [chain[0], restarted[1]] as SealedRecord[];
    expect(verifyChain(keys, spliced, ada)).toEqual({ ok: false, at: 2, problem: "altered" });
    const foreign = seal(keys, { seq: 7, previous: head.hash }, turnRecord({ user: "bob" }));
    expect(verifyChain(keys, [...chain, foreign], ada)).toEqual({ ok: false, at: 7, problem: "altered" });
  });

  test("a chain forged with a stolen key does not end in the head", () => {
    const forged = chainOf(chain.map(({ record }) => ({ ...record, role: "guest" })));
    expect(verifyChain(keys, forged, { ...ada, head })).toEqual({ ok: false, at: 6, problem: "altered" });
    expect(
      verifyChain(keys, [...forged, seal(keys, { seq: 7, previous: forged[5]?.hash ?? "" }, turnRecord())], {
        ...ada,
        head,
      }),
    ).toEqual({ ok: false, at: 6, problem: "altered" });
  });

  test("retention's checkpoint stands for the records before it", () => {
    const from = chain[1] as SealedRecord;
    expect(verifyChain(keys, chain.slice(2), { ...ada, from, head })).toEqual({ ok: true });
    expect(verifyChain(keys, chain.slice(3), { ...ada, from, head })).toEqual({ ok: false, at: 3, problem: "missing" });
    expect(verifyChain(keys, [], { ...ada, from: head, head })).toEqual({ ok: true });
  });

  test("records sealed after the head was read are no fault", () => {
    expect(verifyChain(keys, chain, { ...ada, head: chain[2] })).toEqual({ ok: true });
  });

  test("keys overlap: the first signs, the others verify, a key taken away no longer does", () => {
    const both = keysOf(`k2:${"b".repeat(40)}, k1:${"a".repeat(32)}`);
    const next = seal(both, { seq: 7, previous: head.hash }, turnRecord());
    expect(next.keyId).toBe("k2");
    expect(verifyChain(both, [...chain, next], ada)).toEqual({ ok: true });
    expect(verifyChain(keys, [...chain, next], ada)).toEqual({ ok: false, at: 7, problem: "unknown_key" });
  });
});

describe("parseAuditKeys", () => {
  test.each([
    ["", "form"],
    ["nosecret", "form"],
    [`:${"x".repeat(32)}`, "form"],
    ["k1:short-secret", "shorter than 32"],
    [`k1:${"x".repeat(32)},k1:${"y".repeat(32)}`, "twice"],
    [`k1:${"x".repeat(32)},`, "form"],
  ])("refuses `%s`", (setting, problem) => {
    const parsed = parseAuditKeys(setting);
    expect(parsed).toMatchObject({ ok: false, error: expect.stringContaining(problem) });
    expect(JSON.stringify(parsed)).not.toMatch(/short-secret|xxx|yyy/);
  });
});
