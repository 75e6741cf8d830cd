/** Asks a person: the call is stored as a pending approval. Part of the transaction that decides the call. */
import type { Approval, ApprovalPlan } from "../../../approvals/approval.ts";
import { makeCode } from "../../../approvals/codes.ts";
import { newId } from "../../../lib/ids.ts";
import { utf8Bytes } from "../../../lib/text/characters.ts";
import type { Decision } from "../../../policy/decision.ts";
import type { CallToDecide, DecideRequest } from "../../../ports/turns/decide-request.ts";
import type { Question } from "../../../ports/turns/question.ts";
import { exists, insertReturning } from "../../objects/sql-rows.ts";
import type { Transaction } from "../transaction.ts";
import { type ApprovalBody, type ApprovalRow, type Logs, nextVersion, recordApproval } from "./rows.ts";

/** Per user: more than a person answers. Each request that may answer them gets them all. */
const MAX_WAITING = 200;
/** UTF-16 units of their arguments, all together. */
const MAX_WAITING_UNITS = 1024 * 1024;
const MAX_UNITS = 512 * 1024;
/** Per approval: a row takes 2 MB. It holds the arguments twice, as they are and as they are shown, and up to 0.4 MB of other members. */
const MAX_ROW_BYTES = 1_600_000;
const MAX_SCHEMA_UNITS = 64 * 1024;

/**
 * Whether one more can wait; without room the call is refused. Denied and expired ones do not count, though their chat may never read
 * that: they must not block all others.
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

interface ApprovalRequest {
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
}

export function createApproval(transaction: Transaction, asking: ApprovalRequest): Approval {
  const { sql, now } = transaction;
  const { request, call, question } = asking;
  const logs: Logs = { arguments: call.recorded !== null, words: request.logConfirmations !== false };
  const row = insertReturning<ApprovalRow>(sql, "approvals", {
    id: newId("appr", now),
    code: freeCode(sql),
    version: nextVersion(sql),
    status: "pending",
    open: 1,
    session: request.session,
    task: asking.task,
    turn: request.turn,
    decision: asking.decisionId,
    request: asking.requestDigest,
    channel: question.channel,
    tool: call.tool,
    call_id: call.callId,
    arguments: call.arguments,
    digest: call.digest ?? "",
    asked: now,
    expires: question.expiresAt,
    policy: request.auditContext.policy,
    logs: JSON.stringify(logs),
    body: JSON.stringify(bodyFor(asking)),
  });
  return recordApproval(transaction, row, "asked");
}

function bodyFor({ call, question, decision, plan }: ApprovalRequest): ApprovalBody {
  const { schema } = question;
  const { destinations, goesTo } = call.counted.confirmation ?? call.counted.gate ?? {};
  const asks = [...new Set(decision.reasons.map(({ code }) => code))];
  return {
    asks,
    recorded: question.recorded ?? call.recorded,
    extra: call.extra,
    disclosure: question.disclosure,
    words: question.words,
    schema: schema === undefined || JSON.stringify(schema).length > MAX_SCHEMA_UNITS ? null : schema,
    editable: question.editable,
    grantable: question.grantable,
    destinations,
    goesTo,
    endorsable: question.endorsable,
    typedFor: question.typedFor,
    undoes: call.undo?.of,
    madeBy: call.madeBy,
    plan,
  };
}

/** Random, so that text in a conversation cannot know a code beforehand; and not the code of a pending one. */
function freeCode(sql: SqlStorage): string {
  for (;;) {
    const chance = crypto.getRandomValues(new Uint32Array(5));
    const code = makeCode(Array.from(chance, (word) => word / 2 ** 32));
    if (!exists(sql, "SELECT 1 FROM approvals WHERE code = ? AND open = 1", code)) return code;
  }
}
