/** Instructions to the model in the untrusted results of the turn's task. Pure. */

import { findInstructions } from "../../intent/instructions/find-instructions.ts";
import type { JsonObject } from "../../lib/json/json-value.ts";
import type { ResultInstruction } from "../../policy/origin/origin-types.ts";
import type { UntrustedArgument } from "../../policy/reasons.ts";
import { outlastsTask } from "../../ports/turns/hidden-exchange.ts";
import { splitRunText } from "../../tools/run-text.ts";
import { textOf } from "../../wire/conversation.ts";
import { isTaintedResult } from "../open/tainted-results.ts";
import { isTrustedResult, resultsIn } from "../open/untrusted.ts";
import { taskStart } from "../open/user-message.ts";
import type { Turn } from "../turn.ts";
import { sourceTexts } from "./call-sources.ts";

/** The first instruction in each result, in order. A plan has its own rules for what comes from results. */
export function resultInstructions(turn: Turn): readonly ResultInstruction[] {
  const { input, opened, log } = turn;
  const { policy, request } = input;
  if (policy.results.instructions === "ignore" || input.plan !== undefined) return [];
  const sent = request.messages.slice(taskStart(policy, request.messages));
  const kept = opened.hidden.filter((one) => !outlastsTask(one)).flatMap((one) => one.messages as JsonObject[]);
  const outside = resultsIn(sent).filter(
    ({ tool, message }) => !isTrustedResult(policy, tool, message) || isTaintedResult(turn, tool, message),
  );
  const own = resultsIn([...kept, ...log.hiddenExchanges.flat()]);
  const texts = [
    ...outside.map(({ tool, message }) => ({ tool, text: textOf(message.content) })),
    ...own.map(({ tool, message }) => {
      const { body, isOutside } = splitRunText(textOf(message.content));
      return { tool, text: isOutside || isTaintedResult(turn, tool, message) ? body : "" };
    }),
  ];
  return texts.flatMap(({ tool, text }) => {
    const found = findInstructions(text);
    return found === undefined ? [] : [{ ...found, tool: tool ?? null }];
  });
}

/** The first instruction in the results that hold these values, in any task of the conversation. */
export function instructionAround(turn: Turn, values: readonly UntrustedArgument[]): ResultInstruction | undefined {
  if (values.every(({ from }) => from === undefined)) return undefined;
  for (const source of sourceTexts(turn)) {
    if (source.kind !== "result") continue;
    const { tool, callId } = source;
    if (!values.some(({ from }) => from?.tool === tool && from.callId === callId)) continue;
    const found = source.instruction?.();
    if (found) return { ...found, tool };
  }
  return undefined;
}
