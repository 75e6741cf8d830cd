/** Applies the client's own choice of a tool (`tool_choice`) to what the rules offer. */
import type { ToolDefinition } from "../../policy/facts.ts";
import { isObserved, observesAll } from "../../policy/observe.ts";
import type { Offer } from "../../policy/offer.ts";
import { textForClient } from "../../policy/reason-texts.ts";
import { type Ending, requestFault, stopEnding } from "../../ports/turns/ending.ts";
import type { ToolChoice } from "../../wire/tool-choice.ts";
import type { Turn } from "../turn.ts";
import { visibleWithheld } from "./visible-withheld.ts";

/**
 * The client's choice for the current step. A choice that demands a call is met once a call was run: a client gets that call and asks anew,
 * and the gateway, which calls the model again on its own, would have the same call made until the step limit.
 */
export function choiceOf({ input, log: { runs, wordsOnly } }: Turn): ToolChoice {
  const choice = input.request.toolChoice;
  if (wordsOnly) return { kind: "none", explicit: false };
  if (runs.length === 0) return choice;
  if (choice.kind === "named") return { kind: "none", explicit: true };
  if (choice.kind === "required") return { kind: "auto", explicit: true };
  return choice.kind === "subset" ? { ...choice, required: false } : choice;
}

/** The 400 for a choice that the rules leave nothing for; undefined if the step goes on. */
export function refuseChoice(turn: Turn, offer: Offer): Ending | undefined {
  if (observesAll(turn.input.policy)) return undefined;
  return refuseDemand(turn, offer) ?? endDemand(turn, offer);
}

function refuseDemand(turn: Turn, offer: Offer): Ending | undefined {
  const { input } = turn;
  const { tools } = input.request;
  const toolChoice = choiceOf(turn);
  const refuse = (message: string) => requestFault(400, message, "tool_policy_blocked", "tool_choice");
  if (input.policy.handshake.select !== "off" && tools.some((tool) => tool.name === input.policy.handshake.tool)) {
    return requestFault(
      400,
      `\`${input.policy.handshake.tool}\` is the gateway's own tool: give yours another name`,
      "reserved_tool_name",
      "tools",
    );
  }
  if (
    toolChoice.kind === "named" &&
    !offer.callable.has(toolChoice.tool) &&
    !isObserved(input.policy, toolChoice.tool)
  ) {
    const reasons = offer.withheld.find(({ name }) => name === toolChoice.tool)?.reasons ?? [];
    return refuse(
      `\`tool_choice\` demands \`${toolChoice.tool}\`, which may not be used: ${reasons.map(textForClient).join("; ")}`,
    );
  }
  const isFree = (name: string) => toolChoice.kind !== "subset" || toolChoice.tools.includes(name);
  const isOnlyObserved = ({ name }: ToolDefinition) => isFree(name) && isObserved(input.policy, name);
  const canCall = offer.callable.size > 0 || offer.handshake !== undefined || turn.tools.some(isOnlyObserved);
  if (!demandsCall(toolChoice) || canCall) return undefined;
  const visible = visibleWithheld(turn, offer.withheld);
  const why = visible.map(({ name, reasons }) => `${name}: ${reasons.map(textForClient).join(", ")}`).join("; ");
  return refuse(`\`tool_choice\` demands a call, but no tool may be used now${why === "" ? "" : ` (${why})`}`);
}

/** A model that must call something and has only the handshake would select intents until the step limit. */
function endDemand(turn: Turn, offer: Offer): Ending | undefined {
  const others = [...offer.callable].some((name) => name !== offer.handshake?.name);
  if (turn.log.intents.length === 0 || others || !demandsCall(choiceOf(turn))) return undefined;
  const why = `\`tool_choice\` demands a call, but under the intent ${turn.log.intents.join(", ")} no tool may be used`;
  if (turn.log.steps === 0) return requestFault(400, why, "tool_policy_blocked", "tool_choice");
  return stopEnding("tool_policy_blocked", `Toolgate stopped here: ${why}.`);
}

const demandsCall = (choice: ToolChoice): boolean =>
  choice.kind === "required" || (choice.kind === "subset" && choice.required);
