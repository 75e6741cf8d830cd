/** The approvals of one user as rows, and as `Approval`s. */
import type { Approval, ApprovalStatus, Channel, Grant, RecordedAnswer } from "../../../approvals/approval.ts";
import { describeApproval, disclosureText } from "../../../approvals/disclosure/disclosure.ts";
import { newId } from "../../../lib/ids.ts";
import { recordedArguments } from "../../../lib/redact.ts";
import type { ApprovalRecord } from "../../../ports/audit-record.ts";
import { rootSession } from "../../../session/conversation-fingerprint.ts";
import { keyedDigest } from "../../audit/audit-keys.ts";
import { selectAll, selectOne, updateRow } from "../../objects/sql-rows.ts";
import { appendRecord } from "../outbox/record-chain.ts";
import { readMeta, type Transaction, writeMeta } from "../transaction.ts";
import { queueEvent } from "../webhooks.ts";

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
  | "asks"
  | "recorded"
  | "extra"
  | "disclosure"
  | "words"
  | "schema"
  | "editable"
  | "grantable"
  | "destinations"
  | "goesTo"
  | "endorsable"
  | "typedFor"
  | "undoes"
  | "madeBy"
  | "plan"
>;

/** The column `answer`. `digest`: keyed, of the whole answer, to recognise the same one. */
export interface StoredAnswer {
  readonly taken: RecordedAnswer;
  readonly digest: string;
}

/** The column `logs`: whether the policy lets arguments, and the text of disclosure and answer, into the record. */
export interface Logs {
  readonly arguments: boolean;
  readonly words: boolean;
}

export const bodyOf = (row: ApprovalRow): ApprovalBody => JSON.parse(row.body) as ApprovalBody;

export const answerOf = ({ answer }: ApprovalRow): StoredAnswer | undefined =>
  answer === null ? undefined : (JSON.parse(answer) as StoredAnswer);

export function toApproval(row: ApprovalRow): Approval {
  return {
    ...bodyOf(row),
    id: row.id,
    code: row.code,
    status: row.status as ApprovalStatus,
    tool: row.tool,
    callId: row.call_id,
    session: rootSession(row.session),
    turn: row.turn,
    decision: row.decision,
    channel: row.channel as Channel,
    arguments: row.arguments,
    digest: row.digest,
    askedAt: row.asked,
    expiresAt: row.expires,
    answeredAt: row.answered,
    answer: answerOf(row)?.taken ?? null,
    usedBy: row.settled_by,
  };
}

export const findApproval = (sql: SqlStorage, id: string): ApprovalRow | undefined =>
  selectOne<ApprovalRow>(sql, "SELECT * FROM approvals WHERE id = ?", id);

/** The session's approvals that no turn has acted on yet, in the order they were made. */
export const openApprovals = (sql: SqlStorage, session: string): ApprovalRow[] =>
  selectAll<ApprovalRow>(sql, "SELECT * FROM approvals WHERE session = ? AND open = 1 ORDER BY ordinal", session);

const CHANGING = "status open version arguments digest answered ended ended_turn settled_by answer body".split(" ");

/** Stores the columns that change. Each change has its own version, so that a follower misses none. */
export function changeApproval(sql: SqlStorage, row: ApprovalRow): void {
  row.version = nextVersion(sql);
  updateRow(sql, "approvals", ["ordinal"], row, CHANGING);
}

export function nextVersion(sql: SqlStorage): number {
  const version = readVersion(sql) + 1;
  writeMeta(sql, "changes", version);
  return version;
}

export const readVersion = (sql: SqlStorage): number => readMeta(sql, "changes") ?? 0;

/** Also queues the webhook. @param row its state after the event. @returns it as an approval. */
export function recordApproval(
  transaction: Transaction,
  row: ApprovalRow,
  event: ApprovalRecord["event"],
  grant?: Grant,
): Approval {
  const { keys, now } = transaction;
  const approval = toApproval(row);
  const { asks, recorded, endorsable } = approval;
  const logs = JSON.parse(row.logs) as Logs;
  const answered = event === "approved" || event === "edited" || event === "denied" ? answerOf(row)?.taken : undefined;
  appendRecord(transaction, {
    kind: "approval",
    id: newId("evt", now),
    approval: row.id,
    event,
    turn: row.turn,
    decision: row.decision,
    session: rootSession(row.session),
    at: now,
    expiresAt: row.expires,
    tool: row.tool,
    callId: row.call_id,
    channel: row.channel as Channel,
    asks,
    arguments: logs.arguments ? bounded(recorded) : null,
    digest: keyedDigest(keys, row.digest),
    // It contains the arguments.
    disclosure:
      event === "asked" && logs.words && logs.arguments ? disclosureText(describeApproval(approval, "recorded")) : null,
    via: answered?.via ?? null,
    by: answered?.by ?? null,
    reason: logs.words ? (answered?.reason ?? null) : null,
    grant: grant
      ? { id: grant.id, session: grant.session, expiresAt: grant.expiresAt, arguments: Object.keys(grant.arguments) }
      : null,
    ...(answered?.endorses && endorsable
      ? { endorsed: { ...endorsable, digest: keyedDigest(keys, endorsable.digest) } }
      : {}),
    policy: row.policy,
  });
  const type = event === "asked" ? "approval.asked" : answered ? "approval.answered" : "approval.ended";
  queueEvent(transaction, type, approval);
  return approval;
}

/** The person sees all of them; a record must fit into one row. */
const bounded = (recorded: unknown): unknown =>
  typeof recorded === "object" && recorded !== null ? recordedArguments(recorded as Record<string, unknown>, []) : null;
