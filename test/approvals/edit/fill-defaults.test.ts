import { describe, expect, it } from "vitest";
import { fillDefaults } from "../../../src/approvals/edit/fill-defaults.ts";
import { workBudget } from "../../../src/lib/work-budget.ts";
import { cpuSince } from "../../support/cpu-time.ts";

describe("defaults", () => {
  it("are filled in where nothing is, also in objects that are there", () => {
    const schema = {
      type: "object",
      properties: {
        a: { type: "integer", default: 10 },
        b: { type: "object", properties: { c: { default: "x" } } },
        d: { $ref: "#/$defs/d" },
        e: { type: "array", items: { type: "object", properties: { f: { default: [] } } } },
        g: { type: "object", properties: { h: { default: 1 } } },
      },
      allOf: [{ properties: { i: { default: false } } }],
      $defs: { d: { default: "ref" } },
    };
    expect(fillDefaults(schema, { b: {}, e: [{}, { f: [1] }] }, workBudget())).toEqual({
      a: 10,
      b: { c: "x" },
      d: "ref",
      e: [{ f: [] }, { f: [1] }],
      i: false,
    });
  });

  it("never replace a value, null and undefined members of a prototype included", () => {
    const schema = { properties: { a: { default: 1 }, b: { default: 2 } } };
    expect(fillDefaults(schema, { a: null, b: 0 }, workBudget())).toEqual({ a: null, b: 0 });
    const named = { properties: { constructor: { default: 1 }, ["__proto__"]: { default: { x: 1 } } } };
    const filled = fillDefaults(JSON.parse(JSON.stringify(named)), {}, workBudget());
    expect(Object.keys(filled)).toEqual(["constructor"]);
    const hostile = fillDefaults(JSON.parse('{"properties":{"__proto__":{"default":{"x":1}}}}'), {}, workBudget());
    expect((hostile as { x?: number }).x).toBeUndefined();
    expect(Object.keys(hostile)).toEqual([]);
  });

  it("give the very arguments where there is nothing to fill in", () => {
    const args = { a: 1, b: { c: [1] } };
    for (const schema of [undefined, null, true, {}, [], { properties: 5 }, { $ref: "#" }, { $ref: "#/gone" }]) {
      expect(fillDefaults(schema, args, workBudget())).toBe(args);
    }
    expect(fillDefaults({ properties: { a: { default: 2 }, b: { properties: { c: {} } } } }, args, workBudget())).toBe(
      args,
    );
  });

  it("are not filled in where the schema itself refuses them", () => {
    const schema = { properties: { tags: { type: "array", default: null }, n: { default: 1 } } };
    const args = { a: 1 };
    expect(fillDefaults(schema, args, workBudget())).toBe(args);
  });

  it("are copies: what is filled in is nobody else's", () => {
    const schema = { properties: { a: { default: { deep: [] } } } };
    const filled = fillDefaults(schema, {}, workBudget()) as { a: { deep: number[] } };
    filled.a.deep.push(1);
    expect(fillDefaults(schema, {}, workBudget())).toEqual({ a: { deep: [] } });
  });

  it("end where a schema leads back to itself, and are bounded where it is wide", () => {
    const looping = { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } };
    expect(fillDefaults(looping, { a: 1 }, workBudget())).toEqual({ a: 1 });
    const tree = { properties: { next: { $ref: "#" }, n: { default: 1 } } };
    let args: Record<string, unknown> = {};
    for (let depth = 0; depth < 60; depth += 1) args = { next: args };
    expect(JSON.stringify(fillDefaults(tree, args, workBudget())).match(/"n":1/g)?.length).toBeLessThanOrEqual(40);
    const started = process.threadCpuUsage();
    fillDefaults(
      { properties: { list: { items: tree } } },
      { list: Array.from({ length: 50_000 }, () => ({})) },
      workBudget(),
    );
    expect(cpuSince(started)).toBeLessThan(2_000);
  });
});
