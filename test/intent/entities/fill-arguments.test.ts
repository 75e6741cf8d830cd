import { describe, expect, it } from "vitest";
import studyAgent from "../../../policies/study-agent.json" with { type: "json" };
import type { Entity } from "../../../src/intent/detection.ts";
import { fillArguments } from "../../../src/intent/entities/fill-arguments.ts";
import { workBudget } from "../../../src/lib/work-budget.ts";
import { extractor } from "./extract.ts";

const entity = (name: string, value: string | number): Entity => ({ name, value, text: "", at: 0, redact: false });
const schema = (properties: Record<string, unknown>, more = {}) => ({ type: "object", properties, ...more });

describe("the arguments that entities fill", () => {
  it("are the reference document's own example", () => {
    const found = extractor(studyAgent)("5 flashcards about N4 grammar", ["CREATE_FLASHCARDS"]);
    const { parameters } = studyAgent.tools.create_study_flashcards;
    expect(fillArguments(parameters, found, workBudget())).toEqual({ topic: "grammar", level: "N4", count: 5 });
  });

  it("are found by the property's name in any spelling, the first value that its schema accepts", () => {
    const found = [entity("grammar_point", "x".repeat(9)), entity("grammar_point", "は"), entity("count", 50)];
    const properties = { grammarPoint: { type: "string", maxLength: 5 }, count: { type: "integer", maximum: 20 } };
    expect(fillArguments(schema(properties), found, workBudget())).toEqual({ grammarPoint: "は" });
    expect(fillArguments(schema({ "Grammar-Point": {} }), found, workBudget())).toEqual({
      "Grammar-Point": "x".repeat(9),
    });
  });

  it.each([
    [{ type: "integer" }, "5", 5],
    [{ type: "number" }, "5.5", 5.5],
    [{ type: "string" }, 5, "5"],
    [{ type: ["string", "null"] }, 5, "5"],
    [{ anyOf: [{ type: "integer" }, { type: "null" }] }, "5", 5],
    [{ $ref: "#/$defs/n" }, "7", 7],
    [{ type: "integer" }, "5.5", undefined],
    [{ type: "integer" }, "five", undefined],
    [{ type: "boolean" }, "true", undefined],
    [{ type: "array", items: { type: "string" } }, "a", undefined],
    [false, "a", undefined],
    [{ const: "b" }, "a", undefined],
    [{ type: "string", pattern: "^N[1-5]$" }, "N6", undefined],
  ])("have the type that %j asks for, of %j", (property, value, expected) => {
    const filled = fillArguments(
      schema({ it: property }, { $defs: { n: { type: "integer" } } }),
      [entity("it", value)],
      workBudget(),
    );
    expect(filled).toEqual(expected === undefined ? {} : { it: expected });
  });

  it("are found by format where one property and one value could be meant", () => {
    const mail = entity("email", "ada@example.com");
    const properties = {
      to: { type: "string", format: "email" },
      when: { type: "string", format: "date" },
      page: { type: "string", format: "uri" },
    };
    const found = [mail, entity("date", "2026-11-22"), entity("url", "https://a.test/")];
    expect(fillArguments(schema(properties), found, workBudget())).toEqual({
      to: mail.value,
      when: "2026-11-22",
      page: "https://a.test/",
    });
    expect(fillArguments(schema({ to: properties.to, from: properties.to }), [mail], workBudget())).toEqual({});
    expect(
      fillArguments(schema({ to: properties.to }), [mail, entity("email", "eve@example.com")], workBudget()),
    ).toEqual({});
  });

  it("are no date where the year is missing, and no moment where the zone is", () => {
    const when = schema({ when: { type: "string", format: "date" }, date: { type: "string" } });
    expect(fillArguments(when, [entity("date", "--11-22")], workBudget())).toEqual({});
    const moment = schema({ at: { type: "string", format: "date-time" } });
    expect(fillArguments(moment, [entity("date", "2026-11-22")], workBudget())).toEqual({});
    expect(fillArguments(moment, [entity("date", "2026-11-22T10:00:00Z")], workBudget())).toEqual({
      at: "2026-11-22T10:00:00Z",
    });
  });

  it("are members of an enum as the schema spells them, where only one property has it", () => {
    const size = { type: "string", enum: ["Small", "Large"] };
    expect(fillArguments(schema({ size }), [entity("dimension", "large")], workBudget())).toEqual({ size: "Large" });
    expect(fillArguments(schema({ from: size, to: size }), [entity("dimension", "large")], workBudget())).toEqual({});
    const both = [entity("dimension", "large"), entity("other", "small")];
    expect(fillArguments(schema({ size }), both, workBudget())).toEqual({});
  });

  it("do not mind what else the schema requires", () => {
    const whole = schema({ a: {}, b: {} }, { required: ["b"], additionalProperties: false, minProperties: 2 });
    expect(fillArguments(whole, [entity("a", "x")], workBudget())).toEqual({ a: "x" });
  });

  it.each([undefined, null, true, [], "x", {}, { properties: [] }, { properties: { it: { $ref: "https://a.test" } } }])(
    "are none for %j",
    (broken) => {
      expect(fillArguments(broken, [entity("it", "x")], workBudget())).toEqual({});
    },
  );

  it("may have hostile names", () => {
    const hostile = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{}}}');
    const filled = fillArguments(hostile, [entity("__proto__", "x"), entity("constructor", "y")], workBudget());
    expect(Object.getPrototypeOf(filled)).toBe(Object.prototype);
    expect(fillArguments(schema({ a: {} }), [entity("constructor", "y")], workBudget())).toEqual({});
  });
});
