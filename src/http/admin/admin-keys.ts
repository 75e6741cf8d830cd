/**
 * `/admin/keys`: API keys. An admin makes, lists, rotates and revokes keys of its own tenant, an operator those of every tenant
 * (`tenant` in the body or the query). A token is shown once, in the response that made it.
 */
import { type Context, Hono } from "hono";
import { newToken } from "../../auth/kv-keys.ts";
import type { Deps } from "../../deps.ts";
import { sha256Hex } from "../../lib/digest.ts";
import { newId } from "../../lib/ids.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { isoTimeOrNull } from "../../lib/text/iso-time.ts";
import { durationAsWritten } from "../../policy/document/duration-text.ts";
import { roleRank } from "../../policy/role-order.ts";
import type { ApiKey } from "../../ports/api-key.ts";
import type { Actor, KeyFailure, StoredKey } from "../../ports/tenant-ledger-port.ts";
import type { Owner } from "../../session/principal.ts";
import type { RateLimit } from "../../settings/json-setting.ts";
import type { AppEnv } from "../app-env.ts";
import { requireAdmin } from "../authenticate/authenticate.ts";
import type { AuthenticatedPrincipal } from "../authenticate/identity.ts";
import { type HandlerResult, refuseIf } from "../handler.ts";
import { listBody } from "../list-body.ts";
import { loadPolicy } from "../load-policy.ts";
import { badRequest, conflict, forbidden, notFound, type Problem, unavailable } from "../problem.ts";
import { limit, order, readParams, text } from "../query-params.ts";
import { ledgerHandlerWith } from "../reach.ts";
import { readJson } from "../read-json.ts";
import { tenantFor } from "./admin-params.ts";
import {
  type CheckedKey,
  type CreateKeyRequest,
  checkKeyRequest,
  createKeyBody,
  rotateKeyBody,
  SERVICE_PREFIX,
} from "./create-key-request.ts";
import { recordChange } from "./record-change.ts";

/** To be mounted at `/admin/keys`, behind the middleware that sets `principal`. */
export function keyRoutes(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const handle = ledgerHandlerWith(deps);
  app.use(refuseIf((c) => requireAdmin(c.var.principal)));
  app.get("/", handle(listKeys));
  app.post("/", handle(createKey));
  app.get("/:id", handle(getKey));
  app.delete("/:id", handle(revokeKey));
  app.post("/:id/rotate", handle(rotateKey));
  return app;
}

/** A ledger that cannot be reached has changed nothing that its own alarm does not complete. */
async function createKey(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const maker = c.var.principal;
  const body = await readJson(c.req.raw, deps.limits.maxSmallBodyBytes, createKeyBody);
  if (!body.ok) return body;
  const tenant = readTenant(c, body.value.tenant);
  if (!tenant.ok) return tenant;
  const policy = await loadPolicy(deps, tenant.value);
  if (!policy.ok) return policy;
  const now = deps.now();
  const byDefault = deps.access.rateLimit;
  const checked = checkKeyRequest(body.value, { maker, roles: policy.value.roles, byDefault, now });
  if (!checked.ok) return checked;
  const token = newToken();
  const key = keyOf(body.value, checked.value, tenant.value, now);
  const record = { key, name: body.value.name, createdBy: actorOf(maker) };
  const made = await deps.ledgerOf(tenant.value).keys.create(record, sha256Hex(token));
  if (!made.ok) return err(failure(made.error));
  await recordChange(c, deps, tenant.value, { event: "key_made", subject: key.id });
  return ok(secret({ ...presentKey({ ...made.value, revoking: false }, now), token }, 201));
}

async function listKeys(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const query = readParams(c.req, { tenant: text, limit, after: text, order });
  if (!query.ok) return query;
  const tenant = tenantFor(c.var.principal, query.value.tenant);
  if (!tenant.ok) return tenant;
  const { limit: most, after, order: sorted } = query.value;
  const { data, hasMore } = await deps.ledgerOf(tenant.value).keys.list({ limit: most, after, order: sorted });
  const now = deps.now();
  return ok(
    listBody(
      data.map((key) => presentKey(key, now)),
      hasMore,
    ),
  );
}

async function getKey(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const found = await findKey(c, deps);
  return found.ok ? ok(Response.json(presentKey(found.value, deps.now()))) : found;
}

async function revokeKey(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const found = await findKey(c, deps);
  if (!found.ok) return found;
  const problem = await aboveMaker(found.value.key, c.var.principal, deps);
  if (problem) return err(problem);
  const { id, tenant } = found.value.key;
  const revoked = await deps.ledgerOf(tenant).keys.revoke(id);
  if (!revoked.ok) return err(failure(revoked.error));
  await recordChange(c, deps, tenant, { event: "key_ended", subject: id });
  const { settled } = revoked.value;
  return ok(Response.json({ id, object: "key.deleted", deleted: true, settled }, { status: settled ? 200 : 202 }));
}

/** Most keys of one person that one request ends. */
const MAX_ENDED = 100;

interface EndedKeys {
  readonly ended: readonly string[];
  /** Keys of the person that this admin may not end, and those that are too many for one request. */
  readonly left: readonly string[];
}

/** Ends the keys of one person. Throws if the ledger cannot be reached: the next call ends the rest. */
export async function endKeysOf(c: Context<AppEnv>, deps: Deps, { tenant, user }: Owner): Promise<EndedKeys> {
  const { keys } = deps.ledgerOf(tenant);
  const ended: string[] = [];
  const left: string[] = [];
  const { data } = await keys.list({ limit: MAX_ENDED + 1, order: "asc", user });
  for (const [place, { key, revoking }] of data.entries()) {
    if (revoking) continue;
    if (place === MAX_ENDED || (await aboveMaker(key, c.var.principal, deps))) left.push(key.id);
    else if ((await keys.revoke(key.id)).ok) {
      await recordChange(c, deps, tenant, { event: "key_ended", subject: key.id });
      ended.push(key.id);
    }
  }
  return { ended, left };
}

