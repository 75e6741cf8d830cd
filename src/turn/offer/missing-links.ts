/**
 * An intent whose tools are all out of reach, one of them for nothing but a provider that the user has not linked: the turn
 * stops before the model, which could only talk about it, and the user is told what to link.
 */
import { fillWords } from "../../approvals/words/fill-words.ts";
import { wordsOf } from "../../approvals/words/words-of.ts";
import type { Offer } from "../../policy/offer.ts";
import { permittedBy, traitsOf } from "../../policy/traits.ts";
import { turnLanguage } from "../confirm/disclose-for.ts";
import type { Ending } from "../ending.ts";
import type { Turn } from "../turn.ts";

/** Tools that are told of. */
const MAX_TOLD = 10;

interface Missing {
  readonly tool: string;
  readonly provider: string;
}

export function missingLinks(turn: Turn, { offered, withheld }: Offer): Ending | undefined {
  const missing = withheld.flatMap(({ name, reasons }): Missing[] => {
    const [reason] = reasons;
    const alone = reasons.length === 1 && reason?.code === "connection_missing";
    return alone ? [{ tool: name, provider: reason.connection }] : [];
  });
  // Most turns end here.
  if (missing.length === 0) return undefined;
  const belongs = ofIntents(turn);
  if (!belongs || offered.some(({ name }) => belongs(name))) return undefined;
  const told = missing.filter(({ tool }) => belongs(tool));
  if (told.length === 0) return undefined;
  const words = wordsOf(turnLanguage(turn)).runs;
  const lines = told
    .slice(0, MAX_TOLD)
    .map(({ tool, provider }) => `- ${fillWords(words.link, { tool, provider: provider.replaceAll("`", "'") })}`);
  return {
    kind: "stop",
    stopReason: "tool_policy_blocked",
    finishReason: "stop",
    text: [`Toolgate: ${words.notLinked}`, ...lines].join("\n"),
  };
}

/** Whether a tool belongs to one of the intents held; undefined where they are not about tools of their own. */
function ofIntents({ input, log }: Turn): ((tool: string) => boolean) | undefined {
  const held = log.intents.flatMap((name) => input.policy.intents.get(name) ?? []);
  const sets = held.flatMap(({ tools, noTools }) => (tools && !noTools ? [tools] : []));
  if (sets.length === 0 || sets.length < held.length) return undefined;
  return (tool) => sets.some((set) => permittedBy(set, traitsOf(input.policy, tool)));
}
