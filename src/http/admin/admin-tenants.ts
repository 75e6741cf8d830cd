/**
 * `/admin/tenants`: settings of single tenants, for operators, with the names and the form of the gateway's own. So a new tenant
 * needs no deployment. An acknowledged write is in force everywhere within two minutes.
 */
import { type Context, Hono } from "hono";
import * as z from "zod";
import type { Deps, Tenants } from "../../deps.ts";
import { sha256Hex } from "../../lib/digest.ts";
import { once } from "../../lib/once.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { seal, unseal } from "../../lib/seal.ts";
import { isoTime } from "../../lib/text/iso-time.ts";
import type { DirectoryEntry, TenantWrite, TenantWriteResult } from "../../ports/tenant-directory-port.ts";
import { readAccess } from "../../settings/access.ts";
import { readTenantVariables, shownVariables, type Variables } from "../../settings/tenant-variables.ts";
import { hasTurns } from "../../stores/audit/d1-audit-query.ts";
import { issuerDigest, settingsPurpose } from "../../stores/tenant/tenant-keys.ts";
import type { AppEnv } from "../app-env.ts";
import { requireOperator } from "../authenticate/authenticate.ts";
import { type HandlerResult, refuseIf } from "../handler.ts";
import { listBody } from "../list-body.ts";
import { readPreconditions } from "../preconditions.ts";
import { badRequest, conflict, notFound, type Problem, unavailable } from "../problem.ts";
import { limit, readParams, text } from "../query-params.ts";
import { ledgerHandlerWith, orTrailUnavailable } from "../reach.ts";
import { readJson } from "../read-json.ts";
import { auditActor, checkTenant } from "./admin-params.ts";
import { recordChange } from "./record-change.ts";

/** To be mounted at `/admin/tenants`, behind the middleware that sets `principal`. */
export function tenantRoutes(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const handle = ledgerHandlerWith(deps);
  const whereEnabled = (handler: (c: Context<AppEnv>, deps: Deps, tenants: Tenants) => Promise<HandlerResult>) =>
    handle(async (c) => (deps.tenants ? handler(c, deps, deps.tenants) : err(notEnabled)));
  app.use(refuseIf((c) => requireOperator(c.var.principal)));
  app.get("/", whereEnabled(listTenants));
  app.get("/:tenant", whereEnabled(getTenant));
  app.put("/:tenant", whereEnabled(putTenant));
  app.delete("/:tenant", whereEnabled(deleteTenant));
  return app;
}

const notEnabled = conflict(
  "tenant_settings_off",
  "tenants have no settings of their own here: set `TENANT_SETTINGS` to `1`, and `CONNECTION_KEY`, which seals them",
);

async function listTenants(c: Context<AppEnv>, _deps: Deps, { directory }: Tenants): Promise<HandlerResult> {
  const query = readParams(c.req, { limit, after: text });
  if (!query.ok) return query;
  const found = await directory().list(query.value.limit + 1, query.value.after ?? "");
  const page = found.slice(0, query.value.limit);
  return ok(listBody(page.map(presentEntry), found.length > page.length));
}

async function getTenant(c: Context<AppEnv>, deps: Deps, tenants: Tenants): Promise<HandlerResult> {
  const tenant = tenantOf(c);
  if (!tenant.ok) return tenant;
  const entry = await tenants.directory().find(tenant.value);
  if (!entry) return err(notFound("settings of this tenant", "tenant"));
  const stored = await openEntry(entry, tenants);
  return stored.ok ? ok({ ...presentTenant(entry, stored.value), ...(await trailOf(deps, tenant.value)) }) : stored;
}

const tenantBody = {
  schema: once(() =>
    z.strictObject({
      settings: z.record(z.string().max(128), z.json()).default({}),
      jurisdiction: z.enum(["eu", "fedramp"]).nullable().optional(),
      shard: z.string().nullable().optional(),
    }),
  ),
  example: '`{ "settings": { "UPSTREAM_BASE_URL": "https://…", "UPSTREAM_API_KEY": "…" }, "jurisdiction"?: "eu" }`',
};

