/**
 * `GET` and `POST /v1/gates`, `POST` and `DELETE /v1/gates/:tool`: a user's first-time consents to tools, listed, given and
 * withdrawn.
 */
import type { Context } from "hono";
import type { Gate } from "../../approvals/approval.ts";
import type { Deps } from "../../deps.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { traitsOf } from "../../policy/traits.ts";
import { parseBody } from "../../wire/chat-request.ts";
import type { AppEnv } from "../app-env.ts";
import { isSessionId } from "../chat/turn-headers.ts";
import { loadPolicyWithTools } from "../load-policy.ts";
import { badRequest, notFound, type Problem, problemResponse } from "../problem.ts";
import { readParams } from "../query-params.ts";
import { reachGuard } from "../reach.ts";
import { readText } from "../request-body.ts";

export async function listGates(c: Context<AppEnv>, deps: Deps): Promise<Response> {
  const query = readParams(new URL(c.req.url).searchParams, {});
  if (!query.ok) return problemResponse(query.error);
  const policy = await loadPolicyWithTools(deps, c.var.principal);
  if (!policy.ok) return problemResponse(policy.error);
  const gates = await reachGuard(deps.guardOf(c.var.principal).gates.list());
  if (!gates.ok) return problemResponse(gates.error);
  return Response.json({
    object: "list",
    data: gates.value.map((gate) => listed(gate, policy.value)),
    has_more: false,
  });
}

function listed({ tool, session, openedAt }: Gate, policy: CompiledPolicy): Readonly<Record<string, unknown>> {
  return { ...present(tool, session, policy), opened_at: new Date(openedAt).toISOString() };
}

/** The tool stands in the path, or in the body, which may name the session that the consent is for. */
export async function openGate(c: Context<AppEnv>, deps: Deps): Promise<Response> {
  const policy = await loadPolicyWithTools(deps, c.var.principal);
  if (!policy.ok) return problemResponse(policy.error);
  const text = await readText(c.req.raw, deps.limits.maxSmallBodyBytes);
  if (!text.ok) return problemResponse(text.error);
  const consent = readConsent(text.value, c.req.param("tool"));
  if (!consent.ok) return problemResponse(consent.error);
  const { tool, session } = consent.value;
  const problem = checkConsent(consent.value, policy.value);
  if (problem) return problemResponse(problem);
  const stored = await reachGuard(deps.guardOf(c.var.principal).gates.open(c.var.principal, tool, session));
  if (!stored.ok) return problemResponse(stored.error);
  if (!stored.value) return problemResponse(notFound("session", "session_id"));
  return Response.json(present(tool, session ?? null, policy.value));
}

interface Consent {
  readonly tool: string;
  /** Undefined: every session. */
  readonly session: string | undefined;
}

/** A consent misread would open the gate for every session, or another tool's. */
function readConsent(text: string, inPath: string | undefined): Result<Consent, Problem> {
  const asked = inPath === undefined ? '`{ "tool": "…", "session_id": "…" }`' : '`{ "session_id": "…" }`, or nothing';
  const body = text.trim() === "" ? ok({}) : parseBody(text);
  if (!body.ok) return err(badRequest("session_id", `${body.error.message}: send ${asked}`, body.error.code));
  const { tool = inPath, session_id: session, ...others } = body.value as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    return err(badRequest(unknown.slice(0, 64), `unknown member; send ${asked}`, "unknown_parameter"));
  if (inPath !== undefined && tool !== inPath)
    return err(badRequest("tool", "the path and the body name two tools: leave `tool` out of the body"));
  if (typeof tool !== "string" || tool === "" || tool.length > MAX_TOOL || !tool.isWellFormed())
    return err(badRequest("tool", `\`tool\` must be a tool's name: send ${asked}`));
  if (session !== undefined && !isSessionId(session))
    return err(badRequest("session_id", `\`session_id\` must have 1 to 128 characters: send ${asked}`));
  return ok({ tool, session });
}

const MAX_TOOL = 128;

function checkConsent({ tool, session }: Consent, policy: CompiledPolicy): Problem | undefined {
  if (!traitsOf(policy, tool).gate) {
    return badRequest("tool", `\`${tool}\` has no first-time gate in the policy in force: it needs no consent`);
  }
  if (session !== undefined || policy.gates.persistApprovals) return undefined;
  return badRequest("session_id", "the policy keeps consents for one session only: send its `session_id`");
}

function present(tool: string, session: string | null, policy: CompiledPolicy): Readonly<Record<string, unknown>> {
  const destination = traitsOf(policy, tool).destination ?? null;
  return { object: "gate", tool, open: true, session_id: session, destination };
}

export async function closeGate(c: Context<AppEnv>, deps: Deps): Promise<Response> {
  const tool = c.req.param("tool") ?? "";
  const withdrawn = await reachGuard(deps.guardOf(c.var.principal).gates.withdraw(tool));
  if (!withdrawn.ok) return problemResponse(withdrawn.error);
  return withdrawn.value ? Response.json({ object: "gate", tool, open: false }) : problemResponse(notFound("consent"));
}
