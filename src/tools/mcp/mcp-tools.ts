/** The tools of MCP servers, for the runner and for operators. */

import type { JsonObject } from "../../lib/json/json-value.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { utf8Bytes } from "../../lib/text/characters.ts";
import { systemOf } from "../../policy/arguments/system-arguments.ts";
import { traitsOf } from "../../policy/traits.ts";
import { type ExecutionResult, failed, notStarted, succeeded } from "../run.ts";
import { cutText } from "../run-text.ts";
import type { McpPort, McpTarget, PreparedCall } from "../tool-runner.ts";
import { withoutSecrets } from "../without-secrets.ts";
import { authorizeServer, type ServerAccess } from "./authorize-server.ts";
import { type CatalogueCache, catalogueCache } from "./catalogue.ts";
import { beforeCallOf, faultResult, MAX_SERVER_WORDS } from "./fault-result.ts";
import { type AcceptedTool, type KnownServer, type KnownTool, type NotedList, stateOf } from "./known-server.ts";
import { type ListRequest, listServer, type McpParts, openListed, openSession } from "./list-server.ts";
import {
  type AskedServer,
  askServer,
  type FollowedResources,
  followResources,
  maskingRelay,
  runRead,
} from "./read-server.ts";
import { relayedQuestions } from "./relayed-questions.ts";
import { type McpResult, resultText } from "./result-text.ts";
import type { McpFault, McpSession } from "./session.ts";

export interface McpTools extends McpPort {
  /** Reads the list now, as `listServer` does. */
  refresh(access: ServerAccess): Promise<KnownServer | "not_linked" | undefined>;
  /** Asks a server for a list or a completion, for which no call is recorded. Secrets are masked in the answer. */
  ask(access: ServerAccess, request: AskedServer): Promise<Result<JsonObject, McpFault>>;
  /** Reports changes of a server's resources, until it is ended. @returns the function that ends it. */
  follow(access: ServerAccess, followed: FollowedResources): Promise<Result<() => Promise<void>, McpFault>>;
  /** Drops what this isolate caches for the tenant. */
  forget(tenant: string): void;
}

/** One for an isolate: it caches the catalogues. */
export function mcpTools(parts: McpParts): McpTools {
  const cache = catalogueCache(parts);
  return {
    catalogue: (policy, principal) => cache.catalogue(policy, principal),
    run: (call, target) =>
      target.method ? runRead(call, target, cache, parts) : runMcpCall(call, target, cache, parts),
    ask: (access, request) => askServer(access, request, cache, parts),
    follow: (access, followed) => followResources(access, followed, cache, parts),
    async refresh(access) {
      const known = await listServer(access, parts);
      if (known !== undefined && known !== "not_linked") cache.remember(access.principal.tenant, known);
      return known;
    },
    forget: (tenant) => cache.forget(tenant),
  };
}

/** A list that is older is read again before the call. */
const TRUSTED_MS = 60_000;

async function runMcpCall(
  call: PreparedCall,
  { server, tool }: McpTarget,
  cache: CatalogueCache,
  parts: McpParts,
): Promise<ExecutionResult> {
  const { policy, principal, deadline, signal } = call;
  const settings = policy.mcpServers.get(server);
  if (!settings) return notStarted("unavailable", "the policy has no such MCP server");
  const known = await cache.serverOf(principal.tenant, server);
  const pinned = pinOf(known, tool, settings.url);
  if (!pinned.ok) return pinned.error;
  const authorized = await authorizeServer(parts, { policy, server, settings, principal }, deadline);
  if (!authorized.ok) return authorized.error;
  const secrets = [...authorized.value.secrets, ...tokensOf(call)];
  const request: ListRequest = {
    url: settings.url,
    ...authorized.value,
    deadline,
    signal,
    era: known?.era ?? undefined,
    maxBytes: settings.maxResponseBytes,
    now: parts.now,
    relay: call.relay && maskingRelay(call.relay, secrets),
    questions: relayedQuestions({ server, settings }, call.relay?.questions, secrets),
  };
  const isNew = known?.listedAt != null && parts.now() - known.listedAt < TRUSTED_MS;
  const session = isNew
    ? await beforeCallOf(openSession(request))
    : await openChecked(call, { server, tool }, pinned.value, request, { cache, parts });
  if (!session.ok) return session.error;
  const { definition } = pinned.value;
  const answer = await session.value.call({
    name: tool,
    arguments: call.arguments,
    inputSchema: definition.inputSchema,
  });
  parts.background(session.value.end());
  if (answer.ok) request.relay?.result({ ...answer.value });
  const result = answer.ok ? callResult(answer.value) : faultResult(answer.error, isSafe(call));
  const content = withoutSecrets(result.content, secrets);
  // Cut only now: the rest of a secret that was cut would not be masked.
  return { ...result, content: answer.ok ? content : cutText(content, MAX_SERVER_WORDS) };
}

