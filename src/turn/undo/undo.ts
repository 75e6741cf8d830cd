/**
 * Undoes a call in an open turn: which call undoes it, what the rules say of that one, and how the user learns the outcome.
 *
 * A person requested it, not the model, so it needs no handshake, like a tool that the application demands. All other rules apply.
 */
import type { Approval } from "../../approvals/approval.ts";
import type { UndoneCall } from "../../approvals/disclosure/disclosed.ts";
import { fillWords, wordsOf } from "../../approvals/words/words.ts";
import { newId } from "../../lib/ids.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { parseStrictJson } from "../../lib/json/strict-json.ts";
import { isCutShort, redactArguments } from "../../lib/redact.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { plainLine } from "../../lib/text/visible-text.ts";
import type { WorkBudget } from "../../lib/work-budget.ts";
import { undoArguments } from "../../policy/arguments/undo-arguments.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { Facts, ToolDefinition } from "../../policy/facts.ts";
import { type Offer, offerTools } from "../../policy/offer.ts";
import type { Reason } from "../../policy/reasons.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { StoredCall, StoredRun } from "../../ports/calls-port.ts";
import type { DecidedCall } from "../../ports/turns/decide-request.ts";
import { type Ending, stopEnding } from "../../ports/turns/ending.ts";
import { vetComplete } from "../call/complete-call.ts";
import { questionFor } from "../confirm/question.ts";
import { factsOf } from "../offer/offer-step.ts";
import { turnLanguage } from "../open/task-message.ts";
import { readCommand } from "../open/user-message.ts";
import { byOutcome } from "../runs/unconfirmed-lines.ts";
import { callToDecide, decideCalls } from "../step/vet-step.ts";
import { decisionNote, type VettedCall, vettedCall } from "../step/vetted-call.ts";
import type { Turn } from "../turn.ts";
import type { TurnDeps } from "../turn-deps.ts";
import { recordDecisions } from "../turn-log.ts";

export interface UndoCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** @param tools the client's tools, if it brings any. The error says why it cannot be undone, for a person. */
export function undoCallOf(
  policy: CompiledPolicy,
  done: StoredCall,
  tools: readonly ToolDefinition[],
): Result<UndoCall, string> {
  const { undo } = traitsOf(policy, done.tool);
  if (!undo) return err(`the policy names no undo for \`${done.tool}\``);
  if (done.outcome !== "succeeded") return err(whyNotYet[done.outcome ?? "pending"]);
  const schema = traitsOf(policy, undo.tool).parameters ?? tools.find(({ name }) => name === undo.tool)?.parameters;
  const args = undoArguments(undo, schema, {
    tool: done.tool,
    arguments: argumentsOf(done),
    result: done.result,
  });
  return args.ok ? ok({ tool: undo.tool, arguments: args.value }) : args;
}

const whyNotYet = {
  pending: "its result has not come back yet",
  failed: "it failed, so there is nothing to undo",
  abandoned: "its result never came back, so it is not known whether it ran",
} as const;

function argumentsOf({ arguments: text }: StoredCall): Readonly<Record<string, unknown>> | undefined {
  const parsed = text === undefined ? undefined : parseStrictJson(text);
  return parsed?.ok ? (parsed.value as Readonly<Record<string, unknown>>) : undefined;
}

/**
 * The facts and offer that the undo call is judged by: a current offer, in which the application demands the tool.
 * @param undone the arguments of the call that it undoes.
 */
export function undoOffer(
  policy: CompiledPolicy,
  facts: Facts,
  tools: readonly ToolDefinition[],
  tool: string,
  work: WorkBudget,
  undone?: UndoCall["arguments"],
): { readonly facts: Facts; readonly offer: Offer } {
  const demanding: Facts = { ...facts, forcedTool: tool, undo: { arguments: undone } };
  return { facts: demanding, offer: offerTools(policy, demanding, tools, work) };
}

/** Why it is refused, for a person. "The model was not offered the tool" means nothing to a person who did not use the model. */
export function whyRefused(reasons: readonly Reason[]): readonly Reason[] {
  const reported = reasons.filter(({ code }) => code !== "not_offered");
  return reported.length > 0 ? reported : reasons;
}

