/** Which calls that wait an opening request may answer, and whether its task stays as it is for them. Reads only. */
import type { Approval } from "../../../approvals/approval.ts";
import { UNDO_DIGEST } from "../../../ports/calls-port.ts";
import type { OpenRequest } from "../../../ports/turns-port.ts";
import { first, RETRY_MS } from "../schema.ts";
import type { SessionRow } from "../turns/sessions.ts";
import { type ApprovalRow, findApproval, openApprovals, toApproval } from "./rows.ts";

export interface WaitingCalls {
  /** The task does not move: whether it does is told by what the request answers. */
  readonly stays: boolean;
  readonly waiting: readonly Approval[];
  /** Named, and not to be answered here: nothing may be moved. */
  readonly unknown: readonly string[];
}

const NONE: WaitingCalls = { stays: false, waiting: [], unknown: [] };

/** @param known the session, where there was one before this request. */
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
  // A reset ends all that waits, what is named among them.
  const unknown = named.filter((_, index) => {
    const row = foundByName[index];
    return reset || !row || !ofTask(row);
  });
  if (unknown.length > 0) return { ...NONE, unknown };
  if (!known || reset) return NONE;
  // Who undoes a call outside of the chat takes it up there.
  const open = openApprovals(sql, known.id).filter((row) => ofTask(row) && !row.request.startsWith(UNDO_DIGEST));
  if (named.length > 0) {
    // Named again after a turn acted on it: the turn is told, and can say what became of it.
    const found = foundByName.filter((row) => row !== undefined);
    return { stays: true, waiting: inOrder([...open, ...found]), unknown };
  }
  if (answering?.kind === "undo" && open.some(holdsUndo(request.digest))) {
    return { stays: true, waiting: inOrder(open), unknown };
  }
  const codes = answering?.kind === "inline" ? answering.codes : [];
  const answers =
    open.some(({ code, request: asker }) => codes.includes(code) || asker === request.digest) ||
    (answering !== undefined && answering.kind !== "undo" && answeredBefore(sql, known, request, now));
  if (!answers && request.newMessage) return NONE;
  return { stays: answers, waiting: inOrder(open), unknown };
}

/** Also what was approved elsewhere and has not run: an undo would cancel it. Not the undo's own question, asked again. */
const holdsUndo =
  (digest: string) =>
  ({ status, request }: ApprovalRow): boolean =>
    request !== digest && (status === "pending" || status === "approved");

/** The same answer sent again, whose first reply was lost: what it refused is still the task's. */
const answeredBefore = (sql: SqlStorage, { id, task }: SessionRow, { digest }: OpenRequest, now: number): boolean =>
  first(
    sql.exec(
      "SELECT 1 AS one FROM turns WHERE digest = ? AND session = ? AND task = ? AND at > ?",
      digest,
      id,
      task,
      now - RETRY_MS,
    ),
  ) !== undefined;

const inOrder = (rows: readonly ApprovalRow[]): Approval[] =>
  [...new Map(rows.map((row) => [row.ordinal, row])).values()].sort((a, b) => a.ordinal - b.ordinal).map(toApproval);

/** The session of a native answer whose client names none: that of the first approval that there is. */
export function sessionOfAnswer(sql: SqlStorage, { answering }: OpenRequest): SessionRow | undefined {
  if (answering?.kind !== "native") return undefined;
  for (const id of answering.ids) {
    const row = first(
      sql.exec<SessionRow>("SELECT s.* FROM approvals a JOIN sessions s ON s.id = a.session WHERE a.id = ?", id),
    );
    if (row) return row;
  }
  return undefined;
}