/** Far below what KV takes, and small enough for an isolate of many tenants. */
const MAX_BYTES = 128 * 1024;

async function putTenant(c: Context<AppEnv>, deps: Deps, tenants: Tenants): Promise<HandlerResult> {
  const tenant = tenantOf(c);
  if (!tenant.ok) return tenant;
  const body = await readJson(c.req.raw, MAX_BYTES, tenantBody);
  if (!body.ok) return body;
  const { shard } = body.value;
  if (shard && !deps.shards.includes(shard)) return err(unknownShard(deps.shards));
  const before = await tenants.directory().find(tenant.value);
  const stored = before ? await openEntry(before, tenants) : ok({});
  if (!stored.ok) return stored;
  const { gateway, keys } = tenants;
  const given = body.value.settings;
  const read = readTenantVariables({ tenant: tenant.value, given, stored: stored.value, gateway });
  if (!read.ok) return err(invalidSettings(read.error));
  const { jurisdiction = before?.jurisdiction ?? null } = body.value;
  const moved = await jurisdictionProblem(deps, tenant.value, before?.jurisdiction ?? null, jurisdiction);
  if (moved) return err(moved);
  const opened = JSON.stringify(read.value);
  const sealed = await seal(keys, settingsPurpose(tenant.value), opened);
  const digest = sha256Hex(`${jurisdiction ?? ""}:${opened}`);
  const pairs = issuersOf(read.value);
  const by = auditActor(c.var.principal, tenant.value);
  const next = { digest, by, jurisdiction, sealed };
  const written = await write(c, deps, tenants, {
    tenant: tenant.value,
    next,
    issuers: pairs.map(({ digest: one }) => one),
  });
  if (!written.ok) {
    const { place } = written.error;
    return err(place === undefined ? written.error.problem : issuerTaken(pairs[place]?.name ?? ""));
  }
  await recordChange(c, deps, tenant.value, { event: "settings_put", subject: digest });
  const entry = { tenant: tenant.value, ...next, at: written.value.at };
  // The move itself takes minutes; the next request shows its progress.
  if (shard !== undefined) await deps.ledgerOf(tenant.value).trail.pin(tenant.value, shard);
  const trail = await trailOf(deps, tenant.value);
  return ok(Response.json({ ...presentTenant(entry, read.value), ...trail, settled: written.value.settled }));
}

async function deleteTenant(c: Context<AppEnv>, deps: Deps, tenants: Tenants): Promise<HandlerResult> {
  const tenant = tenantOf(c);
  if (!tenant.ok) return tenant;
  const before = await tenants.directory().find(tenant.value);
  if (!before) return err(notFound("settings of this tenant", "tenant"));
  const moved = await jurisdictionProblem(deps, tenant.value, before.jurisdiction, null);
  if (moved) return err(moved);
  const written = await write(c, deps, tenants, { tenant: tenant.value, next: null, issuers: [] });
  if (!written.ok) return err(written.error.problem);
  if (deps.shards.length > 1) await deps.ledgerOf(tenant.value).trail.pin(tenant.value, null);
  await recordChange(c, deps, tenant.value, { event: "settings_deleted", subject: null });
  return ok({ id: tenant.value, object: "tenant.deleted", deleted: true, settled: written.value.settled });
}

/** The database that has the tenant's records, if there are several. */
async function trailOf({ shards, ledgerOf }: Deps, tenant: string) {
  if (shards.length < 2) return {};
  const state = await ledgerOf(tenant).trail.state();
  if (!state) return { trail: null };
  const { shard, pin, other, phase } = state;
  return { trail: { shard, pinned: pin, move: phase === null ? null : { phase, with: other } } };
}

