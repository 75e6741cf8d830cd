/** `GET`, `PATCH` and `DELETE /v1/sessions/:id`: a user's own session. Another user's id is an unknown id. */
import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { SessionInfo } from "../../session/session-info.ts";
import { deriveState } from "../../session/state.ts";
import { isObject } from "../../wire/read-chunk.ts";
import type { AppEnv } from "../app-env.ts";
import { checkMode, isSessionId } from "../chat/turn-headers.ts";
import { loadPolicy } from "../load-policy.ts";
import { badRequest, notFound, problemResponse } from "../problem.ts";
import { reachGuard } from "../reach.ts";
import { readJson } from "../request-body.ts";

export async function getSession(c: Context<AppEnv>, deps: Deps): Promise<Response> {
  const policy = await loadPolicy(deps, c.var.principal.tenant);
  if (!policy.ok) return problemResponse(policy.error);
  const found = await reachGuard(deps.guardOf(c.var.principal).sessions.find(idOf(c)));
  if (!found.ok) return problemResponse(found.error);
  const info = found.value;
  return info ? Response.json(present(info, policy.value)) : problemResponse(notFound("session"));
}

export async function patchSession(c: Context<AppEnv>, deps: Deps): Promise<Response> {
  const policy = await loadPolicy(deps, c.var.principal.tenant);
  if (!policy.ok) return problemResponse(policy.error);
  const json = await readJson(c.req.raw, deps.limits.maxSmallBodyBytes);
  if (!json.ok && json.error.status === 413) return problemResponse(json.error);
  const body = json.ok ? json.value : undefined;
  if (!isObject(body) || typeof body.mode !== "string" || Object.keys(body).length !== 1) {
    return problemResponse(badRequest("mode", 'send `{ "mode": "…" }`: nothing else of a session can be set'));
  }
  const problem = checkMode(body.mode, policy.value, c.var.principal);
  if (problem) return problemResponse(problem);
  const set = await reachGuard(deps.guardOf(c.var.principal).sessions.setMode(idOf(c), body.mode));
  if (!set.ok) return problemResponse(set.error);
  const info = set.value;
  return info ? Response.json(present(info, policy.value)) : problemResponse(notFound("session"));
}

export async function deleteSession(c: Context<AppEnv>, deps: Deps): Promise<Response> {
  const id = idOf(c);
  const deleted = await reachGuard(deps.guardOf(c.var.principal).sessions.delete(id));
  if (!deleted.ok) return problemResponse(deleted.error);
  return deleted.value
    ? Response.json({ id, object: "session.deleted", deleted: true })
    : problemResponse(notFound("session"));
}

/** The key of a side session is no session of a client's: nothing is found under "". */
function idOf(c: Context<AppEnv>): string {
  const id = c.req.param("id");
  return isSessionId(id) ? id : "";
}

function present(info: SessionInfo, policy: CompiledPolicy): Record<string, unknown> {
  const { select } = policy.handshake;
  const intents = info.intents.filter((name) => policy.intents.has(name));
  return {
    id: info.id,
    object: "session",
    mode: info.mode ?? "default",
    state: deriveState({ select, intents, modelCalled: false }),
    intents,
    detected: info.detected.filter((name) => policy.intents.has(name)),
    pending_calls: info.pending,
    created_at: Math.floor(info.createdAt / 1000),
    last_seen_at: Math.floor(info.seenAt / 1000),
  };
}
