/** The model's calls that the client does not get, with an answer to each, as the model must see them. Pure. */
import { NAMELESS_REFUSAL, refusalForModel } from "../../policy/reason-texts.ts";
import { wireCall } from "../../wire/call-parts.ts";
import type { JsonObject } from "../../wire/read-chunk.ts";
import type { VettedCall } from "../step/vet-step.ts";

/** What the model may know of calls that were refused. */
export interface Telling {
  /** No tools follow. */
  readonly noTools?: boolean;
  /** Whether a call of the system's is of a tool that may be spoken of to the user. */
  readonly mayName?: (call: VettedCall) => boolean;
}

/** Stands for a tool that is not for the user: providers want a call with a name before the answer to it, and a model says what it reads. */
const NAMELESS = { tool: "requested_action", arguments: "{}", extra: undefined };

export function exchangeOf(
  words: string,
  reasoning: string,
  calls: readonly VettedCall[],
  { noTools = false, mayName = () => true }: Telling = {},
): JsonObject[] {
  const told = calls.map((vetted) => ({ ...vetted, named: mayName(vetted) }));
  const assistant: JsonObject = {
    role: "assistant",
    content: words === "" ? null : words,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    tool_calls: told.map(({ call: { id, name, extra }, arguments: args, named }) =>
      wireCall(named ? { id, tool: name, arguments: args, extra } : { id, ...NAMELESS }),
    ),
  };
  const answers = told.map(({ named, ...vetted }) => ({
    role: "tool",
    tool_call_id: vetted.call.id,
    content: named ? answerText(vetted, noTools) : NAMELESS_REFUSAL,
  }));
  return [assistant, ...answers];
}

/** Of a run that the ledger tells no outcome of. */
const UNKNOWN_RUN = "[it is not known whether this was done; do not do it again without asking the user]";

function answerText({ effect, reasons, handshake, ran, madeBy }: VettedCall, noTools: boolean): string {
  if (ran) return ran.outcome?.text ?? UNKNOWN_RUN;
  if (handshake && effect === "allow")
    return "selected: the tools of this intent are available now; go on with the user's request";
  return refusalForModel(reasons, { noTools, asIs: madeBy === "system" });
}
