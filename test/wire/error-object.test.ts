import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCallName } from "../../src/wire/call-names.ts";
import { errorObject } from "../../src/wire/error-object.ts";

describe("errorObject", () => {
  it.each([
    [
      { code: 400, message: "Token limit reached" },
      { message: "Token limit reached", type: "upstream_error", code: "400", param: null },
    ],
    ["busy", { message: "busy", type: "upstream_error", code: null, param: null }],
    [{}, { message: "the upstream reported an error", type: "upstream_error", code: null, param: null }],
    [
      { message: { a: 1 }, type: [], code: {}, param: "messages" },
      { message: "the upstream reported an error", type: "upstream_error", code: null, param: "messages" },
    ],
  ])("makes of %j what clients know", (error, told) => {
    expect(errorObject(error)).toEqual(told);
  });

  it("leaves a provider's other members, unless they hold a call or speak for the gateway", () => {
    const own = { message: "m", type: "t", code: "c", param: null };
    const vendor = { metadata: { provider_name: "x" }, status_code: 400 };
    expect(errorObject({ ...own, ...vendor })).toEqual({ ...own, ...vendor });
    expect(errorObject({ ...own, ...vendor, Message: "other", toolgate: {} })).toEqual({ ...own, ...vendor });
    expect(errorObject({ ...own, ...vendor, tool_calls: [{ function: { name: "f" } }] })).toEqual(own);
  });

  it("has_no_call_and_strings_where_clients_look_for_strings", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.dictionary(fc.constantFrom("Tool_Calls", "type", "code", "x"), fc.jsonValue()),
        (error, more) => {
          const told = errorObject(typeof error === "object" && error !== null ? { ...error, ...more } : error);
          expect(told).toMatchObject({ message: expect.any(String), type: expect.any(String) });
          for (const member of [told.code, told.param]) expect(["string", "object"]).toContain(typeof member);
          const { type: _type, ...others } = told;
          expect(findCallName(others)).toBeUndefined();
        },
      ),
    );
  });
});
