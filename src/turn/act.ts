/** Steps 9 to 11 of a turn: what a step's decisions lead to. Changes the turn; returns its ending, or undefined to go on. */
import { blockedText } from "../policy/intent-guard/texts.ts";
import { refusalForModel } from "../policy/reason-texts.ts";
import type { JsonObject } from "../wire/read-chunk.ts";
import { endTask } from "./end-task.ts";
import type { Ended, Ending } from "./ending.ts";
import { placeInTask } from "./history.ts";
import type { StepOffer } from "./offer-step.ts";
import type { Turn } from "./turn.ts";
import type { VettedCall, VettedStep } from "./vet-step.ts";

export function act(turn: Turn, step: Ended, offer: StepOffer, vetted: VettedStep): Ending | undefined {
  for (const { call, effect, reasons, handshake } of vetted.calls) {
    turn.decisions.push({ callId: call.id, tool: call.name, effect, reasons, handshake });
  }
  if (vetted.calls.length === 0) return endTask(turn, step, offer);
  if (vetted.selected !== undefined) {
    turn.intents = [vetted.selected];
    turn.preflightDue = true;
  }

  const released = vetted.calls.filter((call) => call.ordinal !== undefined);
  const hidden = vetted.calls.filter((call) => call.ordinal === undefined);
  // With released calls the words go to the client, and come back in its own message.
  const words = released.length > 0 ? "" : step.text;
  if (hidden.length > 0) turn.exchanges.push(hiddenExchange(step, words, hidden));
  if (released.length > 0) {
    keepExchanges(turn, released);
    const calls = released.map(({ call, arguments: args }) => ({
      id: call.id,
      tool: call.name,
      arguments: args,
      extra: call.extra,
    }));
    return { kind: "answer", stopReason: "completed", step, calls };
  }
  return goOn(turn, hidden);
}

/** Another step, unless the corrections or the steps are used up. */
function goOn(turn: Turn, hidden: readonly VettedCall[]): Ending | undefined {
  const { maxCorrections, maxSteps } = turn.input.policy.execution;
  const refused = hidden.filter((call) => call.effect !== "allow");
  if (refused.length > 0 && ++turn.corrections > maxCorrections) {
    const told = refused.map(({ call, reasons }) => ({ tool: call.name, reasons }));
    const text = blockedText(turn.intents, told);
    return { kind: "stop", stopReason: "tool_policy_blocked", finishReason: "stop", text };
  }
  if (turn.steps < maxSteps) return undefined;
  return {
    kind: "stop",
    stopReason: "step_limit",
    finishReason: "length",
    text: `Toolgate stopped here: the limit of ${maxSteps} model calls in one turn was met. Write again to go on.`,
  };
}

/** The model's calls that the client does not get, with an answer to each. */
function hiddenExchange(step: Ended, words: string, calls: readonly VettedCall[]): JsonObject[] {
  const assistant: JsonObject = {
    role: "assistant",
    content: words === "" ? null : words,
    ...(step.reasoning === "" ? {} : { reasoning_content: step.reasoning }),
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

function answerText({ effect, reasons, handshake }: VettedCall): string {
  if (handshake && effect === "allow")
    return "selected: the tools of this intent are available now; go on with the user's request";
  return refusalForModel(reasons);
}

/**
 * What must be there when the released calls' results come back. Streamed words are not kept with it: the client has
 * them, and sends them back with its own message.
 */
function keepExchanges(turn: Turn, released: readonly VettedCall[]): void {
  if (turn.exchanges.length === 0) return;
  const { stream, jsonMode } = turn.input.request;
  const seen = stream && !jsonMode;
  const messages = turn.exchanges.flat().flatMap((message) => {
    if (!seen || message.role !== "assistant") return [message];
    // Of an answer that was no end nothing is left.
    return message.tool_calls ? [{ ...message, content: null }] : [];
  });
  turn.keep.push({
    anchors: released.map(({ call }) => call.id),
    place: placeInTask(turn.input.request.messages),
    messages,
  });
}
