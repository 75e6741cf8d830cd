/** Whether the user's message requests what a tool does, judged by verbs. */

import type { Offer } from "../../policy/offer.ts";
import { type ToolEffect, toolEffects } from "../../policy/origin/roles/tool-verbs.ts";
import type { Reason } from "../../policy/reasons.ts";
import { traitsOf } from "../../policy/traits.ts";
import { taskMessage } from "../open/task-message.ts";
import type { Turn } from "../turn.ts";

/** Whether the message plainly requests nothing that these tools do. False if a tool's verb is not known. */
export function asksForNoneOf(turn: Turn, tools: readonly string[]): boolean {
  const task = taskMessage(turn);
  const { wanted } = task.acts();
  if (wanted.size === 0 && !task.readsOnly() && !task.requestsNothing()) return false;
  return tools.every((tool) => {
    const acts = changesOf(turn, tool);
    return acts.length > 0 && !acts.some((act) => wanted.has(act) || (isLight(act) && [...wanted].some(isLight)));
  });
}

/**
 * If nothing can be selected (`handshake.select: "off"`), the detected intent may close the very tool that the message requests. That is so
 * if the model has called it, or if the message names an act that no offered tool does and a closed one does.
 */
export function closedByWords(turn: Turn, { offered, withheld }: Offer): ClosedByIntent | undefined {
  if (turn.input.policy.handshake.select !== "off" || turn.log.intents.length === 0) return undefined;
  const called = turn.log.decisions.findLast(
    ({ tool, effect, reasons }) => effect === "deny" && closes(reasons) && !asksForNoneOf(turn, [tool]),
  );
  if (called) return called.reasons.find(isClosed);
  // Once tools have run, the words may refer to what they did.
  if (turn.input.conversation.newMessage === undefined || turn.log.decisions.some(({ effect }) => effect === "allow"))
    return undefined;
  const { wanted } = taskMessage(turn).acts();
  const done = new Set(offered.flatMap(({ name }) => changesOf(turn, name)));
  const missing = [...wanted].filter((act) => act !== "read" && !done.has(act));
  const closed = withheld.find(
    ({ name, reasons }) => reasons.every(isClosed) && changesOf(turn, name).some((act) => missing.includes(act)),
  );
  return closed?.reasons.find(isClosed);
}

type ClosedByIntent = Extract<Reason, { code: "intent_forbids" }>;

const isClosed = (reason: Reason): reason is ClosedByIntent => reason.code === "intent_forbids";

/** Nothing else withholds the tool. */
const closes = (reasons: readonly Reason[]): boolean =>
  reasons.some(isClosed) && reasons.every((reason) => isClosed(reason) || reason.code === "not_offered");

const isLight = (act: ToolEffect): boolean => act === "create" || act === "change";

/** By the tool's name, and the description in the policy or the definition. */
function changesOf({ input: { policy }, tools }: Turn, name: string): readonly ToolEffect[] {
  const description = traitsOf(policy, name).description ?? tools.find((tool) => tool.name === name)?.description;
  return [...toolEffects(name, description)].filter((act) => act !== "read");
}
