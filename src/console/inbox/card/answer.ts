/** Sends an answer, and tells the page what came of it. */
import type { AnswerBody, ApprovalView } from "../../api/approval.ts";
import { call } from "../../api/call.ts";
import type { Failure } from "../../api/failure.ts";
import { announce } from "../../shell/announcer.tsx";
import { texts } from "../../texts/texts.ts";
import { take } from "../approvals.ts";

/** A phone that has lost its network may wait for minutes before it says so. */
const LONGEST_MS = 30_000;

/** @returns what kept it from being taken; the call waits on then. */
export async function answer(approval: ApprovalView, body: AnswerBody): Promise<Failure | undefined> {
  const path = `/v1/approvals/${encodeURIComponent(approval.id)}`;
  announce(texts.answer.sendingTool(approval.tool), false);
  const sent = await call<ApprovalView>(path, { method: "POST", body, signal: AbortSignal.timeout(LONGEST_MS) });
  if (sent.ok) {
    announce(texts.answer.done[body.grant ? "grant" : body.action](approval.tool));
    take({ ...approval, ...sent.value });
    return undefined;
  }
  if (sent.error.kind === "unreachable" || ![404, 409].includes(sent.error.status)) return sent.error;
  // Somebody was faster, or the time is up: what became of it is shown, not what was wished.
  const found = await call<ApprovalView>(path, { signal: AbortSignal.timeout(LONGEST_MS) });
  if (!found.ok && found.error.kind === "unreachable") return sent.error;
  const late = found.ok && found.value.status === "expired";
  announce((late ? texts.expired.announced : texts.answer.elsewhere)(approval.tool));
  take(found.ok ? { ...approval, ...found.value } : { ...approval, status: "cancelled" });
  return undefined;
}
