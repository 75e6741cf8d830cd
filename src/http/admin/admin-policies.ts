/**
 * `/admin/policies/:tenant`: the policy of a tenant, for its operators. The tenant's ledger decides each write. An acknowledged write
 * is visible at once in this isolate, and within two minutes in all others.
 */
import { type Context, Hono } from "hono";
import * as z from "zod";
import type { Deps } from "../../deps.ts";
import { runYielding } from "../../lib/concurrency.ts";
import { once } from "../../lib/once.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { type CheckedPolicy, checkPolicy } from "../../policy/check.ts";
import { comparing, type PolicyChanges } from "../../policy/compare/compare.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { type PolicyWarning, policyWarning } from "../../policy/document/policy-issue.ts";
import { list } from "../../policy/reason-texts.ts";
import type { PolicyInForce, PolicyWrite, PolicyWriteResult } from "../../ports/tenant-ledger-port.ts";
import { seenToolsIfKnown } from "../../stores/audit/d1-seen-tools.ts";
import { policyDigest } from "../../stores/policies/policy-source.ts";
import type { Readiness } from "../../stores/semantic/semantic-layer.ts";
import type { AppEnv } from "../app-env.ts";
import { requireAdminOf } from "../authenticate/authenticate.ts";
import { type HandlerResult, handlerWith, refuseIf } from "../handler.ts";
import { deleteCandidate, getCandidate, putCandidate } from "../lab/candidate.ts";
import { listMissedMessages } from "../lab/missed-messages.ts";
import { replayPolicy } from "../lab/replay.ts";
import { listUnlistedTools } from "../lab/seen-tools.ts";
import { simulatePolicy } from "../lab/simulate.ts";
import { listSuggestions } from "../lab/suggestions.ts";
import { unknownCursor } from "../list-body.ts";
import { readPreconditions } from "../preconditions.ts";
import { notFound, type Problem, unavailable } from "../problem.ts";
import { limit, readParams, text } from "../query-params.ts";
import { reach } from "../reach.ts";
import { readJson } from "../read-json.ts";
import { auditActor, checkTenant, readDryRun } from "./admin-params.ts";
import {
  policyFound,
  policyUpdated,
  policyVersionFound,
  policyVersionList,
  policyWarnings,
} from "./admin-policy-replies.ts";
import { type NewPolicy, readPolicyBody, readPolicyText } from "./policy-body.ts";
import { recordChange } from "./record-change.ts";
import { comparePolicy, provePolicy } from "./trial-policies.ts";

/** To be mounted at `/admin/policies`, behind the middleware that sets `principal`. */
export function policyAdminRoutes(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const handle = handlerWith(deps);
  app.use(
    "/:tenant/*",
    refuseIf((c) => {
      const tenant = tenantOf(c);
      return checkTenant(tenant) ?? requireAdminOf(c.var.principal, tenant);
    }),
  );
  app.get("/:tenant", handle(getPolicy));
  app.put("/:tenant", handle(putPolicy));
  app.delete(
    "/:tenant",
    handle((c) => write(c, deps, "delete", undefined)),
  );
  app.get("/:tenant/versions", handle(listVersions));
  app.get("/:tenant/versions/:version", handle(getVersion));
  app.post("/:tenant/rollback", handle(rollBack));
  app.get("/:tenant/unlisted-tools", handle(listUnlistedTools));
  app.get("/:tenant/suggestions", handle(listSuggestions));
  app.get("/:tenant/missed-messages", handle(listMissedMessages));
  app.get("/:tenant/candidate", handle(getCandidate));
  app.put("/:tenant/candidate", handle(putCandidate));
  app.delete("/:tenant/candidate", handle(deleteCandidate));
  app.post("/:tenant/simulate", handle(simulatePolicy));
  app.post("/:tenant/replay", handle(replayPolicy));
  app.post("/:tenant/prove", handle(provePolicy));
  app.post("/:tenant/diff", handle(comparePolicy));
  return app;
}

const tenantOf = (c: Context<AppEnv>): string => c.req.param("tenant") ?? "";

