/** Calls that a turn asks about in the framework's own way. */
import type { Approval } from "../../approvals/approval.ts";
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import type { ReleasedCall } from "../../ports/turns/open-turn-request.ts";
import type { Kernel } from "./kernel.ts";

/** @param note the turn's. Empty where it asks for nothing, or in words. */
export async function waitingCalls(kernel: Kernel, note: JsonObject): Promise<readonly ReleasedCall[]> {
  if (note.stop_reason !== "awaiting_approval" || !Array.isArray(note.approvals)) return [];
  const noted = note.approvals
    .filter(isObject)
    .filter(({ channel, status }) => channel === "native" && status === "pending");
  const { approvals } = await kernel.guard();
  const found = await Promise.all(noted.map(({ id }) => approvals.find(String(id))));
  return found
    .filter((approval): approval is Approval => approval !== undefined)
    .map(({ callId: id, tool, arguments: args, extra }) => ({ id, tool, arguments: args, extra }));
}
