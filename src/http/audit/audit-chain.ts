/**
 * `GET /v1/audit/chains`, `GET /v1/audit/verify` and `POST /v1/audit/redeliver`: the users with records, whether the records of one
 * user are complete, and a new delivery if they are not.
 */

import type { Context } from "hono";
import { isErasure } from "../../lib/names.ts";
import { ok } from "../../lib/result.ts";
import { isoTime, isoTimeOrNull } from "../../lib/text/iso-time.ts";
import type { AuditRecord } from "../../ports/audit-record.ts";
import type { Owner } from "../../session/principal.ts";
import type { ChainVerdict } from "../../stores/audit/audit-chain.ts";
import type { AuditKeys } from "../../stores/audit/audit-keys.ts";
import { readChain } from "../../stores/audit/d1-audit-query.ts";
import type { AskAudit } from "../../stores/audit/shards/shards.ts";
import { usersAfter } from "../../stores/audit/trail-owners.ts";
import { erasedState, type Verification, verifyUser } from "../../stores/audit/verify-user.ts";
import type { UserGuardApis } from "../../stores/guard/guard-apis.ts";
import type { AuthenticatedPrincipal } from "../authenticate/identity.ts";
import type { HandlerResult } from "../handler.ts";
import { listBody } from "../list-body.ts";
import { limit, readParams, text } from "../query-params.ts";
import { orTrailUnavailable } from "../reach.ts";
import { readChainQuery } from "./audit-params.ts";

export interface AuditDeps {
  readonly audit: AskAudit;
  readonly auditDatabase: (tenant: string) => Promise<D1Database>;
  /** Undefined only if nothing is served. */
  readonly auditKeys: AuditKeys | undefined;
  readonly now: () => number;
  readonly guardOf: (owner: Owner) => Pick<UserGuardApis, "chain">;
}

export interface AuditEnv {
  Variables: {
    principal: AuthenticatedPrincipal;
    /** The tenant whose records are read. */
    tenant: string;
  };
}

export async function verifyAudit(c: Context<AuditEnv>, deps: AuditDeps): Promise<HandlerResult> {
  const query = readChainQuery(c.req);
  if (!query.ok) return query;
  const { user, after } = query.value;
  const { tenant } = c.var;
  const { auditDatabase, auditKeys: keys } = deps;
  if (!keys) throw new Error("a gateway without audit keys serves nothing");
  const owner = { tenant, user };
  const verified = await orTrailUnavailable(
    auditDatabase(tenant).then(async (db) => {
      const stateOf = (afterSeq: number) =>
        isErasure(user) ? erasedState(db, keys, owner) : deps.guardOf(owner).chain.state(afterSeq);
      const found = await verifyUser({ db, keys, owner, stateOf }, after);
      return { ...found, record: found.verdict.ok ? undefined : await recordAt(db, owner, found.verdict.at) };
    }),
  );
  return verified.ok ? ok(present(user, verified.value)) : verified;
}

/** The record that the verdict names; undefined if there is none. */
async function recordAt(db: D1Database, owner: Owner, seq: number): Promise<AuditRecord | undefined> {
  const [found] = await readChain(db, owner, { afterSeq: seq - 1, limit: 1 });
  return found?.seq === seq ? found.record : undefined;
}

/** All users with records, by name, so that each can be verified. */
export async function listChains(c: Context<AuditEnv>, { audit }: AuditDeps): Promise<HandlerResult> {
  const read = readParams(c.req, { tenant: text, limit, after: text });
  if (!read.ok) return read;
  const { limit: most, after = "" } = read.value;
  const found = await orTrailUnavailable(
    audit(c.var.tenant, (db) => usersAfter(db, c.var.tenant, { after, limit: most + 1 })),
  );
  if (!found.ok) return found;
  const data = found.value.slice(0, most).map((id) => ({ object: "audit.chain", id }));
  return ok(listBody(data, found.value.length > most));
}

export async function redeliverAudit(c: Context<AuditEnv>, deps: AuditDeps): Promise<HandlerResult> {
  const query = readChainQuery(c.req);
  if (!query.ok) return query;
  const { user, after = 0 } = query.value;
  const { tenant } = c.var;
  const waiting = await orTrailUnavailable(deps.guardOf({ tenant, user }).chain.deliverAgain(after));
  return waiting.ok ? ok({ object: "audit.redelivery", user, after, waiting: waiting.value }) : waiting;
}

function present(
  user: string,
  {
    verdict,
    state,
    checkpoint,
    checkpointProblem,
    record,
    ...page
  }: Verification & { readonly record: AuditRecord | undefined },
) {
  return {
    object: "audit.verification",
    user,
    ok: verdict.ok && checkpointProblem === undefined,
    problem: verdict.ok
      ? null
      : {
          kind: verdict.problem,
          at: verdict.at,
          message: problemText(verdict),
          record: record ? placeOf(record) : null,
        },
    from: page.from,
    to: page.to,
    next_after: page.next ?? null,
    head: state.head ?? null,
    waiting: state.waiting,
    // Records that D1 refused are in the user's object, and are verified from there.
    apart: state.refused.map(({ sealed: { seq, record }, quarantined }) => ({
      seq,
      id: record.id,
      put_aside_at: isoTimeOrNull(quarantined?.at),
      reason: quarantined?.reason ?? null,
    })),
    checkpoint: checkpoint
      ? {
          seq: checkpoint.seq,
          hash: checkpoint.hash,
          at: isoTime(checkpoint.at),
          gaps: checkpoint.gaps,
        }
      : null,
    checkpoint_problem: checkpointProblem ?? null,
  };
}

/** What the record itself says, altered or not. */
function placeOf(record: AuditRecord) {
  const { kind, id } = record;
  const turn = kind === "turn" ? id : "turn" in record ? (record.turn ?? null) : null;
  return { kind, id, session: "session" in record ? record.session : null, turn };
}

function problemText({ problem, at }: Extract<ChainVerdict, { ok: false }>): string {
  switch (problem) {
    case "altered":
      return `record ${at} is not as it was sealed, or does not follow the one before it`;
    case "missing":
      return `record ${at} is not there, and later ones are`;
    case "truncated":
      return `the records from ${at} on were delivered and are not there: they were removed, or the database was restored to an earlier time; \`POST /v1/audit/redeliver\` brings back those of the last 48 hours`;
    case "beyond_head":
      return `record ${at} is not known to the user's object, which sealed it: the object has lost its storage, or an older one was put back, and cannot say where the records end`;
    case "below_checkpoint":
      return `record ${at} stands where this user's chain has none, before its first record or among those that retention removed: it was added, or the database was restored to an earlier time`;
    case "misindexed":
      return `the index rows of record ${at}, which lists and comparisons read, differ from the record; \`POST /v1/audit/redeliver\` puts back those that are missing, of the last 48 hours`;
    case "unknown_key":
      return `record ${at} is signed by a key that is not in \`AUDIT_KEY\`: put the old key behind the new one`;
  }
}
