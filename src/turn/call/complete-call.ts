/** Vets a call in the form that it would run in, with the schema's defaults. Pure. */
import { fillDefaults } from "../../approvals/edit/fill-defaults.ts";
import { WorkSpent } from "../../lib/work-budget.ts";
import type { Facts } from "../../policy/facts.ts";
import type { Offer } from "../../policy/offer.ts";
import { traitsOf } from "../../policy/traits.ts";
import { denied, type PureDecision, vetCall } from "../../policy/vet.ts";
import type { ModelCall } from "../../wire/call-parts.ts";
import type { Arguments } from "../step/read-arguments.ts";
import type { Turn } from "../turn.ts";
import { schemaOf } from "./disclose-call.ts";

/** The facts and the offer that calls are vetted against. */
export interface CurrentOffer {
  readonly facts: Facts;
  readonly offer: Offer;
}

export const mayAsk = ({ effect, counted }: PureDecision): boolean =>
  effect !== "deny" && (effect === "confirm" || counted.gate !== undefined || counted.confirmation !== undefined);

/**
 * Vets a call. If it may be asked about, or the gateway runs it, it is vetted in the form that it would run in: a person who approves must
 * have seen all of it, also the defaults that the schema fills in. If that form would be refused, the verdict on the call's own form
 * counts, unless a condition of the policy refuses it.
 * @returns the verdict, and the arguments that it is about.
 */
export function vetComplete(
  turn: Turn,
  { offer, facts }: CurrentOffer,
  call: Pick<ModelCall, "id" | "name">,
  value: Arguments,
): { readonly vetted: PureDecision; readonly value: Arguments } {
  const { policy, work, managed } = turn.input;
  const judge = (args: Arguments) =>
    vetCall(policy, facts, offer, { id: call.id, tool: call.name, arguments: args }, work);
  const vetted = judge(value);
  const isManaged = managed?.names.has(call.name) === true;
  // A condition is about the arguments that the tool runs with, and these include its schema's defaults.
  const isConditional = traitsOf(policy, call.name).conditions.length > 0;
  if (vetted.effect === "deny" || !(isManaged || isConditional || mayAsk(vetted))) return { vetted, value };
  const schema = schemaOf(turn, call.name);
  if (schema === null) return { vetted, value };
  const filled = filledIn(turn, schema, value);
  if (filled === undefined) return { vetted: tooCostly(call.name), value };
  if (filled === value) return { vetted, value };
  const again = judge(filled);
  const isRefused = again.effect === "deny" && !again.reasons.some(({ code }) => code === "condition_denies");
  return isRefused ? { vetted, value } : { vetted: again, value: filled };
}

/** Undefined if that would cost too much work. */
function filledIn({ input }: Turn, schema: unknown, value: Arguments): Arguments | undefined {
  try {
    return fillDefaults(schema, value, input.work);
  } catch (error) {
    if (error instanceof WorkSpent) return undefined;
    throw error;
  }
}

const tooCostly = (tool: string): PureDecision =>
  denied({ code: "arguments_invalid", tool, issues: [{ path: "", message: new WorkSpent().message }] });
