import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Checkpoint } from "../../../src/ports/audit-record.ts";
import { genesis, isSigned, nextCheckpoint, signCheckpoint } from "../../../src/stores/audit/audit-chain.ts";
import { parseAuditKeys } from "../../../src/stores/audit/audit-keys.ts";
import { chainOf, keys, turnRecord } from "./records.ts";

const beginning = { seq: 0, hash: genesis("acme", "ada") };
const chain = chainOf(Array.from({ length: 6 }, (_, index) => turnRecord({ at: 100 + index })));
const links = chain.map(({ seq, previous, hash, record }) => ({ seq, previous, hash, at: record.at }));
const checkpoint: Checkpoint = { tenant: "acme", user: "ada", seq: 3, hash: "h", gaps: [[1, 2]], at: 5 };

describe("nextCheckpoint", () => {
  test("what_is_removed_is_old_and_a_beginning", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 20 }), { maxLength: 6 }), fc.nat({ max: 20 }), (ages, before) => {
        const aged = links.slice(0, ages.length).map((link, index) => ({ ...link, at: ages[index] as number }));
        const seq = nextCheckpoint(beginning, aged, before)?.seq ?? 0;
        expect(aged.slice(0, seq).every(({ at }) => at < before)).toBe(true);
        expect(aged[seq] === undefined || aged[seq].at >= before).toBe(true);
      }),
    );
  });

  test("tells what was missing or did not follow", () => {
    const without = (...seqs: number[]) => links.filter(({ seq }) => !seqs.includes(seq));
    expect(nextCheckpoint(beginning, links, 1_000)?.gaps).toEqual([]);
    expect(nextCheckpoint(beginning, without(1, 4, 5), 1_000)?.gaps).toEqual([
      [1, 1],
      [4, 5],
    ]);
    const replaced = links.map((link) => (link.seq === 3 ? { ...link, previous: "other" } : link));
    expect(nextCheckpoint(beginning, replaced, 1_000)?.gaps).toEqual([[3, 3]]);
  });
});

describe("a signed checkpoint", () => {
  test("verifies with its key, also once that is no longer the one that signs", () => {
    const signed = signCheckpoint(keys, checkpoint);
    expect(isSigned(keys, signed)).toBe(true);
    const rotated = parseAuditKeys(`k2:${"b".repeat(32)},k1:${"a".repeat(32)}`);
    expect(rotated.ok && isSigned(rotated.value, signed)).toBe(true);
    const other = parseAuditKeys(`k1:${"c".repeat(32)}`);
    expect(other.ok && isSigned(other.value, signed)).toBe(false);
  });

  test("any_field_of_it_is_bound", () => {
    const signed = signCheckpoint(keys, checkpoint);
    const changes = { tenant: "b", user: "b", seq: 4, hash: "i", gaps: [], at: 6, keyId: "k2", signature: "0" };
    for (const [name, value] of Object.entries(changes)) {
      expect(isSigned(keys, { ...signed, [name]: value }), name).toBe(false);
    }
  });
});
