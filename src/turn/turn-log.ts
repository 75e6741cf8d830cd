/**
 * What has happened in a turn so far. Every step reads it; all writes go through `updateLog`. All collections are replaced, never changed,
 * so a value that was read stays as it was.
 */

import type { Approval } from "../approvals/approval.ts";
import type { JsonObject } from "../lib/json/json-value.ts";
import type { CompiledPolicy } from "../policy/compile.ts";
import type { Effect } from "../policy/decision.ts";
import type { TaintedWrite } from "../policy/origin/sources/tainted-values.ts";
import type { Reason } from "../policy/reasons.ts";
import type { ReportedRun } from "../ports/reply-port.ts";
import type { EndedStep } from "../ports/turns/ending.ts";
import type { HiddenExchange } from "../ports/turns/hidden-exchange.ts";
import type { OpenResult } from "../ports/turns/open-turn-request.ts";
import type { StepDifferences, SystemFirstNote } from "../ports/turns/turn-account.ts";
import type { CallMaker } from "../session/principal.ts";

export interface DecisionNote {
  readonly callId: string;
  readonly tool: string;
  readonly effect: Effect;
  readonly reasons: readonly Reason[];
  readonly handshake: boolean;
  /** Absent: the model. */
  readonly madeBy?: CallMaker | undefined;
  /** The call was let through, whatever the decision. */
  readonly observed?: true | undefined;
  /** Id of the approval that the decision created or acted on. */
  readonly approval?: string | undefined;
}

/** A managed call of this turn, as the reply's note may show it. */
export interface RunNote extends ReportedRun {
  readonly trusted: boolean;
  readonly suspicious: readonly string[];
  /** As the model gets it; null if the run has no outcome. */
  readonly text: string | null;
}

export interface TurnLog {
  /** Intents that the task holds now. */
  readonly intents: readonly string[];
  /** Those of them that only the model selected, once untrusted text was in the conversation. */
  readonly undetected: readonly string[];
  /** Digests of the results whose values the person lets the task use. */
  readonly endorsed: readonly string[];
  /** The next offer is checked for what the intents require, because a task begins or the handshake selected. */
  readonly preflightDue: boolean;
  /** The model was reminded, in this task, of what its intent requires. */
  readonly reminded: boolean;
  /** Families with a successful call in this task. */
  readonly succeeded: ReadonlySet<string>;
  /** Untrusted text is in the conversation. */
  readonly untrusted: boolean;

  /** The turn has reached its first step: the state is no longer `request`. */
  readonly stepBegun: boolean;
  /** The speculative model call was discarded. */
  readonly redone: boolean;
  /** Calls of the model. */
  readonly steps: number;
  readonly corrections: number;
  readonly usages: readonly JsonObject[];
  readonly offered: ReadonlySet<string>;
  /** Tools that some step withheld, with the reasons of the latest one. */
  readonly withheld: ReadonlyMap<string, readonly Reason[]>;
  readonly tokensSaved: number;

  readonly decisions: readonly DecisionNote[];
  readonly runs: readonly RunNote[];
  /** Calls that wait for a person. */
  readonly waiting: readonly Approval[];
  /** Calls that are refused without another question in this turn, with the reason: a person refused them, or they wait already. */
  readonly refusedCalls: ReadonlyMap<string, Reason>;

  /** The system has made its call: the model only words the result, without tools. */
  readonly wordsOnly: boolean;
  /** As in `CloseRequest`. */
  readonly isMisheard?: true;
  readonly systemFirst?: SystemFirstNote;
  /** Values of the system's arguments that the policy redacts: the detection's record leaves them out. */
  readonly redactedValues?: readonly string[];

  /** Exchanges of this turn that the client does not see, in the form that the model gets. */
  readonly hiddenExchanges: readonly (readonly JsonObject[])[];
  /** Hidden exchanges that the user's object stores for the next request of the task. */
  readonly exchangesToStore: readonly HiddenExchange[];
  /** The turn's managed calls with their results: later tasks see them too. */
  readonly managedExchanges: readonly (readonly JsonObject[])[];

  /** Values from untrusted text that calls of this turn wrote. */
  readonly written: readonly TaintedWrite[];

  /** Links in the model's words that were changed. */
  readonly changedLinks: number;
  /** The first hosts that those links led to. */
  readonly changedHosts: readonly string[];

  /** The assistant's text that the client has. */
  readonly text: string;
  /** The gateway's text before the answer, in a reply that is sent whole. */
  readonly preface: string;
  /** The gateway's text that comes before the model's first; "" once it is sent. */
  readonly notice: string;
  /** How another policy would have judged each step so far: a candidate judges after the reply has ended. */
  readonly judges: readonly StepJudge[];
  /** A record that is still being written: the turn stays open until it is stored. */
  readonly pendingRecord?: Promise<void>;
}

type StepJudge = (candidate: CompiledPolicy) => StepDifferences;

/** The initial values of a turn's log. */
type LogStart = Pick<
  TurnLog,
  "intents" | "undetected" | "endorsed" | "preflightDue" | "reminded" | "wordsOnly" | "untrusted"
> & {
  readonly waiting: readonly Approval[];
  readonly succeeded: readonly string[];
};

