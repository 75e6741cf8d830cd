/** `POST /v1/chat/completions`: one turn. */

import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import { newId } from "../../lib/ids.ts";
import { ok } from "../../lib/result.ts";
import { runTurn } from "../../turn/run-turn.ts";
import type { ChatRequest } from "../../wire/chat-request.ts";
import type { AppEnv } from "../app-env.ts";
import type { HandlerResult } from "../handler.ts";
import { namePolicy } from "../policy-header.ts";
import { jsonReply, streamReply } from "./chat-reply.ts";
import { readChatTurn } from "./read-chat.ts";

export async function chatCompletions(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const { watch } = c.var;
  const { signal } = c.req.raw;
  const read = await readChatTurn(c, deps);
  if (!read.ok) return read;
  const { served, input } = read.value;
  const { request, principal } = input;
  const abort = new AbortController();
  const onGone = () => abort.abort();
  // A listener is not told of what was before it.
  if (signal.aborted) onGone();
  else signal.addEventListener("abort", onGone);
  const model = answeringModel(deps, request);
  const reply = request.stream
    ? streamReply(request, model, deps.now, onGone, deps.replyPace)
    : jsonReply(request, model, deps.now, abort.signal);
  const id = newId("turn", deps.now());
  watch.turnBegan(id, request.model);
  const { detector, tools, now } = deps;
  const done = runTurn(
    { guard: deps.guardOf(principal), model: deps.model, detector, tools, now, watch },
    { ...input, id, signal: abort.signal },
    reply,
  );
  c.executionCtx.waitUntil(done);
  c.var.bodyLease?.outlives(done);
  return ok(namePolicy(await reply.response, served));
}

/** As the first upstream is asked for it: what the gateway words itself names no other model than what the model words. */
const answeringModel = ({ upstream }: Deps, { model }: ChatRequest): string => upstream.targets[0]?.model ?? model;
