import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePolicyDocument } from "../../src/policy/document.ts";
import { pointer } from "../../src/policy/policy-issue.ts";
import { documents } from "./arbitraries.ts";

const pathsOf = (input: unknown): string[] => {
  const parsed = parsePolicyDocument(input);
  return parsed.ok ? [] : parsed.error.map(({ path }) => path);
};

type Path = readonly (string | number)[];

/** Of every member that is not a section itself. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return path.length > 1 ? [path] : [];
  const members = Array.isArray(value) ? value.map((one, index) => [index, one] as const) : Object.entries(value);
  return [...(path.length > 1 ? [path] : []), ...members.flatMap(([key, one]) => pathsIn(one, [...path, key]))];
}

function replaced(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return typeof value === "number" ? "wrong" : 12_345;
  if (Array.isArray(value)) return value.map((one, index) => (index === key ? replaced(one, rest) : one));
  const record = value as Record<string, unknown>;
  return { ...record, [key]: replaced(record[String(key)], rest) };
}

describe("errors of shape and of content", () => {
  it("are told together", () => {
    const document = {
      modes: { a: { alow: [], allow: ["category:none"] } },
      tools: { x: { category: "bad", roles: ["nobody"] }, y: 5, z: { undo: "y", rateLimits: [{ window: "1h" }] } },
      intents: { A: { patterns: ["(?=x)"], tools: ["a b", 3], primaryTool: "q" } },
      detection: { fallback: "B", semanticThreshold: 2 },
    };
    expect(pathsOf(document).sort()).toEqual([
      "/detection/fallback",
      "/detection/semanticThreshold",
      "/intents/A/patterns/0",
      "/intents/A/tools/1",
      "/modes/a/allow/0",
      "/modes/a/alow",
      "/tools/x/category",
      "/tools/x/roles/0",
      "/tools/y",
      "/tools/z/rateLimits/0/max",
    ]);
  });

  it("one_wrong_member_makes_nothing_else_look_wrong", () => {
    const wrong = documents({ groups: true }).chain((document) => {
      const paths = pathsIn(document);
      return fc.record({ document: fc.constant(document), path: fc.constantFrom(...paths) });
    });
    fc.assert(
      fc.property(wrong, ({ document, path }) => {
        const at = pointer(path);
        const found = pathsOf(replaced(document, path));
        expect(found.length).toBeGreaterThan(0);
        for (const one of found) expect([at, at.startsWith(one) || one.startsWith(at)]).toEqual([at, true]);
      }),
      { numRuns: 500 },
    );
  });
});
