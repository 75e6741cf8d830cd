/** Audit records to test with. */
import { newId } from "../../../src/lib/ids.ts";
import type {
  ApprovalRecord,
  AuditRecord,
  DecisionRecord,
  PlanRecord,
  RunRecord,
  SealedRecord,
  TurnRecord,
} from "../../../src/ports/audit-record.ts";
import type { ConnectionRecord } from "../../../src/ports/operator-records.ts";
import { genesis, seal } from "../../../src/stores/audit/audit-chain.ts";
import { parseAuditKeys } from "../../../src/stores/audit/audit-keys.ts";

export const AUDIT_KEY = `k1:${"a".repeat(32)}`;
const parsed = parseAuditKeys(AUDIT_KEY);
if (!parsed.ok) throw new Error(parsed.error);
export const keys = parsed.value;

export function turnRecord(changes: Partial<TurnRecord> = {}): TurnRecord {
  const at = changes.at ?? 1_790_000_000_000;
  return {
    kind: "turn",
    id: newId("turn", at),
    tenant: "acme",
    user: "ada",
    session: "s1",
    at,
    endedAt: at + 40,
    role: "user",
    mode: "default",
    model: "demo",
    policy: "digest-1",
    stateOpened: "request",
    stateClosed: "action",
    intents: ["TAKE_NOTE"],
    stopReason: "completed",
    finishReason: "tool_calls",
    steps: 1,
    offered: ["create_note"],
    withheld: [{ name: "delete_note", reasons: ["mode_forbids"] }],
    tokensSaved: 120,
    usage: { total_tokens: 12.5 },
    settled: [],
    error: null,
    ...changes,
  };
}

export function decisionRecord(changes: Partial<DecisionRecord> = {}): DecisionRecord {
  const at = changes.at ?? 1_790_000_000_000;
  return {
    kind: "decision",
    id: newId("dec", at),
    turn: "turn_1",
    tenant: "acme",
    user: "ada",
    session: "s1",
    at,
    step: 1,
    ordinal: 0,
    callId: "call_1",
    tool: "create_note",
    effect: "allow",
    reasons: [],
    arguments: { content: "[redacted]", "it's": "\u2028 ünï \ud83d\ude00", maxItems: 1e21 },
    digest: "digest-2",
    role: "user",
    mode: "default",
    state: "action",
    intents: ["TAKE_NOTE"],
    policy: "digest-1",
    retryAfterMs: null,
    disposition: "released",
    ...changes,
  };
}

/** Asked; with `event` as it is answered or ends. */
export function approvalRecord(changes: Partial<ApprovalRecord> = {}): ApprovalRecord {
  const at = changes.at ?? 1_790_000_000_000;
  const asked = (changes.event ?? "asked") === "asked";
  const answered = ["approved", "edited", "denied"].includes(changes.event ?? "asked");
  return {
    kind: "approval",
    id: newId("evt", at),
    approval: "appr_1",
    event: "asked",
    turn: "turn_1",
    decision: "dec_1",
    tenant: "acme",
    user: "ada",
    session: "s1",
    at,
    expiresAt: at + 24 * 3600_000,
    tool: "create_note",
    callId: "call_1",
    channel: "inline",
    asks: ["confirmation_required"],
    arguments: { someKey: { innerKey: "[redacted]" } },
    digest: "digest-2",
    disclosure: asked ? "Create a note" : null,
    via: answered ? "api" : null,
    by: answered ? "ada" : null,
    reason: null,
    grant: null,
    policy: "digest-1",
    ...changes,
  };
}

/** Succeeded; of a decision that says `run`. */
export function runRecord(changes: Partial<RunRecord> = {}): RunRecord {
  const at = changes.at ?? 1_790_000_000_000;
  return {
    kind: "run",
    id: newId("run", at),
    turn: "turn_1",
    decision: "dec_1",
    tenant: "acme",
    user: "ada",
    session: "s1",
    at,
    endedAt: at + 30,
    tool: "find_customer",
    callId: "call_1",
    executor: "http",
    target: "crm.example.com",
    status: "succeeded",
    failure: null,
    detail: null,
    ms: 28,
    bytes: 512,
    cut: false,
    trusted: false,
    suspicious: [],
    httpStatus: 200,
    attempts: 1,
    policy: "digest-1",
    ...changes,
  };
}

/** Of two steps, made by one call of the planning model. */
export function planRecord(changes: Partial<PlanRecord> = {}): PlanRecord {
  const at = changes.at ?? 1_790_000_000_000;
  return {
    kind: "plan",
    id: newId("evt", at),
    plan: "plan_1",
    event: "generated",
    tenant: "acme",
    user: "ada",
    session: "s_plan",
    at,
    role: "user",
    status: "ready",
    tools: ["find_customer", "create_note"],
    fault: null,
    digest: null,
    via: null,
    by: null,
    model: "demo",
    modelCalls: 1,
    usage: { total_tokens: 300 },
    turn: null,
    policy: "digest-1",
    ...changes,
  };
}

export function connectionRecord(changes: Partial<ConnectionRecord> = {}): ConnectionRecord {
  const at = changes.at ?? 1_790_000_000_000;
  return {
    kind: "connection",
    id: newId("evt", at),
    event: "set",
    tenant: "acme",
    user: "ada",
    at,
    provider: "crm",
    hosts: ["crm.example.com"],
    hasToken: true,
    expiresAt: null,
    by: "boss",
    ...changes,
  };
}

/** Seals records of one user as its chain from the start. */
export function chainOf(records: readonly AuditRecord[], by = keys): readonly SealedRecord[] {
  const first = records[0];
  let previous = first ? genesis(first.tenant, first.user) : "";
  return records.map((record, index) => {
    const sealed = seal(by, { seq: index + 1, previous }, record);
    previous = sealed.hash;
    return sealed;
  });
}
