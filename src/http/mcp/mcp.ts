/** `/mcp`: an MCP server (Streamable HTTP) in front of the tools that the gateway runs. */
import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { parseStrictJson } from "../../lib/json/strict-json.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { workForBody } from "../../lib/work-budget.ts";
import type { Owner } from "../../session/principal.ts";
import { withRelayed } from "../../tools/managed-tools.ts";
import type { ToolSession } from "../../turn/tool-call/tool-call-turn.ts";
import { ownRequest } from "../../turn/turn-input.ts";
import type { AppEnv } from "../app-env.ts";
import { readLargeBody } from "../large-body.ts";
import { loadServedPolicy, namePolicy, type ServedPolicy } from "../load-policy.ts";
import { forbidden, type Problem } from "../problem.ts";
import { orUnavailable } from "../reach.ts";
import { ceilingsOf, readTurnHeaders } from "../surface/turn-headers.ts";
import { readElicited, takeElicited } from "./elicit.ts";
import { type McpSession, newMcpSession, readMcpSession, SESSION_HEADER, unknownSession } from "./mcp-session.ts";
import { INVALID_REQUEST, PARSE_ERROR, rpcError, rpcProblem } from "./rpc-error.ts";
import { cancelRunning } from "./running-calls.ts";
import { servedSession } from "./served-session.ts";
import { isServerQuestion, takeServerAnswer } from "./server-questions.ts";

export const postMcp =
  (deps: Deps) =>
  async (c: Context<AppEnv>): Promise<Response> => {
    const foreign = foreignOrigin(c.req.raw, deps);
    if (foreign) return rpcProblem(foreign);
    const bytes = await readLargeBody(c, deps);
    if (!bytes.ok) return rpcProblem(bytes.error);
    const message = readMessage(bytes.value);
    if (!message.ok) return message.error;
    const ready = await readyToServe(c, deps, bytes.value.byteLength);
    if (!ready.ok) return rpcProblem(ready.error, idOf(message.value));
    const { at, session, served } = ready.value;
    if (isResponse(message.value)) return takeResponse(deps, ready.value, message.value);
    if (message.value.method === "notifications/cancelled" && isObject(message.value.params))
      cancelRunning(at.principal, at.session, message.value.params.requestId);
    const { serveMessage } = await import("./mcp-server.ts");
    const response = await serveMessage(c.req.raw, message.value, servedSession({ c, deps, at, session }));
    return namePolicy(withSession(response, message.value, deps.now()), served);
  };

/** The stream on which a client of 2025 listens. */
export const getMcp =
  (deps: Deps) =>
  async (c: Context<AppEnv>): Promise<Response> => {
    const foreign = foreignOrigin(c.req.raw, deps);
    if (foreign) return rpcProblem(foreign);
    const ready = await readyToServe(c, deps, 0);
    if (!ready.ok) return rpcProblem(ready.error);
    const { at, session } = ready.value;
    const { openListeningStream } = await import("./listening-stream.ts");
    return openListeningStream(c.req.raw, servedSession({ c, deps, at, session }));
  };

/** A page of another site must not reach a gateway that a browser can reach. Programs send no `origin`. */
function foreignOrigin({ headers, url }: Request, { cors }: Deps): Problem | undefined {
  const origin = headers.get("origin");
  if (origin === null || origin === new URL(url).origin || cors.any || cors.origins.has(origin)) return undefined;
  return forbidden(
    "origin_forbidden",
    "pages of this origin may not call the gateway: `CORS_ORIGINS` names those that may",
  );
}

/** One message: input that two readers could understand differently is refused. */
function readMessage(bytes: ArrayBuffer): Result<JsonObject, Response> {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return err(rpcError(400, { code: PARSE_ERROR, message: "the body is not UTF-8" }));
  }
  const parsed = parseStrictJson(text);
  if (!parsed.ok) {
    const { problem } = parsed.error;
    const why = problem === "syntax" ? "is not JSON" : `is ambiguous (${problem})`;
    const code = problem === "syntax" ? PARSE_ERROR : INVALID_REQUEST;
    return err(rpcError(400, { code, message: `the body ${why}` }));
  }
  if (isObject(parsed.value)) return ok(parsed.value);
  return err(rpcError(400, { code: INVALID_REQUEST, message: "send one message: batches are not taken" }));
}

