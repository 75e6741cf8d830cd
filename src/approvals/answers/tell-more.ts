/** The replies to `preview` and `learn more`. Pure. */
import type { Approval } from "../approval.ts";
import { markCode } from "../codes.ts";
import { isCut, wholeValues } from "../cut-values.ts";
import { fenced } from "../fenced.ts";
import { fillWords } from "../fill-words.ts";
import { changedLine } from "../frame.ts";
import type { Words } from "../words/words.ts";

/** Of all whole values of one reply, in UTF-16 units. */
const MAX_WHOLE = 20_000;

export function tellPreview(meant: readonly Approval[], words: Words): string {
  const { replies } = words;
  const changed = meant.filter(({ disclosure }) => disclosure.changes.length > 0);
  const cut = meant.filter(isCut);
  if (changed.length === 0 && cut.length === 0) return replies.noPreview;
  const changes = changed.map((approval) => [
    heading(approval, meant),
    fenced(approval.disclosure.changes.map(changedLine)),
  ]);
  return [
    ...(changed.length > 0 ? [replies.preview, ...changes.flat()] : []),
    ...(cut.length > 0 ? [replies.wholeValues, ...tellWhole(cut, meant, words)] : []),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function tellWhole(cut: readonly Approval[], meant: readonly Approval[], { replies }: Words): string[] {
  const parts: string[] = [];
  let [budget, missing] = [MAX_WHOLE, 0];
  for (const approval of cut) {
    const { values, left, used } = wholeValues(approval, budget);
    budget = Math.max(0, budget - used);
    missing += left;
    const lines = values.flatMap((one) => [`  ${one.name}:`, ...one.lines.map(wholeLine)]);
    if (lines.length > 0) parts.push(heading(approval, meant), fenced(lines));
  }
  if (missing > 0) parts.push(fillWords(replies.wholeLeft, { count: String(missing) }));
  return parts;
}

/** As a line of a change is: it can look like none of the frame's own, and its indentation stays. */
const wholeLine = (text: string): string => changedLine({ kind: "same", text: text.replaceAll("\t", "  ") });

export function tellMore(meant: readonly Approval[], { replies }: Words): string {
  const told = meant.filter(({ disclosure }) => disclosure.learnMore !== null);
  if (told.length === 0) return replies.nothingMore;
  const parts = told.map((approval) => [
    heading(approval, meant),
    fenced((approval.disclosure.learnMore ?? "").split("\n").slice(0, 100)),
  ]);
  return [replies.learnMore, ...parts.flat()].filter((part) => part !== "").join("\n\n");
}

const heading = ({ code }: Approval, meant: readonly Approval[]): string => (meant.length > 1 ? markCode(code) : "");