async function putPolicy(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const policy = await readPolicyBody(c.req.raw);
  return policy.ok ? write(c, deps, "put", policy.value) : policy;
}

async function getPolicy(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const tenant = tenantOf(c);
  const found = await readLedger(deps.ledgerOf(tenant).policies.inForce(tenant));
  if (!found.ok) return found;
  if (found.value.version?.digest && found.value.text === null) return err(documentMissing);
  return ok(policyFound(tenant, found.value, deps.embeddedPolicy, deps.secrets));
}

async function listVersions(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const tenant = tenantOf(c);
  const query = readParams(c.req, { limit, after: text });
  if (!query.ok) return query;
  const page = await readLedger(deps.ledgerOf(tenant).policies.versions(tenant, query.value.limit, query.value.after));
  if (!page.ok) return page;
  if (page.value === "unknown_cursor") return err(unknownCursor("an entry"));
  return ok(policyVersionList(page.value));
}

async function getVersion(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const tenant = tenantOf(c);
  const found = await versionOf(tenant, c.req.param("version") ?? "", deps);
  return found.ok ? ok(policyVersionFound(tenant, found.value, deps.secrets)) : found;
}

const rollbackBody = { schema: once(() => z.strictObject({ version: z.string() })), example: '`{ "version": "…" }`' };

async function rollBack(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const body = await readJson(c.req.raw, 1024, rollbackBody);
  if (!body.ok) return body;
  const found = await versionOf(tenantOf(c), body.value.version, deps);
  if (!found.ok) return found;
  // A later version of the gateway may refuse what an earlier one took.
  const policy = await readPolicyText(found.value.text);
  return policy.ok ? write(c, deps, "rollback", policy.value) : policy;
}

const RECORDED_AS = { put: "policy_put", rollback: "policy_rolled_back", delete: "policy_deleted" } as const;

/** @param next undefined: back to the embedded policy. */
async function write(
  c: Context<AppEnv>,
  deps: Deps,
  action: PolicyWrite["action"],
  next: NewPolicy | undefined,
): Promise<HandlerResult> {
  const tenant = tenantOf(c);
  const dryRun = readDryRun(c.req);
  if (!dryRun.ok) return dryRun;
  const condition = readPreconditions(c.req.raw.headers);
  if (!condition.ok) return condition;
  const ready = await readySemantic(deps, next?.policy, dryRun.value);
  const seen = seenToolsIfKnown(deps.audit, tenant);
  const text = next?.text ?? null;
  const by = auditActor(c.var.principal, tenant);
  const order = { tenant, text, action, by, condition: condition.value, dryRun: dryRun.value };
  const written = await writeLedger(deps.ledgerOf(tenant).policies.write(order), condition.value.match !== undefined);
  if (!written.ok) return written;
  const { digest, at, previous } = written.value;
  if (!dryRun.value) {
    deps.policies.noteWritten(tenant, { digest, at }, text, deps.now());
    await recordChange(c, deps, tenant, { event: RECORDED_AS[action], subject: digest });
  }
  return ok(
    policyUpdated({
      tenant,
      version: digest,
      previous: previous.version?.digest ?? null,
      dryRun: dryRun.value,
      changes: await changesSince(previous, next, deps.embeddedPolicy, await seen),
      semantic: ready.semantic,
      warnings: [...(next ? policyWarnings(tenant, next, deps.secrets) : []), ...ready.warnings],
    }),
  );
}

async function versionOf(
  tenant: string,
  version: string,
  deps: Deps,
): Promise<Result<PolicyInForce & { readonly text: string }, Problem>> {
  const found = await readLedger(deps.ledgerOf(tenant).policies.version(tenant, version));
  if (!found.ok) return found;
  if (found.value === undefined) return err(await versionMissing(tenant, deps));
  const { text } = found.value;
  return text === null ? err(documentMissing) : ok({ ...found.value, text });
}

