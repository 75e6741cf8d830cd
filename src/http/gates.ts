/** `POST` and `DELETE /v1/gates/:tool`: a user's first-time consent to an external tool, given and withdrawn. */
import type { Context } from "hono";
import type { Deps } from "../deps.ts";
import { traitsOf } from "../policy/traits.ts";
import { parseBody } from "../wire/chat-request.ts";
import type { AppEnv } from "./app-env.ts";
import { loadPolicy } from "./load-policy.ts";
import { badRequest, notFound, problemResponse } from "./problem.ts";
import { reachGuard } from "./reach.ts";
import { readText } from "./request-body.ts";
import { isSessionId } from "./turn-headers.ts";

/** The body may name the session that the consent is for; where the policy does not keep consents, it must. */
export async function openGate(c: Context<AppEnv>, deps: Deps): Promise<Response> {
  const policy = await loadPolicy(deps, c.var.principal.tenant);
  if (!policy.ok) return problemResponse(policy.error);
  const tool = c.req.param("tool") ?? "";
  const traits = traitsOf(policy.value, tool);
  if (traits.category !== "external") {
    return problemResponse(
      badRequest("tool", `\`${tool}\` is not an external tool in the policy in force: it has no first-time gate`),
    );
  }
  const text = await readText(c.req.raw, deps.limits.maxBodyBytes);
  if (!text.ok) return problemResponse(text.error);
  const body = readConsent(text.value);
  // A body misread would open the gate for every session.
  if (!body)
    return problemResponse(badRequest("session_id", 'send `{ "session_id": "…" }` (1 to 128 characters), or nothing'));
  const session = body.session_id;
  if (session === undefined && !policy.value.gates.persistApprovals) {
    return problemResponse(
      badRequest("session_id", "the policy keeps consents for one session only: send its `session_id`"),
    );
  }
  const stored = await reachGuard(deps.guardOf(c.var.principal).consent(c.var.principal, tool, session));
  if (!stored.ok) return problemResponse(stored.error);
  if (!stored.value) return problemResponse(notFound("session", "session_id"));
  return Response.json({
    object: "gate",
    tool,
    open: true,
    session_id: session ?? null,
    destination: traits.destination ?? null,
  });
}

function readConsent(text: string): { readonly session_id?: string } | undefined {
  if (text.trim() === "") return {};
  const body = parseBody(text);
  if (!body.ok) return undefined;
  const { session_id: session, ...others } = body.value;
  if (Object.keys(others).length > 0) return undefined;
  if (session === undefined) return {};
  return isSessionId(session) ? { session_id: session } : undefined;
}

export async function closeGate(c: Context<AppEnv>, deps: Deps): Promise<Response> {
  const tool = c.req.param("tool") ?? "";
  const withdrawn = await reachGuard(deps.guardOf(c.var.principal).withdraw(tool));
  if (!withdrawn.ok) return problemResponse(withdrawn.error);
  return withdrawn.value ? Response.json({ object: "gate", tool, open: false }) : problemResponse(notFound("consent"));
}
