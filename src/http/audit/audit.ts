/**
 * `GET /v1/audit/turns`, `/v1/audit/decisions`, `/v1/audit/approvals`, `/v1/audit/runs`, `/v1/audit/plans` and
 * `/v1/audit/connections`: the audit trail of a tenant, as OpenAI lists: the asker's own, or the one an operator names.
 * `GET /v1/audit/turns/:turn`: all that one turn has in it.
 */
import type { Context } from "hono";
import type { Result } from "../../lib/result.ts";
import type { AuditRecord } from "../../ports/audit-record.ts";
import type { UnknownCursor } from "../../stores/audit/d1-audit-query.ts";
import { queryRecords, type RecordPage, readTrail } from "../../stores/audit/d1-audit-query.ts";
import type { RecordKind } from "../../stores/audit/record-kinds.ts";
import { requireAdminOf } from "../authenticate/authenticate.ts";
import type { AuthenticatedPrincipal } from "../authenticate/identity.ts";
import { badRequest, notFound, type Problem, problemResponse } from "../problem.ts";
import { reachAudit } from "../reach.ts";
import { Routes } from "../routes.ts";
import { type AuditDeps, redeliverAudit, verifyAudit } from "./audit-chain.ts";
import { compareVariants } from "./audit-experiments.ts";
import { readAuditQuery, readTenant, readTrailQuery } from "./audit-params.ts";
import { auditRow, trailObject } from "./audit-rows.ts";

type Env = { Variables: { principal: AuthenticatedPrincipal; tenant: string } };

/** To be mounted at `/v1/audit`, behind the middleware that sets `principal`. */
export function auditRoutes(deps: AuditDeps): Routes<Env> {
  const app = new Routes<Env>();
  app.use(async (c, next) => {
    const asked = readTenant(new URL(c.req.url).searchParams);
    if (!asked.ok) return problemResponse(asked.error);
    const tenant = asked.value ?? c.var.principal.tenant;
    const problem = requireAdminOf(c.var.principal, tenant);
    if (problem) return problemResponse(problem);
    c.set("tenant", tenant);
    return next();
  });
  app.get("/turns", (c) => listOf(deps, c, "turn"));
  app.get("/turns/:turn", (c) => trailOf(deps, c, c.req.param("turn")));
  app.get("/decisions", (c) => listOf(deps, c, "decision"));
  app.get("/approvals", (c) => listOf(deps, c, "approval"));
  app.get("/runs", (c) => listOf(deps, c, "run"));
  app.get("/plans", (c) => listOf(deps, c, "plan"));
  app.get("/connections", (c) => listOf(deps, c, "connection"));
  app.get("/experiments", (c) => compareVariants(c.req.raw, c.var.tenant, deps));
  app.get("/verify", (c) => verifyAudit(c.req.raw, c.var.tenant, deps));
  app.post("/redeliver", (c) => redeliverAudit(c.req.raw, c.var.tenant, deps));
  return app;
}

async function listOf({ db }: AuditDeps, c: Context<Env>, kind: RecordKind): Promise<Response> {
  const query = readAuditQuery(kind, new URL(c.req.url).searchParams);
  if (!query.ok) return problemResponse(query.error);
  const { filter, page } = query.value;
  return listResponse(await reachAudit(queryRecords(db, kind, c.var.tenant, filter, page)));
}

function listResponse(read: Result<Result<RecordPage<AuditRecord>, UnknownCursor>, Problem>): Response {
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

async function trailOf({ db }: AuditDeps, c: Context<Env>, turn: string): Promise<Response> {
  const query = readTrailQuery(new URL(c.req.url).searchParams);
  if (!query.ok) return problemResponse(query.error);
  const trail = await reachAudit(readTrail(db, c.var.tenant, turn));
  if (!trail.ok) return problemResponse(trail.error);
  return trail.value ? Response.json(trailObject(turn, trail.value)) : problemResponse(notFound("turn"));
}
