/** `POST /v1/chat/completions`: one turn. */

import type { Deps } from "../deps.ts";
import { sha256HexOf } from "../lib/digest.ts";
import { newId } from "../lib/ids.ts";
import type { CompiledPolicy } from "../policy/compile.ts";
import type { Principal } from "../session/principal.ts";
import type { RequestWatch } from "../telemetry/request-watch.ts";
import type { ManagedTools } from "../tools/tool-runner.ts";
import { joinTools } from "../turn/join-tools.ts";
import type { QuestionLinks } from "../turn/question-links.ts";
import { runTurn } from "../turn/run-turn.ts";
import { type ChatRequest, keepsNumbers, parseBody, readChatRequest } from "../wire/chat-request.ts";
import { readConversation } from "../wire/conversation.ts";
import { checkToolChoice } from "../wire/tool-choice.ts";
import { type Asker, principalFor, refusalOf } from "./asker.ts";
import { jsonReply, streamReply } from "./chat-reply.ts";
import { loadServedPolicy } from "./load-policy.ts";
import { namePolicy } from "./policy-header.ts";
import { badRequest, problemResponse } from "./problem.ts";
import { readBody } from "./request-body.ts";
import { readTurnHeaders, upstreamHeaders } from "./turn-headers.ts";
import { clientUpstreamKey } from "./upstream-key.ts";

export async function chatCompletions(
  request: Request,
  asker: Asker,
  deps: Deps,
  background: (work: Promise<unknown>) => void,
  watch?: RequestWatch,
): Promise<Response> {
  const bytes = await readBody(request, deps.limits.maxBodyBytes);
  if (!bytes.ok) return problemResponse(bytes.error);
  const refusal = asker.admission && (await refusalOf(asker));
  if (refusal) return problemResponse(refusal);
  const text = new TextDecoder().decode(bytes.value);
  const keep = keepsNumbers(text);
  const body = parseBody(text, keep);
  const chat = body.ok ? readChatRequest(body.value, keep) : body;
  if (!chat.ok) return problemResponse(badRequest(chat.error.param ?? undefined, chat.error.message, chat.error.code));
  const asking = principalFor(asker, chat.value.body.user, text);
  if (!asking.ok) return problemResponse(asking.error);
  const principal = asking.value;
  // Told again where the body has named the user.
  if (asker.identity.kind === "pending") watch?.authenticated(principal);
  const served = await loadServedPolicy(deps, principal.tenant, watch);
  if (!served.ok) return problemResponse(served.error);
  const { policy } = served.value;
  const headers = readTurnHeaders(request.headers, chat.value, policy, principal);
  if (!headers.ok) return problemResponse(headers.error);
  const upstreamKey = clientUpstreamKey(request.headers, deps.access.clientUpstreamKeys);
  if (!upstreamKey.ok) return problemResponse(upstreamKey.error);
  const found = managedFor(deps, policy, principal, chat.value);
  const told = found instanceof Promise ? await found : found;
  const managed = told && told.names.size > 0 ? told : undefined;
  const choice = checkToolChoice(chat.value.toolChoice, joinTools(chat.value.tools, managed).all);
  if (!choice.ok)
    return problemResponse(badRequest(choice.error.param ?? undefined, choice.error.message, choice.error.code));

  const abort = new AbortController();
  const onGone = () => abort.abort();
  // A listener is not told of what was before it.
  if (request.signal.aborted) onGone();
  else request.signal.addEventListener("abort", onGone);
  const reply = chat.value.stream
    ? streamReply(chat.value, deps.now, onGone, deps.replyPace)
    : jsonReply(chat.value, deps.now, abort.signal);
  const id = newId("turn", deps.now());
  watch?.turnBegan(id, chat.value.model);
  const done = runTurn(
    {
      guard: deps.guardOf(principal),
      model: deps.model,
      detector: deps.detector,
      tools: deps.tools,
      now: deps.now,
      watch,
    },
    {
      id,
      principal,
      policy: managed?.policy ?? policy,
      managed,
      request: chat.value,
      conversation: readConversation(chat.value.messages),
      digest: requestDigest(bytes.value, chat.value, headers.value.mode),
      ...headers.value,
      headers: { ...upstreamHeaders(request.headers), ...upstreamKey.value },
      signal: abort.signal,
      links: linksOf(deps),
    },
    reply,
  );
  background(done);
  return namePolicy(await reply.response, served.value);
}

const linksOf = ({ webhooks: { keys, publicUrl } }: Deps): QuestionLinks | undefined =>
  keys && publicUrl !== undefined ? { keys, publicUrl } : undefined;

/** Several answers at once cannot each go on from what a tool brought. Most policies have none, and wait for nothing. */
function managedFor(
  { tools }: Deps,
  policy: CompiledPolicy,
  principal: Principal,
  { choices }: ChatRequest,
): ManagedTools | undefined | Promise<ManagedTools> {
  return choices > 1 ? undefined : tools?.managed(policy, principal);
}

/** A retry sends the same bytes, and asks for the same mode. */
function requestDigest(bytes: ArrayBuffer, { stream }: ChatRequest, mode: string | undefined): string {
  return sha256HexOf([String(stream), mode ?? ""], new Uint8Array(bytes));
}
