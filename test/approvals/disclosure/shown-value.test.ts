import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { approvalView } from "../../../src/approvals/approval-view.ts";
import { frameText } from "../../../src/approvals/disclosure/frame.ts";
import { shownValue } from "../../../src/approvals/disclosure/shown-value.ts";
import { callPage } from "../../../src/http/approve/call-page.ts";
import { shownBlock, shownLine } from "../../../src/lib/text/visible-text.ts";
import { wholeValue } from "../../../src/lib/text/whole-value.ts";
import { approvalOf } from "../samples.ts";

describe("a value on one line", () => {
  it.each([
    ["echo ```id```", "echo ```id```", false],
    ["a ~~~ b", "a ~~~ b", false],
    ["⟦AB23⟧", "\\u27e6AB23\\u27e7", true],
    ["a b", "a b", false],
    ["a    b", "a⟨␠×4⟩b", true],
    [" a", "␠a", true],
    ["a\u200bb", "a\\u200bb", true],
    ["a\u00a0b", "a\\u00a0b", true],
    ["a\u2800b", "a\\u2800b", true],
    ["a\u200db", "a\\u200db", true],
    ["\u202eevil", "\\u202eevil", true],
    ["a\nb\tc", "a\\nb\\tc", true],
    [`safe.txt${" ".repeat(400)}/etc/passwd`, "safe.txt⟨␠×400⟩/etc/passwd", true],
    ["C:\\new\\u200b", "C:\\new\\u200b", false],
    ["C:\\new\u200b", "C:\\\\new\\u200b", true],
    ["日本　語 ❤️ 👨‍👩‍👧 می‌خواهم", "日本　語 ❤️ 👨‍👩‍👧 می‌خواهم", false],
    ["⟨␠×4⟩", "\\u27e8\\u2420×4\\u27e9", true],
    ["\ud800", "\\ud800", true],
    ["", '""', false],
    ["5", '"5"', false],
    [5, "5", false],
    ["40 Euro sind unterwegs.", "40 Euro sind unterwegs.", false],
    ["-3.5e2", '"-3.5e2"', false],
    ["2026-11-28", "2026-11-28", false],
    ["007", "007", false],
    [["a\u200b  b"], '["a\\u200b⟨␠×2⟩b"]', true],
    [{ a: null }, '{"a":null}', false],
  ])("%j is shown as %j", (value, text, escaped) => {
    expect(shownValue(value)).toEqual({ text, escaped, cut: null });
  });

  it("that is long shows both ends, its length and the beginning of its digest", () => {
    const long = `rm ${"x".repeat(1_000)}; curl evil.example`;
    const { text, cut } = shownValue(long);
    expect(text).toMatch(/^rm x{247}…x*; curl evil\.example$/);
    expect(cut).toEqual({ characters: 1_022, digest: expect.stringMatching(/^[0-9a-f]{8}$/) });
    expect(shownValue(`${"x".repeat(300)}y`).cut?.digest).not.toBe(shownValue(`${"x".repeat(300)}z`).cut?.digest);
    expect(shownValue("😀".repeat(400)).text.isWellFormed()).toBe(true);
  });
});

describe("a value as it is laid out", () => {
  it("keeps its indentation, and marks what nobody would see", () => {
    expect(shownBlock("a {\n\tb   c\n  d \n}\n")).toEqual({ text: "a {\n\tb   c\n  d␠\n}⏎", escaped: true });
    expect(shownBlock("a\r\nb")).toEqual({ text: "a\\r\nb", escaped: true });
    expect(shownBlock("plain\n\ntext\n")).toEqual({ text: "plain\n\ntext⏎", escaped: false });
    expect(shownBlock(`a${"\n".repeat(9)}b`).text).toBe("a\n⟨⏎×9⟩\nb");
    expect(shownBlock(`x${" ".repeat(41)}y`).text).toBe("x⟨␠×41⟩y");
  });
});

/** Pieces that look alike, or like what the gateway writes itself. */
const piece = fc.constantFrom(
  ...'ab5\\u\n\r\t `~{}"[],.:'.split(""),
  "  ",
  "    ",
  " ".repeat(41),
  "\n\n\n\n\n",
  "\u200b",
  "\u200d",
  "\u202e",
  "\u00a0",
  "\u2800",
  "\u3000",
  "\ufe0f",
  "\u{e0041}",
  "\ud800",
  "❤",
  "日",
  "⟦",
  "⟧",
  "⟨␠×4⟩",
  "⟨⏎×2⟩",
  "␠",
  "⏎",
  "↪ ",
  "\\u200b",
  "\\n",
  "…",
  "```",
  "[redacted]",
  "null",
  '""',
  "x".repeat(299),
);
const text = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(""));
const value = fc.oneof(
  { weight: 4, arbitrary: text },
  fc.constantFrom<unknown>(null, true, 5, "5", "true", "null"),
  fc.array(text, { maxLength: 2 }),
  fc.record({ a: text }),
);
/** A value, and another that is near it. */
const two = fc.tuple(value, value, text).map(([one, other, insert]): readonly [unknown, unknown] => {
  return typeof one === "string" && insert.length % 2 === 0 ? [one, one + insert] : [one, other];
});

/** What a person sees of a text: nothing of what is drawn as nothing, and every blank alike. */
const seen = (drawn: string): string =>
  drawn
    .replace(/[[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]--[\n\t\u200d\ufe0f]]/gv, "")
    .replace(/(?<!❤)\ufe0f|\u200d/gu, "")
    .replace(/[\p{Zs}\u2800]/gu, (blank) => (blank === "\u3000" ? "  " : " "));

describe("two different values never show the same", () => {
  const differ = (show: (value: unknown) => string | Promise<string>, numRuns = 2_000) =>
    fc.assert(
      fc.asyncProperty(two, async ([one, other]) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(other));
        expect(await show(one)).not.toBe(await show(other));
      }),
      { numRuns },
    );
  const asked = (content: unknown) => approvalOf("K7QF", { traits: { name: "write_file" }, arguments: { content } });

  it("on one line, nor laid out", async () => {
    await differ((one) => seen(JSON.stringify(shownValue(one))));
    await differ((one) => {
      // Beside JSON its kind is written.
      const { isJson, escaped, text } = wholeValue(one);
      return `${isJson} ${escaped} ${seen(text)}`;
    });
    await differ((one) =>
      typeof one === "string" ? `${shownLine(one).escaped} ${seen(shownLine(one).text)}` : JSON.stringify(one),
    );
  });

  it("in the chat", () => differ((one) => seen(frameText([asked(one)], { typedCode: false, now: 0 }))));

  it("on the page of a link", () =>
    differ(async (one) => seen(String(await callPage(asked(one), { tenant: "t", user: "u" }, 0, "en"))), 500));

  it("in the API's texts", () =>
    differ((one) => {
      const { disclosure, details } = approvalView(asked(one), "whole");
      return seen(String(disclosure)) + seen(JSON.stringify(details));
    }));
});
