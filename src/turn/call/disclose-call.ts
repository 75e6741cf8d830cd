/** Makes the disclosure of a call: what a person is shown about it. */
import type { Disclosure, UndoneCall } from "../../approvals/disclosure/disclosed.ts";
import { discloseCall } from "../../approvals/disclosure/disclosure.ts";
import { type LocalText, oneForm } from "../../lib/text/languages.ts";
import type { Reason } from "../../policy/reasons.ts";
import { type ToolTraits, traitsOf } from "../../policy/traits.ts";
import { turnLanguage } from "../open/task-message.ts";
import { instructionAround, resultInstructions } from "../step/result-instructions.ts";
import type { Turn } from "../turn.ts";

/** @param undoes the call that it undoes. */
export function discloseFor(
  turn: Turn,
  traits: ToolTraits,
  reasons: readonly Reason[],
  undoes?: UndoneCall,
): Disclosure {
  const untrusted = reasons.find((reason) => reason.code === "argument_untrusted")?.arguments;
  const isFound = reasons.some(({ code }) => code === "instructions_found");
  return discloseCall({
    traits,
    schema: schemaOf(turn, traits.name),
    language: turnLanguage(turn),
    suspicious: reasons.find((reason) => reason.code === "arguments_suspicious"),
    untrusted,
    // Instructions from an earlier task do not trigger a question, but the approver must see them.
    instructions: instructionAround(turn, untrusted ?? []) ?? (isFound ? resultInstructions(turn)[0] : undefined),
    conditions: reasons.find((reason) => reason.code === "condition_asks")?.say.map((say) => policyText(traits, say)),
    undoes,
    persistsGate: turn.input.policy.gates.persistApprovals,
  });
}

/** The text of a condition in all its languages. @param say the text as the reason has it. */
export const policyText = ({ conditions }: Pick<ToolTraits, "conditions">, say: string): LocalText =>
  conditions.find((one) => oneForm(one.say) === say)?.say ?? say;

/** The policy's description, else the definition's; null if there is none. */
export function schemaOf({ input, tools }: Turn, tool: string): unknown {
  const { policy } = input;
  return traitsOf(policy, tool).parameters ?? tools.find(({ name }) => name === tool)?.parameters ?? null;
}
