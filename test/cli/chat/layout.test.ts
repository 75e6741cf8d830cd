/** Boxes and words on a terminal: whatever stands in them, they keep to their columns. */

import fc from "fast-check";
import stringWidth from "fast-string-width";
import { describe, expect, it } from "vitest";
import { box, packed, wrapped } from "../../../src/cli/chat/box.ts";
import { hasColours, type Style, styleOf } from "../../../src/cli/chat/style.ts";
import { wordsWriter } from "../../../src/cli/chat/words-writer.ts";
import { visible } from "../../../src/lib/text/visible-text.ts";

const widthOf = (row: string): number => stringWidth(row);
const plain = (columns: number): Style => styleOf(columns + 1, false, { LANG: "C.UTF-8" });

/** Letters, wide signs, emoji, blanks, and what a terminal would obey. */
const sign = fc.constantFrom(
  "a",
  "é",
  "漢",
  "ｗ",
  "字",
  "👍",
  "👨‍👩‍👧",
  " ",
  " ",
  "-",
  "\t",
  "\u001b[31m",
  "\u202e",
  "\u0301",
  "│",
  "┌",
);
const text = fc.array(sign, { maxLength: 200 }).map((signs) => signs.join(""));
const columns = fc.integer({ min: 20, max: 88 });

describe("a box", () => {
  it("is as wide in each line as the window, for wide characters too", () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), columns, (lines, width) => {
        const rows = box([lines.map(visible), ["x"]], plain(width));
        expect(new Set(rows.map(widthOf))).toEqual(new Set([width]));
      }),
    );
  });

  it("is drawn so", () => {
    expect(box([["Tool: 漢字"], ["  path: 漢字漢字漢字漢字漢字"], ["[Y] Proceed"]], plain(20))).toEqual([
      "┌──────────────────┐",
      "│ Tool: 漢字       │",
      "├──────────────────┤",
      "│   path: 漢字漢字 │",
      "│   漢字漢字漢字   │",
      "├──────────────────┤",
      "│ [Y] Proceed      │",
      "└──────────────────┘",
    ]);
    expect(box([["a"]], { ...plain(20), unicode: false })[0]).toBe("+------------------+");
  });

  it("keeps its width where its text is painted", () => {
    const style = styleOf(41, true, {});
    const rows = box([[style.paint("yellow", "a long warning that is painted and broken over two lines")]], style);
    expect(new Set(rows.map(widthOf))).toEqual(new Set([40]));
  });

  it("loses no word, and breaks none that fits", () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z漢]{1,8}$/), { minLength: 1, maxLength: 40 }),
        columns,
        (words, width) => {
          expect(wrapped(words.join(" "), width).join(" ").split(" ")).toEqual(words);
        },
      ),
    );
  });

  it("puts keys side by side, whole", () => {
    expect(packed(["[Y] Proceed", "[N] Cancel", "[?] More"], 24)).toEqual(["[Y] Proceed  [N] Cancel", "[?] More"]);
  });
});

describe("the model's words", () => {
  function written(parts: readonly string[], width: number | undefined): string {
    let out = "";
    const settings = width === undefined ? { indent: "" } : { columns: width, indent: "  " };
    const writer = wordsWriter((words) => {
      out += words;
    }, settings);
    for (const part of parts) writer.write(part);
    writer.end();
    return out;
  }
  const signs = fc.array(fc.oneof(sign, fc.constantFrom("\n", "\r\n", "\r", "\ud83d")), { maxLength: 120 });
  const noControls = /^[^\p{Cc}\u202a-\u202e\u2066-\u2069]*$/u;

  it("begin no line in the first column, keep to the window, and hold nothing that a terminal obeys", {
    tags: ["attack/frames"],
  }, () => {
    fc.assert(
      fc.property(signs, columns, (said, width) => {
        for (const line of written(said, width).split("\n")) {
          expect(line).toMatch(noControls);
          expect(line === "" || line.startsWith("  ")).toBe(true);
          expect(stringWidth(line)).toBeLessThanOrEqual(width);
        }
      }),
    );
  });

  it("are the same however they come", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "b", " ", "漢", "\n", "👍", "-"), { maxLength: 80 }),
        columns,
        (said, width) => {
          expect(written(said, width)).toBe(written([said.join("")], width));
        },
      ),
    );
  });

  it("pass as they are where there is no window", () => {
    expect(written(["Grüezi ", "mit", "enand\n", "\u001b[2J"], undefined)).toBe("Grüezi mitenand\n\ufffd[2J\n");
  });
});

describe("colours", () => {
  it.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: "1" }, false],
    [true, { NO_COLOR: "" }, true],
    [true, { TERM: "dumb" }, false],
    [false, { FORCE_COLOR: "1" }, true],
    [true, { NO_COLOR: "1", FORCE_COLOR: "1" }, false],
  ])("on a terminal (%j) with %j: %j", (isTerminal, environment, expected) => {
    expect(hasColours(isTerminal, environment)).toBe(expected);
  });
});
