import { describe, expect, it } from "vitest";
import { parseDuration } from "../../src/lib/time.ts";

describe("a duration", () => {
  it.each([
    ["250ms", 250],
    ["30s", 30_000],
    ["5m", 300_000],
    ["2h", 7_200_000],
    ["1d", 86_400_000],
    ["30", undefined],
    ["1.5s", undefined],
    ["-1s", undefined],
    ["s", undefined],
    ["1 s", undefined],
    ["1w", undefined],
  ])("`%s` is %s ms", (text, ms) => expect(parseDuration(text)).toBe(ms));
});
