import { describe, expect, it } from "vitest";
import { parsePolicyDocument } from "../../../src/policy/document/document.ts";

const paths = (document: unknown) => {
  const parsed = parsePolicyDocument(document);
  return parsed.ok ? [] : parsed.error.map(({ path }) => path);
};
const entity = (settings: unknown) => paths({ entities: { a: settings } });

describe("a document's entities", () => {
  it.each([
    { pattern: "about (.+)" },
    { pattern: ["a", { match: "(b)(c)", value: "$2$1" }] },
    { synonyms: { x: ["y", "語"] }, redact: true },
    { pattern: "\\d+", type: "integer", min: 1, max: 1, normalise: ["trim", { words: { 5: ["five"] } }] },
    { pattern: "\\d+", type: "date" },
  ])("may be %j", (settings) => {
    expect(entity(settings)).toEqual([]);
  });

  it.each([
    [{}, ""],
    [{ redact: true }, ""],
    [{ pattern: "" }, "/pattern"],
    [{ pattern: [] }, "/pattern"],
    [{ pattern: ["a", "(?=b)"] }, "/pattern/1"],
    [{ pattern: [{ match: "(?=b)", value: "x" }] }, "/pattern/0/match"],
    [{ pattern: [{ match: "(a)", value: "$2" }] }, "/pattern/0/value"],
    [{ pattern: "a", patterns: ["b"] }, "/patterns"],
    [{ synonyms: { x: [] } }, "/synonyms/x"],
    [{ synonyms: { x: [" "] } }, "/synonyms/x/0"],
    [{ pattern: "a", normalise: ["capital"] }, "/normalise/0"],
    [{ pattern: "a", type: "boolean" }, "/type"],
    [{ pattern: "a", min: 1 }, "/min"],
    [{ pattern: "a", type: "date", max: 1 }, "/max"],
    [{ pattern: "a", type: "number", min: 2, max: 1 }, "/min"],
  ])("may not be %j", (settings, path) => {
    expect(entity(settings)).toEqual([`/entities/a${path}`]);
  });

  it("are all that intents name, with the built-in ones", () => {
    const intents = { A: { entities: ["topic", "email", "constructor"] } };
    expect(paths({ intents, entities: { topic: { pattern: "a" } } })).toEqual(["/intents/A/entities/2"]);
  });

  it("that are wrong are there for the intents that name them", () => {
    expect(paths({ intents: { A: { entities: ["topic"] } }, entities: { topic: { pattern: 5 } } })).toEqual([
      "/entities/topic/pattern",
    ]);
    expect(paths({ intents: { A: { entities: ["topic"] } }, entities: { topic: 5 } })).toEqual(["/entities/topic"]);
  });
});
