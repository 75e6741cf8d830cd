/** `/toolgate undo`: undoes the last call of the session that can be undone, without a call of the model. */
import { fillWords, type Words } from "../../approvals/words/words.ts";
import { quote } from "../../policy/reason-texts.ts";
import type { StoredCall } from "../../ports/calls-port.ts";
import type { Reply } from "../../ports/reply-port.ts";
import { type Ending, stopEnding } from "../../ports/turns/ending.ts";
import { decideAnswered, toAnsweredApprovals } from "../confirm/decide-answered.ts";
import { holdFor } from "../confirm/hold.ts";
import { askPeople } from "../confirm/question.ts";
import { clientGone } from "../failures.ts";
import { noteLine, notesOf, sentenceFor } from "../offer/reason-sentences.ts";
import { readCommand } from "../open/user-message.ts";
import { releaseCalls, runCalls } from "../runs/run-calls.ts";
import { isReleased, type VettedCall } from "../step/vetted-call.ts";
import type { Turn } from "../turn.ts";
import type { TurnDeps } from "../turn-deps.ts";
import { decideUndo, type UndoCall, undoCallOf, undoneEnding, whyRefused } from "./undo.ts";

/** How many calls it looks back. */
const LOOKED_AT = 50;

/** @returns undefined if the user's message is not this command. */
export async function undoLast(deps: TurnDeps, turn: Turn, reply: Reply): Promise<Ending | undefined> {
  if (readCommand(turn.input.conversation.newMessage) !== "undo") return undefined;
  const { session } = turn.opened;
  const { data } = await deps.guard.calls.list({ session, limit: LOOKED_AT, order: "desc" });
  const found = lastUndoable(turn, data);
  if (typeof found === "string") return say(turn, found);
  const { done, undo } = found;
  const decided = await decideUndo(deps, turn, done, undo);
  if (!decided.approval) return end(deps, turn, reply, done, decided);
  if (turn.input.channel !== "hold") return askPeople(turn, [decided.approval], deps.now());
  const answered = await holdFor(deps, turn, [decided.approval], reply);
  if (!answered) return clientGone;
  const [afterAnswer] = await decideAnswered(deps, turn, toAnsweredApprovals(answered));
  return end(deps, turn, reply, done, afterAnswer ?? decided);
}

/** Skips calls that undid another one: repeated, the command goes one step further back. */
function lastUndoable(turn: Turn, calls: readonly StoredCall[]): { done: StoredCall; undo: UndoCall } | string {
  const { policy } = turn.input;
  const notes = notesOf(turn).undo;
  let why: string | undefined;
  for (const done of calls) {
    if (done.undoes !== null || done.undoneBy !== null || policy.tools.get(done.tool)?.undo === undefined) continue;
    const undo = undoCallOf(policy, done, turn.tools);
    if (undo.ok) return { done, undo: undo.value };
    why ??= fillWords(notes.cannot, { tool: quote(done.tool), why: whyNot(done, notes) });
  }
  return why ?? notes.nothing;
}

/** For a person, who has named none of the arguments: the name of the missing one would not help. */
const whyNot = ({ outcome }: StoredCall, notes: Words["notes"]["undo"]): string =>
  outcome === "succeeded" ? notes.unknown : notes[outcome ?? "pending"];

async function end(deps: TurnDeps, turn: Turn, reply: Reply, done: StoredCall, decided: VettedCall): Promise<Ending> {
  if (isReleased(decided)) return releaseCalls(turn, undefined, [decided]);
  const run = await runCalls(deps, turn, reply, [decided]);
  if (!run.ok) return run.error;
  const ran = run.value[0]?.storedRun;
  if (ran) return undoneEnding(turn, [{ done: done.tool, ran }]);
  const why = [...new Set(whyRefused(decided.reasons).map((reason) => sentenceFor(turn, reason)))].join(" ");
  return say(turn, fillWords(notesOf(turn).undo.not, { tool: quote(done.tool), why }), "tool_policy_blocked");
}

const say = (turn: Turn, text: string, stopReason: "completed" | "tool_policy_blocked" = "completed"): Ending =>
  stopEnding(stopReason, noteLine(turn, text));
