import { expect, it } from "vitest";
import { mayHide } from "../../../src/approvals/disclosure/raw-html.ts";
import { cpuSince } from "../../support/cpu-time.ts";

it.each([
  "Shall I look it up?",
  "2 < 3 and a <- b",
  "See <https://example.com/a?b=c>.",
  "I change `<Header>` and `<b hidden>`.",
  "```html\n<div hidden>\n```\nShall I?",
  "~~~\n<!--\n~~~~\n",
  "first\n\n`<b>`\n- `<i>`",
  "`◁think▷` begins a thought.",
  "```\n:::note\n[THINK]\n◁think▷\n```",
  "| a | b |\n|---|---|\n| 1 <| 2 |",
  "[WARNING] the disk is full, and [INFO] nothing else",
  "> [!NOTE]\n> Mind the step.",
  "- [ ] think\n- [x] done",
  "[thinking](https://a.example) and [reasons][1]\n\n[thoughts]: https://b.example",
  "[Notes]\nFirst: second. Third::: fourth",
  "【重要】 «think» ‹b› 《书名》 ⟨x⟩ a → b ▶ play",
  "[THINK]\nhm\n[/THINK]\nShall I?",
  "x <- y, x |> f, a || b, 3 ◁ 4",
])("what is surely code, or no tag, hides nothing: %j", (words) => {
  expect(mayHide(words)).toBe(false);
});

it.each([
  "<b hidden>",
  "<|begin_of_thought|>",
  "ok <｜begin▁of▁thought｜>",
  "Shall I read it?\n\n◁think▷",
  "＜think＞",
  "⟨think⟩ hm",
  '\n:::artifact{identifier="x" type="text/markdown"}',
  "> :::details",
  "[THINK]hm",
  "hm\n[ARTIFACT]\nx",
  "[thinking] hm",
  "[spoiler]",
  "<X-Y hidden>",
  "</div",
  "<!X",
  "<!--",
  "<?x",
  "> <!--",
  "- <ul hidden>",
  "    <b hidden>",
  "\\`<b hidden>\\`",
  "a ` b `<b hidden>` c",
  "a `\n`<b hidden>`",
  "``<b hidden>`",
  "$`$ `x`<b hidden>`y` `z",
  "<https://a`b>` x `<b hidden>` y ` z `",
  "<<https://x>b hidden>",
  "- ```\n<b hidden>\n```",
  "> ```\n<b hidden>",
  "$$\n```\n$$\n<b hidden>\n```",
  "```\nx\n```\n<b hidden>\n```\n",
  "~~~\n```\n~~~\n<b hidden>",
  "``` a`b\n<b hidden>\n```",
  "```\rx\r```\r<b hidden>",
  "- a\n\n  ```\n<b hidden>\n\nok\n```",
  "1. x\n\n   ```\n<b hidden>\n   ```",
  "```\nx\n```\u00a0\ny\n```\n<b hidden>\n\n```\n",
  "[a](`) <b hidden> [b](`)",
  "see http://a.b/` <b hidden> `",
  "see www.a.b/` <b hidden> www.a.b/`",
  "|a|b|\n|-|-|\n|`x|</table><b hidden>`|",
  "[`]: /x\n\n[a][`] <b hidden> [b][`]",
])("anything else may: %j", (words) => {
  expect(mayHide(words)).toBe(true);
});

it("is found in little time", () => {
  const started = process.threadCpuUsage();
  for (const part of [
    "<b",
    "`",
    "```\n",
    "<https://",
    "\n\n",
    "`<",
    "<https://a>",
    " ",
    "~~~\n",
    "[THINK]\n",
    "[/A_B]",
    "<|",
    "◁a",
    ":::",
    "[AAA]\n[/AAA]\n",
  ])
    mayHide(part.repeat(200_000 / part.length));
  expect(cpuSince(started)).toBeLessThan(1_500);
});
