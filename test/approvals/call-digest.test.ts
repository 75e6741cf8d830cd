import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { argumentsDigest, callDigest } from "../../src/approvals/call-digest.ts";
import { sha256Hex } from "../../src/lib/digest.ts";
import { canonicalJson } from "../../src/lib/json/canonical-json.ts";

describe("callDigest", () => {
  it("of a call without vendor members is that of the first version", () => {
    expect(callDigest({ b: 1, a: "x" }, undefined)).toBe(sha256Hex('{"a":"x","b":1}'));
    expect(callDigest({ a: 1 }, undefined)).toBe(argumentsDigest({ a: 1 }));
  });

  it("two_calls_have_the_same_digest_only_if_arguments_and_vendor_members_are_the_same", () => {
    const json = fc.dictionary(fc.constantFrom("arguments", "vendor", "a"), fc.jsonValue(), { maxKeys: 2 });
    const one = fc.tuple(json, fc.option(json, { nil: undefined }));
    fc.assert(
      fc.property(one, one, (a, b) => {
        const same = canonicalJson([a[0], a[1] ?? null]) === canonicalJson([b[0], b[1] ?? null]);
        expect(callDigest(...a) === callDigest(...b)).toBe(same);
      }),
    );
  });
});
