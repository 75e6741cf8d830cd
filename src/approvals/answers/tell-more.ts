/** The replies to `preview` and `learn more`. Pure. */

import { codeSpan } from "../../lib/text/prose.ts";
import { beginningOf, shownJson } from "../../lib/text/visible-text.ts";
import { prettyJson } from "../../lib/text/whole-value.ts";
import type { Approval } from "../approval.ts";
import { markCode } from "../codes.ts";
import { describeApproval, orderedArguments } from "../disclosure/disclosure.ts";
import { changedLine, MAX_VALUES } from "../disclosure/frame.ts";
import { fenced, markdownOf, textBlock, wrapped } from "../disclosure/markdown.ts";
import { shownName, shownValue } from "../disclosure/shown-value.ts";
import { policyWords } from "../disclosure/template.ts";
import { fillWords } from "../words/fill-words.ts";
import type { Words } from "../words/words.ts";

/** Of all whole values of one reply, in UTF-16 units. */
const MAX_WHOLE = 20_000;

export function tellPreview(meant: readonly Approval[], words: Words): string {
  const { replies } = words;
  const changed = meant.flatMap((approval) => {
    const { changes } = describeApproval(approval, "whole");
    return changes.length === 0 ? [] : [heading(approval, meant), fenced(changes.flatMap(changedLine), "diff")];
  });
  const whole = tellWhole(meant, words);
  if (changed.length === 0 && whole.length === 0) return replies.noPreview;
  return [
    ...(changed.length > 0 ? [replies.preview, ...changed] : []),
    ...(whole.length > 0 ? [replies.wholeValues, ...whole] : []),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function tellWhole(meant: readonly Approval[], { replies }: Words): string[] {
  const parts: string[] = [];
  let [budget, missing] = [MAX_WHOLE, 0];
  for (const approval of meant) {
    const long = orderedArguments(approval, "whole").filter(([, value], index) => index >= MAX_VALUES || isLong(value));
    if (long.length > 0) parts.push(heading(approval, meant));
    for (const [name, value] of long) {
      const text = textOf(value);
      const told = beginningOf(text, budget);
      missing += text.length - told.length;
      budget = Math.max(0, budget - told.length);
      if (told !== "" || text === "")
        parts.push(`${codeSpan(shownName(name).text)}:`, blockOf(told, typeof value === "string"));
    }
  }
  return missing > 0 ? [...parts, fillWords(replies.wholeLeft, { count: String(missing) })] : parts;
}

/** What the question shows by its beginning, or line by line. */
const isLong = (value: unknown): boolean =>
  shownValue(value).cut !== null || (typeof value === "string" && value.includes("\n"));

/** A text as it is; all else as JSON. */
const textOf = (value: unknown): string => (typeof value === "string" ? value : (prettyJson(value) ?? ""));

function blockOf(text: string, isText: boolean): string {
  return isText ? textBlock(text).markdown : fenced(shownJson(text).text.split("\n").flatMap(wrapped), "json");
}

export function tellMore(meant: readonly Approval[], { replies }: Words): string {
  const parts = meant.flatMap((approval) => {
    const { learnMore } = describeApproval(approval, "whole");
    if (learnMore === null) return [];
    const lines = learnMore.split("\n").slice(0, 100);
    return [heading(approval, meant), lines.map((line) => `> ${markdownOf(policyWords(line))}`).join("  \n")];
  });
  if (parts.length === 0) return replies.nothingMore;
  return [replies.learnMore, ...parts].filter((part) => part !== "").join("\n\n");
}

const heading = ({ code }: Approval, meant: readonly Approval[]): string => (meant.length > 1 ? markCode(code) : "");
