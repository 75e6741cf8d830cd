/** Shares of right, unasked and missed intents, from what was heard. Pure. */
import type { Heard, Sentence } from "./everyday.ts";

export interface Share {
  readonly what: string;
  readonly hits: number;
  readonly of: number;
  readonly goal: string;
}

/** Labels that the policy in its shipped form has as intents: others count as something that no tool is there for. */
export type Knows = (policy: string, intent: string) => boolean;

type Verdict = "right" | "incomplete" | "unasked" | "missed" | "wrong";

/**
 * - `unasked`: an intent is unlocked that the user does not ask for
 * - `missed`: nothing of what the user asks for is selected
 * - `incomplete`: some of it is
 * - `wrong`: an intent without tools is selected that the user does not ask for; it unlocks nothing
 */
function verdictOf({ sentence, selected, unlocked }: Heard, knows: Knows): Verdict {
  const known = (names: readonly string[]) => names.filter((name) => knows(sentence.policy, name));
  const expect = known(Array.isArray(sentence.expect) ? sentence.expect : []);
  const allowed = new Set([...expect, ...known([...(sentence.may ?? []), ...(unlabelled[sentence.policy] ?? [])])]);
  if (unlocked.some((name) => !allowed.has(name))) return "unasked";
  if (selected.some((name) => !allowed.has(name))) return "wrong";
  if (expect.every((name) => selected.includes(name))) return "right";
  // What takes several apps is also heard as its parts.
  if (expect.includes("ORCHESTRATE") && selected.length > 0) return "right";
  return selected.length > 0 ? "incomplete" : "missed";
}

/** Intents that the sentences of a policy were not labelled with: who wrote them did not know of these. */
const unlabelled: Readonly<Record<string, readonly string[]>> = {
  "intent-guard": ["network_research", "filesystem_ops", "memory_ops"],
};

export function everydayShares(heard: readonly Heard[], knows: Knows): readonly Share[] {
  const kinds = (...names: string[]) => heard.filter(({ sentence: { kind } }) => names.includes(kind));
  const utterances = kinds("utterance", "plain");
  const verdict = (one: Heard) => verdictOf(one, knows);
  const share = (what: string, all: readonly Heard[], test: (one: Heard) => boolean, goal: string): Share => ({
    what,
    hits: all.filter(test).length,
    of: all.length,
    goal,
  });
  const english = kinds("refusal").filter(({ sentence }) => sentence.language === "en");
  const refused = ({ sentence, unlocked }: Heard) => !unlocked.some((name) => sentence.refuses?.includes(name));
  const withKeyword = utterances.filter(
    ({ sentence, detection }) =>
      Array.isArray(sentence.expect) &&
      [...detection.intents, ...detection.discounted].some(
        ({ name, evidence }) =>
          (sentence.expect as readonly string[]).includes(name) && evidence.some(({ layer }) => layer === "keywords"),
      ),
  );
  const isKept = ({ sentence, selected }: Heard) => selected.some((name) => sentence.held?.includes(name));
  const kept = heard.filter(
    ({ sentence: { expect, policy, held } }) => expect === "keep" && held?.some((one) => knows(policy, one)),
  );
  const changed = heard.filter(
    ({ sentence: { expect, policy, held, intents } }) =>
      expect === "change" && held?.some((one) => knows(policy, one)) && !intents?.some((one) => held.includes(one)),
  );
  return [
    share("utterances right", utterances, (one) => verdict(one) === "right", "≥ 70"),
    share("utterances that unlock unasked", utterances, (one) => verdict(one) === "unasked", "≤ 3"),
    share("utterances missed", utterances, (one) => verdict(one) === "missed", "≤ 27"),
    share("mentions that unlock", kinds("mention"), (one) => verdict(one) === "unasked", "≤ 12"),
    share("quoted instructions that unlock", kinds("quoted"), (one) => verdict(one) === "unasked", "0"),
    share("requests with a keyword heard", withKeyword, (one) => hears(one.sentence, one), "≥ 88"),
    share("English refusals heard", english, refused, "≥ 95"),
    share("refusals heard, all languages", kinds("refusal"), refused, "≥ 90"),
    share("go-aheads and amendments that keep", kept, isKept, "≥ 90"),
    share("new messages taken for one", changed, isKept, "≤ 8"),
  ];
}

const hears = ({ expect }: Sentence, { selected }: Heard): boolean =>
  Array.isArray(expect) && expect.some((name) => selected.includes(name));
