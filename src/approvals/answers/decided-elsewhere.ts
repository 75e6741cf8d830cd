/** What a reply says of calls that somebody decided elsewhere than in this chat, or that nobody decided in time. Pure. */
import type { Language } from "../../lib/text/languages.ts";
import type { Approval } from "../approval.ts";
import { markCode } from "../codes.ts";
import { describeApproval } from "../disclosure/disclosure.ts";
import { markdownOf } from "../disclosure/markdown.ts";
import { fillWords, type Words, wordsOf } from "../words/words.ts";

/** A line for each call. The code stands before the title: `readAskedCodes` tells it from a question's by that. */
export function decidedText(settled: readonly Approval[], language: Language): string {
  const words = wordsOf(language);
  return settled
    .map((approval) => {
      const { title } = describeApproval(approval, "whole", language);
      return `${markCode(approval.code)} **${markdownOf(title)}** ${decisionText(approval, words)}`;
    })
    .join("\n\n");
}

function decisionText({ status }: Approval, { replies, frame: { options }, notes: { elsewhere } }: Words): string {
  if (status === "approved")
    return fillWords(replies.decidedElsewhere, { yes: `\`${options.yes}\``, no: `\`${options.no}\`` });
  return status === "denied" ? elsewhere.denied : elsewhere.expired;
}
