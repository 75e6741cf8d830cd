/**
 * `GET` and `POST /v1/gates`, `POST` and `DELETE /v1/gates/:tool`: a user's first-time consents to tools, listed, given and
 * withdrawn.
 */

import type { Context } from "hono";
import * as z from "zod";
import type { Gate } from "../../approvals/approval.ts";
import type { Deps } from "../../deps.ts";
import { once } from "../../lib/once.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { isoTime } from "../../lib/text/iso-time.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { AppEnv } from "../app-env.ts";
import type { HandlerResult } from "../handler.ts";
import { listBody } from "../list-body.ts";
import { loadPolicyWithTools } from "../load-policy.ts";
import { badRequest, type Problem } from "../problem.ts";
import { readParams } from "../query-params.ts";
import { orNotFound, orUnavailable } from "../reach.ts";
import { readJson } from "../read-json.ts";
import { isSessionId } from "../surface/turn-headers.ts";
import { visibleDestinations } from "./grants.ts";

export async function listGates(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const query = readParams(c.req, {});
  if (!query.ok) return query;
  const policy = await loadPolicyWithTools(deps, c.var.principal);
  if (!policy.ok) return policy;
  const gates = await orUnavailable(deps.guardOf(c.var.principal).gates.list());
  if (!gates.ok) return gates;
  return ok(listBody(gates.value.map((gate) => listedGate(gate, policy.value))));
}

export function listedGate({ tool, session, openedAt, goesTo }: Gate, policy: CompiledPolicy) {
  const { redact } = traitsOf(policy, tool);
  return {
    ...present(tool, session, policy),
    goes_to: goesTo?.map((one) => visibleDestinations(one, redact)) ?? null,
    opened_at: isoTime(openedAt),
  };
}

/** The tool is in the path, or in the body, which may also name the session that the consent is for. */
export async function openGate(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const policy = await loadPolicyWithTools(deps, c.var.principal);
  if (!policy.ok) return policy;
  const body = await readJson(c.req.raw, deps.limits.maxSmallBodyBytes, consentBody);
  if (!body.ok) return body;
  const consent = readConsent(body.value, c.req.param("tool"));
  if (!consent.ok) return consent;
  const { tool, session } = consent.value;
  const problem = checkConsent(consent.value, policy.value);
  if (problem) return err(problem);
  const stored = await orNotFound(
    deps.guardOf(c.var.principal).gates.open(c.var.principal, tool, session),
    "session",
    "session_id",
  );
  if (!stored.ok) return stored;
  return ok(present(tool, session ?? null, policy.value));
}

interface Consent {
  readonly tool: string;
  /** Undefined: every session. */
  readonly session: string | undefined;
}

const MAX_TOOL = 128;

const consentBody = {
  schema: once(() =>
    z.strictObject({
      tool: z
        .string()
        .min(1)
        .max(MAX_TOOL)
        .refine((name) => name.isWellFormed(), "must be a tool's name")
        .optional(),
      session_id: z.string().refine(isSessionId, "must have 1 to 128 characters").optional(),
    }),
  ),
  example: '`{ "tool": "…", "session_id": "…" }`, without `tool` where the path names it',
  optional: true,
} as const;

/** A misread consent would open the gate for every session, or another tool's. */
function readConsent(
  { tool = "", session_id: session }: { readonly tool?: string | undefined; readonly session_id?: string | undefined },
  inPath: string | undefined,
): Result<Consent, Problem> {
  if (inPath !== undefined && tool !== "" && tool !== inPath)
    return err(badRequest("tool", "the path and the body name two tools: leave `tool` out of the body"));
  const name = inPath ?? tool;
  if (name === "" || name.length > MAX_TOOL || !name.isWellFormed())
    return err(badRequest("tool", "`tool` must be a tool's name, in the path or in the body"));
  return ok({ tool: name, session });
}

function checkConsent({ tool, session }: Consent, policy: CompiledPolicy): Problem | undefined {
  if (!traitsOf(policy, tool).gate) {
    return badRequest("tool", `\`${tool}\` has no first-time gate in the policy in force: it needs no consent`);
  }
  if (session !== undefined || policy.gates.persistApprovals) return undefined;
  return badRequest("session_id", "the policy keeps consents for one session only: send its `session_id`");
}

function present(tool: string, session: string | null, policy: CompiledPolicy) {
  const destination = traitsOf(policy, tool).destination ?? null;
  return { object: "gate", tool, open: true, session_id: session, destination, goes_to: null };
}

export async function closeGate(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const tool = c.req.param("tool") ?? "";
  const withdrawn = await orNotFound(deps.guardOf(c.var.principal).gates.withdraw(tool), "consent");
  return withdrawn.ok ? ok({ object: "gate", tool, open: false }) : withdrawn;
}
