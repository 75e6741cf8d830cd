/**
 * System-first execution: the user's wish is certain, and the message holds every argument of the call for it, so the call is made without
 * asking the model. It is a step like one of the model's: under the same rules, with the same questions to a person, in the same record.
 * The model only words the outcome. Source: reference/intent-detection-and-safe-tools.md, part 4.
 */

import { fillDefaults } from "../../approvals/edit/fill-defaults.ts";
import type { Detection, Entity } from "../../intent/detection.ts";
import { fillArguments, namedFor, namesTwice } from "../../intent/entities/fill-arguments.ts";
import { readUserWords } from "../../intent/user-message/own-words.ts";
import { extractedText } from "../../intent/user-message/user-text.ts";
import { newId } from "../../lib/ids.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { redactArguments } from "../../lib/redact.ts";
import { type WorkBudget, WorkSpent } from "../../lib/work-budget.ts";
import { compileSchema } from "../../policy/arguments/argument-schema.ts";
import { type PrimaryCall, primaryCall } from "../../policy/intents.ts";
import { observesAll } from "../../policy/observe.ts";
import { endsWithTask } from "../../policy/reasons.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { CallToDecide } from "../../ports/turns/decide-request.ts";
import type { EndedStep } from "../../ports/turns/ending.ts";
import type { IntentChange } from "../../session/task.ts";
import { type Variant, variantOf } from "../../session/variant.ts";
import type { StepOffer } from "../offer/step-offer.ts";
import type { Arguments } from "../step/read-arguments.ts";
import type { Turn, TurnInput } from "../turn.ts";
import type { TurnDeps } from "../turn-deps.ts";
import { recordOffered, updateLog } from "../turn-log.ts";

/** UTF-16 units of a message. A longer message, from a user or a frontend, wants more than the few values of a call. */
const MAX_WISH = 500;
/** Names of missing arguments in a record. */
const MAX_MISSING = 8;

/** The variant of the task that a new message begins; undefined if its intent has no call that the system could make. */
export function variantFor(
  input: TurnInput,
  change: IntentChange,
  detection: Detection | undefined,
): Variant | undefined {
  // The calls of a plan are fixed already.
  if (change.kind !== "replace" || input.plan !== undefined || observesAll(input.policy)) return undefined;
  const call = primaryCall(input.policy.intents, change.intents, input.managed?.names);
  if (!call || !leavesFree(input, call.tool)) return undefined;
  return saysItself(input, detection, call) ? variantOf(input.principal, call.intent.execution) : undefined;
}

/**
 * Whether the user's own words request it. They do not if the intent is the fallback, which a message without any wish gets, or if the
 * evidence is in a quoted letter or in a chat that a frontend wants a title for.
 */
function saysItself(
  { policy, conversation, work }: TurnInput,
  detection: Detection | undefined,
  { intent }: PrimaryCall,
) {
  const found = detection?.intents.find(({ name, layer }) => name === intent.name && layer !== "fallback");
  if (!found) return false;
  const message = extractedText(policy, conversation.newMessage ?? "", work);
  if (message.length > MAX_WISH) return false;
  const words = readUserWords(message);
  return found.evidence.some((one) => one.discounted === undefined && words.states(one));
}

/** Whether the client's `tool_choice` leaves this call to the gateway. */
function leavesFree({ request: { toolChoice: choice } }: TurnInput, tool: string): boolean {
  return choice.kind === "auto" || (choice.kind === "subset" && !choice.required && choice.tools.includes(tool));
}

/**
 * The first step of a turn in which the system makes the call, as if the model had made it. Undefined if the model decides. Changes the
 * turn's log.
 */
