/**
 * What the assistant plainly offered and the user's message says yes to: "Shall I close WEB-9?" "yes, close it". The user has read the
 * question and agreed, so the act that it names is theirs, in whatever language they talk. Pure.
 */
import { askedIn, isWithin, means, saysAct, wordsIn } from "../../approvals/answers/acts.ts";
import { plainWords } from "../../approvals/answers/message-phrases.ts";
import { isPlainYes } from "../../approvals/answers/read-answer.ts";
import { saysOtherAct } from "../../approvals/answers/repeats-question.ts";
import { offeredAct } from "../../intent/lexical/offered-act.ts";
import { continuationOf } from "../../intent/wish/continues.ts";
import { namedActs } from "../../intent/wish/named-acts.ts";
import { KEEPS_AT } from "../../intent/wish/thresholds.ts";
import { spokenActs } from "../../lib/acts/act-words.ts";
import { once } from "../../lib/once.ts";
import type { AcceptedOffer } from "../../policy/origin/origin-types.ts";
import type { ToolEffect } from "../../policy/origin/roles/tool-verbs.ts";

/** @param assistant the assistant's message before; absent: not known. */
export function acceptedOffer(message: string, assistant: string | undefined): AcceptedOffer | undefined {
  const text = offeredAct(assistant ?? "");
  if (text === undefined || !accepts(message, assistant, text)) return undefined;
  const acts = once(() => actsOf(text));
  return {
    text,
    offers: (tool, effects) => [...acts()].some((act) => act !== "read" && effects.has(act)) || sharesOrder(text, tool),
  };
}

const WEIGHTY: readonly ToolEffect[] = ["destroy", "pay", "access", "commit", "send"];

/** A go-ahead, and surely nothing else, or a yes of known words; but no order of another act: "save it". */
function accepts(message: string, assistant: string | undefined, offer: string): boolean {
  const isYes = continuationOf({ assistant, text: message }).accepts >= KEEPS_AT || isPlainYes(message);
  if (!isYes || saysOtherAct(message, askedIn(offer))) return false;
  const [said, offered] = [actsOf(message), actsOf(offer)];
  return WEIGHTY.every((act) => offered.has(act) || !said.has(act));
}

/** To close, stop or end something changes it. */
function actsOf(text: string): ReadonlySet<ToolEffect> {
  const { wanted } = namedActs(text);
  return saysAct(plainWords(text), "stop") ? new Set([...wanted, "change"]) : wanted;
}

/** Whether both are about one kind of order: "l'éteindre" and `turn_off`. */
function sharesOrder(offer: string, tool: string): boolean {
  const [offered, named] = [wordsIn(offer), wordsIn(tool.replaceAll("_", " "))];
  const groupsOf = (words: readonly string[]): ReadonlySet<string> =>
    new Set(
      spokenActs().flatMap(({ group, stems }) =>
        group !== undefined &&
        stems.some((stem) => words.some((word) => means(word, stem, words) || isWithin(word, stem)))
          ? [group]
          : [],
      ),
    );
  return !groupsOf(offered).isDisjointFrom(groupsOf(named));
}
