/** The waiting calls that a request may answer, and whether its task stays unchanged until then. Reads only. */
import type { Approval } from "../../../approvals/approval.ts";
import { UNDO_DIGEST } from "../../../ports/calls-port.ts";
import type { OpenRequest } from "../../../ports/turns/open-turn-request.ts";
import { selectOne } from "../../objects/sql-rows.ts";
import { RETRY_MS } from "../lifetimes.ts";
import { triesInTask } from "../turns/session-turns.ts";
import type { SessionRow } from "../turns/sessions.ts";
import { type ApprovalRow, findApproval, openApprovals, toApproval } from "./rows.ts";

export interface WaitingCalls {
  /** The task does not advance: the request's answers decide whether it does. */
  readonly stays: boolean;
  readonly waiting: readonly Approval[];
  /** Named by the request, but not of this task: nothing may be changed. */
  readonly unknown: readonly string[];
}

const NONE: WaitingCalls = { stays: false, waiting: [], unknown: [] };

/** @param known the session, if there was one before this request. */
export function readWaiting(
  sql: SqlStorage,
  known: SessionRow | undefined,
  request: OpenRequest,
  now: number,
): WaitingCalls {
  const { answering, reset } = request;
  const named = answering?.kind === "native" ? answering.ids : [];
  const ofTask = (row: ApprovalRow) => row.session === known?.id && row.task === known.task;
  const foundByName = named.map((id) => findApproval(sql, id));
  // A reset ends all of them, the named ones too.
  const unknown = named.filter((_, index) => {
    const row = foundByName[index];
    return reset || !row || !ofTask(row);
  });
  if (unknown.length > 0) return { ...NONE, unknown };
  if (!known || reset) return NONE;
  // Approvals of out-of-chat undos are answered through the API, not in chat.
  const open = openApprovals(sql, known.id).filter((row) => ofTask(row) && !row.request.startsWith(UNDO_DIGEST));
  if (named.length > 0) {
    // Named again after a turn acted on it: this turn can then report its result.
    const found = foundByName.filter((row) => row !== undefined);
    return { stays: true, waiting: inOrder([...open, ...found]), unknown };
  }
  if (answering?.kind === "undo" && open.some(holdsUndo(request.digest))) {
    return { stays: true, waiting: inOrder(open), unknown };
  }
  const inline = answering?.kind === "inline" ? answering : undefined;
  const isAside = inline?.isAside === true;
  const mayAnswer = ({ code, status }: ApprovalRow) =>
    inline?.codes.includes(code) === true && (!isAside || status === "approved");
  const answers =
    open.some((row) => mayAnswer(row) || row.request === request.digest) ||
    (answering !== undefined && answering.kind !== "undo" && !isAside && answeredBefore(known, request, now));
  if (!answers && request.newMessage) return NONE;
  return { stays: answers, waiting: inOrder(open), unknown };
}

/** Also one that was approved elsewhere and has not run: an undo would cancel it. Not the undo's own question, sent again. */
const holdsUndo =
  (digest: string) =>
  ({ status, request }: ApprovalRow): boolean =>
    request !== digest && (status === "pending" || status === "approved");

/** The same answer is sent again because its first reply was lost: the task still has what it refused. */
const answeredBefore = (session: SessionRow, { digest }: OpenRequest, now: number): boolean =>
  triesInTask(session, digest).some(({ at }) => at > now - RETRY_MS);

const inOrder = (rows: readonly ApprovalRow[]): Approval[] =>
  [...new Map(rows.map((row) => [row.ordinal, row])).values()].sort((a, b) => a.ordinal - b.ordinal).map(toApproval);

/** The session of a native answer whose client names none: that of the first approval that exists. */
export function sessionOfAnswer(sql: SqlStorage, { answering }: OpenRequest): SessionRow | undefined {
  if (answering?.kind !== "native") return undefined;
  for (const id of answering.ids) {
    const row = selectOne<SessionRow>(
      sql,
      "SELECT s.* FROM approvals a JOIN sessions s ON s.id = a.session WHERE a.id = ?",
      id,
    );
    if (row) return row;
  }
  return undefined;
}
