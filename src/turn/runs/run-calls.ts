/**
 * Runs allowed managed calls. Each outcome is stored in the ledger before the client or the model sees it. Changes the turn.
 *
 * If an outcome cannot be stored, the turn fails and the run becomes `unknown` at its deadline: the model must not go on from a result that
 * a retry could not find.
 */

import { runWithLimit } from "../../lib/concurrency.ts";
import { wait } from "../../lib/deadline.ts";
import { propertyNames } from "../../lib/json/property-names.ts";
import { describeError, log } from "../../lib/log.ts";
import { recordedArguments } from "../../lib/redact.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { StoredRun } from "../../ports/calls-port.ts";
import { MAX_STEP_RESULT } from "../../ports/plans-port.ts";
import type { Reply } from "../../ports/reply-port.ts";
import { type EndedStep, type Ending, requestFault } from "../../ports/turns/ending.ts";
import { endedRun, type RunEntry, type RunOutcome } from "../../tools/run.ts";
import type { ToolRunner } from "../../tools/tool-runner.ts";
import { schemaOf } from "../call/disclose-call.ts";
import { WAIT_MS, waitUntilDone } from "../confirm/hold.ts";
import { clientGone } from "../failures.ts";
import { exchangeFor, storeExchanges } from "../history/hidden-history.ts";
import { isTaintedResult } from "../open/tainted-results.ts";
import type { Arguments } from "../step/read-arguments.ts";
import type { VettedCall } from "../step/vetted-call.ts";
import type { Turn } from "../turn.ts";
import type { TurnDeps } from "../turn-deps.ts";
import { type RunNote, recordHidden, recordRuns } from "../turn-log.ts";
import { undoResumed } from "../undo/undo.ts";
import { showUnconfirmed, unconfirmedLines } from "./unconfirmed-lines.ts";

/** Allowed, entered in the ledger, and not run yet. */
type CallToRun = VettedCall & { readonly id: string; readonly runEntry: RunEntry };

const isToRun = (call: VettedCall): call is CallToRun =>
  call.ordinal !== undefined && call.runEntry !== undefined && call.id !== undefined && call.storedRun === undefined;

/**
 * A step may have dozens of calls, and each may bring megabytes into memory that other requests share. A call whose deadline passes
 * while it is queued is not started.
 */
const AT_ONCE = 8;

/** What is reported while the calls run. */
type ReplyProgress = Pick<Reply, "hold" | "say" | "ran">;

/** @returns the calls; those that were run have their outcome. */
export async function runCalls(
  deps: TurnDeps,
  turn: Turn,
  reply: ReplyProgress,
  calls: readonly VettedCall[],
): Promise<Result<readonly VettedCall[], Ending>> {
  const due = calls.filter(isToRun);
  if (due.length === 0) return ok(calls);
  const { tools } = deps;
  if (!tools) throw new Error("there is nothing that runs managed calls");
  showUnconfirmed(turn, reply, due);
  reply.hold("tools");
  // Also if one of them fails: the others' outcomes must be stored.
  const ended = await runWithLimit(AT_ONCE, due, (call) => runOne(deps, tools, turn, call));
  const ran = new Map<VettedCall, VettedCall>();
  for (const [index, one] of ended.entries()) {
    const call = due[index] as CallToRun;
    if (one.status === "fulfilled") ran.set(call, { ...call, storedRun: one.value });
  }
  noteRuns(turn, reply, [...ran.values()]);
  const failed = ended.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") return err(unnoted(turn, failed.reason));
  if (turn.input.signal.aborted) return err(clientGone);
  return ok(calls.map((call) => ran.get(call) ?? call));
}

async function runOne(deps: TurnDeps, tools: ToolRunner, turn: Turn, call: CallToRun): Promise<StoredRun> {
  const { id, runEntry: entry } = call;
  const { policy, signal } = turn.input;
  const tool = call.modelCall.name;
  let kept: StoredRun | undefined;
  deps.observer?.runBegan({ id, tool, entry });
  try {
    const outcome = signal.aborted
      ? GONE_BEFORE
      : await tools.run({
          id,
          tool,
          arguments: JSON.parse(call.vettedArguments) as Arguments,
          principal: turn.principal,
          session: turn.opened.session,
          policy,
          deadline: entry.deadline,
          ...(turn.input.plan === undefined ? {} : { keeps: MAX_STEP_RESULT }),
          signal,
        });
    kept = await noteOutcome(deps, turn, call, outcome);
    return kept;
  } finally {
    deps.observer?.runEnded(id, kept?.outcome);
  }
}

/** The client is gone, so the call is not begun. */
const GONE_BEFORE = endedRun({
  status: "not_started",
  failure: "cancelled",
  detail: "the client went away before it began",
  text: "[not done: the client went away before it began]",
});

/** An object that was moved or restarted answers again soon; storing the same outcome twice has no effect. */
const MAX_TRIES = 4;
const PAUSE_MS = 1_000;

async function noteOutcome(deps: TurnDeps, turn: Turn, call: CallToRun, outcome: RunOutcome): Promise<StoredRun> {
  const request = { turn: turn.input.id, session: turn.opened.session, id: call.id, outcome };
  for (let tries = 1; ; tries += 1) {
    try {
      return await deps.guard.runs.finish(request);
    } catch (error) {
      // Past its deadline the ledger counts the run as unknown, whatever it gets.
      if (tries === MAX_TRIES || deps.now() >= call.runEntry.deadline) throw error;
      log("warn", "run_not_noted_yet", { turn: turn.input.id, ...describeError(error) });
      await wait(PAUSE_MS);
    }
  }
}