/** Tokens that the system filled in as arguments: the answer may repeat them. */
function tokensOf({ policy, tool, system }: PreparedCall): readonly string[] {
  const values = systemOf(policy.tools.get(tool));
  return Object.keys(system).flatMap((name) => (values[name] === "connection.token" ? [String(system[name])] : []));
}

/** The definition that may be called; an error if the server has another one. */
function pinOf(known: KnownServer | undefined, tool: string, url: string): Result<AcceptedTool, ExecutionResult> {
  const one = known?.url === url ? known.tools.find((found) => found.tool === tool) : undefined;
  if (!known || !one) return err(notStarted("unavailable", "the MCP server has no such tool"));
  return usable(known, one);
}

function usable(known: KnownServer, one: KnownTool): Result<AcceptedTool, ExecutionResult> {
  const state = stateOf(known, one);
  if (state === "accepted" && one.accepted) return ok(one.accepted);
  if (state === "gone") return err(notStarted("unavailable", "the MCP server has this tool no more"));
  return err(notStarted("definition_changed", "an operator must accept the tool's definition first"));
}

/** The server's definition is compared in the very session that calls it: only the server itself could change it in between. */
async function openChecked(
  { policy, principal }: PreparedCall,
  { server, tool }: McpTarget,
  pinned: AcceptedTool,
  request: ListRequest,
  { cache, parts }: { readonly cache: CatalogueCache; readonly parts: McpParts },
): Promise<Result<McpSession, ExecutionResult>> {
  const opened = await beforeCallOf(openListed(server, request, parts.background));
  if (!opened.ok) return opened;
  const { session, list } = opened.value;
  const newTools = policy.mcpServers.get(server)?.newTools ?? "wait";
  parts.background(recordList(principal.tenant, { server, list, newTools, at: parts.now() }, cache, parts));
  const seen = list.tools.find(({ definition }) => definition.name === tool);
  if (seen?.digest === pinned.digest) return ok(session);
  parts.background(session.end());
  const gone = !seen && !list.leftOut.some((one) => one.tool === tool);
  return err(
    gone
      ? notStarted("unavailable", "the MCP server has this tool no more")
      : notStarted(
          "definition_changed",
          "the MCP server has changed the tool's definition; an operator must accept it",
        ),
  );
}

async function recordList(
  tenant: string,
  noted: NotedList,
  cache: CatalogueCache,
  { pinsOf }: McpParts,
): Promise<void> {
  // Not stored: the next call reads the list again.
  const known = await pinsOf(tenant)
    .noteList(noted)
    .catch(() => undefined);
  if (known) cache.remember(tenant, known);
}

const isSafe = ({ policy, tool }: PreparedCall): boolean => traitsOf(policy, tool).class === "safe";

function callResult(result: McpResult): ExecutionResult {
  const content = resultText(result);
  const bytes = utf8Bytes(content);
  if (result.isError === true)
    return failed("tool_failed", "the tool says that it failed", { content, bytes, httpStatus: 200 });
  return succeeded(content, { bytes, httpStatus: 200 });
}
