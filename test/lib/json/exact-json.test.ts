import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mayLoseNumbers, nearestDouble, parseExact } from "../../../src/lib/json/exact-json.ts";
import { survivesRoundTrip } from "../../../src/lib/json/strict-json.ts";
import { cpuSince } from "../../support/cpu-time.ts";

const written = (text: string): string => JSON.stringify(parseExact(text));

describe("a number", () => {
  it.each([
    "1234567890123456789",
    "-1234567890123456789",
    "1e400",
    "-1E+400",
    "1e-400",
    "0.1000000000000000055",
    "-0",
    "-0.0",
    "-0e5",
    "12345678901.12345678",
    "9007199254740993000e-3",
  ])("%s stays as it was written, wherever it stands", (number) => {
    for (const text of [number, `[${number}]`, `{"a":${number}}`, `[1,${number},{"b":[${number}]}]`])
      expect(written(text)).toBe(text);
    expect(written(`{ "a" :\n${number} , "b" :\t${number}}`)).toBe(`{"a":${number},"b":${number}}`);
  });

  it.each([
    ["1.0", "1"],
    ["1E5", "100000"],
    ["-0.5", "-0.5"],
    ["0.10", "0.1"],
    ["1.50000000000000000", "1.5"],
  ])("%s, where a double holds it, is written as before: %s", (number, expected) => {
    expect(written(`[${number}]`)).toBe(`[${expected}]`);
  });

  it("can be had as the nearest double; what only looks like a kept one is no number", () => {
    expect(nearestDouble(parseExact("1234567890123456789"))).toBe(1234567890123456800);
    expect(nearestDouble(parseExact("0.5"))).toBe(0.5);
    expect(nearestDouble({ rawJSON: "5" })).toEqual({ rawJSON: "5" });
  });
});

describe("laws", () => {
  const digits = fc.stringMatching(/^(0|[1-9][0-9]{0,25})$/);
  const number = fc
    .tuple(
      fc.constantFrom("", "-"),
      digits,
      fc.stringMatching(/^(\.[0-9]{1,25})?$/),
      fc.stringMatching(/^([eE][+-]?[0-9]{1,3})?$/),
    )
    .map((parts) => parts.join(""));

  it("no_number_is_changed", () => {
    fc.assert(
      fc.property(number, (text) => {
        const kept = written(`[${text}]`).slice(1, -1);
        expect(survivesRoundTrip(text) ? Number(kept) : kept).toBe(survivesRoundTrip(text) ? Number(text) : text);
      }),
    );
  });

  it("all_else_is_as_JSON_parse_has_it", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        // `fast-check` writes -0 as 0, so no number here is one that a double cannot hold.
        expect(parseExact(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it("a_number_that_would_change_is_always_noticed", () => {
    fc.assert(
      fc.property(number, fc.constantFrom("", " ", "\n"), (text, blank) => {
        if (!survivesRoundTrip(text))
          for (const around of [`${blank}${text}`, `[1,${blank}${text}]`, `{"a":${blank}${text}}`])
            expect(mayLoseNumbers(around)).toBe(true);
      }),
    );
  });
});

it("a text is not searched for longer than it is", () => {
  const started = process.threadCpuUsage();
  for (const text of ["-0".repeat(500_000), "1".repeat(1_000_000), ` ${"1 ".repeat(500_000)}`, "- ".repeat(500_000)])
    mayLoseNumbers(JSON.stringify(text));
  expect(cpuSince(started)).toBeLessThan(2_000);
});
