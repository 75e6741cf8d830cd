import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entity } from "../../../src/intent/detection.ts";
import { workBudget } from "../../../src/lib/work-budget.ts";
import { fillCall as fill } from "../../../src/turn/system-first/system-first.ts";

const text = { type: "string" };
const schema = {
  type: "object",
  properties: { topic: { ...text, maxLength: 20 }, count: { type: "integer" }, day: { ...text, default: "today" } },
  required: ["topic", "day", "count"],
};
const entity = (name: string, value: string | number): Entity => ({
  name,
  value,
  text: String(value),
  at: 0,
  redact: false,
});
const fillCall = (schema: unknown, entities: readonly Entity[]) => fill(schema, entities, workBudget());

describe("a call filled from the user's words", () => {
  it("is whole where nothing is left that the schema requires and gives no default for", () => {
    const whole = { kind: "whole", arguments: { topic: "verbs", count: 3 } };
    expect(fillCall(schema, [entity("topic", "verbs"), entity("count", 3)])).toEqual(whole);
    expect(fillCall(schema, [entity("topic", "verbs")])).toEqual({
      kind: "missing",
      filled: { topic: "verbs" },
      missing: ["count"],
    });
    expect(fillCall({ type: "object" }, [])).toEqual({ kind: "whole", arguments: {} });
  });

  it.each([
    ["unknown parameters", undefined],
    ["no schema at all", "{}"],
    ["one that cannot be checked", { type: "nothing" }],
    ["what no words give", { type: "object", minProperties: 1 }],
    [
      "one of several",
      { type: "object", properties: { a: text, b: text }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    ],
  ])("does not fit %s", (_, parameters) => {
    expect(fillCall(parameters, [])).toEqual({ kind: "unfit" });
  });

  it("is nobody's to guess where an argument is named with two values", () => {
    const named = (...values: string[]) => [...values.map((one) => entity("to-pic", one)), entity("count", 3)];
    expect(fillCall(schema, named("verbs", "kanji"))).toEqual({ kind: "unfit" });
    expect(fillCall(schema, named("verbs", "Verbs")).kind).toBe("whole");
    expect(fillCall(schema, [...named("verbs"), entity("date", "1"), entity("date", "2")]).kind).toBe("whole");
  });

  it("never throws, and never holds what the schema refuses", () => {
    const hostile = fc.oneof(fc.constantFrom("__proto__", "constructor", "topic", "count"), fc.string());
    fc.assert(
      fc.property(hostile, fc.string(), (name, value) => {
        const properties = Object.fromEntries([[name, { ...text, maxLength: 5 }]]);
        const made = fillCall({ type: "object", properties }, [entity(name, value)]);
        if (made.kind !== "whole") return;
        for (const value of Object.values(made.arguments)) expect(String(value).length).toBeLessThanOrEqual(5);
        expect(Object.getPrototypeOf(made.arguments)).toBe(Object.prototype);
      }),
    );
  });
});
