/** `POST /v1/chat/completions`: one turn. */
import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import { sha256HexOf } from "../../lib/digest.ts";
import { newId } from "../../lib/ids.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { type WorkBudget, workForBody } from "../../lib/work-budget.ts";
import { withInferred } from "../../policy/infer/with-inferred.ts";
import { runTurn } from "../../turn/run-turn.ts";
import { joinTools, type QuestionLinks, type TurnInput } from "../../turn/turn.ts";
import { type ChatRequest, parseBody, readChatRequest } from "../../wire/chat-request.ts";
import { readConversation } from "../../wire/conversation.ts";
import { keepsNumbers } from "../../wire/odd-numbers.ts";
import type { RequestFault } from "../../wire/request-fault.ts";
import { checkProviderFields } from "../../wire/request-fields.ts";
import { checkToolChoice } from "../../wire/tool-choice.ts";
import type { AppEnv } from "../app-env.ts";
import type { AuthenticatedPrincipal } from "../authenticate/identity.ts";
import type { HandlerResult } from "../handler.ts";
import { readLargeBody } from "../large-body.ts";
import { loadServedPolicy, namePolicy, type ServedPolicy } from "../load-policy.ts";
import { admissionProblem, principalFor } from "../middleware/authentication.ts";
import { badRequest, type Problem } from "../problem.ts";
import { jsonReply, streamReply } from "./chat-reply.ts";
import { ceilingsOf, readTurnHeaders } from "./turn-headers.ts";
import { clientUpstreamKey, upstreamHeaders } from "./upstream-headers.ts";

export async function chatCompletions(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const { watch } = c.var;
  const { signal } = c.req.raw;
  const read = await readChatTurn(c, deps);
  if (!read.ok) return read;
  const { served, input } = read.value;
  const { request, principal } = input;
  const abort = new AbortController();
  const onGone = () => abort.abort();
  // A listener does not hear an abort that came before it.
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

interface ChatTurn {
  readonly served: ServedPolicy;
  readonly input: Omit<TurnInput, "id" | "signal">;
}

async function readChatTurn(c: Context<AppEnv>, deps: Deps): Promise<Result<ChatTurn, Problem>> {
  const { authentication, watch } = c.var;
  const { headers } = c.req.raw;
  const read = await readChat(c, deps);
  if (!read.ok) return read;
  const { chat, digest, principal, work } = read.value;
  // Who asks is known only now, where the body names the user.
  if (authentication.identity.kind === "pending") watch.authenticated(principal);
  const served = await loadServedPolicy(deps, principal.tenant, watch);
  if (!served.ok) return served;
  const { policy } = served.value;
  const fields = checkProviderFields(chat.providerFields, policy.passFields);
  if (!fields.ok) return err(problemOf(fields.error));
  const steering = readTurnHeaders(headers, chat, policy, principal);
  if (!steering.ok) return steering;
  const upstreamKey = clientUpstreamKey(headers, deps.access.clientUpstreamKeys);
  if (!upstreamKey.ok) return upstreamKey;
  // Several answers at once cannot each go on from what a tool brought.
  const known = chat.choices > 1 ? undefined : await deps.tools?.managed(policy, principal);
  const managed = known && known.names.size > 0 ? known : undefined;
  const choice = checkToolChoice(chat.toolChoice, joinTools(chat.tools, managed).all);
  if (!choice.ok) return err(problemOf(choice.error));
  return ok({
    served: served.value,
    input: {
      principal,
      policy: withInferred(managed?.policy ?? policy, chat.tools),
      managed,
      request: chat,
      conversation: readConversation(chat.messages),
      digest,
      ceilings: ceilingsOf(deps.limits),
      work,
      links: linksOf(deps),
      ...steering.value,
      headers: { ...upstreamHeaders(headers, deps.passHeaders), ...upstreamKey.value },
    },
  });
}

interface ReadChat {
  readonly chat: ChatRequest;
  /** A retry sends the same bytes, and asks for the same mode. */
  readonly digest: string;
  readonly principal: AuthenticatedPrincipal;
  readonly work: WorkBudget;
}

/** A function of its own, so that the body's bytes and text are gone while the model answers. */
async function readChat(c: Context<AppEnv>, deps: Deps): Promise<Result<ReadChat, Problem>> {
  const bytes = await readLargeBody(c, deps);
  if (!bytes.ok) return bytes;
  const refusal = c.var.authentication.admission && (await admissionProblem(c.var.authentication));
  if (refusal) return err(refusal);
  const text = new TextDecoder().decode(bytes.value);
  const keep = keepsNumbers(text);
  const body = parseBody(text, keep);
  const chat = body.ok ? readChatRequest(body.value, keep) : body;
  if (!chat.ok) return err(problemOf(chat.error));
  const principal = principalFor(c.var.authentication, chat.value.body.user, text);
  if (!principal.ok) return principal;
  const names = [String(chat.value.stream), c.req.raw.headers.get("x-toolgate-mode") ?? ""];
  return ok({
    chat: chat.value,
    digest: sha256HexOf(names, new Uint8Array(bytes.value)),
    principal: principal.value,
    work: workForBody(bytes.value.byteLength),
  });
}

const problemOf = ({ param, message, code }: RequestFault): Problem => badRequest(param ?? undefined, message, code);

const linksOf = ({ webhooks: { keys, publicUrl } }: Deps): QuestionLinks | undefined =>
  keys && publicUrl !== undefined ? { keys, publicUrl } : undefined;
