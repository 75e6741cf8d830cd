import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../src/lib/json/canonical-json.ts";
import { redactArguments, redactForRecord } from "../../src/lib/redact.ts";

const gone = "[redacted]";

describe("redactArguments", () => {
  test.each<[string, string[], unknown, unknown]>([
    ["a plain name at the top", ["content"], { content: "x", title: "t" }, { content: gone, title: "t" }],
    [
      "a plain name at any depth",
      ["pin"],
      { a: [{ pin: 1 }, { b: { pin: {} } }] },
      { a: [{ pin: gone }, { b: { pin: gone } }] },
    ],
    [
      "a plain name in any case",
      ["content"],
      { Content: "x", a: { CONTENT: 1 } },
      { Content: gone, a: { CONTENT: gone } },
    ],
    [
      "a dotted path from the root",
      ["user.token"],
      { user: { token: 1, id: 2 }, x: { user: { token: 3 } } },
      { user: { token: gone, id: 2 }, x: { user: { token: 3 } } },
    ],
    ["a JSON pointer", ["/user/token"], { user: { token: 1 }, token: 2 }, { user: { token: gone }, token: 2 }],
    ["escapes in a pointer", ["/a~1b/c~0d"], { "a/b": { "c~d": 1 } }, { "a/b": { "c~d": gone } }],
    [
      "every item of an array",
      ["items.token"],
      { items: [{ token: 1 }, [{ token: 2 }]] },
      { items: [{ token: gone }, [{ token: gone }]] },
    ],
    ["one item of an array", ["/items/1"], { items: [1, 2, 3] }, { items: [1, gone, 3] }],
    ["any member", ["headers.*"], { headers: { a: 1, b: [2] } }, { headers: { a: gone, b: gone } }],
    [
      "a name that holds a dot",
      ["a.b"],
      { "a.b": 1, x: { "a.b": 2 }, a: { b: 3 } },
      { "a.b": gone, x: { "a.b": gone }, a: { b: gone } },
    ],
    [
      "a plain name with blanks, `_` and `-`",
      ["pin", "api_key"],
      { "PIN ": 1, pi_n: 2, "p-i n": 3, "api key": 4, apiKey: 5, spin: 6 },
      { "PIN ": gone, pi_n: gone, "p-i n": gone, "api key": gone, apiKey: gone, spin: 6 },
    ],
    ["nothing where nothing is named", [], { a: 1 }, { a: 1 }],
  ])("redacts %s", (_, paths, args, expected) => {
    expect(redactArguments(args as Record<string, unknown>, paths)).toEqual(expected);
  });

  test("keeps a key that names the prototype, and redacts below it", () => {
    const args = JSON.parse('{"__proto__":{"pin":1}}');
    expect(JSON.stringify(redactArguments(args, ["pin"]))).toBe('{"__proto__":{"pin":"[redacted]"}}');
    expect(JSON.stringify(redactArguments(JSON.parse('{"a":{"__proto__":1}}'), ["__proto__"]))).toBe(
      '{"a":{"__proto__":"[redacted]"}}',
    );
  });

  test("a_named_value_never_stays_and_the_arguments_are_not_touched", () => {
    const secret = fc.constant("the secret");
    const tree = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.integer(),
        fc.array(tie("node"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom("a", "b", "c"), tie("node")),
        fc.record({ pin: secret, other: tie("node") }),
      ),
    })).node;
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("a", "b"), tree), (args) => {
        const before = JSON.stringify(args);
        expect(JSON.stringify(redactArguments(args, ["pin"]))).not.toContain("the secret");
        expect(JSON.stringify(args)).toBe(before);
      }),
    );
  });

  test("hostile depth is cut, can be written, and costs no more than its size", () => {
    const deep = (depth: number) => ({ a: JSON.parse("[".repeat(depth) + "]".repeat(depth)) as unknown });
    const args = redactArguments(deep(50_000), ["a.*.*.*.*.*.*.*.*.*.*.pin"]);
    expect(canonicalJson({ nested: [args] })).toContain(gone);
  });
});

describe("redactForRecord", () => {
  const known = new Set(["to", "pin", "shipping_address"]);

  test("leaves out a name that the schema does not know where a redacted one is part of it, with its value", () => {
    const args = { to: "bob", pin: 1, pins: 2, "the-pin": 3, pin_S3CR3T: 4, shipping_address: "x", note: { mypin: 5 } };
    expect(redactForRecord(args, ["pin"], { known })).toEqual({
      ...{ to: "bob", pin: gone, [gone]: gone, "[redacted] 2": gone, "[redacted] 3": gone, shipping_address: "x" },
      note: { [gone]: gone },
    });
    // The person who is asked sees them.
    expect(redactArguments({ pins: 2 }, ["pin"])).toEqual({ pins: 2 });
  });

  test("takes a short name for a word where there is no schema", () => {
    const args = { shipping: 1, pins: 2, thePin: 3, mypassword: 4, opinion: 5 };
    expect(redactForRecord(args, ["pin", "user.password"], { known: undefined })).toEqual({
      ...{ shipping: 1, [gone]: gone, "[redacted] 2": gone, "[redacted] 3": gone, opinion: 5 },
    });
  });

  test("leaves out every name that no tool has, where nobody knows the tool and the policy redacts anything", () => {
    expect(redactForRecord({ to: "bob", S3CR3T: 1 }, ["pin"], { known, only: true })).toEqual({
      to: "bob",
      [gone]: gone,
    });
    expect(redactForRecord({ S3CR3T: 1 }, [], { known, only: true })).toEqual({ S3CR3T: 1 });
  });
});