function unnoted(turn: Turn, error: unknown): Ending {
  log("error", "run_not_noted", { turn: turn.input.id, ...describeError(error) });
  const message =
    "the gateway ran a tool and could not note what came of it; it is not run again. Send the same request again to go on from there";
  return requestFault(503, message, "gateway_unavailable", null);
}

/** Adds runs with an outcome to the turn, and reports them to the client; a person who answered for a run is always told of it. */
function noteRuns(turn: Turn, reply: ReplyProgress, calls: readonly VettedCall[]): void {
  if (calls.length === 0) return;
  const { policy } = turn.input;
  const runs = calls.flatMap(({ modelCall, vettedArguments: args, storedRun }): RunNote[] => {
    if (!storedRun) return [];
    const { id, status, entry, outcome } = storedRun;
    return [
      {
        id,
        callId: modelCall.id,
        tool: modelCall.name,
        arguments: recordedArguments(JSON.parse(args) as Arguments, traitsOf(policy, modelCall.name).redact, {
          known: propertyNames(schemaOf(turn, modelCall.name)),
        }),
        status,
        failure: outcome?.failure ?? null,
        ms: outcome?.ms ?? null,
        trusted: entry.trusted,
        suspicious: outcome?.suspicious ?? [],
        text: outcome?.text ?? null,
      },
    ];
  });
  const succeeded = runs.filter(({ status }) => status === "succeeded");
  recordRuns(turn.log, {
    runs,
    succeeded: succeeded.flatMap(({ tool }) => [...traitsOf(policy, tool).families]),
    untrusted:
      runs.some(({ trusted, status }) => !trusted && status !== "not_started") ||
      calls.some(
        ({ modelCall, storedRun }) =>
          storedRun?.outcome && isTaintedResult(turn, modelCall.name, { content: storedRun.outcome.text }),
      ),
    exchange: exchangeFor(turn, calls),
  });
  const answered = new Set(calls.flatMap(({ answered: isAnswered, id }) => (isAnswered ? [id] : [])));
  const reported = runs.filter(({ id }) => turn.input.includeRuns || answered.has(id));
  if (reported.length > 0) reply.ran?.(reported);
}

export async function resumeRuns(deps: TurnDeps, turn: Turn, reply: Reply): Promise<Ending | undefined> {
  const { runs = [] } = turn.opened;
  if (runs.length === 0) return undefined;
  const ended = await awaitEnds(deps, turn, reply, runs);
  if (!ended) return clientGone;
  for (const step of steps(ended)) {
    const calls = step.map((run) => resumedCall(turn, run));
    noteRuns(turn, reply, calls);
    recordHidden(turn.log, exchangeFor(turn, calls));
  }
  return undoResumed(deps, turn, ended);
}

/** Waits until the ledger has an outcome of each: at its deadline a run is `unknown`. */
async function awaitEnds(
  deps: TurnDeps,
  turn: Turn,
  reply: Reply,
  runs: readonly StoredRun[],
): Promise<readonly StoredRun[] | undefined> {
  const open = runs.filter(({ status }) => status === "started");
  if (open.length === 0) return runs;
  for (const { id, tool, entry } of open) deps.observer?.runBegan({ id, tool, entry, awaited: true });
  reply.hold("tools");
  const ids = open.map(({ id }) => id);
  const last = Math.max(...open.map(({ entry }) => entry.deadline)) + WAIT_MS;
  const ended = await waitUntilDone(
    turn.input.signal,
    "runs",
    () => deps.guard.runs.wait(ids, WAIT_MS),
    (runs) => runs.every(({ status }) => status !== "started") || deps.now() > last,
  );
  for (const id of ids) deps.observer?.runEnded(id, ended?.find((one) => one.id === id)?.outcome);
  return ended && runs.map((run) => ended.find(({ id }) => id === run.id) ?? run);
}

/** Groups calls that were made together; a second one of the same id was made later. */
function steps(runs: readonly StoredRun[]): StoredRun[][] {
  const grouped: StoredRun[][] = [];
  for (const run of runs) {
    const last = grouped.at(-1);
    const together = last?.every(({ step, callId }) => step === run.step && callId !== run.callId);
    if (last && together) last.push(run);
    else grouped.push([run]);
  }
  return grouped;
}

const resumedCall = ({ opened }: Turn, run: StoredRun): VettedCall => ({
  id: run.id,
  modelCall: { id: run.callId, name: run.tool, arguments: run.arguments, extra: run.extra },
  vettedArguments: run.arguments,
  effect: "allow",
  reasons: [],
  ordinal: run.ordinal,
  handshake: false,
  ...(opened.waiting?.some(({ usedBy }) => usedBy === run.id) ? { answered: true } : {}),
  runEntry: run.entry,
  storedRun: run,
});

/**
 * Hands calls to the client and ends the turn; the hidden exchanges are stored. Changes the turn.
 * @param step the model's step that made them; undefined for calls that waited for a person.
 * @param refused why others of the step do not go out, for the user.
 */
export function releaseCalls(
  turn: Turn,
  step: EndedStep | undefined,
  released: readonly VettedCall[],
  refused?: string,
): Ending {
  const ids = released.map(({ modelCall }) => modelCall.id);
  storeExchanges(turn, ids, turn.log.waiting);
  const calls = released.map(({ modelCall, vettedArguments: args }) => ({
    id: modelCall.id,
    tool: modelCall.name,
    arguments: args,
    extra: modelCall.extra,
  }));
  const lines = [unconfirmedLines(turn, released), refused ?? ""].filter((one) => one !== "").join("\n\n");
  return { kind: "answer", stopReason: "completed", step, calls, ...(lines === "" ? {} : { lines }) };
}
