/**
 * An answer from the list, to one call or several. It is sent after five seconds, so that it can be taken back before anything is
 * released. If the user leaves the page, signs out or loses the connection before, nothing is answered.
 */

import type { AnswerBody, ApprovalView } from "../../../api-views/approval-views.ts";
import { isObject } from "../../../lib/json/json-value.ts";
import { call } from "../../api/call.ts";
import { announce } from "../../shell/announcer.tsx";
import { offerUndo } from "../../shell/undo-toast.tsx";
import { credential } from "../../sign-in/credential.ts";
import { me } from "../../sign-in/me.ts";
import { applyApproval, approvalOf, moveFocusFrom, setAside, waiting } from "../approvals.ts";
import { shownValues, unseenValues } from "../card/values.tsx";
import { failedText } from "../settled-text.ts";
import { callLine } from "./groups.ts";
import { focusRow, focusShown, show } from "./selection.ts";
import { texts } from "./texts.ts";

type Action = "approve" | "deny";

const WAIT_MS = 5_000;
const AT_ONCE = 4;
const LONGEST_MS = 30_000;

/** Whether the call fits the table, which shows every value whole. A call that needs more explanation is answered alone. */
export function canApproveTogether(approval: ApprovalView): boolean {
  const { user, first_use, endorsable, details, arguments: values } = approval;
  const own = user === undefined || user === me.value?.user || me.value?.approves_for_others === true;
  const plain = first_use === null && endorsable == null && details.changes.length === 0 && isObject(values);
  return own && plain && unseenValues(shownValues(approval), new Set()).length === 0;
}

export function answerTogether(ids: readonly string[], action: Action): void {
  document.getElementById("heading")?.focus();
  answerLater(ids, { action }, () => focusRow(ids[0]));
}

/** Whether the answer can be delayed by five seconds: not if a chat holds its reply open for it. */
export const canWait = ({ channel }: ApprovalView, { action }: AnswerBody): boolean =>
  channel !== "hold" && action !== "edit";

/** Answers the call beside the list; the next one takes the focus. */
export function answerOne(id: string, body: AnswerBody): void {
  moveFocusFrom(id, waiting.peek());
  answerLater([id], body, () => {
    show(id);
    focusShown();
  });
}

/** @param back is called after the answer is taken back and the calls are in the list again. */
function answerLater(ids: readonly string[], body: AnswerBody, back: () => void): void {
  const signedIn = credential.peek();
  let open = true;
  setAside(ids, true);
  const leave = () => clearTimeout(timer);
  const timer = setTimeout(() => {
    window.removeEventListener("pagehide", leave);
    open = false;
    if (credential.peek() === signedIn) void sendAll(ids, body);
    else setAside(ids, false);
  }, WAIT_MS);
  window.addEventListener("pagehide", leave, { once: true });
  // The previous announcement is about the call that goes.
  announce("", false);
  offerUndo(texts.done[body.action === "deny" ? "deny" : "approve"](ids.length, actOf(ids)), () => {
    if (!open) return;
    leave();
    window.removeEventListener("pagehide", leave);
    setAside(ids, false);
    back();
  });
}

/** The text for one call; several calls are only counted. */
function actOf(ids: readonly string[]): string | undefined {
  const only = ids.length === 1 ? approvalOf(ids[0] ?? "") : undefined;
  return only && callLine(only).act.replaceAll("`", "");
}

async function sendAll(ids: readonly string[], body: AnswerBody): Promise<void> {
  const rest = [...ids];
  const late: ApprovalView[] = [];
  let waiting = 0;
  const worker = async () => {
    for (let id = rest.shift(); id !== undefined; id = rest.shift()) {
      const sent = await sendOne(id, body);
      if (sent === "waits") waiting++;
      else if (sent !== "done") late.push(sent);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  // Calls that still wait are listed again.
  setAside(ids, false);
  if (late.length + waiting > 0) announce(failedText(late, waiting, body.action));
}

/** @returns the call's present state if another answer was faster, or the call expired. */
async function sendOne(id: string, body: AnswerBody): Promise<"done" | "waits" | ApprovalView> {
  const approval = approvalOf(id);
  const path = `/v1/approvals/${encodeURIComponent(id)}`;
  const sent = await call<ApprovalView>(path, {
    method: "POST",
    body,
    signal: AbortSignal.timeout(LONGEST_MS),
  });
  if (sent.ok && approval) applyApproval({ ...approval, ...sent.value });
  if (sent.ok) return "done";
  if (sent.error.kind === "unreachable" || ![404, 409].includes(sent.error.status)) return "waits";
  const found = await call<ApprovalView>(path, { signal: AbortSignal.timeout(LONGEST_MS) });
  const gone = approval && !found.ok && found.error.kind === "refused" && found.error.status === 404;
  const after = found.ok
    ? { ...approval, ...found.value }
    : gone
      ? { ...approval, status: "cancelled" as const }
      : undefined;
  if (!after || after.status === "pending") return "waits";
  applyApproval(after);
  return after;
}
