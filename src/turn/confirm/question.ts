/** How a person is asked about a call, where it comes to that: UserGuard knows, and makes the approval of it. */
import type { UndoneCall } from "../../approvals/disclosure/disclosed.ts";
import { fillDefaults } from "../../approvals/edit/fill-defaults.ts";
import { redactArguments } from "../../lib/redact.ts";
import { WorkSpent } from "../../lib/work-budget.ts";
import { type ToolTraits, traitsOf } from "../../policy/traits.ts";
import { denied, type PureDecision, vetCall } from "../../policy/vet.ts";
import type { ModelCall } from "../../ports/model-port.ts";
import type { Question } from "../../ports/turns-port.ts";
import type { StepOffer } from "../offer/offer-step.ts";
import type { Arguments } from "../step/read-arguments.ts";
import type { Turn } from "../turn.ts";
import { discloseFor, schemaOf } from "./disclose-for.ts";

/** UTF-16 units of JSON. A larger schema makes no form that anybody would fill in. */
const MAX_SCHEMA = 64 * 1024;

const mayAsk = ({ effect, counted }: PureDecision): boolean =>
  effect !== "deny" && (effect === "confirm" || counted.gate !== undefined || counted.confirmation !== undefined);

/**
 * A call that may be asked about, or that the gateway runs itself, in the form that it would run in: a person who approves must
 * have seen all of it, what the schema fills in for itself too. Where that form would be refused, the call's own stands.
 */
export function completeCall(
  turn: Turn,
  { offer, facts }: Pick<StepOffer, "offer" | "facts">,
  call: ModelCall,
  vetted: PureDecision,
  value: Arguments,
): { readonly vetted: PureDecision; readonly value: Arguments } {
  const isManaged = turn.input.managed?.names.has(call.name) === true;
  if (vetted.effect === "deny" || !(isManaged || mayAsk(vetted))) return { vetted, value };
  const schema = schemaOf(turn, call.name);
  if (schema === null) return { vetted, value };
  const filled = filledIn(turn, schema, value);
  if (filled === undefined) return { vetted: tooCostly(call.name), value };
  if (filled === value) return { vetted, value };
  const again = vetCall(
    turn.input.policy,
    facts,
    offer,
    { id: call.id, tool: call.name, arguments: filled },
    turn.input.work,
  );
  return again.effect === "deny" ? { vetted, value } : { vetted: again, value: filled };
}

/** Undefined where that would cost too much. */
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

/**
 * A program reads the reply: words of ours are no part of it. The call is refused, the model goes on without it, and the question
 * is in the reply's data: once it is answered, the same request again gets the call.
 */
export const asksAsDataOnly = ({ input }: Turn): boolean => input.channel === "inline" && input.request.jsonMode;

/** Absent where no rule asks. */
export function questionFor(
  turn: Turn,
  now: number,
  tool: string,
  { reasons, ...vetted }: PureDecision,
  value: Arguments,
  undoes?: UndoneCall,
): Question | undefined {
  const { policy } = turn.input;
  if (!mayAsk({ reasons, ...vetted })) return undefined;
  const channel = asksAsDataOnly(turn) ? "native" : turn.input.channel;
  const traits = traitsOf(policy, tool);
  const schema = schemaOf(turn, tool);
  return {
    channel,
    disclosure: discloseFor(turn, traits, reasons, undoes),
    recorded: redactArguments(value, traits.redact),
    schema: schema !== null && JSON.stringify(schema).length <= MAX_SCHEMA ? schema : null,
    editable: isEditable(traits),
    // A grant answers nothing else: not what looks like an attack, nor a first use.
    grantable: policy.confirmation.grants.enabled && traits.asks,
    expiresAt: now + (channel === "hold" ? holdMs(turn, traits) : policy.confirmation.inlineExpiresAfter),
  };
}

/** Source: reference/human-centered-tool-calling.md. What is sent elsewhere is sent as it was proposed, or not. */
const isEditable = ({ category }: ToolTraits): boolean => category !== "external";

const holdMs = ({ input }: Turn, { timeoutSeconds }: ToolTraits): number =>
  (timeoutSeconds ?? input.policy.confirmation.timeoutSeconds) * 1_000;
