/** What is read of an MCP server besides calling its tools. */
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
import type { McpFault } from "./session.ts";

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
  const { server, settings, principal } = access;
  const deadline = parts.now() + settings.timeout;
  const authorized = await authorizeServer(parts, access, deadline);
  if (!authorized.ok) {
    const { failure, detail } = authorized.error;
    const fault = { failure: failure ?? "unavailable", detail: detail ?? "nothing may be sent to it" } as const;
    return err({ ...fault, httpStatus: null, callSent: false, sessionGone: false });
  }
  const era = (await cache.serverOf(principal.tenant, server))?.era ?? undefined;
  const { url, maxResponseBytes: maxBytes } = settings;
  const questions = relayedQuestions(access);
  const request = { url, ...authorized.value, deadline, signal, era, maxBytes, now: parts.now, questions };
  const session = await openSession(request);
  if (!session.ok) return session;
  const answer = await session.value.ask(method, params);
  parts.background(session.value.end());
  return answer.ok ? ok(masked(answer.value, authorized.value.secrets)) : answer;
}

/** What is no tool's: a resource, a prompt. */
export async function runRead(
  call: PreparedCall,
  { server, method }: McpTarget,
  cache: CatalogueCache,
  parts: McpParts,
): Promise<ExecutionResult> {
  const { policy, principal, deadline, signal, relay } = call;
  const settings = Object.hasOwn(policy.mcpServers, server) ? policy.mcpServers[server] : undefined;
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