export const newTurnLog = ({ succeeded, ...start }: LogStart): TurnLog => ({
  ...start,
  succeeded: new Set(succeeded),
  stepBegun: false,
  redone: false,
  steps: 0,
  corrections: 0,
  usages: [],
  offered: new Set(),
  withheld: new Map(),
  tokensSaved: 0,
  decisions: [],
  runs: [],
  refusedCalls: new Map(),
  hiddenExchanges: [],
  exchangesToStore: [],
  managedExchanges: [],
  written: [],
  changedLinks: 0,
  changedHosts: [],
  text: "",
  preface: "",
  notice: "",
  judges: [],
});

/** The only place that writes a field. For a change with a rule of its own there is a recording function. */
export function updateLog(log: TurnLog, change: Partial<TurnLog>): void {
  Object.assign(log, change);
}

export function recordWithheld(log: TurnLog, withheld: readonly { name: string; reasons: readonly Reason[] }[]): void {
  const entries = withheld.map(({ name, reasons }) => [name, reasons] as const);
  updateLog(log, { withheld: new Map([...log.withheld, ...entries]) });
}

/** Tools that can be called in the step, by the model or by the system. */
export const recordOffered = (log: TurnLog, tools: readonly { readonly name: string }[]): void =>
  updateLog(log, { offered: new Set([...log.offered, ...tools.map(({ name }) => name)]) });

export const recordJudge = (log: TurnLog, judge: StepJudge): void => updateLog(log, { judges: [...log.judges, judge] });

/** A call of the model, or a step of a plan. */
export const recordStep = (log: TurnLog, tokensSaved = 0): void =>
  updateLog(log, { steps: log.steps + 1, tokensSaved: log.tokensSaved + tokensSaved });

/** @param appends whether the client gets the text of each step, not only the last one's. */
export const recordStepResult = (log: TurnLog, { usage, text }: EndedStep, appends: boolean): void =>
  updateLog(log, {
    usages: usage ? [...log.usages, usage] : log.usages,
    text: appends ? log.text + text : text,
  });

/** The handshake selected: what the intents require is checked before the next step. */
export const recordSelection = (log: TurnLog, held: Pick<TurnLog, "intents" | "undetected">): void =>
  updateLog(log, { ...held, preflightDue: true });

export const recordDecisions = (log: TurnLog, decisions: readonly DecisionNote[]): void =>
  updateLog(log, { decisions: [...log.decisions, ...decisions] });

interface RunsRecord {
  readonly runs: readonly RunNote[];
  /** Families of the calls that succeeded. */
  readonly succeeded: readonly string[];
  readonly untrusted: boolean;
  readonly exchange: readonly JsonObject[];
}

/** Managed calls that ended together. */
export const recordRuns = (log: TurnLog, { runs, succeeded, untrusted, exchange }: RunsRecord): void =>
  updateLog(log, {
    runs: [...log.runs, ...runs],
    succeeded: new Set([...log.succeeded, ...succeeded]),
    untrusted: log.untrusted || untrusted,
    managedExchanges: [...log.managedExchanges, exchange],
  });

/** Calls that the provider has run. */
export const recordHosted = (
  log: TurnLog,
  { decisions, succeeded, untrusted }: Pick<RunsRecord, "succeeded" | "untrusted"> & Pick<TurnLog, "decisions">,
): void =>
  updateLog(log, {
    decisions: [...log.decisions, ...decisions],
    succeeded: new Set([...log.succeeded, ...succeeded]),
    untrusted: log.untrusted || untrusted,
  });

export const recordHidden = (log: TurnLog, exchange: readonly JsonObject[]): void =>
  updateLog(log, { hiddenExchanges: [...log.hiddenExchanges, exchange] });

export function recordReminder(log: TurnLog, exchange: readonly JsonObject[]): void {
  recordHidden(log, exchange);
  updateLog(log, { reminded: true });
}

export const recordToStore = (log: TurnLog, exchange: HiddenExchange): void =>
  updateLog(log, { exchangesToStore: [...log.exchangesToStore, exchange] });

const MAX_HOSTS = 20;

/** A link in the model's text was changed. @param host where it led, or its scheme if it has no host. */
export function recordLink(log: TurnLog, host: string): void {
  const { changedLinks, changedHosts } = log;
  const isKnown = changedHosts.includes(host) || changedHosts.length >= MAX_HOSTS;
  updateLog(log, { changedLinks: changedLinks + 1, changedHosts: isKnown ? changedHosts : [...changedHosts, host] });
}

/** The outcome of system-first execution; undefined if the system was not to make any call of the turn. */
export function systemFirstNote({
  opened,
  log: { systemFirst, decisions, waiting },
}: {
  readonly opened: Pick<OpenResult, "runs">;
  readonly log: TurnLog;
}): SystemFirstNote | undefined {
  if (systemFirst) return systemFirst;
  const decided = decisions.findLast(({ madeBy }) => madeBy === "system");
  const made = decided ?? opened.runs?.find(({ madeBy }) => madeBy === "system");
  if (!made) return undefined;
  const isWaiting = waiting.some(({ id }) => id === decided?.approval);
  const outcome = isWaiting && decided?.effect !== "allow" ? "asked_person" : outcomeOf(decided);
  return { outcome, tool: made.tool, missing: [] };
}

/** For a call that is not waiting. A person's own refusal is not a refusal by the rules. */
function outcomeOf(decided: DecisionNote | undefined): "ran" | "refused" | "denied_by_person" {
  if (decided === undefined || decided.effect === "allow") return "ran";
  return decided.reasons.some(({ code }) => code === "approval_denied") ? "denied_by_person" : "refused";
}
