/**
 * System-first execution: what the user wants is certain and the words give all that the call for it needs, so the call is made
 * without asking the model. It is a step like one of the model's: under the same rules, with the same questions to a person, in
 * the same record. The model is left to word what came of it. Source: reference/intent-detection-and-safe-tools.md, part 4.
 */
import { valuesQuestion } from "../../approvals/values-question.ts";
import type { Detection } from "../../intent/detection.ts";
import { namedFor } from "../../intent/entities/fill-arguments.ts";
import { answerReader } from "../../intent/entities/read-answer.ts";
import { userTextOf } from "../../intent/lexical/user-text.ts";
import { readSaid } from "../../intent/said-words.ts";
import { newId } from "../../lib/ids.ts";
import { redactArguments } from "../../lib/redact.ts";
import { type PrimaryCall, primaryCall } from "../../policy/system-first.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { CallToDecide } from "../../ports/turns-port.ts";
import { type Arm, armOf } from "../../session/arm.ts";
import { questionDigest } from "../../session/awaited-values.ts";
import type { IntentMove } from "../../session/task.ts";
import { turnLanguage } from "../confirm/disclose-for.ts";
import type { Ended, Ending } from "../ending.ts";
import type { StepOffer } from "../offer/offer-step.ts";
import type { Turn, TurnDeps, TurnInput } from "../turn.ts";
import { recordOffered, recordSystemFirst } from "../turn-log.ts";
import { type FilledCall, fillCall } from "./fill-call.ts";
import type { SystemFirstNote } from "./system-first-note.ts";

/** UTF-16 units of a message. Who writes at length, or whose frontend does, wants more than the few values of a call. */
const MAX_WISH = 500;
/** A question for more than these is a form, which a chat is not. */
const MAX_ASKED = 8;
/** UTF-16 units of a name that is asked for. */
const MAX_NAME = 128;
/** UTF-16 units of JSON that wait for the answer. */
const MAX_FILLED = 8 * 1024;

/** The arm of the task that a new message begins; undefined where its intent has no call that the system could make. */
export function armFor(input: TurnInput, move: IntentMove, detection: Detection | undefined): Arm | undefined {
  // A plan's calls are nobody's to choose any more.
  if (move.kind !== "replace" || input.plan !== undefined) return undefined;
  const call = primaryCall(input.policy, move.intents, input.managed?.names);
  if (!call || !leavesFree(input, call.tool)) return undefined;
  return saysItself(input, detection, call) ? armOf(input.principal, call.intent.execution) : undefined;
}

/**
 * The user's own words ask for it. The fallback is what a message is taken for that says nothing by itself; a letter that is
 * quoted, or a chat that a frontend wants a title for, says what others wanted.
 */
function saysItself(
  { policy, conversation, work }: TurnInput,
  detection: Detection | undefined,
  { intent }: PrimaryCall,
) {
  const found = detection?.intents.find(({ name, layer }) => name === intent.name && layer !== "fallback");
  if (!found) return false;
  const message = userTextOf(policy, conversation.newMessage ?? "", work);
  if (message.length > MAX_WISH) return false;
  const said = readSaid(message);
  return found.evidence.some((one) => one.discounted === undefined && said.says(one));
}

/** The client's `tool_choice` says nothing of this call. */
function leavesFree({ request: { toolChoice: choice } }: TurnInput, tool: string): boolean {
  return choice.kind === "auto" || (choice.kind === "subset" && !choice.required && choice.tools.includes(tool));
}

/**
 * The first step of a turn, where it is the system's: as if the model had made the call; or the question for what is missing.
 * Undefined where the model decides. Changes the turn.
 */
export function systemStep(deps: TurnDeps, turn: Turn, step: StepOffer): Ended | Ending | undefined {
  if (!turn.systemMayBegin || turn.log.steps > 0 || turn.log.wordsOnly) return undefined;
  const { policy, principal, managed } = turn.input;
  const call = primaryCall(policy, turn.log.intents, managed?.names);
  // The arm is the task's; a policy that sends nobody there any more counts at once.
  if (!call || !leavesFree(turn.input, call.tool) || armOf(principal, call.intent.execution) === "llm_first")
    return undefined;
  const filled = fillFor(deps, turn, call);
  recordSystemFirst(turn.log, { redactedValues: hiddenIn(turn, call, filled) });
  const missing = filled.kind === "missing" ? filled.missing : [];
  const note = (outcome: SystemFirstNote["outcome"]) => {
    recordSystemFirst(turn.log, { systemFirst: { outcome, tool: call.tool, missing: missing.slice(0, MAX_ASKED) } });
  };
  if (!awaitsAnotherTask(step, call.tool)) {
    if (filled.kind === "whole") {
      recordSystemFirst(turn.log, { wordsOnly: true });
      recordOffered(turn.log, step.offer.offered);
      return callStep(deps, call.tool, filled.arguments);
    }
    if (filled.kind === "missing" && mayAskFor(turn, call, step, filled)) {
      note("asked_values");
      recordOffered(turn.log, step.offer.offered);
      return askFor(turn, call, filled);
    }
  }
  note("left");
  return undefined;
}

