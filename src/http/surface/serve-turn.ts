/** One turn for a request on any surface: reads it, runs the turn, and replies in the surface's format. */

import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import { whenAborted } from "../../lib/deadline.ts";
import { sha256HexOf } from "../../lib/digest.ts";
import { newId } from "../../lib/ids.ts";
import { describeError, log } from "../../lib/log.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { type WorkBudget, workForBody } from "../../lib/work-budget.ts";
import { answeringName } from "../../model/upstream/upstreams.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { isHosted } from "../../policy/hosted.ts";
import { withInferred } from "../../policy/infer/with-inferred.ts";
import { isMcpSession } from "../../session/conversation-fingerprint.ts";
import { runTurn } from "../../turn/run-turn.ts";
import type { QuestionLinks, TurnInput } from "../../turn/turn.ts";
import { chatTurnInput } from "../../turn/turn-input.ts";
import { parseBody } from "../../wire/chat-request.ts";
import { keepsNumbers } from "../../wire/odd-numbers.ts";
import { checkProviderFields } from "../../wire/request-fields.ts";
import type { AppEnv } from "../app-env.ts";
import { requireAdmin } from "../authenticate/authenticate.ts";
import type { AuthenticatedPrincipal } from "../authenticate/identity.ts";
import type { HandlerResult } from "../handler.ts";
import { readLargeBody } from "../large-body.ts";
import { loadServedPolicy, namePolicy, type ServedPolicy } from "../load-policy.ts";
import { admissionProblem, principalFor } from "../middleware/authentication.ts";
import { badRequest, type Problem, problemOf } from "../problem.ts";
import { keepReply } from "./kept-reply.ts";
import type { Surface, SurfaceRequest } from "./surface.ts";
import { ceilingsOf, readTurnHeaders } from "./turn-headers.ts";
import { jsonReply, streamReply } from "./turn-reply.ts";
import { clientUpstreamKey, upstreamHeaders } from "./upstream-headers.ts";

