/**
 * `GET /v1/audit/turns`, `/v1/audit/decisions` and `/v1/audit/approvals`: the audit trail of a tenant, as OpenAI lists: the
 * asker's own, or the one an operator names.
 */
import { Hono } from "hono";
import type { Result } from "../lib/result.ts";
import type { Page, UnknownCursor } from "../stores/audit-page.ts";
import type { ApprovalRecord, AuditRecord, SealedRecord } from "../stores/audit-record.ts";
import { queryApprovals, queryDecisions, queryTurns } from "../stores/d1-audit-query.ts";
import { type AuditDeps, redeliverAudit, verifyAudit } from "./audit-chain.ts";
import { readApprovalQuery, readDecisionQuery, readTenant, readTurnQuery } from "./audit-params.ts";
import type { AuthenticatedPrincipal } from "./authenticate/identity.ts";
import { requireAdminOf } from "./authenticate.ts";
import { badRequest, type Problem, problemResponse } from "./problem.ts";
import { reachAudit } from "./reach.ts";

type Env = { Variables: { principal: AuthenticatedPrincipal; tenant: string } };

/** To be mounted at `/v1/audit`, behind the middleware that sets `principal`. */
export function auditRoutes(deps: AuditDeps): Hono<Env> {
  const app = new Hono<Env>();
  app.use(async (c, next) => {
    const asked = readTenant(new URL(c.req.url).searchParams);
    if (!asked.ok) return problemResponse(asked.error);
    const tenant = asked.value ?? c.var.principal.tenant;
    const problem = requireAdminOf(c.var.principal, tenant);
    if (problem) return problemResponse(problem);
    c.set("tenant", tenant);
    return next();
  });
  app.get("/turns", async (c) => {
    const query = readTurnQuery(new URL(c.req.url).searchParams);
    if (!query.ok) return problemResponse(query.error);
    const { filter, page } = query.value;
    return listResponse(await reachAudit(queryTurns(deps.db, c.var.tenant, filter, page)));
  });
  app.get("/decisions", async (c) => {
    const query = readDecisionQuery(new URL(c.req.url).searchParams);
    if (!query.ok) return problemResponse(query.error);
    const { filter, page } = query.value;
    return listResponse(await reachAudit(queryDecisions(deps.db, c.var.tenant, filter, page)));
  });
  app.get("/approvals", async (c) => {
    const query = readApprovalQuery(new URL(c.req.url).searchParams);
    if (!query.ok) return problemResponse(query.error);
    const { filter, page } = query.value;
    return listResponse(await reachAudit(queryApprovals(deps.db, c.var.tenant, filter, page)));
  });
  app.get("/verify", (c) => verifyAudit(c.req.raw, c.var.tenant, deps));
  app.post("/redeliver", (c) => redeliverAudit(c.req.raw, c.var.tenant, deps));
  return app;
}

function listResponse(read: Result<Result<Page<AuditRecord>, UnknownCursor>, Problem>): Response {
  if (!read.ok) return problemResponse(read.error);
  const page = read.value;
  if (!page.ok) return problemResponse(badRequest("after", "`after` must be the id of a record in this list"));
  const { rows, hasMore } = page.value;
  return Response.json({
    object: "list",
    data: rows.map(auditRow),
    first_id: rows[0]?.record.id ?? null,
    last_id: rows.at(-1)?.record.id ?? null,
    has_more: hasMore,
  });
}

/** A record in the API's spelling: fields in snake_case, times as ISO 8601, with its place in the chain. */
function auditRow({ seq, previous, hash, keyId, record }: SealedRecord): Readonly<Record<string, unknown>> {
  const { kind, ...fields } = record;
  return {
    object: `audit.${kind}`,
    ...inSnakeCase(fields),
    at: iso(record.at),
    ...ownFields(record),
    seq,
    previous,
    hash,
    key_id: keyId,
  };
}

function ownFields(record: AuditRecord): Readonly<Record<string, unknown>> {
  switch (record.kind) {
    case "run":
      return { ended_at: iso(record.endedAt) };
    case "turn":
      return { ended_at: iso(record.endedAt), detection: record.detection ? inSnakeCase(record.detection) : null };
    case "decision":
      return { reasons: record.reasons.map((reason) => inSnakeCase(reason)) };
    case "approval":
      return { expires_at: iso(record.expiresAt), grant: record.grant && grantRow(record.grant) };
  }
}

function grantRow(grant: NonNullable<ApprovalRecord["grant"]>): Readonly<Record<string, unknown>> {
  const { expiresAt, ...rest } = grant;
  return { ...rest, expires_at: expiresAt === null ? null : iso(expiresAt) };
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** Our own names alone: what is inside a field (arguments, usage) keeps its keys. */
function inSnakeCase(fields: object): Record<string, unknown> {
  const spelled = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [spelled(name), value]));
}