function fillFor({ detector }: TurnDeps, { input, opened, detection, tools }: Turn, { intent, tool }: PrimaryCall) {
  const schema = tools.find(({ name }) => name === tool)?.parameters;
  const { awaiting } = opened;
  const { newMessage = "" } = input.conversation;
  if (awaiting?.tool !== tool) {
    const said = readSaid(userTextOf(input.policy, newMessage, input.work));
    return fillCall(schema, detection?.entities.filter(said.names) ?? [], input.work);
  }
  // Words that only answer name no intent, and entities are looked for where theirs is named.
  const entities = detector.entities(input.policy, newMessage, [intent.name]);
  const text = userTextOf(input.policy, newMessage, input.work);
  return fillCall(schema, entities, input.work, { values: awaiting, text, read: answerReader(input.policy) });
}

export const bySystem = (call: CallToDecide): CallToDecide => ({ ...call, madeBy: "system" });

/** What fills an argument that the policy redacts, or would have filled it if it fitted. */
function hiddenIn(turn: Turn, { tool }: PrimaryCall, filled: FilledCall): readonly string[] {
  const { input, opened, detection, tools } = turn;
  const { redact } = traitsOf(input.policy, tool);
  // An answer is a value in any words, also where it is read as others or not taken.
  if (opened.awaiting?.tool === tool && redact.length > 0)
    return detection?.entities.map(({ value }) => String(value)) ?? [];
  const schema = tools.find(({ name }) => name === tool)?.parameters;
  const fills = filled.kind === "whole" ? filled.arguments : filled.kind === "missing" ? filled.filled : {};
  const values = [...Object.entries(fills), ...namedFor(schema, detection?.entities ?? [])];
  return values.flatMap(([name, value]) =>
    value === "" || redactArguments({ [name]: value }, redact)[name] === value ? [] : [String(value)],
  );
}

/** Withheld for what passes with the task: the model may find another way. Whatever else stands against it is told. */
function awaitsAnotherTask({ offer }: StepOffer, tool: string): boolean {
  const reasons = offer.withheld.find(({ name }) => name === tool)?.reasons ?? [];
  return reasons.some(({ code }) => ofTask.has(code));
}

const ofTask: ReadonlySet<string> = new Set([
  "state_forbids",
  "intent_forbids",
  "family_blocked",
  "soft_limit_reached",
]);

const callStep = ({ now }: TurnDeps, tool: string, args: unknown): Ended => ({
  kind: "ended",
  calls: [{ id: newId("call", now()), name: tool, arguments: JSON.stringify(args), extra: undefined }],
  ...{ finish: [], closing: undefined, body: undefined, finishReason: undefined, usage: undefined },
  ...{ text: "", reasoning: "" },
});

type MissingValues = Extract<FilledCall, { kind: "missing" }>;

/** Once a task, and only for what may be called: in JSON mode the reply is read by a program, which answers nothing. */
function mayAskFor(
  { input, opened }: Turn,
  { intent, tool }: PrimaryCall,
  { offer }: StepOffer,
  { filled, missing }: MissingValues,
): boolean {
  if (intent.execution.whenMissing !== "ask" || opened.awaiting || input.request.jsonMode) return false;
  if (!offer.callable.has(tool) || missing.length > MAX_ASKED) return false;
  return missing.every((name) => name.length <= MAX_NAME) && JSON.stringify(filled).length <= MAX_FILLED;
}

function askFor(turn: Turn, { intent, tool }: PrimaryCall, { filled, missing }: MissingValues): Ending {
  const schema = turn.tools.find(({ name }) => name === tool)?.parameters;
  const text = valuesQuestion(schema, missing, turnLanguage(turn));
  const awaiting = { intent: intent.name, tool, filled, missing, question: questionDigest(text) };
  recordSystemFirst(turn.log, { awaiting });
  return { kind: "stop", stopReason: "completed", finishReason: "stop", text };
}
