/** The replies to `preview` and `learn more`. Pure. */
import type { Approval } from "../approval.ts";
import { markCode } from "../codes.ts";
import { fenced } from "../fenced.ts";
import { changedLine } from "../frame.ts";
import type { Words } from "../words/words.ts";

export function tellPreview(meant: readonly Approval[], { replies }: Words): string {
  const told = meant.filter(({ disclosure }) => disclosure.changes.length > 0);
  if (told.length === 0) return replies.noPreview;
  const parts = told.map((approval) => [
    heading(approval, meant),
    fenced(approval.disclosure.changes.map(changedLine)),
  ]);
  return [replies.preview, ...parts.flat()].filter((part) => part !== "").join("\n\n");
}

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
