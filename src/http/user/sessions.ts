/** `GET`, `PATCH` and `DELETE /v1/sessions/:id`: a user's own session. Another user's id is an unknown id. */

import type { Context } from "hono";
import * as z from "zod";
import type { Deps } from "../../deps.ts";
import { once } from "../../lib/once.ts";
import { err, ok } from "../../lib/result.ts";
import { isoTime } from "../../lib/text/iso-time.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { deriveState, type SessionInfo } from "../../session/state.ts";
import type { AppEnv } from "../app-env.ts";
import type { HandlerResult } from "../handler.ts";
import { loadPolicy } from "../load-policy.ts";
import { orNotFound } from "../reach.ts";
import { readJson } from "../read-json.ts";
import { checkMode, isSessionId } from "../surface/turn-headers.ts";

export async function getSession(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const policy = await loadPolicy(deps, c.var.principal.tenant);
  if (!policy.ok) return policy;
  const found = await orNotFound(deps.guardOf(c.var.principal).sessions.find(idOf(c)), "session");
  return found.ok ? ok(present(found.value, policy.value)) : found;
}

/** Only the mode of a session can be changed. */
const sessionChanges = { schema: once(() => z.strictObject({ mode: z.string() })), example: '`{ "mode": "…" }`' };

export async function patchSession(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const policy = await loadPolicy(deps, c.var.principal.tenant);
  if (!policy.ok) return policy;
  const changes = await readJson(c.req.raw, deps.limits.maxSmallBodyBytes, sessionChanges);
  if (!changes.ok) return changes;
  const { mode } = changes.value;
  const problem = checkMode(mode, policy.value, c.var.principal);
  if (problem) return err(problem);
  const set = await orNotFound(deps.guardOf(c.var.principal).sessions.setMode(idOf(c), mode), "session");
  return set.ok ? ok(present(set.value, policy.value)) : set;
}

export async function deleteSession(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const id = idOf(c);
  const deleted = await orNotFound(deps.guardOf(c.var.principal).sessions.delete(id), "session");
  return deleted.ok ? ok({ id, object: "session.deleted", deleted: true }) : deleted;
}

/** The key of a side session is not a client's session: nothing is found under "". */
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
    created_at: isoTime(info.createdAt),
    last_seen_at: isoTime(info.seenAt),
  };
}
