/**
 * Whether a message refuses what the assistant has just proposed: sentences in seven languages, half of them refusals, by somebody who did not
 * know how they are read.
 */
import { readFileSync } from "node:fs";
import { refusalIn, refusesTool } from "../../../src/approvals/answers/refusal.ts";
import { plainTable } from "../report/table.ts";
import { at } from "./everyday.ts";

interface Proposal {
  readonly language: string;
  readonly assistant: string;
  /** What the assistant would call. */
  readonly tools: readonly string[];
  readonly text: string;
  readonly refuses: boolean;
}

export const readProposals = (half: "open" | "held"): readonly Proposal[] =>
  readFileSync(at(`sentences/proposals/${half}.jsonl`), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Proposal);

/** Whether one of the tools would be asked about. */
export function isHeardAsRefusal({ assistant, tools, text }: Proposal): boolean {
  const refusal = refusalIn(text, assistant);
  return refusal !== undefined && tools.some((tool) => refusesTool(refusal, text, tool));
}

export function reportProposals(half: "open" | "held"): string {
  const all = readProposals(half);
  const languages = [...new Set(all.map(({ language }) => language))];
  const row = (what: string, refuses: boolean, goal: string) => [
    what,
    ...[undefined, ...languages].map((language) => {
      const some = all.filter(
        (one) => one.refuses === refuses && (language === undefined || one.language === language),
      );
      return ((100 * some.filter(isHeardAsRefusal).length) / some.length).toFixed(1);
    }),
    goal,
  ];
  return plainTable([
    [`messages behind a proposal, the ${half} half (${all.length}), %`, "all", ...languages, "goal"],
    row("refusals heard", true, "≥ 65"),
    row("others taken for one", false, "≤ 10"),
  ]);
}