async function rotateKey(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const request = await readJson(c.req.raw, deps.limits.maxSmallBodyBytes, rotateKeyBody);
  if (!request.ok) return request;
  const found = await findKey(c, deps, request.value.tenant);
  if (!found.ok) return found;
  // The answer holds a token: an admin who may not make such a key may not get one by rotation.
  const problem = await aboveMaker(found.value.key, c.var.principal, deps);
  if (problem) return err(problem);
  const { id, tenant } = found.value.key;
  const token = newToken();
  const { overlap } = request.value;
  const rotated = await deps.ledgerOf(tenant).keys.rotate(id, sha256Hex(token), overlap, actorOf(c.var.principal));
  if (!rotated.ok) return err(failure(rotated.error));
  await recordChange(c, deps, tenant, { event: "key_rotated", subject: id });
  const { record, settled } = rotated.value;
  const body = { ...presentKey({ ...record, revoking: false }, deps.now()), token, overlap_ms: overlap, settled };
  return ok(secret(body, 200));
}

/** No cache on the way may store a response that holds a token. */
const secret = (body: object, status: number): Response =>
  Response.json(body, { status, headers: { "cache-control": "no-store" } });

/** @param inBody the tenant that the body names. */
async function findKey(c: Context<AppEnv>, deps: Deps, inBody?: string): Promise<Result<StoredKey, Problem>> {
  const tenant = readTenant(c, inBody);
  if (!tenant.ok) return tenant;
  const found = await deps.ledgerOf(tenant.value).keys.find(c.req.param("id") ?? "");
  return found ? ok(found) : err(notFound("key"));
}

/** The body or the query may name it. If both do, neither may be ignored. */
function readTenant(c: Context<AppEnv>, inBody: string | undefined): Result<string, Problem> {
  const query = readParams(c.req, { tenant: text });
  if (!query.ok) return query;
  const named = query.value.tenant;
  if (named !== undefined && inBody !== undefined && named !== inBody)
    return err(badRequest("tenant", "the body and the query name two tenants: name one"));
  return tenantFor(c.var.principal, inBody ?? named);
}

/** Why this principal may not have, or end, this key. */
async function aboveMaker(key: ApiKey, maker: AuthenticatedPrincipal, deps: Deps): Promise<Problem | undefined> {
  if (maker.operator) return undefined;
  if (key.operator === true)
    return forbidden("operator_required", "this is an operator's key, which only an operator can change");
  const policy = await loadPolicy(deps, key.tenant);
  if (!policy.ok) return policy.error;
  const [its, own] = [key.role, maker.role].map((role) => roleRank(policy.value.roles, role) ?? -1);
  if ((its ?? 0) <= (own ?? 0)) return undefined;
  return forbidden("role_forbidden", `this key's role is above your own, which is \`${maker.role}\``);
}

function keyOf(request: CreateKeyRequest, { role, expiresAt }: CheckedKey, tenant: string, now: number): ApiKey {
  const { user, connections, acts_for: actsFor } = request;
  return {
    id: newId("key", now),
    tenant,
    user,
    role,
    connections,
    createdAt: now,
    expiresAt,
    anonymous: request.anonymous || undefined,
    operator: request.operator || undefined,
    actsFor: actsFor || undefined,
    defaultRole: actsFor ? request.default_role : undefined,
    userPrefix: actsFor ? (request.user_prefix ?? SERVICE_PREFIX) : undefined,
    rateLimit: request.rate_limit,
  };
}

const actorOf = ({ tenant, user, keyId }: AuthenticatedPrincipal): Actor => ({ tenant, user, keyId });

function failure(kind: KeyFailure): Problem {
  switch (kind) {
    case "unknown":
      return notFound("key");
    case "expired":
      return conflict("key_expired", "the key has expired, and a new token would not open anything; make a new key");
    case "unavailable":
      return unavailable("keys_unavailable", "the key could not be stored, and nothing has changed; try again later");
  }
}

function presentKey({ key, name, revoking, ...stored }: StoredKey, now: number) {
  const expired = key.expiresAt !== undefined && key.expiresAt <= now;
  return {
    id: key.id,
    object: "key",
    tenant: key.tenant,
    user: key.user,
    role: key.role,
    connections: key.connections,
    name,
    status: revoking ? "revoking" : expired ? "expired" : "active",
    anonymous: key.anonymous === true,
    operator: key.operator === true,
    acts_for: key.actsFor === true,
    default_role: key.defaultRole ?? null,
    user_prefix: key.actsFor === true ? (key.userPrefix ?? "") : null,
    /** `default`: the gateway's current default. */
    rate_limit: key.rateLimit === undefined ? "default" : key.rateLimit && presentLimit(key.rateLimit),
    expires_at: isoTimeOrNull(key.expiresAt),
    created_at: isoTimeOrNull(key.createdAt),
    created_by: presentActor(stored.createdBy),
    rotated_at: isoTimeOrNull(stored.rotatedAt),
    rotated_by: stored.rotatedBy ? presentActor(stored.rotatedBy) : null,
  };
}

const presentActor = ({ tenant, user, keyId }: Actor) => ({ tenant, user, key_id: keyId });

const presentLimit = ({ max, windowMs, exact }: RateLimit) => ({
  max,
  window: durationAsWritten(windowMs),
  ...(exact ? { exact } : {}),
});
