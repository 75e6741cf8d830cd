import { describe, expect, it } from "vitest";
import { describeError } from "../../src/lib/log.ts";
import { codeWord, shortName, usageFacts } from "../../src/telemetry/safe-words.ts";

describe("words of others", () => {
  it("are told where they are codes", () => {
    expect(["stop", "tool_calls", "end-turn"].map(codeWord)).toEqual(["stop", "tool_calls", "end-turn"]);
    expect(codeWord(undefined)).toBeUndefined();
    expect(codeWord(null)).toBeUndefined();
  });

  it.each(["my password is x", "sk-ABCDEF", "x".repeat(41), "", "1", 42, { a: 1 }])(
    "are `other` where they may be text: %j",
    (word) => {
      expect(codeWord(word)).toBe("other");
    },
  );

  it("are cut where they are names", () => {
    expect(shortName("x".repeat(128))).toBe("x".repeat(128));
    expect(shortName("x".repeat(129))).toBe(`${"x".repeat(128)}…`);
  });

  it("are left out of a usage that is more than an account", () => {
    const usage = {
      prompt_tokens: 3,
      completion_tokens: 4,
      prompt_tokens_details: { cached_tokens: 2 },
      note: "hello",
    };
    expect(usageFacts(usage)).toEqual({ input: 3, output: 4, cached: 2 });
    for (const odd of ["3", -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, { a: 1 }])
      expect(usageFacts({ prompt_tokens: odd, completion_tokens: 1 })).toEqual({ output: 1 });
    expect(usageFacts("3")).toBeUndefined();
  });
});

describe("what is told of an error", () => {
  it("is its class, its message and where it was thrown", () => {
    const told = describeError(new RangeError("not a time in milliseconds: 1.5"));
    expect(told).toMatchObject({ error: "RangeError", message: "not a time in milliseconds: 1.5" });
    expect(told.at?.[0]).toContain("safe-words.test.ts");
  });

  it("leaves out the message of those that cite what they could not read", () => {
    const faults: unknown[] = [];
    for (const fault of [() => JSON.parse("hunter2 is my password"), () => decodeURIComponent("%hunter2")]) {
      try {
        fault();
      } catch (error) {
        faults.push(error);
      }
    }
    faults.push(Object.assign(new Error("Value: hunter2"), { name: "AI_TypeValidationError" }), "hunter2");
    const told = faults.map(describeError);
    expect(told.map(({ error }) => error)).toEqual(["SyntaxError", "URIError", "AI_TypeValidationError", "string"]);
    expect(JSON.stringify(told)).not.toContain("hunter2");
  });
});
