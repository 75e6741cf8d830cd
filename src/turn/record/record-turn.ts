/**
 * Step 12 of a turn: makes its record, which UserGuard gets when the turn closes. What the reply reports of the turn is in `reply-note.ts`.
 */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { describeError, log } from "../../lib/log.ts";
import { observesAll } from "../../policy/observe.ts";
import { UNDO_DIGEST } from "../../ports/calls-port.ts";
import { callsComeBack, type Ending } from "../../ports/turns/ending.ts";
import type { CandidateAccount, TurnAccount } from "../../ports/turns/turn-account.ts";
import type { CloseRequest } from "../../ports/turns/turns-port.ts";
import { replyMarks } from "../../session/conversation-fingerprint.ts";
import { retainedExchanges } from "../history/retained-results.ts";
import { taintedLookup, taintedResults } from "../open/tainted-results.ts";
import { isStatusCommand } from "../open/user-message.ts";
import { cacheTurn } from "../speculate/cache-turn.ts";
import { resultInstructions } from "../step/result-instructions.ts";
import { stateOf, type Turn } from "../turn.ts";
import type { TurnDeps } from "../turn-deps.ts";
import { systemFirstNote } from "../turn-log.ts";
import { recordDetection } from "./recorded-detection.ts";
import { keptWords } from "./recorded-words.ts";
import { changedLinks, sumUsage, withheldNote, withheldOf } from "./reply-note.ts";

/** UTF-16 units of a turn's usage in its record. */
const MAX_USAGE_UNITS = 8 * 1024;

/** Names of tools in a turn's record, for offered and withheld each: some hundred kilobytes at most. */
const MAX_NAMES = 500;

/** As many names as a record holds, and the number of the others. */
function namesOf(turn: Turn) {
  const [offered, withheld] = [[...turn.log.offered], withheldOf(turn)];
  const offeredMore = offered.length - MAX_NAMES;
  const withheldMore = withheld.length - MAX_NAMES;
  return {
    offered: offered.slice(0, MAX_NAMES),
    withheld: withheld.slice(0, MAX_NAMES).map(withheldNote),
    ...(offeredMore > 0 ? { offeredMore } : {}),
    ...(withheldMore > 0 ? { withheldMore } : {}),
  };
}

/** Stores what must be there when the released calls' results come back. */
export function saveHidden({ guard }: TurnDeps, { input, opened, log }: Turn): Promise<void> {
  const { exchangesToStore: hidden, reminded } = log;
  return guard.turns.saveHidden({ turn: input.id, session: opened.session, hidden, reminded });
}

/**
 * Records and closes a turn. If the open was refused, there is nothing to close. If this fails, the object itself records the turn as never
 * closed, if it knows of it.
 * @param giveBack whether none of its calls reached the client.
 */
export async function recordAndClose(
  deps: TurnDeps,
  turn: Turn,
  ending: Ending,
  giveBack = ending.kind === "error",
): Promise<void> {
  if (turn.opened.over !== undefined || turn.opened.unknownApprovals !== undefined) return;
  const { record, ...request } = closeRequest(turn, ending, deps.now());
  const candidate = candidateAccount(deps, turn);
  try {
    const { sessionCache } = deps;
    const { principal } = turn.input;
    const given = { text: replyText(turn, ending), marks: request.reply };
    const name = sessionCache && cacheTurn(sessionCache, turn, ending, given);
    const snapshot = await deps.guard.turns.close({
      ...request,
      record: candidate ? { ...record, candidate } : record,
      giveBack,
    });
    if (sessionCache && name !== undefined && snapshot) sessionCache.confirm(principal, name, snapshot, deps.now());
  } catch (error) {
    log("error", "turn_not_closed", { turn: turn.input.id, ...describeError(error) });
  }
}

function closeRequest(turn: Turn, ending: Ending, endedAt: number): Omit<CloseRequest, "giveBack"> {
  const released = ending.kind === "answer" ? ending.calls.length : 0;
  const { logToolCalls } = turn.input.policy.audit;
  const detection =
    turn.detection && recordDetection(turn.detection, logToolCalls, turn.log.redactedValues, keptWords(turn));
  return {
    turn: turn.input.id,
    session: turn.opened.session,
    record: {
      endedAt,
      role: turn.input.principal.role,
      mode: turn.mode,
      policy: turn.input.policy.version,
      stateOpened: turn.stateOpened,
      stateClosed: stateOf(turn),
      intents: turn.log.intents,
      detection: detection ?? null,
      stopReason: ending.stopReason,
      finishReason: finishReasonOf(ending),
      // A step of a plan is no call of the model.
      steps: turn.input.plan === undefined ? turn.log.steps : 0,
      ...namesOf(turn),
      tokensSaved: turn.log.tokensSaved,
      ...(turn.log.redone ? { redone: true as const } : {}),
      usage: recordedUsage(turn),
      error: ending.kind === "error" ? errorText(ending.error) : null,
      ...(turn.input.plan === undefined ? {} : { plan: turn.input.plan }),
      ...variantRecord(turn),
      ...(observesAll(turn.input.policy) ? { observed: true as const } : {}),
      ...changedLinks(turn),
      ...foundInstructions(turn),
      ...taintedResultsOf(turn),
    },
    replyText: turn.opened.fresh && released === 0 && ending.kind !== "error" ? replyText(turn, ending) : undefined,
    ...replyOf(turn, ending),
    ...retainedOf(turn, ending),
    ...(turn.log.isMisheard ? { isMisheard: true } : {}),
    // A failed request is sent again, and must then find the same state.
    taskGoesOn: callsComeBack(ending) || ending.kind === "error" || changesNothing(turn),
  };
}

const MAX_FOUND = 20;

