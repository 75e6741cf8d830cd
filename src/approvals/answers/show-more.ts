/** The replies to `preview` and `learn more`. Pure. */

import { codeSpan } from "../../lib/text/prose.ts";
import { beginningOf, shownJson } from "../../lib/text/visible-text.ts";
import { prettyJson } from "../../lib/text/whole-value.ts";
import type { Approval } from "../approval.ts";
import { markCode } from "../codes.ts";
import { MAX_VALUES } from "../disclosure/authority-first.ts";
import { describeApproval, orderedArguments } from "../disclosure/disclosure.ts";
import { changedLine } from "../disclosure/frame.ts";
import { fenced, markdownOf, textBlock, wrapped } from "../disclosure/markdown.ts";
import { shownName, shownValue } from "../disclosure/shown-value.ts";
import { policyWords } from "../disclosure/template.ts";
import { fillWords, type Words } from "../words/words.ts";

/** All whole values of one reply together, in UTF-16 units. */
const MAX_WHOLE = 20_000;
const MAX_MORE_LINES = 100;

/** What changes, and all values that the question shows only the beginning of, or line by line. */
export function previewText(meant: readonly Approval[], { replies }: Words): string {
  const changed = meant.flatMap((approval) => {
    const { changes } = describeApproval(approval, "whole");
    return changes.length === 0 ? [] : [heading(approval, meant), fenced(changes.flatMap(changedLine), "diff")];
  });
  const whole: string[] = [];
  let [budget, missing] = [MAX_WHOLE, 0];
  for (const approval of meant) {
    const long = orderedArguments(approval, "whole").filter(([, value], index) => index >= MAX_VALUES || isLong(value));
    if (long.length > 0) whole.push(heading(approval, meant));
    for (const [name, value] of long) {
      const text = typeof value === "string" ? value : (prettyJson(value) ?? "");
      const begun = beginningOf(text, budget);
      missing += text.length - begun.length;
      budget = Math.max(0, budget - begun.length);
      if (begun === "" && text !== "") continue;
      const json = () => fenced(shownJson(begun).text.split("\n").flatMap(wrapped), "json");
      whole.push(`${codeSpan(shownName(name).text)}:`, typeof value === "string" ? textBlock(begun).markdown : json());
    }
  }
  if (missing > 0) whole.push(fillWords(replies.wholeLeft, { count: String(missing) }));
  const sections = [
    ...(changed.length > 0 ? [replies.preview, ...changed] : []),
    ...(whole.length > 0 ? [replies.wholeValues, ...whole] : []),
  ];
  return sections.length === 0 ? replies.noPreview : sections.filter((part) => part !== "").join("\n\n");
}

const isLong = (value: unknown): boolean =>
  shownValue(value).cut !== null || (typeof value === "string" && value.includes("\n"));

export function learnMoreText(meant: readonly Approval[], { replies }: Words): string {
  const parts = meant.flatMap((approval) => {
    const { learnMore } = describeApproval(approval, "whole");
    if (learnMore === null) return [];
    const lines = learnMore.split("\n").slice(0, MAX_MORE_LINES);
    return [heading(approval, meant), lines.map((line) => `> ${markdownOf(policyWords(line))}`).join("  \n")];
  });
  if (parts.length === 0) return replies.nothingMore;
  return [replies.learnMore, ...parts].filter((part) => part !== "").join("\n\n");
}

/** The code, where several calls are meant. */
const heading = ({ code }: Approval, meant: readonly Approval[]): string => (meant.length > 1 ? markCode(code) : "");
