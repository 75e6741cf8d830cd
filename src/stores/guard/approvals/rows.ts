/** The approvals of one user as rows, and as `Approval`s. */

import type { Approval, ApprovalStatus, Channel, RecordedAnswer } from "../../../approvals/approval.ts";
import { rootSession } from "../../../session/thread.ts";
import { updateRow } from "../../objects/sql-rows.ts";
import { readMeta, writeMeta } from "../meta.ts";
import { first } from "../schema.ts";

export interface ApprovalRow extends Record<string, SqlStorageValue> {
  ordinal: number;
  id: string;
  code: string;
  status: string;
  open: number;
  version: number;
  session: string;
  task: number;
  turn: string;
  decision: string;
  request: string;
  channel: string;
  tool: string;
  call_id: string;
  arguments: string;
  digest: string;
  asked: number;
  expires: number;
  answered: number | null;
  ended: number | null;
  ended_turn: string | null;
  settled_by: string | null;
  answer: string | null;
  policy: string;
  logs: string;
  body: string;
}

/** The column `body`. */
export type ApprovalBody = Pick<
  Approval,
  "asks" | "recorded" | "extra" | "disclosure" | "schema" | "editable" | "grantable" | "undoes" | "madeBy" | "plan"
>;

/** The column `answer`. `digest`: keyed, of the whole answer, to recognise the same one. */
export interface StoredAnswer {
  readonly taken: RecordedAnswer;
  readonly digest: string;
}

/** The column `logs`: whether the policy lets arguments, and the words of disclosure and answer, into the record. */
export interface Logs {
  readonly arguments: boolean;
  readonly words: boolean;
}

export const bodyOf = (row: ApprovalRow): ApprovalBody => JSON.parse(row.body) as ApprovalBody;

export const answerOf = ({ answer }: ApprovalRow): StoredAnswer | undefined =>
  answer === null ? undefined : (JSON.parse(answer) as StoredAnswer);

export function toApproval(row: ApprovalRow): Approval {
  const { asks, recorded, extra, disclosure, schema, editable, grantable, undoes, madeBy, plan } = bodyOf(row);
  return {
    id: row.id,
    code: row.code,
    status: row.status as ApprovalStatus,
    tool: row.tool,
    callId: row.call_id,
    session: rootSession(row.session),
    turn: row.turn,
    decision: row.decision,
    channel: row.channel as Channel,
    asks,
    arguments: row.arguments,
    digest: row.digest,
    recorded,
    extra,
    disclosure,
    schema,
    editable,
    grantable,
    askedAt: row.asked,
    expiresAt: row.expires,
    answeredAt: row.answered,
    answer: answerOf(row)?.taken ?? null,
    settledBy: row.settled_by,
    ...(undoes === undefined ? {} : { undoes }),
    ...(madeBy === undefined ? {} : { madeBy }),
    ...(plan === undefined ? {} : { plan }),
  };
}

export const findApproval = (sql: SqlStorage, id: string): ApprovalRow | undefined =>
  first(sql.exec<ApprovalRow>("SELECT * FROM approvals WHERE id = ?", id));

/** Those of the session that no turn has acted on yet, in the order they were made. */
export const openApprovals = (sql: SqlStorage, session: string): ApprovalRow[] =>
  sql.exec<ApprovalRow>("SELECT * FROM approvals WHERE session = ? AND open = 1 ORDER BY ordinal", session).toArray();

const CHANGING = "status open version arguments digest answered ended ended_turn settled_by answer body".split(" ");

/** Stores the columns that change. Each change has its own version, so that a follower misses none. */
export function changeApproval(sql: SqlStorage, row: ApprovalRow): void {
  row.version = nextVersion(sql);
  updateRow(sql, "approvals", "ordinal", row, CHANGING);
}

export function nextVersion(sql: SqlStorage): number {
  const version = readVersion(sql) + 1;
  writeMeta(sql, "changes", version);
  return version;
}

export const readVersion = (sql: SqlStorage): number => readMeta(sql, "changes") ?? 0;
