/** `GET /v1/grants`, `GET` and `DELETE /v1/grants/:id`: what a user has allowed without further questions. */
import type { Context } from "hono";
import type { ArgumentCondition, Grant } from "../../approvals/approval.ts";
import type { Language } from "../../approvals/disclosure/disclosed.ts";
import { grantText } from "../../approvals/grant-terms.ts";
import type { Deps } from "../../deps.ts";
import { redactArguments, redacted } from "../../lib/redact.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { isoTime, isoTimeOrNull } from "../../lib/text/iso-time.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { ShownDestinations } from "../../policy/origin/origin-types.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { AppEnv } from "../app-env.ts";
import type { HandlerResult } from "../handler.ts";
import { listBody } from "../list-body.ts";
import { loadPolicyWithTools } from "../load-policy.ts";
import { notFound, type Problem } from "../problem.ts";
import { readParams } from "../query-params.ts";
import { orNotFound, orUnavailable } from "../reach.ts";
import { readerLanguage } from "../user/reader-language.ts";

export async function listGrants(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const read = await readGrants(c, deps);
  if (!read.ok) return read;
  const { grants, policy } = read.value;
  const language = readerLanguage(policy, c.req.raw.headers);
  return ok(listBody(grants.map((grant) => grantView(grant, policy, language))));
}

export async function getGrant(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const read = await readGrants(c, deps);
  if (!read.ok) return read;
  const { grants, policy } = read.value;
  const grant = grants.find(({ id }) => id === c.req.param("id"));
  if (!grant) return err(notFound("grant", "id"));
  return ok(grantView(grant, policy, readerLanguage(policy, c.req.raw.headers)));
}

/** Works also if no policy can be read: a withdrawal must not depend on it. */
export async function withdrawGrant(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const query = readParams(c.req, {});
  if (!query.ok) return query;
  const id = c.req.param("id") ?? "";
  const withdrawn = await orNotFound(deps.guardOf(c.var.principal).grants.withdraw(id), "grant", "id");
  return withdrawn.ok ? ok({ id, object: "grant.deleted", deleted: true }) : withdrawn;
}

async function readGrants(
  c: Context<AppEnv>,
  deps: Deps,
): Promise<Result<{ readonly grants: readonly Grant[]; readonly policy: CompiledPolicy }, Problem>> {
  const query = readParams(c.req, {});
  if (!query.ok) return query;
  const policy = await loadPolicyWithTools(deps, c.var.principal);
  if (!policy.ok) return policy;
  const grants = await orUnavailable(deps.guardOf(c.var.principal).grants.list());
  return grants.ok ? ok({ grants: grants.value, policy: policy.value }) : err(grants.error);
}

/** Redacted by the policy in force, whatever the policy was when the grant was given. */
export function grantView(grant: Grant, policy: CompiledPolicy, language: Language): Readonly<Record<string, unknown>> {
  const visible = withoutRedacted(grant, traitsOf(policy, grant.tool).redact);
  return {
    object: "grant",
    id: grant.id,
    tool: grant.tool,
    session_id: grant.session,
    arguments: visible.arguments,
    goes_to: visible.goesTo ?? null,
    text: grantText(visible, language),
    created_at: isoTime(grant.createdAt),
    expires_at: isoTimeOrNull(grant.expiresAt),
    approval_id: grant.approval,
  };
}

/** A pattern for a redacted argument reveals its value, too. */
function withoutRedacted(grant: Grant, redact: readonly string[]): Grant {
  const conditions = Object.entries(grant.arguments).map(([name, condition]): [string, ArgumentCondition] => {
    const [key, value] = "equals" in condition ? ["equals", condition.equals] : ["matches", condition.matches];
    const redactedValue = redactArguments({ [name]: value }, redact)[name];
    return [
      name,
      key === "equals"
        ? { equals: redactedValue }
        : { matches: typeof redactedValue === "string" ? redactedValue : redacted },
    ];
  });
  const goesTo = grant.goesTo && visibleDestinations(grant.goesTo, redact);
  return { ...grant, arguments: Object.fromEntries(conditions), goesTo };
}

/** Redacted by the policy in force, whatever the policy was at the time of the question. */
export function visibleDestinations(goesTo: ShownDestinations, redact: readonly string[]): ShownDestinations {
  const visible = redactArguments(goesTo, redact);
  return Object.fromEntries(
    Object.entries(goesTo).map(([name, values]) => [name, visible[name] === redacted ? [redacted] : values]),
  );
}
