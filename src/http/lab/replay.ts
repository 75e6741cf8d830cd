/**
 * `POST /admin/policies/:tenant/replay`: judges recorded calls anew, under the policy in force or another one, a page at a time.
 * Nothing is stored or run.
 */
import type { Context } from "hono";
import * as z from "zod";
import type { Deps } from "../../deps.ts";
import { once } from "../../lib/once.ts";
import { isCutShort, redacted } from "../../lib/redact.ts";
import { err, ok } from "../../lib/result.ts";
import { isoTime } from "../../lib/text/iso-time.ts";
import { type CompiledPolicy, compilePolicy } from "../../policy/compile.ts";
import { readPolicyDocument } from "../../policy/document/document.ts";
import { duration } from "../../policy/document/duration-text.ts";
import { judgeRecorded, type RecordedCall, type Rejudged } from "../../policy/replay/judge-recorded.ts";
import type { DecisionRecord } from "../../ports/audit-record.ts";
import { queryRecords } from "../../stores/audit/d1-audit-query.ts";
import { policyDigest } from "../../stores/policies/policy-source.ts";
import { MAX_POLICY_BYTES } from "../admin/policy-body.ts";
import type { AppEnv } from "../app-env.ts";
import type { HandlerResult } from "../handler.ts";
import { unknownCursor } from "../list-body.ts";
import { orTrailUnavailable } from "../reach.ts";
import { readJson } from "../read-json.ts";
import { changeCounter } from "./change-counter.ts";
import { policyFor } from "./policy-for.ts";

/** Calls per page: judged well within a request's CPU time. */
const MAX_CALLS = 2_000;

const replayBody = {
  schema: once(() =>
    z.strictObject({
      /** A document in place of the one in force. */
      policy: z.unknown().optional(),
      /** How far back; absent: everything that is stored. */
      since: duration().optional(),
      /** The `last_id` of the page before. */
      after: z.string().min(1).max(256).optional(),
      limit: z.int().min(1).max(MAX_CALLS).default(MAX_CALLS),
    }),
  ),
  example: '`{ "policy"?, "since"?: "7d", "after"?, "limit"? }`',
  numbers: "nearest",
} as const;

export async function replayPolicy(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const tenant = c.req.param("tenant") ?? "";
  const read = await readJson(c.req.raw, 2 * MAX_POLICY_BYTES, replayBody);
  if (!read.ok) return read;
  const { policy: document, since, after, limit } = read.value;
  const policy = await policyFor(deps, tenant, document);
  if (!policy.ok) return policy;
  const from = since === undefined ? undefined : deps.now() - since;
  const page = await orTrailUnavailable(
    deps.audit(tenant, (db) => queryRecords(db, "decision", tenant, { from }, { limit, after, order: "asc" })),
  );
  if (!page.ok) return page;
  if (!page.value.ok) return err(unknownCursor("a record"));
  const { rows, hasMore } = page.value.value;
  const records = rows.map(({ record }) => record);
  const before = await policiesOf(deps, tenant, records, policy.value);
  const replay = new Replay();
  for (const record of records) replay.add(record, before.get(record.policy), policy.value);
  return ok({
    object: "policy.replay",
    policy: policy.value.version,
    in_force: document === undefined,
    ...replay.view(),
    has_more: hasMore,
    last_id: records.at(-1)?.id ?? null,
  });
}

/** The policies that decided, by their digest. One that cannot be read any more is absent. */
async function policiesOf(
  deps: Deps,
  tenant: string,
  records: readonly DecisionRecord[],
  known: CompiledPolicy,
): Promise<ReadonlyMap<string, CompiledPolicy>> {
  const found = new Map([[known.version, known]]);
  for (const digest of new Set(records.map(({ policy }) => policy))) {
    if (found.has(digest)) continue;
    const document = await documentOf(deps, tenant, digest);
    const parsed = document === undefined ? undefined : readPolicyDocument(document);
    const compiled = parsed?.ok ? compilePolicy(parsed.value, digest) : undefined;
    if (compiled?.ok) found.set(digest, compiled.value);
  }
  return found;
}

async function documentOf(deps: Deps, tenant: string, digest: string): Promise<unknown> {
  if (policyDigest(deps.embeddedPolicy) === digest) return deps.embeddedPolicy;
  const version = await deps.ledgerOf(tenant).policies.version(tenant, digest);
  if (version === undefined || version === "unavailable" || version.text === null) return undefined;
  return JSON.parse(version.text);
}

type Unjudged = Extract<Rejudged, { kind: "unjudged" }>["why"] | "policy_unknown";

/** Counts while it goes through the records. */
class Replay {
  private judged = 0;
  private same = 0;
  private answered = 0;
  private readonly unjudged = new Map<Unjudged, number>();
  private readonly changes = changeCounter();

  add(record: DecisionRecord, before: CompiledPolicy | undefined, after: CompiledPolicy): void {
    if (record.disposition === "hidden") return;
    // The question was judged before; a person's answer is not up to a policy.
    if (isAnswer(record)) {
      this.answered += 1;
      return;
    }
    const result: Rejudged | { readonly kind: "unjudged"; readonly why: Unjudged } = before
      ? judgeRecorded(before, after, recordedCall(record))
      : { kind: "unjudged", why: "policy_unknown" };
    if (result.kind === "unjudged") {
      this.unjudged.set(result.why, (this.unjudged.get(result.why) ?? 0) + 1);
      return;
    }
    this.judged += 1;
    const { effect, reasons } = result.decision;
    if (effect === record.effect) this.same += 1;
    else this.note(record, effect, effect === "allow" ? record.reasons : reasons);
  }

  /** @param reasons of the call that becomes stricter; for one that is let through, those that no longer hold. */
  private note(
    record: DecisionRecord,
    to: DecisionRecord["effect"],
    reasons: readonly { readonly code: string }[],
  ): void {
    const codes = [...new Set(reasons.map(({ code }) => code))];
    this.changes.add(
      { tool: record.tool, from: record.effect, to, reasons: codes },
      { turn: record.turn, decision: record.id, at: isoTime(record.at) },
    );
  }

  view() {
    const { judged, same, answered, changes } = this;
    return { judged, same, answered, changes: changes.byCalls(), unjudged: Object.fromEntries(this.unjudged) };
  }
}

const ANSWERS: ReadonlySet<string> = new Set([
  "approval_denied",
  "approval_expired",
  "approval_cancelled",
  "approval_mismatch",
  "already_undone",
]);

const isAnswer = ({ approval, disposition, undoes, reasons }: DecisionRecord): boolean =>
  (approval !== undefined && disposition !== "asked") ||
  undoes !== undefined ||
  reasons.some(({ code }) => ANSWERS.has(code));

function recordedCall(record: DecisionRecord): RecordedCall {
  const { tool, effect, reasons, role, mode, state, intents, at, tenant, user } = record;
  const args = record.arguments as RecordedCall["arguments"];
  const altered = args === null ? undefined : alterationOf(args);
  return { tool, effect, reasons, arguments: args, altered, role, mode, state, intents, at, tenant, user };
}

/** A value that equals the mark counts as redacted, too. */
function alterationOf(args: NonNullable<RecordedCall["arguments"]>): RecordedCall["altered"] {
  if (isCutShort(args)) return "cut";
  return JSON.stringify(args).includes(JSON.stringify(redacted)) ? "redacted" : undefined;
}
