/** What a model may write as a query, against SQLite's own FTS5. */
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bounded, searchExpressions, unboundedText } from "../../../src/lib/text/search-words.ts";

describe("no_query_fails_or_finds_what_does_not_hold_its_words", () => {
  const db = new DatabaseSync(":memory:");
  db.exec(
    "CREATE VIRTUAL TABLE t USING fts5(owner, content, tokenize = 'porter unicode61 remove_diacritics 2');" +
      "INSERT INTO t VALUES ('ada', 'needle in the haystack')",
  );
  const match = db.prepare("SELECT COUNT(*) AS n FROM t WHERE t MATCH ?");
  const count = (expression: string) => match.get(`owner : (ada) AND {content} : (${expression})`)?.n;
  const pieces = [...`"*():^{}+-;'\\ \0あ`, "AND", " OR ", "NOT", "NEAR(", "content:", "owner", "ada", "zzz", "\u0e34"];
  const syntax = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(""));

  it("whatever it is made of", () => {
    fc.assert(
      fc.property(fc.oneof(syntax, fc.string({ unit: "binary", maxLength: 40 })), (query) => {
        const expressions = searchExpressions(query);
        for (const one of expressions ? [expressions.all, ...expressions.parts] : [])
          if (!/needle|haystack|in|the/i.test(query)) expect([one, count(one)]).toEqual([one, 0]);
          else count(one);
      }),
      { numRuns: 3_000 },
    );
  });

  it("and finds what does", () => {
    for (const query of ["needles", "HAYSTACK needle", '"in the haystack"', "«needle in»", "(needle)*"])
      expect([query, count(searchExpressions(query)?.all ?? "")]).toEqual([query, 1]);
    expect(searchExpressions(" *() \0 - ")).toBeUndefined();
  });
});

it("text without blanks gets bounds that nobody sees, and other text is indexed as it is", () => {
  expect(bounded("Gadamer: Wahrheit und Methode")).toBeUndefined();
  const text = "Gadamerの地平、融合。\n第2章 ガダマー";
  expect(bounded(text)).not.toBe(text);
  expect(unboundedText(bounded(text) ?? "")).toBe(text);
});