const unknownShard = (shards: readonly string[]): Problem =>
  badRequest("shard", `\`shard\` must be one of TRAIL_SHARDS: ${shards.map((name) => `\`${name}\``).join(", ")}`);

function tenantOf(c: Context<AppEnv>): Result<string, Problem> {
  const tenant = c.req.param("tenant") ?? "";
  const problem = checkTenant(tenant);
  return problem ? err(problem) : ok(tenant);
}

interface TenantWriteFailure {
  readonly problem: Problem;
  /** For the issuer that another tenant has. */
  readonly place?: number;
}

async function write(
  c: Context<AppEnv>,
  deps: Deps,
  { directory }: Tenants,
  order: Pick<TenantWrite, "tenant" | "next" | "issuers">,
): Promise<Result<Extract<TenantWriteResult, { kind: "written" }>, TenantWriteFailure>> {
  const condition = readPreconditions(c.req.raw.headers);
  if (!condition.ok) return err({ problem: condition.error });
  const written = await directory().write({ ...order, condition: condition.value, now: deps.now() });
  if (written.kind === "written") return ok(written);
  return err(
    written.kind === "changed"
      ? { problem: changed(written.digest) }
      : { problem: issuerTaken(""), place: written.issuer },
  );
}

async function openEntry({ tenant, sealed }: DirectoryEntry, { keys }: Tenants): Promise<Result<Variables, Problem>> {
  const opened = await unseal(keys, settingsPurpose(tenant), sealed);
  if (opened !== undefined) return ok(JSON.parse(opened) as Variables);
  const message =
    "the settings of this tenant are sealed by no key of `CONNECTION_KEY`: put the older key back, or delete them";
  return err(unavailable("tenant_unavailable", message));
}

interface IssuerPair {
  readonly name: string;
  readonly digest: string;
}

/** The tenant's own: the gateway's are no part of its settings. */
function issuersOf(own: Variables): readonly IssuerPair[] {
  const access = readAccess({ JWT_ISSUERS: own.JWT_ISSUERS, TOOLGATE_DEV: "1" });
  if (!access.ok) return [];
  return access.value.issuers.flatMap(({ issuer, audience }) =>
    audience.map((one) => ({ name: issuer, digest: issuerDigest(issuer, one) })),
  );
}

/** Whether the objects of its users are within a jurisdiction cannot change: elsewhere each user would be a new one. */
async function jurisdictionProblem(
  { audit }: Deps,
  tenant: string,
  before: string | null,
  after: string | null,
): Promise<Problem | undefined> {
  if (before === after) return undefined;
  const known = await orTrailUnavailable(audit(tenant, (db) => hasTurns(db, tenant)));
  if (!known.ok) return known.error;
  if (!known.value) return undefined;
  const now = before === null ? "in none" : `in \`${before}\``;
  return conflict(
    "jurisdiction_fixed",
    `the users of this tenant are kept ${now} and cannot be moved: make a new tenant for another jurisdiction`,
  );
}

function invalidSettings(errors: readonly string[]): Problem {
  const [first = "the settings cannot be used"] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  return {
    ...badRequest("settings", `${first}${more}`, "settings_invalid"),
    errors: errors.map((message) => ({ path: `/settings/${/^[A-Z0-9_]+/.exec(message)?.[0] ?? ""}`, message })),
  };
}

const issuerTaken = (issuer: string): Problem =>
  conflict(
    "issuer_taken",
    `tokens of \`${issuer}\` for this audience already count for another tenant: use another audience`,
  );

function changed(inForce: string | null): Problem {
  const now = inForce === null ? "this tenant has no settings" : `the version in force is \`${inForce}\``;
  const message = `${now}; read it, and send the change again for that one`;
  return { status: 412, type: "invalid_request_error", code: "tenant_changed", message };
}

const presentEntry = ({ tenant, digest, at, by, jurisdiction }: DirectoryEntry) => ({
  id: tenant,
  object: "tenant",
  version: digest,
  updated_at: isoTime(at),
  updated_by: by,
  jurisdiction,
});

const presentTenant = (entry: DirectoryEntry, own: Variables) => ({
  ...presentEntry(entry),
  settings: shownVariables(own),
});