export function systemStep(deps: TurnDeps, turn: Turn, step: StepOffer): EndedStep | undefined {
  if (!turn.systemFirstAllowed || turn.log.steps > 0 || turn.log.wordsOnly) return undefined;
  const { policy, principal, managed } = turn.input;
  const call = primaryCall(policy.intents, turn.log.intents, managed?.names);
  // The task's variant is fixed; but if a policy withdraws system-first execution, that counts at once.
  if (!call || !leavesFree(turn.input, call.tool) || variantOf(principal, call.intent.execution) === "llm_first")
    return undefined;
  const schema = turn.tools.find(({ name }) => name === call.tool)?.parameters;
  const filled = fillCall(schema, namedEntities(turn), turn.input.work);
  updateLog(turn.log, { redactedValues: redactedValues(turn, call.tool, schema, filled) });
  if (filled.kind === "whole" && !awaitsAnotherTask(step, call.tool)) {
    updateLog(turn.log, { wordsOnly: true });
    recordOffered(turn.log, step.offer.offered);
    return callStep(deps, call.tool, filled.arguments);
  }
  const missing = filled.kind === "missing" ? filled.missing.slice(0, MAX_MISSING) : [];
  updateLog(turn.log, { systemFirst: { outcome: "left", tool: call.tool, missing } });
  return undefined;
}

/** The values that the user names, without those that the message quotes or rejects. */
function namedEntities({ input, detection }: Turn): readonly Entity[] {
  const words = readUserWords(extractedText(input.policy, input.conversation.newMessage ?? "", input.work));
  return detection?.entities.filter(words.names) ?? [];
}

export const annotateSystemCall = (call: CallToDecide): CallToDecide => ({ ...call, madeBy: "system" });

/** Values from the user's words for arguments that the policy redacts, even if the schema refuses them. */
function redactedValues(turn: Turn, tool: string, schema: unknown, filled: FilledCall): readonly string[] {
  const { redact } = traitsOf(turn.input.policy, tool);
  const fills = filled.kind === "whole" ? filled.arguments : filled.kind === "missing" ? filled.filled : {};
  const values = [...Object.entries(fills), ...namedFor(schema, turn.detection?.entities ?? [])];
  return values.flatMap(([name, value]) =>
    value === "" || redactArguments({ [name]: value }, redact)[name] === value ? [] : [String(value)],
  );
}

/** Withheld for a reason that ends with the task: the model may find another way. Any other objection is reported. */
function awaitsAnotherTask({ offer }: StepOffer, tool: string): boolean {
  const reasons = offer.withheld.find(({ name }) => name === tool)?.reasons ?? [];
  return reasons.some(endsWithTask);
}

const callStep = ({ now }: TurnDeps, tool: string, args: unknown): EndedStep => ({
  kind: "ended",
  calls: [{ id: newId("call", now()), name: tool, arguments: JSON.stringify(args), extra: undefined }],
  finish: [],
  closing: undefined,
  body: undefined,
  finishReason: undefined,
  usage: undefined,
  text: "",
  reasoning: "",
});

type FilledCall =
  | { readonly kind: "whole"; readonly arguments: Arguments }
  | { readonly kind: "missing"; readonly filled: Arguments; readonly missing: readonly string[] }
  /** The schema is unknown or requires something that words cannot give, or the words give two values for one argument. */
  | { readonly kind: "unfit" };

/** Fills the call's arguments from the user's words. Pure; never a value that the schema refuses. */
export function fillCall(schema: unknown, entities: readonly Entity[], work: WorkBudget): FilledCall {
  try {
    return fill(schema, entities, work);
  } catch (error) {
    if (error instanceof WorkSpent) return { kind: "unfit" };
    throw error;
  }
}

function fill(schema: unknown, entities: readonly Entity[], work: WorkBudget): FilledCall {
  if (!isSchema(schema)) return { kind: "unfit" };
  const compiled = compileSchema(schema, work);
  if (!compiled.ok || namesTwice(schema, entities)) return { kind: "unfit" };
  const filled = fillArguments(schema, entities, work);
  const complete = fillDefaults(schema, filled, work);
  const required = Array.isArray(schema.required) ? schema.required : [];
  const missing = required.filter(
    (name: unknown): name is string => typeof name === "string" && !Object.hasOwn(complete, name),
  );
  if (missing.length > 0) return { kind: "missing", filled, missing };
  return compiled.value.validate(complete, work).length === 0
    ? { kind: "whole", arguments: filled }
    : { kind: "unfit" };
}

interface Schema extends Readonly<Record<string, unknown>> {
  readonly properties?: Readonly<Record<string, unknown>>;
}

const isSchema = (schema: unknown): schema is Schema =>
  isObject(schema) && (schema.properties === undefined || isObject(schema.properties));