/** `app.post(path, handle(serveTurn(chatSurface)))` */
export const serveTurn =
  (surface: Surface) =>
  async (c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> => {
    const read = await readTurn(c, deps, surface);
    return read.ok ? answerTurn(c, deps, read.value) : read;
  };

async function answerTurn(
  c: Context<AppEnv>,
  deps: Deps,
  { surfaceRequest, served, input, resumable }: ReadTurn,
): Promise<HandlerResult> {
  const { watch } = c.var;
  const { signal } = c.req.raw;
  const { request, principal } = input;
  const abort = new AbortController();
  const onGone = () => abort.abort();
  // A reply that can be resumed continues without its client, unless that was gone before.
  if (resumable === undefined || signal.aborted) whenAborted(signal, onGone);
  const model = answeringName(deps.upstream, request.model, input.policy.models.get(request.model));
  const reply = request.stream
    ? streamReply(surfaceRequest, model, deps.now, onGone, {
        timeouts: deps.replyTimeouts,
        mayCall: request.tools.length > 0 || input.managed !== undefined,
      })
    : jsonReply(surfaceRequest, model, deps.now, abort.signal);
  const id = newId("turn", deps.now());
  watch.turnBegan(id, request.model);
  const { detector, tools, now, sessionCache } = deps;
  const guard = deps.guardOf(principal);
  const done = runTurn(
    {
      guard,
      model: deps.model,
      detector,
      tools,
      now,
      observer: watch,
      sessionCache,
      candidate: loadCandidate(deps, input),
    },
    { ...input, id, signal: abort.signal },
    reply,
  );
  const { afterwards } = surfaceRequest;
  c.executionCtx.waitUntil(afterwards ? done.then(() => afterwards(principal)) : done);
  c.var.bodyLease?.outlives(done);
  const response = await reply.response;
  if (resumable === undefined || !response.ok || !response.body) return ok(namePolicy(response, served));
  const { replies } = guard;
  const kept = keepReply(response.body, { replies, session: resumable, reply: id, signal, onStop: onGone });
  c.executionCtx.waitUntil(kept.done);
  return ok(namePolicy(new Response(kept.body, response), served));
}

/** Starts loading it, so that it is there once the reply has ended. */
function loadCandidate(
  { candidates, now }: Deps,
  { principal, request, policy }: ReadTurn["input"],
): () => CompiledPolicy | undefined {
  let loaded: CompiledPolicy | undefined;
  const loading = candidates.compiled(principal.tenant, now()).then((candidate) => {
    loaded = candidate;
  });
  loading.catch((error) => log("error", "candidate_not_loaded", describeError(error)));
  return () => (loaded && loaded.version !== policy.version ? withInferred(loaded, request.tools) : undefined);
}

interface ReadTurn {
  readonly surfaceRequest: SurfaceRequest;
  readonly served: ServedPolicy;
  /** The session by whose name the client may resume the reply. */
  readonly resumable: string | undefined;
  readonly input: Omit<TurnInput, "id" | "signal" | "principal"> & { readonly principal: AuthenticatedPrincipal };
}

async function readTurn(c: Context<AppEnv>, deps: Deps, surface: Surface): Promise<Result<ReadTurn, Problem>> {
  const { authentication, watch } = c.var;
  const { headers } = c.req.raw;
  const read = await readRequest(c, deps, surface);
  if (!read.ok) return read;
  const { surfaceRequest, digest, principal, work } = read.value;
  const { chat } = surfaceRequest;
  // The principal is known only now, if the body names the user.
  if (authentication.identity.kind === "pending") watch.authenticated(principal);
  const served = await loadServedPolicy(deps, principal.tenant, watch);
  if (!served.ok) return served;
  const { policy } = served.value;
  const fields = checkProviderFields(chat.providerFields, policy.passFields);
  if (!fields.ok) return err(problemOf(fields.error));
  const refused = chat.tools.findIndex(({ name }) => isHosted(name) && !policy.allowHosted.has(name));
  if (refused >= 0) return err(hostedProblem(chat.tools[refused]?.name ?? ""));
  const steering = readTurnHeaders(headers, chat, policy, principal);
  if (!steering.ok) return steering;
  const { resumes, ...steered } = steering.value;
  if (isMcpSession(steered.sessionId ?? "")) return err(mcpSessionProblem);
  if (resumes && !surfaceRequest.isResumable) return err(notResumable);
  const upstreamKey = clientUpstreamKey(headers, deps.access.clientUpstreamKeys);
  if (!upstreamKey.ok) return upstreamKey;
  const input = await chatTurnInput(deps.tools, policy, principal, chat);
  if (!input.ok) return err(problemOf(input.error));
  return ok({
    surfaceRequest,
    served: served.value,
    resumable: resumes ? steered.sessionId : undefined,
    input: {
      ...input.value,
      principal,
      digest,
      ceilings: ceilingsOf(deps.limits),
      work,
      links: linksOf(deps),
      console: consoleOf(c, deps, principal),
      ...steered,
      headers: { ...upstreamHeaders(headers, deps.passHeaders), ...upstreamKey.value },
    },
  });
}

const hostedProblem = (name: string): Problem =>
  badRequest(
    "tools",
    `\`${name}\` is run by the provider, and nobody can vet its calls before they run: leave it out, or have an operator add ` +
      `\`${name}\` to the policy's \`allowHosted\``,
    "unsupported_tool",
  );

const mcpSessionProblem = badRequest(
  "x-toolgate-session",
  "a session whose id begins with `mcp_` is one of `/mcp`: name another, or none",
);

const notResumable = badRequest("x-toolgate-resume", "only replies of `/api/chat` can be resumed: leave it out");

interface ReadRequest {
  readonly surfaceRequest: SurfaceRequest;
  /** A retry sends the same bytes, and asks for the same mode. */
  readonly digest: string;
  readonly principal: AuthenticatedPrincipal;
  readonly work: WorkBudget;
}

/** A separate function, so that the body's bytes and text are freed while the model answers. */
async function readRequest(c: Context<AppEnv>, deps: Deps, surface: Surface): Promise<Result<ReadRequest, Problem>> {
  const bytes = await readLargeBody(c, deps);
  if (!bytes.ok) return bytes;
  const refusal = c.var.authentication.admission && (await admissionProblem(c.var.authentication));
  if (refusal) return err(refusal);
  const text = new TextDecoder().decode(bytes.value);
  const keep = keepsNumbers(text);
  const body = parseBody(text, keep);
  if (!body.ok) return err(problemOf(body.error));
  const principalOf = (user: unknown) => principalFor(c.var.authentication, user, text);
  const defaultModel = deps.upstream.targets[0]?.model;
  const bodyBytes = bytes.value.byteLength;
  const context = { keptNumbers: keep, bodyBytes, defaultModel, principal: principalOf };
  const surfaceRequest = await surface.read(body.value, context);
  if (!surfaceRequest.ok) return surfaceRequest;
  const { earlierBytes = 0 } = surfaceRequest.value;
  const noRoom = earlierBytes > 0 ? c.var.bodyLease?.grow(earlierBytes, deps.now()) : undefined;
  if (noRoom) return err(noRoom);
  const principal = principalOf(surfaceRequest.value.user);
  if (!principal.ok) return principal;
  const names = [String(surfaceRequest.value.chat.stream), c.req.raw.headers.get("x-toolgate-mode") ?? ""];
  // The length of the conversation: the same short text later in it is a new message.
  if (earlierBytes > 0) names.push(String(earlierBytes));
  return ok({
    surfaceRequest: surfaceRequest.value,
    digest: sha256HexOf(names, new Uint8Array(bytes.value)),
    principal: principal.value,
    work: workForBody(bodyBytes + earlierBytes),
  });
}

/** The timeline of a turn is a page for operators. */
function consoleOf(c: Context<AppEnv>, { webhooks, dev }: Deps, principal: AuthenticatedPrincipal): string | undefined {
  const address = webhooks.publicUrl ?? (dev ? new URL(c.req.url).origin : undefined);
  return address === undefined || requireAdmin(principal) ? undefined : `${address}/console`;
}

const linksOf = ({ webhooks: { keys, publicUrl } }: Deps): QuestionLinks | undefined =>
  keys && publicUrl !== undefined ? { keys, publicUrl } : undefined;
