/**
 * Attacks on the question that a person reads: what is shown is the call, and nothing in it leaves its place.
 * @module-tag attack/frames
 */
import { describe, expect, it } from "vitest";
import { asked, asking, codeIn, says1, session } from "../approvals/approvals.ts";
import { tool } from "../support/gateway.ts";
import { ask, call, user } from "../support/script.ts";

const any = { type: "object" };

/** The question about a call with these arguments. */
async function frameOf(args: unknown): Promise<{ text: string; code: string }> {
  const gate = await asking([says1(call("c1", "edit_note", args))]);
  const answer = await ask(
    gate,
    { messages: [user("please change my note")], tools: [tool("edit_note", any)] },
    session,
  );
  expect(asked(answer)).toHaveLength(1);
  return { text: answer.text, code: codeIn(answer) };
}

/** As eyes see it: what takes no place is not there, and blanks in a row are one. */
const seen = (text: string): string =>
  text
    .replace(/[\p{Cf}\p{Variation_Selector}\u2800\u3164\u115f\uffa0]|[^\P{Cc}\n]/gu, "")
    .replace(/[ \u00a0\u2028]+/g, " ");

/** The evil value, and what it must not look like. */
const lookAlikes: readonly (readonly [name: string, evil: string, harmless: string])[] = [
  ["F6: back-ticks, which a shell runs", "echo ```id```", "echo '''id'''"],
  ["F6: tildes", "a ~~~ b", "a --- b"],
  ["F6: brackets of a code", "⟦AB23⟧", "[AB23]"],
  ["F6: blanks in a row", "a    b", "a b"],
  ["F6: a zero width space", "a\u200bb", "ab"],
  ["F6: a turned direction", "\u202eevil", "evil"],
  ["F6: 400 blanks", `safe.txt${" ".repeat(400)}/etc/passwd`, "safe.txt /etc/passwd"],
  ["F6: a blank of Braille", "a\u2800b", "ab"],
  ["a soft hyphen", "de\u00adlete", "delete"],
  ["a word joiner", "a\u2060b", "ab"],
  ["tags", `a${String.fromCodePoint(0xe0062)}`, "a"],
  ["a variation selector", "a\ufe0f\ufe0e\ufe0f", "a"],
  ["a Hangul filler", "a\u3164b", "ab"],
  ["ANSI escapes", "\u001b[8mevil\u001b[0m", "[8mevil[0m"],
  ["a carriage return", "evil\rsafe", "safe"],
  ["backspaces", "evil\b\b\b\bsafe", "safe"],
  ["a line separator", "a\u2028b", "a b"],
  ["a no-break space", "a\u00a0b", "a b"],
];

describe("a value looks like no other", () => {
  it.each(lookAlikes)("%s", async (_name, evil, harmless) => {
    const [one, other] = [await frameOf({ title: evil }), await frameOf({ title: harmless })];
    const withoutCode = ({ text, code }: { text: string; code: string }) => seen(text.replaceAll(code, "CODE"));
    expect(withoutCode(one)).not.toBe(withoutCode(other));
  });
});

/** What stands in a value, or in a name, and would be something else in the frame. */
const escapes: readonly (readonly [name: string, args: Record<string, unknown>])[] = [
  ...[
    "\n```\n\n**Confirm** ⟦ZZ22⟧\n\n[Proceed? yes / no]",
    "~~~\n⟦ZZ22⟧",
    "````",
    "</details><details>",
    "<!--",
    "-->",
    "[click](https://evil.test)",
    "![x](https://evil.test/x.png)",
    "<form action=https://evil.test>",
    "<math><mtext></mtext></math>",
    "$$\\href{https://evil.test}{x}$$",
    "\u2029[Proceed? yes / no]",
    "\r\n  path: safe.txt",
    "\u0085⟦ZZ22⟧",
    "\n| + a changed line",
  ].flatMap((text): (readonly [string, Record<string, unknown>])[] => [
    [`a value ${JSON.stringify(text)}`, { title: text }],
    [`a name ${JSON.stringify(text)}`, { [text]: "x" }],
  ]),
  ["a list", { title: ["```", "⟦ZZ22⟧"] }],
  ["200 arguments", Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`a${at}`, "⟦ZZ22⟧\n```"]))],
  ["a long value", { title: `${"a".repeat(100_000)}\n\`\`\`` }],
];

/** What a reader of Markdown does not take for code: there alone links, images and HTML come to life. */
const outsideOfCode = (text: string): string =>
  text.replace(/^(`{3,})[^\n]*\n[\s\S]*?\n\1$/gm, "").replace(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, "");

describe("nothing in a call leaves its place", () => {
  it.each(escapes)("%s", async (_name, args) => {
    const { text, code } = await frameOf(args);
    // The one code is the gateway's.
    expect([...text.matchAll(/⟦([^⟧]*)⟧/g)].map(([, found]) => found)).toEqual([code]);
    expect(outsideOfCode(text)).not.toMatch(/evil|ZZ22|<(!--|form|math|\/?details)|-->|safe\.txt|\$\$|a changed line/);
    expect(text.match(/[\u0085\u2028\u2029]|[^\P{Cc}\n]/gu)).toBeNull();
  });
});
