/** Step 6 of a turn: if no usable tool can meet what an intent requires, the task ends before the model is called. */

import { capitalised } from "../../approvals/disclosure/title.ts";
import { fillWords, wordsOf } from "../../approvals/words/words.ts";
import { log } from "../../lib/log.ts";
import {
  checkPreflight,
  reachableFamilies,
  type UnmetRequirement,
  unmetForLog,
} from "../../policy/intent-guard/unmet.ts";
import { observesAll } from "../../policy/observe.ts";
import type { Offer } from "../../policy/offer.ts";
import { list, quote } from "../../policy/reason-texts.ts";
import { permittedBy, traitsOf } from "../../policy/traits.ts";
import { type Ending, stopEnding } from "../../ports/turns/ending.ts";
import { turnLanguage } from "../open/task-message.ts";
import type { Turn } from "../turn.ts";
import { updateLog } from "../turn-log.ts";
import { linkSentence, noteLine, notesOf } from "./reason-sentences.ts";
import type { StepOffer } from "./step-offer.ts";

/**
 * Checked when a task begins, and again when the handshake has selected: a continuation may come without tools that have done their work.
 */
export function preflight(turn: Turn, step: StepOffer): Ending | undefined {
  if (!turn.log.preflightDue) return undefined;
  updateLog(turn.log, { preflightDue: false });
  const found = findObstacle(turn, step);
  if (!found) return undefined;
  return "kind" in found ? found : unmetEnding(turn, found, "preflight");
}

/** Whether the first step may call the model. Changes and logs nothing. */
export const passesPreflight = (turn: Turn, step: StepOffer): boolean =>
  !turn.log.preflightDue || findObstacle(turn, step) === undefined;

function findObstacle(turn: Turn, { facts, offer }: StepOffer): Ending | UnmetRequirement | undefined {
  const { policy } = turn.input;
  if (observesAll(policy)) return undefined;
  // Computed only if an intent requires something: few do.
  let reachable: ((family: string) => boolean) | undefined;
  const unmet = checkPreflight(policy, turn.log.intents, (family) => {
    reachable ??= reachableFamilies(policy, facts, turn.tools, turn.input.work);
    return reachable(family);
  });
  // A connection that the user can link is the better advice.
  return missingLinks(turn, offer) ?? unmet;
}

/** Tools that the text names. */
const MAX_REPORTED = 10;

function missingLinks(turn: Turn, { offered, withheld }: Offer): Ending | undefined {
  const missing = withheld.flatMap(({ name, reasons }) => {
    // A tool may need another one first: that is no reason against linking.
    const [reason, ...others] = reasons.filter(({ code }) => code !== "after_unmet");
    const alone = others.length === 0 && reason?.code === "connection_missing";
    return alone ? [{ tool: name, provider: reason.connection }] : [];
  });
  // Most turns end here.
  if (missing.length === 0) return undefined;
  const belongs = ofIntents(turn);
  if (!belongs || offered.some(({ name }) => belongs(name))) return undefined;
  const reported = missing.filter(({ tool }) => belongs(tool));
  if (reported.length === 0) return undefined;
  const words = wordsOf(turnLanguage(turn)).runs;
  const byProvider = Map.groupBy(reported.slice(0, MAX_REPORTED), ({ provider }) => provider);
  const lines = Array.from(byProvider, ([provider, those]) => {
    const tools = those.map(({ tool }) => tool);
    return `- ${capitalised(linkSentence(turn, provider, tools))}`;
  });
  return stopEnding("tool_policy_blocked", [noteLine(turn, words.notLinked), ...lines].join("\n"));
}

/** Whether a tool belongs to one of the held intents; undefined if these name no tools of their own. */
function ofIntents({ input, log }: Turn): ((tool: string) => boolean) | undefined {
  const held = log.intents.flatMap((name) => input.policy.intents.get(name) ?? []);
  const sets = held.flatMap(({ tools, noTools }) => (tools && !noTools ? [tools] : []));
  if (sets.length === 0 || sets.length < held.length) return undefined;
  return (tool) => sets.some((set) => permittedBy(set, traitsOf(input.policy, tool)));
}

/** @param when whether the task cannot begin, or ends without what it required. */
export function unmetEnding(
  turn: Turn,
  unmet: UnmetRequirement,
  when: "preflight" | "completion",
): Extract<Ending, { kind: "stop" }> {
  log("info", "intent_unmet", { turn: turn.input.id, message: unmetForLog(unmet) });
  const text = fillWords(notesOf(turn).unmet[when], { intent: quote(unmet.intent), families: list(unmet.families) });
  return stopEnding("intent_execution_failed", text);
}
