/** Asking a person: the call is put down as an approval that waits. Part of the transaction that decides the call. */

import type { Approval, ApprovalPlan } from "../../../approvals/approval.ts";
import { newId } from "../../../lib/ids.ts";
import { utf8Bytes } from "../../../lib/text/characters.ts";
import type { Decision } from "../../../policy/decision.ts";
import type { CallToDecide, DecideRequest, Question } from "../../../ports/guard-port.ts";
import type { AuditKeys } from "../../audit/audit-keys.ts";
import { first } from "../schema.ts";
import { freeCode } from "./code.ts";
import { recordApproval } from "./record.ts";
import { type ApprovalBody, type ApprovalRow, type Logs, nextVersion } from "./rows.ts";

/** Of one user: more questions than anybody answers, and what is told with each request that may answer them. */
const MAX_WAITING = 200;
/** UTF-16 units of their arguments, all together. */
const MAX_WAITING_UNITS = 1024 * 1024;
const MAX_UNITS = 512 * 1024;
/** Of one: a row takes 2 MB. It holds the arguments twice, as they are and as they are shown, and up to 0.4 MB of others. */
const MAX_ROW_BYTES = 1_600_000;
const MAX_SCHEMA_UNITS = 64 * 1024;

/**
 * Whether one more can wait; a call that cannot is refused like one that nobody can be asked about. What is denied or has
 * expired waits no more, though its chat may never come back to hear of it: it must not silence all others.
 */
export function hasRoom(sql: SqlStorage, { arguments: args, digest, extra }: CallToDecide): boolean {
  if (digest === null || args.length > MAX_UNITS) return false;
  if (2 * utf8Bytes(args) + utf8Bytes(JSON.stringify(extra ?? null)) > MAX_ROW_BYTES) return false;
  const { n, units } = sql
    .exec<{ n: number; units: number }>(
      `SELECT COUNT(*) AS n, COALESCE(SUM(length(arguments)), 0) AS units FROM approvals
       WHERE open = 1 AND status IN ('pending', 'approved')`,
    )
    .one();
  return n < MAX_WAITING && units + args.length <= MAX_WAITING_UNITS;
}

export interface Asking {
  readonly request: DecideRequest;
  readonly task: number;
  /** Digest of the client's request. */
  readonly requestDigest: string;
  readonly decisionId: string;
  readonly decision: Decision;
  readonly call: CallToDecide;
  readonly question: Question;
  /** The plan that the call is a step of. */
  readonly plan: ApprovalPlan | undefined;
  readonly now: number;
}

export function ask(sql: SqlStorage, keys: AuditKeys, asking: Asking): Approval {
  const { request, call, question, now } = asking;
  const { id, code, version } = { id: newId("appr", now), code: freeCode(sql), version: nextVersion(sql) };
  const logs: Logs = { arguments: call.recorded !== null, words: request.logConfirmations !== false };
  const row = first(
    sql.exec<ApprovalRow>(
      `INSERT INTO approvals (id, code, status, open, version, session, task, turn, decision, request, channel, tool, call_id,
         arguments, digest, asked, expires, policy, logs, body)
       VALUES (?, ?, 'pending', 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
      id,
      code,
      version,
      request.session,
      asking.task,
      request.turn,
      asking.decisionId,
      asking.requestDigest,
      question.channel,
      call.tool,
      call.callId,
      call.arguments,
      call.digest ?? "",
      now,
      question.expiresAt,
      request.moment.policy,
      JSON.stringify(logs),
      JSON.stringify(bodyFor(asking)),
    ),
  ) as ApprovalRow;
  return recordApproval(sql, keys, row, { event: "asked", now });
}

function bodyFor({ call, question, decision, plan }: Asking): ApprovalBody {
  const { schema } = question;
  const asks = [...new Set(decision.reasons.map(({ code }) => code))];
  return {
    asks,
    recorded: question.recorded ?? call.recorded,
    extra: call.extra,
    disclosure: question.disclosure,
    schema: schema === undefined || JSON.stringify(schema).length > MAX_SCHEMA_UNITS ? null : schema,
    editable: question.editable,
    grantable: question.grantable,
    undoes: call.undo?.of,
    madeBy: call.madeBy,
    plan,
  };
}
