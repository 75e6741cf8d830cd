/**
 * Undoes a call at a person's request outside a chat: a turn of its own in the session that made the call, without a model.
 *
 * A call is undone once, whoever asks and however often: the second request in the transaction learns of the first.
 */

import type { Approval } from "../../approvals/approval.ts";
import { workBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { ToolDefinition } from "../../policy/facts.ts";
import type { Reason } from "../../policy/reasons.ts";
import { type StoredCall, type StoredRun, UNDO_DIGEST } from "../../ports/calls-port.ts";
import { SILENT_REPLY } from "../../ports/reply-port.ts";
import { silentEnding } from "../../ports/turns/ending.ts";
import type { Principal } from "../../session/principal.ts";
import type { ManagedTools } from "../../tools/tool-runner.ts";
import type { ReleasedCall } from "../../wire/call-parts.ts";
import { WAIT_MS } from "../confirm/hold.ts";
import { openTurn } from "../open/open-turn.ts";
import { recordAndClose } from "../record/record-turn.ts";
import { runCalls } from "../runs/run-calls.ts";
import type { Turn } from "../turn.ts";
import type { TurnDeps } from "../turn-deps.ts";
import { turnWithoutChat } from "../turn-input.ts";
import { decideUndo, definedByPolicy, type UndoCall, undoCallOf } from "./undo.ts";

interface UndoRequest {
  /** The turn's id. */
  readonly id: string;
  readonly principal: Principal;
  readonly policy: CompiledPolicy;
  /** Absent: no tool is managed. */
  readonly managed?: ManagedTools | undefined;
  /** The call to undo. */
  readonly call: string;
  /** Identifies a retry of the request. */
  readonly key: string | undefined;
}

export type UndoOutcome =
  | { readonly kind: "unknown" }
  | { readonly kind: "not_undoable"; readonly tool: string; readonly why: string }
  | { readonly kind: "already_undone"; readonly tool: string; readonly by: string }
  | { readonly kind: "asked"; readonly approval: Approval }
  | { readonly kind: "refused"; readonly reasons: readonly Reason[] }
  | { readonly kind: "released"; readonly id: string; readonly call: ReleasedCall }
  /** By a tool that Toolgate runs itself. */
  | { readonly kind: "ran"; readonly id: string; readonly run: StoredRun }
  /** It was allowed, and its outcome could not be stored. */
  | { readonly kind: "unnoted" };

export async function undoByRequest(deps: TurnDeps, request: UndoRequest): Promise<UndoOutcome> {
  const done = await deps.guard.calls.find(request.call);
  if (!done) return { kind: "unknown" };
  if (done.undoneBy !== null) return undoneBefore(deps, request, done);
  const earlier = done.asked === null ? undefined : await deps.guard.approvals.find(done.asked);
  const waiting = earlier && earlier.usedBy === null && earlier.status !== "cancelled" ? earlier : undefined;
  if (waiting?.status === "pending") return { kind: "asked", approval: waiting };
  const tool = request.policy.tools.get(done.tool)?.undo;
  const named = typeof tool === "string" ? tool : tool?.tool;
  const tools = named === undefined ? [] : [definedHere(request, named)];
  // A question was asked already: the same call that the person saw.
  const undo = waiting ? approvedCall(waiting) : undoCallOf(request.policy, done, tools);
  if (!undo.ok) return { kind: "not_undoable", tool: done.tool, why: undo.error };
  return inTurn(deps, request, done, { undo: undo.value, approval: waiting });
}

const approvedCall = ({ tool, arguments: args }: Approval) => ({
  ok: true as const,
  value: { tool, arguments: JSON.parse(args) as Readonly<Record<string, unknown>> },
});

/** The same request again gets the same answer; any other is refused as too late. */
async function undoneBefore({ guard }: TurnDeps, { key }: UndoRequest, done: StoredCall): Promise<UndoOutcome> {
  const by = done.undoneBy ?? "";
  const undo = key !== undefined && key === done.undoKey ? await guard.calls.find(by) : undefined;
  const [run] = undo ? await guard.runs.wait([by], WAIT_MS) : [];
  if (run) return { kind: "ran", id: by, run };
  if (undo?.arguments === undefined) return { kind: "already_undone", tool: done.tool, by };
  const call = { id: undo.callId, tool: undo.tool, arguments: undo.arguments, extra: undefined };
  return { kind: "released", id: by, call };
}

async function inTurn(
  deps: TurnDeps,
  request: UndoRequest,
  done: StoredCall,
  { undo, approval }: { readonly undo: UndoCall; readonly approval: Approval | undefined },
): Promise<UndoOutcome> {
  const turn = await openUndo(deps, request, done, undo.tool);
  let ending = silentEnding("tool_policy_blocked");
  try {
    const decided = await decideUndo(deps, turn, done, undo, { approval, key: request.key });
    if (decided.approval) {
      ending = silentEnding("awaiting_approval");
      return { kind: "asked", approval: decided.approval };
    }
    if (decided.ordinal === undefined) return await refused(deps, request, decided.reasons);
    const ran = await runCalls(deps, turn, SILENT_REPLY, [decided]);
    if (!ran.ok) {
      ending = ran.error;
      return { kind: "unnoted" };
    }
    const run = ran.value[0]?.storedRun;
    if (run) {
      ending = silentEnding("completed");
      return { kind: "ran", id: decided.id, run };
    }
    const { modelCall, vettedArguments: args } = decided;
    const released = { id: modelCall.id, tool: modelCall.name, arguments: args, extra: undefined };
    ending = { kind: "answer", stopReason: "completed", step: undefined, calls: [released] };
    return { kind: "released", id: decided.id, call: released };
  } finally {
    await recordAndClose(deps, turn, ending);
  }
}

/** The definition that the gateway runs, else the policy's: there is no client to bring one. */
const definedHere = ({ managed, policy }: UndoRequest, name: string): ToolDefinition =>
  managed?.definitions.find((definition) => definition.name === name) ?? definedByPolicy(policy, name);

/** Another request may have been first: the same request then gets the same answer. */
async function refused(deps: TurnDeps, request: UndoRequest, reasons: readonly Reason[]): Promise<UndoOutcome> {
  const late = reasons.some(({ code }) => code === "already_undone");
  const done = late ? await deps.guard.calls.find(request.call) : undefined;
  return done?.undoneBy ? undoneBefore(deps, request, done) : { kind: "refused", reasons };
}

/** The session does not change: no message is added. */
async function openUndo(deps: TurnDeps, request: UndoRequest, done: StoredCall, tool: string): Promise<Turn> {
  const { id, principal, policy, managed } = request;
  const input = turnWithoutChat({
    id,
    principal,
    policy,
    managed,
    // What the session knows of the client's tools does not change.
    ownTools: [definedHere(request, tool)],
    digest: `${UNDO_DIGEST}${id}`,
    sessionId: done.session,
    mode: undefined,
    channel: "native",
    work: workBudget(),
    signal: new AbortController().signal,
  });
  return openTurn(deps, input);
}
