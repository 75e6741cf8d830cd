import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldKey } from "../../../src/lib/names.ts";

describe("foldKey", () => {
  it.each([
    ["Function", "function"],
    ["FUNCTION", "function"],
    ["ｆｕｎｃｔｉｏｎ", "function"],
    ["fun\u200bction", "function"],
    ["\u00adfunction\ufe0f", "function"],
    ["choice\u017f", "choices"],
    ["to\u212aen", "token"],
    ["f\u0131nish_reason", "finish_reason"],
    ["\u0130NDEX", "index"],
    ["ﬁnish_reason", "finish_reason"],
  ])("takes %j for %j", (key, folded) => {
    expect(foldKey(key)).toBe(folded);
  });

  it("keeps apart what every reader keeps apart", () => {
    const keys = ["tool_calls", "toolcalls", "tool-calls", "tool calls", "résumé", "resume", "a1", "a2"];
    expect(new Set(keys.map(foldKey)).size).toBe(keys.length);
  });

  it("folding_folds_once", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (key) => {
        expect(foldKey(foldKey(key))).toBe(foldKey(key));
      }),
    );
  });
});
