/** Requests to an MCP server other than calls of its tools: lists, completions, resources and subscriptions. */
import type { JsonObject } from "../../lib/json/json-value.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { utf8Bytes } from "../../lib/text/characters.ts";
import { type ExecutionResult, notStarted, succeeded } from "../run.ts";
import { cutText } from "../run-text.ts";
import type { McpRelay, McpTarget, PreparedCall } from "../tool-runner.ts";
import { masked, withoutSecrets } from "../without-secrets.ts";
import { authorizeServer, type ServerAccess } from "./authorize-server.ts";
import type { CatalogueCache } from "./catalogue.ts";
import { beforeCallOf, faultResult, MAX_SERVER_WORDS } from "./fault-result.ts";
import { type McpParts, openSession } from "./list-server.ts";
import { relayedQuestions } from "./relayed-questions.ts";
import { paramsOfRead, textOfRead } from "./relayed-reads.ts";
import type { McpFault, SessionRequest, SessionUpdates } from "./session.ts";

export interface AskedServer {
  readonly method: string;
  readonly params: JsonObject;
  readonly signal: AbortSignal;
}

export async function askServer(
  access: ServerAccess,
  { method, params, signal }: AskedServer,
  cache: CatalogueCache,
  parts: McpParts,
): Promise<Result<JsonObject, McpFault>> {
  const { settings } = access;
  const deadline = parts.now() + settings.timeout;
  const request = await requestTo(access, { deadline, until: deadline }, cache, parts);
  if (!request.ok) return request;
  const session = await openSession({ ...request.value, signal, questions: relayedQuestions(access), lists: true });
  if (!session.ok) return session;
  const answer = await session.value.ask(method, params);
  parts.background(session.value.end());
  return answer.ok ? ok(masked(answer.value, request.value.secrets)) : answer;
}

export interface FollowedResources {
  /** As the server names them. */
  readonly uris: readonly string[];
  readonly updates: SessionUpdates;
  /** Milliseconds since the epoch: nothing is received after it. */
  readonly until: number;
  /** Fires when the subscription is not needed any more. */
  readonly signal: AbortSignal;
}

/** @returns the function that ends it, once the server has accepted every subscription. */
export async function followResources(
  access: ServerAccess,
  { uris, updates, until, signal }: FollowedResources,
  cache: CatalogueCache,
  parts: McpParts,
): Promise<Result<() => Promise<void>, McpFault>> {
  const times = { deadline: parts.now() + access.settings.timeout, until };
  const request = await requestTo(access, times, cache, parts);
  if (!request.ok) return request;
  const { secrets } = request.value;
  const heard: SessionUpdates = { ...updates, updated: (uri) => updates.updated(withoutSecrets(uri, secrets)) };
  const session = await openSession({ ...request.value, signal, updates: heard });
  if (!session.ok) return session;
  const subscribed = await session.value.subscribe(uris);
  if (subscribed.ok) return ok(session.value.end);
  parts.background(session.value.end());
  return subscribed;
}

interface RequestTimes {
  /** Of the requests, in milliseconds since the epoch. */
  readonly deadline: number;
  /** Of the streams that carry the notifications, in milliseconds since the epoch. */
  readonly until: number;
}

async function requestTo(
  access: ServerAccess,
  { deadline, until }: RequestTimes,
  cache: CatalogueCache,
  parts: McpParts,
): Promise<Result<SessionRequest & { readonly secrets: readonly string[] }, McpFault>> {
  const { server, settings, principal } = access;
  const authorized = await authorizeServer(parts, access, until);
  if (!authorized.ok) {
    const { failure, detail } = authorized.error;
    const fault = { failure: failure ?? "unavailable", detail: detail ?? "nothing may be sent to it" } as const;
    return err({ ...fault, httpStatus: null, callSent: false, sessionGone: false });
  }
  const era = (await cache.serverOf(principal.tenant, server))?.era ?? undefined;
  const { url, maxResponseBytes: maxBytes } = settings;
  return ok({ url, ...authorized.value, deadline, era, maxBytes, now: parts.now });
}

/** A result that is not a tool's: a resource, a prompt. */
export async function runRead(
  call: PreparedCall,
  { server, method }: McpTarget,
  cache: CatalogueCache,
  parts: McpParts,
): Promise<ExecutionResult> {
  const { policy, principal, deadline, signal, relay } = call;
  const settings = policy.mcpServers.get(server);
  if (!settings || !method) return notStarted("unavailable", "the policy has no such MCP server");
  const authorized = await authorizeServer(parts, { policy, server, settings, principal }, deadline);
  if (!authorized.ok) return authorized.error;
  const { secrets } = authorized.value;
  const era = (await cache.serverOf(principal.tenant, server))?.era ?? undefined;
  const { url, maxResponseBytes: maxBytes } = settings;
  const listen = relay && maskingRelay(relay, secrets);
  const questions = relayedQuestions({ server, settings }, relay?.questions, secrets);
  const request = {
    url,
    ...authorized.value,
    deadline,
    signal,
    era,
    maxBytes,
    now: parts.now,
    relay: listen,
    questions,
  };
  const session = await beforeCallOf(openSession(request));
  if (!session.ok) return session.error;
  const answer = await session.value.ask(method, paramsOfRead(method, call.arguments));
  parts.background(session.value.end());
  if (!answer.ok) {
    const result = faultResult(answer.error, true);
    return { ...result, content: cutText(withoutSecrets(result.content, secrets), MAX_SERVER_WORDS) };
  }
  listen?.result(answer.value);
  const content = withoutSecrets(textOfRead(answer.value), secrets);
  return succeeded(content, { bytes: utf8Bytes(content), httpStatus: 200 });
}

export const maskingRelay = ({ result, progress, message }: McpRelay, secrets: readonly string[]): McpRelay => ({
  result: (value) => result(masked(value, secrets)),
  progress: (value) => progress(masked(value, secrets)),
  message: (value) => message(masked(value, secrets)),
});
