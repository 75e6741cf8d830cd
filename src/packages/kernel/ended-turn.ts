/** The outcome of a turn for a framework: the calls that it gets, or the error that is thrown. */
import type { Approval } from "../../approvals/approval.ts";
import { isObject, type JsonObject, objectsIn } from "../../lib/json/json-value.ts";
import type { Ending } from "../../ports/turns/ending.ts";
import type { ReleasedCall } from "../../wire/call-parts.ts";
import type { CallLedger } from "./call-ledger.ts";
import type { Kernel } from "./kernel.ts";
import { ToolgateError } from "./toolgate-error.ts";
import type { EndedTurn } from "./whole-reply.ts";

/**
 * The calls of a turn that was replied whole. Released calls may run from now on. Throws if the turn failed.
 * @param thrown the model's error, if any.
 */
export async function settleTurn(
  { kernel, ledger }: { readonly kernel: Kernel; readonly ledger: CallLedger },
  { ending, note }: EndedTurn,
  thrown: unknown,
): Promise<readonly ReleasedCall[]> {
  if (ending.kind === "error") throw failureOf(ending, thrown);
  if (ending.kind !== "answer") return waitingCalls(kernel, note);
  ledger.release(ending.calls);
  return ending.calls;
}

/**
 * Calls that the turn asks about in the framework's own way.
 * @param note the turn's. @returns none if it asks for nothing, or asks in words.
 */
export async function waitingCalls(kernel: Kernel, note: JsonObject): Promise<readonly ReleasedCall[]> {
  if (note.stop_reason !== "awaiting_approval") return [];
  const noted = objectsIn(note.approvals).filter(({ channel, status }) => channel === "native" && status === "pending");
  const { approvals } = await kernel.guard();
  const found = await Promise.all(noted.map(({ id }) => approvals.find(String(id))));
  return found
    .filter((approval): approval is Approval => approval !== undefined)
    .map(({ callId: id, tool, arguments: args, extra }) => ({ id, tool, arguments: args, extra }));
}

/** The error of a failed turn: the model's own, so that the caller recognises it and can try again; else ours. */
export function failureOf(ending: Extract<Ending, { kind: "error" }>, thrown: unknown): unknown {
  const { stopReason, status, error } = ending;
  if (stopReason === "aborted") return thrown ?? new DOMException("the caller went away", "AbortError");
  if (stopReason === "upstream_error" && thrown !== undefined) return thrown;
  const { message, code } = isObject(error) ? error : { message: "the turn failed", code: null };
  return new ToolgateError(String(message), typeof code === "string" ? code : stopReason, status);
}
