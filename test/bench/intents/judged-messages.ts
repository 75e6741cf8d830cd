/**
 * Two questions about single messages, on sentences in six or seven languages by somebody who did not know how they are read. Half of each
 * set is a yes.
 *
 * - `proposals`: does the message refuse what the assistant has just proposed?
 * - `changes`: does it hold back a change: "let me see it first", "tonight, not now", "is 20 too much to refund?"
 */
import { readFileSync } from "node:fs";
import { refusalIn, refusesTool } from "../../../src/approvals/answers/refusal.ts";
import { holdsBack } from "../../../src/intent/wish/holds-back.ts";
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

interface Change {
  readonly language: string;
  readonly text: string;
  readonly holds: boolean;
}

type Half = "open" | "held";

const readLines = (set: "proposals" | "changes", half: Half): readonly unknown[] =>
  readFileSync(at(`sentences/${set}/${half}.jsonl`), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);

export const readProposals = (half: Half) => readLines("proposals", half) as readonly Proposal[];
export const readChanges = (half: Half) => readLines("changes", half) as readonly Change[];

/** Whether one of the tools would be asked about. */
export function isHeardAsRefusal({ assistant, tools, text }: Proposal): boolean {
  const refusal = refusalIn(text, assistant);
  return refusal !== undefined && tools.some((tool) => refusesTool(refusal, text, tool));
}

interface Judged {
  readonly language: string;
  readonly is: boolean;
  readonly heard: boolean;
}

export function reportMessages(half: Half): string {
  const proposals = readProposals(half).map((one) => ({ ...one, is: one.refuses, heard: isHeardAsRefusal(one) }));
  const changes = readChanges(half).map((one) => ({ ...one, is: one.holds, heard: holdsBack(one.text) }));
  return [
    tableOf(`messages behind a proposal, the ${half} half`, proposals, ["refusals heard", "≥ 65"]),
    tableOf(`messages that name a change, the ${half} half`, changes, ["those that hold it back heard", "≥ 65"]),
  ].join("\n");
}

function tableOf(title: string, all: readonly Judged[], [what, goal]: readonly [string, string]): string {
  const languages = [...new Set(all.map(({ language }) => language))];
  const row = (name: string, is: boolean, aim: string) => [
    name,
    ...[undefined, ...languages].map((language) => {
      const some = all.filter((one) => one.is === is && (language === undefined || one.language === language));
      return ((100 * some.filter(({ heard }) => heard).length) / some.length).toFixed(1);
    }),
    aim,
  ];
  return plainTable([
    [`${title} (${all.length}), %`, "all", ...languages, "goal"],
    row(what, true, goal),
    row("others taken for one", false, "≤ 10"),
  ]);
}