const idOf = ({ id }: JsonObject): string | number | null =>
  typeof id === "string" || typeof id === "number" ? id : null;

/** An answer to a question on the stream of a call: the gateway's own, whose id is the approval's, or a server's. */
const isResponse = ({ method, id }: JsonObject): boolean => method === undefined && id !== undefined;

async function takeResponse(deps: Deps, { at, session }: ReadyToServe, { id, result }: JsonObject) {
  if (isServerQuestion(id)) await takeServerAnswer({ deps, at, session }, id, result);
  else if (typeof id === "string") {
    const answer = readElicited(result, session);
    await takeElicited(deps, at.principal, { approval: id, session: session.id, answer });
  }
  return new Response(null, { status: 202 });
}

interface ReadyToServe {
  readonly at: ToolSession;
  readonly session: McpSession;
  readonly served: ServedPolicy;
}

async function readyToServe(c: Context<AppEnv>, deps: Deps, bytes: number): Promise<Result<ReadyToServe, Problem>> {
  const { principal, watch } = c.var;
  const { headers } = c.req.raw;
  const session = readMcpSession(headers);
  if (!session.ok) return session;
  const [served, over] = await Promise.all([
    loadServedPolicy(deps, principal.tenant, watch),
    isOver(deps, principal, headers, session.value),
  ]);
  if (!served.ok) return served;
  if (!over.ok) return over;
  if (over.value) return err(unknownSession);
  const request = ownRequest();
  const steering = readTurnHeaders(headers, request, served.value.policy, principal);
  if (!steering.ok) return steering;
  const managed = withRelayed(await deps.tools.managed(served.value.policy, principal));
  const { keys, publicUrl } = deps.webhooks;
  const at: ToolSession = {
    principal,
    policy: managed.policy,
    managed,
    session: session.value.id,
    mode: steering.value.mode,
    // There is no chat to answer in.
    channel: steering.value.channel === "hold" ? "hold" : "native",
    links: keys && publicUrl !== undefined ? { keys, publicUrl } : undefined,
    ceilings: ceilingsOf(deps.limits),
    work: workForBody(bytes),
  };
  return ok({ at, session: session.value, served: served.value });
}

/** Only a client that names the session by the protocol's header learns that it is over: other clients share theirs. */
const isOver = async (
  deps: Deps,
  owner: Owner,
  headers: Headers,
  { id }: McpSession,
): Promise<Result<boolean, Problem>> =>
  headers.has(SESSION_HEADER) ? orUnavailable(deps.guardOf(owner).mcpSessions.isOver(id)) : ok(false);

/** The answer to the first message of a session names the session. */
function withSession(response: Response, { method, params }: JsonObject, now: number): Response {
  if (method !== "initialize" || response.status !== 200) return response;
  const capabilities = isObject(params) ? params.capabilities : undefined;
  response.headers.set(SESSION_HEADER, newMcpSession(capabilities, now));
  return response;
}

/** The client is done: the session's intents, consents and questions end with it. */
export const deleteMcp =
  (deps: Deps) =>
  async (c: Context<AppEnv>): Promise<Response> => {
    const foreign = foreignOrigin(c.req.raw, deps);
    if (foreign) return rpcProblem(foreign);
    const session = readMcpSession(c.req.raw.headers);
    if (!session.ok) return rpcProblem(session.error);
    const { mcpSessions, sessions } = deps.guardOf(c.var.principal);
    const { id } = session.value;
    const isOwn = c.req.raw.headers.has(SESSION_HEADER);
    const ended = await (isOwn ? orUnavailable(mcpSessions.end(id)) : orUnavailable(sessions.delete(id)));
    return ended.ok ? new Response(null, { status: 204 }) : rpcProblem(ended.error);
  };
