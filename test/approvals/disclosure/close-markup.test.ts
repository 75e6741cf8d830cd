import { describe, expect, it } from "vitest";
import { closeMarkup } from "../../../src/approvals/disclosure/close-markup.ts";
import { cpuSince } from "../../support/cpu-time.ts";

describe("what the model's words leave open", () => {
  it.each([
    ["Shall I?", ""],
    ["```js\nx\n```\ndone", ""],
    ["```js\nx", "\n```"],
    ["~~~~\n```\n~~~", "\n~~~~"],
    ["- ```\n  x", "\n```"],
    ["Shall I look it up?\n<!--", "\n-->"],
    ["<!-- a --> b", ""],
    ["`<!--` ```\n", "\n-->"],
    ["```\n<!--\n```", ""],
    ["<details><summary>x</summary>\n", "\n</details>"],
    ["<div style='display:none'><span>", "\n</span></div>"],
    ["<div><span></div>", ""],
    ["$$ x", "\n$$"],
    [":::artifact{x}\ny", "\n:::"],
    [":::note\ny\n:::", ""],
    ["```\n<div>\n", "\n```"],
    ["<pre>\n```\n</pre>\n<!-- hidden", "\n```\n\n-->\n\n</pre>"],
    ["```php\n<?php\n```", ""],
    ["Look\n\n<?php", "\n?>"],
    ["<![CDATA[ x", "\n]]>"],
    ["<dialog>", "\n</dialog>"],
    ["ok\n<div title='", "\n'>\n\n</div>"],
    ['ok\n<div title="a > b"', "\n>\n\n</div>"],
  ])("is closed behind %j", (words, closing) => {
    expect(closeMarkup(words)).toBe(closing);
  });

  it("is empty once it is closed, and found in little time", () => {
    for (const words of ["```\na", "<!-- ", "<details>", "$$", "~~~\n<div>", '<div title="', "<?", "<![CDATA["]) {
      expect(closeMarkup(`${words}${closeMarkup(words)}`)).toBe("");
    }
    const started = process.threadCpuUsage();
    for (const part of ["<div>", "```\n", "<!--", "- ", "> ", "$$", "</div>", "1. ", "\n<div ", "\n<div '"]) {
      closeMarkup(part.repeat(100_000 / part.length));
    }
    expect(cpuSince(started)).toBeLessThan(1_500);
  });
});