/** A version is a digest, which people do not know by heart: the newest are named. */
async function versionMissing(tenant: string, deps: Deps): Promise<Problem> {
  const problem = notFound("version of this policy", "version");
  const page = await readLedger(deps.ledgerOf(tenant).policies.versions(tenant, 10, undefined));
  if (!page.ok || page.value === "unknown_cursor") return problem;
  const known = [...new Set(page.value.versions.flatMap(({ digest }) => digest ?? []))].slice(0, 3);
  return known.length === 0 ? problem : { ...problem, message: `${problem.message}; the newest are ${list(known)}` };
}

const documentMissing = unavailable("policy_unavailable", "the document of this version cannot be read just now");

/** An answer of the ledger. It throws if the object cannot be reached, or its storage fails. */
async function readLedger<T>(answer: Promise<T | "unavailable">): Promise<Result<Exclude<T, "unavailable">, Problem>> {
  const read = await reach(answer, "ledger_failed", ledgerFailed);
  if (!read.ok) return read;
  return read.value === "unavailable" ? err(notReadable) : ok(read.value as Exclude<T, "unavailable">);
}

const notReadable = unavailable("policy_unavailable", "the policy in force cannot be read just now; try again later");

async function writeLedger(
  answer: Promise<PolicyWriteResult>,
  matched: boolean,
): Promise<Result<Extract<PolicyWriteResult, { kind: "written" }>, Problem>> {
  const sent = await reach(answer, "ledger_failed", ledgerFailed);
  if (!sent.ok) return sent;
  const written = sent.value;
  if (written.kind === "written") return ok(written);
  return err(written.kind === "changed" ? policyChanged(written.digest, matched) : notStored);
}

const notStored = unavailable(
  "policy_not_stored",
  "the change could not be stored and is not in force; the version before stays, or is put back within minutes",
);

const ledgerFailed = unavailable(
  "ledger_unavailable",
  "the ledger of this tenant cannot be reached just now; a change that was sent is not acknowledged",
);

function policyChanged(inForce: string | null, matched: boolean): Problem {
  const now = inForce === null ? "the embedded policy is in force" : `the version in force is \`${inForce}\``;
  return {
    status: 412,
    type: "invalid_request_error",
    code: "policy_changed",
    message: `${now}; read it, and send the change again for that one`,
    param: matched ? "If-Match" : "If-None-Match",
    headers: inForce === null ? {} : { etag: `"${inForce}"` },
  };
}

/** Null if the version before cannot be read, or this version of the gateway does not accept it. */
async function changesSince(
  previous: PolicyInForce,
  next: CheckedPolicy | undefined,
  embedded: unknown,
  seen: readonly string[],
): Promise<PolicyChanges | null> {
  const before = previous.version?.digest ? previous.text && checked(JSON.parse(previous.text)) : checked(embedded);
  const after = next ?? checked(embedded);
  return before && after ? runYielding(comparing(before, after, seen)) : null;
}

function checked(document: unknown): CheckedPolicy | null {
  const result = checkPolicy(document, policyDigest(document));
  return result.ok ? result.value : null;
}

interface SemanticReadiness {
  /** Absent if the policy has no such layer, or nothing to learn from. */
  readonly semantic?: Exclude<Readiness["kind"], "none">;
  readonly warnings: readonly PolicyWarning[];
}

/**
 * Trained before the policy comes into force, so that the model is ready for the first message under it. A policy that cannot be
 * trained comes into force too: what it forbids must not wait for an embedding model.
 */
async function readySemantic(
  deps: Pick<Deps, "semantic">,
  policy: CompiledPolicy | undefined,
  dryRun: boolean,
): Promise<SemanticReadiness> {
  if (policy === undefined) return { warnings: [] };
  const found = dryRun ? deps.semantic.outlook(policy) : await deps.semantic.prepare(policy);
  if (found.kind === "none") return { warnings: [] };
  if (found.kind !== "unavailable") return { semantic: found.kind, warnings: [] };
  const message = `the layer \`semantic\` is not ready, and detection goes on without it: ${found.why}`;
  return { semantic: found.kind, warnings: [policyWarning("semantic_not_ready", "/detection/layers", message)] };
}
