import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { didYouMean, nearestName } from "../../src/lib/nearest-name.ts";

const known = ["UPSTREAM_BASE_URL", "UPSTREAM_API_KEY", "TOOLGATE_POLICY", "TOOLGATE_STATE", "PORT", "tools"];

describe("the nearest name", () => {
  it.each([
    ["UPSTREAM_BASEURL", "UPSTREAM_BASE_URL"],
    ["UPSTREAM_API_KYE", "UPSTREAM_API_KEY"],
    ["TOOLGATE_POLCY", "TOOLGATE_POLICY"],
    ["toolgate_policy", "TOOLGATE_POLICY"],
    ["tool", "tools"],
    ["PROT", "PORT"],
  ])("to %s is %s", (name, nearest) => {
    expect(nearestName(name, known)).toBe(nearest);
  });

  it.each(["UPSTREAM_REGION", "TOOLGATE_COLOUR", "PATH_TO", "", "x"])("to `%s` is none", (name) => {
    expect(nearestName(name, known)).toBeUndefined();
    expect(didYouMean(name, known)).toBe("");
  });

  it("a_name_with_one_slip_is_found_among_others_that_are_far", () => {
    const name = fc.stringMatching(/^[A-Z]{8,30}$/);
    fc.assert(
      fc.property(name, fc.nat(), fc.constantFrom("", "_", "_X"), (right, place, put) => {
        const at = place % right.length;
        const slipped = right.slice(0, at) + put.slice(0, 1) + right.slice(at + 1);
        expect(nearestName(slipped, ["1234567", right, "7654321"])).toBe(right);
      }),
    );
  });
});