/** The tools and the kinds only. The text is part of a result, and no result is recorded. */
function foundInstructions(turn: Turn): Pick<TurnAccount, "instructions"> {
  const found = resultInstructions(turn).slice(0, MAX_FOUND);
  return found.length === 0 ? {} : { instructions: found.map(({ tool, kind }) => ({ tool, kind })) };
}

/** The tainted results of the turn, with the writes that they bring back. */
function taintedResultsOf(turn: Turn): Pick<TurnAccount, "stored"> {
  const { input, opened, log } = turn;
  const messages = [
    ...input.request.messages,
    ...opened.hidden.flatMap((one) => one.messages),
    ...log.hiddenExchanges.flat(),
  ];
  const stored = taintedResults(input.policy, taintedLookup(turn), messages).slice(0, MAX_FOUND);
  return stored.length === 0 ? {} : { stored };
}

function variantRecord(turn: Turn): Pick<CloseRequest["record"], "arm" | "intentOpened" | "again" | "systemFirst"> {
  const { variant, seenBefore, intents } = turn.opened;
  const systemFirst = systemFirstNote(turn);
  const [intentOpened] = intents;
  const place = seenBefore ? { again: seenBefore } : {};
  return {
    ...(variant ? { arm: variant, ...(intentOpened === undefined ? {} : { intentOpened }), ...place } : {}),
    ...(systemFirst ? { systemFirst } : {}),
  };
}

/** It is unknown how much the client has of a reply that broke off; and it may leave out the answer to `/toolgate status`. */
function replyOf(turn: Turn, ending: Ending): Pick<CloseRequest, "reply"> {
  if (ending.kind === "error" || changesNothing(turn)) return {};
  const calls = ending.kind === "answer" ? ending.calls.map(({ id }) => id) : [];
  const reply = replyMarks(calls, replyText(turn, ending));
  return reply.length > 0 ? { reply } : {};
}

/** Also after a reply that failed: the client keeps nothing of it and may go on, and what was run is done. */
function retainedOf(turn: Turn, ending: Ending): Pick<CloseRequest, "retained"> {
  // The results of a plan are stored with it.
  if (turn.log.managedExchanges.length === 0 || turn.input.plan !== undefined) return {};
  const calls = ending.kind === "answer" ? ending.calls.map(({ id }) => id) : [];
  const reply = ending.kind === "error" ? undefined : { calls, text: replyText(turn, ending) };
  const runs = turn.log.runs.map(({ id }) => id);
  return { retained: retainedExchanges(turn.input.request.messages, reply, turn.log.managedExchanges, runs) };
}

/** The `/toolgate status` command, or an undo or a call outside the chat. */
const changesNothing = ({ input }: Turn): boolean =>
  isStatusCommand(input.conversation.newMessage) || input.digest.startsWith(UNDO_DIGEST) || input.toolCall === true;

/** Providers may put anything into it; a record has room for an account. */
function recordedUsage(turn: Turn): JsonObject | null {
  const usage = sumUsage(turn.log.usages);
  return usage && JSON.stringify(usage).length <= MAX_USAGE_UNITS ? usage : null;
}

/** The text that the client has. */
function replyText(turn: Turn, ending: Ending): string {
  return [turn.log.preface, spokenText(turn, ending)].filter((part) => part !== "").join("\n\n");
}

function spokenText(turn: Turn, ending: Ending): string {
  if (ending.kind !== "stop") return turn.log.text;
  if (ending.stopReason === "awaiting_approval")
    return turn.input.request.jsonMode ? turn.log.text : askedText(turn, ending);
  const { stream, jsonMode } = turn.input.request;
  // The text of hidden steps goes out only if it is streamed; in JSON mode the gateway's text is left out.
  if (jsonMode) return "";
  if (!stream) return ending.text;
  return turn.log.text === "" ? ending.text : `${turn.log.text}\n\n${ending.text}`;
}

const askedText = ({ log }: Turn, { text }: Extract<Ending, { kind: "stop" }>): string =>
  [log.text, text].filter((part) => part !== "").join("\n\n");

function finishReasonOf(ending: Ending): string | null {
  if (ending.kind === "stop") return ending.finishReason;
  if (ending.kind === "error") return null;
  return ending.step ? (ending.step.finishReason ?? null) : "tool_calls";
}

function errorText(error: unknown): string {
  const text = isObject(error) && typeof error.message === "string" ? error.message : JSON.stringify(error);
  return (text ?? "").slice(0, 500);
}

/** Differences that a turn's record holds, of calls and of tools each. */
const MAX_NOTED = 50;

/** What the tenant's candidate would have decided in the turn. Never throws: a candidate that fails costs no record. */
function candidateAccount({ candidate }: TurnDeps, turn: Turn): CandidateAccount | undefined {
  try {
    const policy = candidate?.();
    if (!policy) return undefined;
    const steps = turn.log.judges.map((judge) => judge(policy));
    const sum = (count: (step: (typeof steps)[number]) => number) => steps.reduce((all, step) => all + count(step), 0);
    const unjudged = sum((step) => step.unjudged);
    // Later steps offer the same tools, or those of an intent that the first one led to.
    const [first] = steps;
    return {
      policy: policy.version,
      judged: sum((step) => step.judged),
      ...(unjudged > 0 ? { unjudged } : {}),
      calls: steps.flatMap(({ calls }) => calls).slice(0, MAX_NOTED),
      offered: (first?.offered ?? []).slice(0, MAX_NOTED),
      withheld: (first?.withheld ?? []).slice(0, MAX_NOTED),
    };
  } catch (error) {
    log("error", "candidate_not_asked", { turn: turn.input.id, ...describeError(error) });
    return undefined;
  }
}