/** A tool as the policy defines it, for an undo outside a chat, where no client brings its own. */
export function definedByPolicy(policy: CompiledPolicy, name: string): ToolDefinition {
  const { description, parameters } = traitsOf(policy, name);
  return { name, description, parameters, wire: { type: "function", function: { name, description, parameters } } };
}

interface UndoOptions {
  /** The person was asked about it before. */
  readonly approval?: Approval | undefined;
  /** Identifies the request, if the client named it. */
  readonly key?: string | undefined;
}

export async function decideUndo(
  deps: TurnDeps,
  turn: Turn,
  done: StoredCall,
  undo: UndoCall,
  { approval, key }: UndoOptions = {},
): Promise<VettedCall & DecidedCall> {
  const { policy, work } = turn.input;
  const now = deps.now();
  const current = undoOffer(policy, factsOf(turn, now), turn.tools, undo.tool, work, argumentsOf(done));
  const call = {
    id: approval?.callId ?? newId("call", now),
    name: undo.tool,
    arguments: JSON.stringify(undo.arguments),
    extra: undefined,
  };
  const { vetted, value } = vetComplete(turn, current, call, undo.arguments);
  const question = approval ? undefined : questionFor(turn, now, undo.tool, vetted, value, undoneCall(policy, done));
  const toDecide = {
    ...callToDecide(deps, turn, call, vetted, value),
    undo: { of: done.id, key },
    // With other arguments it would undo something else, or nothing. It is not grantable either: each undo is for another call.
    question: question && { ...question, editable: false, grantable: false },
    approval: approval && { id: approval.id },
  };
  const [decided] = await decideCalls(deps, turn, undefined, [toDecide]);
  if (!decided) throw new Error("the undo was left undecided");
  const vettedUndo = vettedCall(decided, call, toDecide);
  recordDecisions(turn.log, [decisionNote(vettedUndo)]);
  return vettedUndo;
}

/** As recorded, without what the current policy redacts. Arguments that were too long to record are left out. */
function undoneCall(policy: CompiledPolicy, { tool, recorded }: StoredCall): UndoneCall {
  const known = isObject(recorded) && !isCutShort(recorded) ? recorded : {};
  return { tool, arguments: redactArguments(known, traitsOf(policy, tool).redact) };
}

/** UTF-16 units of an executor's text about a failure. */
const MAX_DETAIL = 300;

/** @param done the tool whose call was to be undone. */
export function undoneEnding(
  turn: Turn,
  undone: readonly { readonly done: string; readonly ran: StoredRun }[],
): Ending {
  const words = wordsOf(turnLanguage(turn)).runs;
  const lines = undone.map(({ done, ran }) => {
    const why = ran.outcome?.detail ? fillWords(words.why, { detail: plainLine(ran.outcome.detail, MAX_DETAIL) }) : "";
    const line = byOutcome(ran.status, [words.undone, words.notUndone, words.perhapsUndone]);
    return fillWords(line, { tool: done, undo: ran.tool, why });
  });
  return stopEnding("completed", `Toolgate: ${lines.join("\n")}`);
}

/** The same request again, whose earlier try has undone something: that is reported, and nothing else is undone. */
export async function undoResumed(
  { guard }: TurnDeps,
  turn: Turn,
  runs: readonly StoredRun[],
): Promise<Ending | undefined> {
  const { conversation, request } = turn.input;
  const mayUndo = readCommand(conversation.newMessage) === "undo" || turn.answer || request.answers;
  if (!mayUndo) return undefined;
  const calls = await Promise.all(runs.map(({ id }) => guard.calls.find(id)));
  const undone = await Promise.all(
    calls.map(async (call, index) => {
      const done = call?.undoes ? await guard.calls.find(call.undoes) : undefined;
      return done ? [{ done: done.tool, ran: runs[index] as StoredRun }] : [];
    }),
  );
  const reported = undone.flat();
  return reported.length > 0 && reported.length === runs.length ? undoneEnding(turn, reported) : undefined;
}
