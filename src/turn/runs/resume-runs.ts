/**
 * The same request again: the managed calls that its earlier try made are not made again. The turn begins with them and what
 * came of them, as if it had made them itself, and the model goes on from there. Changes the turn.
 */

import type { Reply } from "../../ports/reply-port.ts";
import type { KeptRun } from "../../ports/run-port.ts";
import { askUntil, WAIT_MS } from "../confirm/ask-until.ts";
import type { Ending } from "../ending.ts";
import { clientGone } from "../failures.ts";
import { exchangeFor } from "../history/exchange.ts";
import type { VettedCall } from "../step/vet-step.ts";
import type { Turn, TurnDeps } from "../turn.ts";
import { recordHidden } from "../turn-log.ts";
import { undoResumed } from "../undo/undone.ts";
import { noteRuns } from "./run-calls.ts";

export async function resumeRuns(deps: TurnDeps, turn: Turn, reply: Reply): Promise<Ending | undefined> {
  const { runs = [] } = turn.opened;
  if (runs.length === 0) return undefined;
  const ended = await awaitEnds(deps, turn, reply, runs);
  if (!ended) return clientGone;
  for (const step of steps(ended)) {
    const calls = step.map(resumedCall);
    noteRuns(turn, calls);
    recordHidden(turn.log, exchangeFor(turn, calls));
  }
  return undoResumed(deps, turn, ended);
}

/** Until the ledger has an outcome of each: at its deadline a run is `unknown`. */
async function awaitEnds(
  deps: TurnDeps,
  turn: Turn,
  reply: Reply,
  runs: readonly KeptRun[],
): Promise<readonly KeptRun[] | undefined> {
  const open = runs.filter(({ status }) => status === "started");
  if (open.length === 0) return runs;
  for (const { id, tool, entry } of open) deps.watch?.runBegan({ id, tool, entry, awaited: true });
  reply.hold("tools");
  const ids = open.map(({ id }) => id);
  const last = Math.max(...open.map(({ entry }) => entry.deadline)) + WAIT_MS;
  const ended = await askUntil(
    turn.input.signal,
    "runs",
    () => deps.guard.runs.wait(ids, WAIT_MS),
    (told) => told.every(({ status }) => status !== "started") || deps.now() > last,
  );
  for (const id of ids) deps.watch?.runEnded(id, ended?.find((one) => one.id === id)?.outcome);
  return ended && runs.map((run) => ended.find(({ id }) => id === run.id) ?? run);
}

/** Calls that were made together; a second one of the same id was made later. */
function steps(runs: readonly KeptRun[]): KeptRun[][] {
  const grouped: KeptRun[][] = [];
  for (const run of runs) {
    const last = grouped.at(-1);
    const together = last?.every(({ step, callId }) => step === run.step && callId !== run.callId);
    if (last && together) last.push(run);
    else grouped.push([run]);
  }
  return grouped;
}

const resumedCall = (run: KeptRun): VettedCall => ({
  id: run.id,
  call: { id: run.callId, name: run.tool, arguments: run.arguments, extra: run.extra },
  arguments: run.arguments,
  effect: "allow",
  reasons: [],
  ordinal: run.ordinal,
  handshake: false,
  run: run.entry,
  ran: run,
});
