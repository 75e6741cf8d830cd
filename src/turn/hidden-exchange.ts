/** The model's calls that the client does not get, with an answer to each, as the model must see them. Pure. */
import { refusalForModel } from "../policy/reason-texts.ts";
import type { JsonObject } from "../wire/read-chunk.ts";
import type { VettedCall } from "./vet-step.ts";

export function exchangeOf(words: string, reasoning: string, calls: readonly VettedCall[]): JsonObject[] {
  const assistant: JsonObject = {
    role: "assistant",
    content: words === "" ? null : words,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    tool_calls: calls.map(({ call, arguments: args }) => ({
      id: call.id,
      type: "function",
      function: { name: call.name, arguments: args },
      ...call.extra,
    })),
  };
  const answers = calls.map((vetted) => ({ role: "tool", tool_call_id: vetted.call.id, content: answerText(vetted) }));
  return [assistant, ...answers];
}

/** Of a run that the ledger tells no outcome of. */
const UNKNOWN_RUN = "[it is not known whether this was done; do not do it again without asking the user]";

function answerText({ effect, reasons, handshake, ran }: VettedCall): string {
  if (ran) return ran.outcome?.text ?? UNKNOWN_RUN;
  if (handshake && effect === "allow")
    return "selected: the tools of this intent are available now; go on with the user's request";
  return refusalForModel(reasons);
}
