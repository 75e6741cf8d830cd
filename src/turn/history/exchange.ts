/** Calls that the client does not get, with an answer to each, in the form in which the model sees them. */

import type { JsonObject } from "../../lib/json/json-value.ts";
import { NAMELESS_REFUSAL, refusalForModel } from "../../policy/reason-texts.ts";
import { wireCall } from "../../wire/call-parts.ts";
import { isVisible } from "../offer/visible-withheld.ts";
import type { VettedCall } from "../step/vet-step.ts";
import type { Turn } from "../turn.ts";

interface ExchangeOptions {
  /** The model's words and reasoning beside the calls. */
  readonly words?: string;
  readonly reasoning?: string;
  /** The model gets no tools in its next step. */
  readonly noTools?: boolean;
}

/** Stands for a tool that is not for this user: providers want a named call before its answer, and a model repeats what it reads. */
const NAMELESS = { tool: "requested_action", arguments: "{}", extra: undefined };

export function exchangeFor(
  turn: Turn,
  calls: readonly VettedCall[],
  { words = "", reasoning = "", noTools = turn.log.wordsOnly }: ExchangeOptions = {},
): JsonObject[] {
  const shown = calls.map((vetted) => ({ vetted, named: isVisible(turn, { ...vetted, tool: vetted.call.name }) }));
  const assistant: JsonObject = {
    role: "assistant",
    content: words === "" ? null : words,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    tool_calls: shown.map(({ vetted: { call, arguments: args }, named }) =>
      wireCall({ id: call.id, ...(named ? { tool: call.name, arguments: args, extra: call.extra } : NAMELESS) }),
    ),
  };
  const answers = shown.map(({ vetted, named }) => ({
    role: "tool",
    tool_call_id: vetted.call.id,
    content: named ? answerText(vetted, noTools) : NAMELESS_REFUSAL,
  }));
  return [assistant, ...answers];
}

const UNKNOWN_RUN = "[it is not known whether this was done; do not do it again without asking the user]";

function answerText({ effect, reasons, handshake, ran, madeBy }: VettedCall, noTools: boolean): string {
  if (ran) return ran.outcome?.text ?? UNKNOWN_RUN;
  if (handshake && effect === "allow")
    return "selected: the tools of this intent are available now; go on with the user's request";
  return refusalForModel(reasons, { noTools, asIs: madeBy === "system" });
}
