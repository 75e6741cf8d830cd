/**
 * `GET /v1/audit/turns`, `/v1/audit/decisions`, `/v1/audit/approvals`, `/v1/audit/runs`, `/v1/audit/plans`, `/v1/audit/connections`,
 * `/v1/audit/resets`, `/v1/audit/changes` and `/v1/audit/erased`: the audit trail of a tenant, as OpenAI lists: the principal's own,
 * or the one an operator names. `GET /v1/audit/turns/:turn`: everything of one turn. `GET /v1/audit/summary`, `/v1/audit/sessions`,
 * `/v1/audit/users`: counts.
 */
import { type Context, Hono } from "hono";
import { err, ok } from "../../lib/result.ts";
import { queryRecords, readTrail } from "../../stores/audit/d1-audit-query.ts";
import type { RecordKind } from "../../stores/audit/record-kinds.ts";
import { requireAdminOf } from "../authenticate/authenticate.ts";
import { type HandlerResult, handlerWith } from "../handler.ts";
import { listBody, unknownCursor } from "../list-body.ts";
import { notFound, problemResponse } from "../problem.ts";
import { readParams, text } from "../query-params.ts";
import { orTrailUnavailable } from "../reach.ts";
import { type AuditDeps, type AuditEnv, listChains, redeliverAudit, verifyAudit } from "./audit-chain.ts";
import { compareVariants } from "./audit-experiments.ts";
import { readAuditQuery, readTenant } from "./audit-params.ts";
import { auditRow, trailObject } from "./audit-rows.ts";
import { listSessions, listUsers, summarize } from "./audit-summary.ts";

/** To be mounted at `/v1/audit`, behind the middleware that sets `principal`. */
export function auditRoutes(deps: AuditDeps): Hono<AuditEnv> {
  const app = new Hono<AuditEnv>();
  const handle = handlerWith<AuditEnv, AuditDeps>(deps);
  const list = (kind: RecordKind) => handle((c) => listRecords(c, deps, kind));
  app.use(async (c, next) => {
    const named = readTenant(c.req);
    if (!named.ok) return problemResponse(named.error);
    const tenant = named.value ?? c.var.principal.tenant;
    const problem = requireAdminOf(c.var.principal, tenant);
    if (problem) return problemResponse(problem);
    c.set("tenant", tenant);
    return next();
  });
  app.get("/turns", list("turn"));
  app.get("/turns/:turn", handle(getTrail));
  app.get("/decisions", list("decision"));
  app.get("/approvals", list("approval"));
  app.get("/runs", list("run"));
  app.get("/plans", list("plan"));
  app.get("/connections", list("connection"));
  app.get("/resets", list("reset"));
  app.get("/changes", list("change"));
  app.get("/erased", list("erased"));
  app.get("/experiments", handle(compareVariants));
  app.get("/summary", handle(summarize));
  app.get("/sessions", handle(listSessions));
  app.get("/users", handle(listUsers));
  app.get("/chains", handle(listChains));
  app.get("/verify", handle(verifyAudit));
  app.post("/redeliver", handle(redeliverAudit));
  return app;
}

async function listRecords(c: Context<AuditEnv>, { audit }: AuditDeps, kind: RecordKind): Promise<HandlerResult> {
  const query = readAuditQuery(kind, c.req);
  if (!query.ok) return query;
  const { filter, page } = query.value;
  const read = await orTrailUnavailable(
    audit(c.var.tenant, (db) => queryRecords(db, kind, c.var.tenant, filter, page)),
  );
  if (!read.ok) return read;
  if (!read.value.ok) return err(unknownCursor("a record"));
  return ok(listBody(read.value.value.rows.map(auditRow), read.value.value.hasMore));
}

async function getTrail(c: Context<AuditEnv>, { audit }: AuditDeps): Promise<HandlerResult> {
  const query = readParams(c.req, { tenant: text });
  if (!query.ok) return query;
  const turn = c.req.param("turn") ?? "";
  const trail = await orTrailUnavailable(audit(c.var.tenant, (db) => readTrail(db, c.var.tenant, turn)));
  if (!trail.ok) return trail;
  return trail.value ? ok(trailObject(turn, trail.value)) : err(notFound("turn"));
}
