/**
 * `GET /v1/approvals`, `GET` and `POST /v1/approvals/:id`: pending approvals, and the person's answer. An answer decides and releases
 * nothing: the turn that asked, or the next one, does.
 */

import { type Context, Hono } from "hono";
import type { Language } from "../../approvals/disclosure/disclosed.ts";
import type { Deps } from "../../deps.ts";
import { err, ok } from "../../lib/result.ts";
import type { ApprovalsPort, ApprovalsQuery } from "../../ports/approvals-port.ts";
import type { AppEnv } from "../app-env.ts";
import { type HandlerResult, handlerWith } from "../handler.ts";
import { listBody, unknownCursor } from "../list-body.ts";
import type { OpenStreams } from "../middleware/stream-lease.ts";
import { orTrailUnavailable, orUnavailable } from "../reach.ts";
import { acceptedLanguage } from "../user/reader-language.ts";
import { answerApproval } from "./answer-approval.ts";
import { getApprovalEvents } from "./approval-events.ts";
import { readListQuery, readTenantQuery } from "./approval-params.ts";
import { findApproval } from "./find-approval.ts";
import { inboxView } from "./inbox-view.ts";
import { operatorAudience, tenantViews } from "./tenant-approvals.ts";

/** To be mounted at `/v1/approvals`, behind the middleware that sets `principal`. */
export function approvalRoutes(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const streams: OpenStreams = new Map();
  const handle = handlerWith(deps);
  app.get("/", handle(listApprovals));
  app.get(
    "/events",
    handle((c) => getApprovalEvents(c, deps, streams)),
  );
  app.get("/:id", handle(getApproval));
  app.post("/:id", handle(answerApproval));
  return app;
}

async function listApprovals(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const read = readListQuery(c.req, c.var.principal);
  if (!read.ok) return read;
  const { tenant, query } = read.value;
  const language = acceptedLanguage(c.req.raw.headers);
  if (tenant === undefined) return listOwn(query, deps.guardOf(c.var.principal).approvals, language);
  const page = await orTrailUnavailable(deps.approvalIndex.list(tenant, { ...query, now: deps.now() }));
  if (!page.ok) return page;
  if (!page.value.ok) return err(unknownCursor("an approval"));
  const { data, hasMore } = page.value.value;
  const reader = { audience: await operatorAudience(deps, tenant), language };
  return ok(listBody(await tenantViews(tenant, data, deps, reader), hasMore));
}

async function listOwn(
  query: ApprovalsQuery,
  approvals: ApprovalsPort,
  language: Language | undefined,
): Promise<HandlerResult> {
  const page = await orUnavailable(approvals.list(query));
  if (!page.ok) return page;
  const { data, hasMore } = page.value;
  if (data.length === 0 && query.after !== undefined) {
    const cursor = await orUnavailable(approvals.find(query.after));
    if (!cursor.ok) return cursor;
    if (!cursor.value) return err(unknownCursor("an approval"));
  }
  return ok(
    listBody(
      data.map((one) => inboxView(one, "whole", language)),
      hasMore,
    ),
  );
}

async function getApproval(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const { principal } = c.var;
  const tenant = readTenantQuery(c.req, principal);
  if (!tenant.ok) return tenant;
  const found = await findApproval(c.req.param("id") ?? "", principal, tenant.value ?? principal.tenant, deps);
  if (!found.ok) return found;
  const { approval, owner, own } = found.value;
  const audience = own ? "whole" : await operatorAudience(deps, owner.tenant);
  const view = inboxView(approval, audience, acceptedLanguage(c.req.raw.headers));
  return ok({ ...view, user: own ? undefined : owner.user });
}
