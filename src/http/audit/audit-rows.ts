/** Records of the audit trail in the API's spelling: fields in snake_case, times as ISO 8601, with their place in the chain. Pure. */
import { isoTime, isoTimeOrNull } from "../../lib/text/iso-time.ts";
import { textForClient } from "../../policy/reason-texts.ts";
import type { Reason } from "../../policy/reasons.ts";
import type { ApprovalRecord, AuditRecord, SealedRecord } from "../../ports/audit-record.ts";
import type { TurnTrail } from "../../stores/audit/d1-audit-query.ts";

type AuditObject = Readonly<Record<string, unknown>>;

export function auditRow({ seq, previous, hash, keyId, record }: SealedRecord): AuditObject {
  const { kind, ...fields } = record;
  return {
    object: `audit.${kind}`,
    ...inSnakeCase(fields),
    at: isoTime(record.at),
    ...ownFields(record),
    seq,
    previous,
    hash,
    key_id: keyId,
  };
}

/** Each decision with its run: null if it was not to run, and before the trail has an outcome. */
export function trailObject(id: string, { turn, decisions, approvals, runs, plans, hasMore }: TurnTrail): AuditObject {
  return {
    object: "audit.trail",
    id,
    turn: turn ? auditRow(turn) : null,
    decisions: decisions.map((decision) => {
      const run = runs.get(decision.record.id);
      return { ...auditRow(decision), run: run ? auditRow(run) : null };
    }),
    approvals: approvals.map(auditRow),
    plans: plans.map(auditRow),
    has_more: hasMore,
  };
}

function ownFields(record: AuditRecord): AuditObject {
  switch (record.kind) {
    case "turn":
      return { ended_at: isoTime(record.endedAt), detection: record.detection ? inSnakeCase(record.detection) : null };
    case "decision":
      return { reasons: record.reasons.map((reason) => ({ ...inSnakeCase(reason), message: messageOf(reason) })) };
    case "approval":
      return { expires_at: isoTime(record.expiresAt), grant: record.grant && grantRow(record.grant) };
    case "run":
      return { ended_at: isoTime(record.endedAt) };
    case "plan":
      return {};
    case "reset":
    case "change":
    case "erased":
      return {};
    case "connection":
      return { expires_at: isoTimeOrNull(record.expiresAt) };
  }
}

/** For operators. The question as the person saw it is beside it; null for the code of a record that another version wrote. */
const messageOf = (reason: Reason): string | null => textForClient({ ...reason, disclosure: "" }) ?? null;

function grantRow(grant: NonNullable<ApprovalRecord["grant"]>): AuditObject {
  const { expiresAt, ...rest } = grant;
  return { ...rest, expires_at: isoTimeOrNull(expiresAt) };
}

/** Only our own names: what is inside a field (arguments, usage) keeps its keys. */
export function inSnakeCase(fields: object): Record<string, unknown> {
  const spelled = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [spelled(name), value]));
}
