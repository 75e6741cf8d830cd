import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareLines } from "../../../src/lib/text/line-differences.ts";
import { cpuSince } from "../../support/cpu-time.ts";

const shown = (before: string, after: string) =>
  compareLines(before.split(""), after.split("")).map(
    ({ kind, text }) => `${{ same: "", added: "+", removed: "-" }[kind]}${text}`,
  );

describe("two texts compared by lines", () => {
  it("tell what goes before what comes, and what stays", () => {
    expect(shown("abc", "abc")).toEqual(["a", "b", "c"]);
    expect(shown("abc", "axc")).toEqual(["a", "-b", "+x", "c"]);
    expect(shown("ab", "abcd")).toEqual(["a", "b", "+c", "+d"]);
    expect(shown("abcd", "d")).toEqual(["-a", "-b", "-c", "d"]);
    expect(shown("abcabba", "cbabac").filter((line) => line.length > 1)).toHaveLength(5);
    expect(compareLines([], [])).toEqual([]);
  });

  const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 40 });

  it("both_texts_can_be_read_from_the_comparison", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const compared = compareLines(before, after);
        const without = (kind: string) => compared.filter((line) => line.kind !== kind).map(({ text }) => text);
        expect(without("added")).toEqual(before);
        expect(without("removed")).toEqual(after);
      }),
    );
  });

  it("no_comparison_has_fewer_differences: as few as there can be", () => {
    const common = (a: readonly string[], b: readonly string[]): number => {
      let row = new Array<number>(b.length + 1).fill(0);
      for (const x of a) {
        const next = [0];
        for (const [j, y] of b.entries()) {
          next.push(x === y ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0));
        }
        row = next;
      }
      return row.at(-1) ?? 0;
    };
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const same = compareLines(before, after).filter(({ kind }) => kind === "same").length;
        expect(same).toBe(common(before, after));
      }),
    );
  });

  it("is bounded work where nearly all lines differ", () => {
    const numbered = (prefix: string) => Array.from({ length: 20_000 }, (_, index) => `${prefix}${index}`);
    const started = process.threadCpuUsage();
    const compared = compareLines(["same", ...numbered("a")], ["same", ...numbered("b")]);
    expect(cpuSince(started)).toBeLessThan(1_500);
    expect(compared).toHaveLength(40_001);
    expect(compared[0]).toEqual({ kind: "same", text: "same" });
  });
});
