/** Tools of MCP servers: what the runner and operators ask of them. */
import { err, ok, type Result } from "../../lib/result.ts";
import { utf8Bytes } from "../../lib/text/characters.ts";
import { traitsOf } from "../../policy/traits.ts";
import { systemOf } from "../call-target.ts";
import { type ExecutionResult, failed, notStarted, type RunFailure, succeeded, unknown } from "../run.ts";
import { cutText } from "../run-text.ts";
import type { McpPort, McpTarget, PreparedCall } from "../tool-runner.ts";
import { withoutSecrets } from "../without-secrets.ts";
import type { ServerAccess } from "./authorize-server.ts";
import { type CatalogueCache, catalogueCache } from "./catalogue.ts";
import { type AcceptedTool, type KnownServer, type KnownTool, type NotedList, stateOf } from "./known-server.ts";
import { type ListRequest, listServer, type McpParts, openListed } from "./list-server.ts";
import { type McpResult, resultText } from "./result-text.ts";
import type { McpFault, McpSession, OpenSession, SessionRequest } from "./session.ts";

export interface McpTools extends McpPort {
  /** Asks for the list now, as `listServer` says. */
  refresh(asked: ServerAccess): Promise<KnownServer | "not_linked" | undefined>;
  /** What this isolate holds of a tenant counts no more. */
  forget(tenant: string): void;
}

/** One for an isolate: it holds what it was told. */
export function mcpTools(given: Omit<McpParts, "openSession">): McpTools {
  const parts: McpParts = { ...given, openSession: bySdk };
  const cache = catalogueCache(parts);
  return {
    catalogue: (policy, principal) => cache.catalogue(policy, principal),
    run: (call, target) => runMcpCall(call, target, cache, parts),
    async refresh(asked) {
      const known = await listServer(asked, parts);
      if (known !== undefined && known !== "not_linked") cache.remember(asked.principal.tenant, known);
      return known;
    },
    forget: (tenant) => cache.forget(tenant),
  };
}

let sdk: typeof import("./sdk-session.ts") | undefined;

/** What the SDK takes is evaluated at the first session. The module is kept, not its promise, which is one request's. */
const bySdk: OpenSession = async (order) => {
  sdk ??= await import("./sdk-session.ts");
  return sdk.openSession(order);
};

/** A list that is older is looked at again before the call. */
const TRUSTED_MS = 60_000;
/** Of what the server says of an error, in UTF-16 units. */
const MAX_SAID = 2_000;

async function runMcpCall(
  call: PreparedCall,
  { server, tool }: McpTarget,
  cache: CatalogueCache,
  parts: McpParts,
): Promise<ExecutionResult> {
  const { policy, principal, deadline, signal } = call;
  const settings = Object.hasOwn(policy.mcpServers, server) ? policy.mcpServers[server] : undefined;
  if (!settings) return notStarted("unavailable", "the policy has no such MCP server");
  const known = await cache.serverOf(principal.tenant, server);
  const pinned = pinOf(known, tool, settings.url);
  if (!pinned.ok) return pinned.error;
  const opened = await parts.door({ policy, server, settings, principal }, deadline);
  if (!opened.ok) return opened.error;
  const order: ListRequest = {
    url: settings.url,
    ...opened.value,
    deadline,
    signal,
    era: known?.era ?? undefined,
    maxBytes: settings.maxResponseBytes,
    now: parts.now,
  };
  const isNew = known?.listedAt != null && parts.now() - known.listedAt < TRUSTED_MS;
  const session = isNew
    ? await openFor(order, parts)
    : await openChecked(call, { server, tool }, pinned.value, order, { cache, parts });
  if (!session.ok) return session.error;
  const { definition } = pinned.value;
  const answer = await session.value.call({
    name: tool,
    arguments: call.arguments,
    inputSchema: definition.inputSchema,
  });
  parts.background(session.value.end());
  const ran = answer.ok ? callResult(answer.value) : faultResult(answer.error, isSafe(call));
  const content = withoutSecrets(ran.content, [...opened.value.secrets, ...tokensOf(call)]);
  // Cut only now: of a secret that was cut the rest would be told.
  return { ...ran, content: answer.ok ? content : cutText(content, MAX_SAID) };
}

/** What the system filled in as an argument, and may come back with the answer. */
function tokensOf({ policy, tool, system }: PreparedCall): readonly string[] {
  const asked = systemOf(policy, tool);
  return Object.keys(system).flatMap((name) => (asked[name] === "connection.token" ? [String(system[name])] : []));
}

/** The definition that may be called; why none may where it is not that which the server has. */
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

async function openFor(order: SessionRequest, parts: McpParts): Promise<Result<McpSession, ExecutionResult>> {
  const first = await parts.openSession(order);
  const session = !first.ok && first.error.sessionGone ? await parts.openSession(order) : first;
  return session.ok ? session : err(beforeCall(session.error));
}

/** The server's definition is compared in the very session that calls it: nothing comes between but the server itself. */
async function openChecked(
  { policy, principal }: PreparedCall,
  { server, tool }: McpTarget,
  pinned: AcceptedTool,
  order: ListRequest,
  { cache, parts }: { readonly cache: CatalogueCache; readonly parts: McpParts },
): Promise<Result<McpSession, ExecutionResult>> {
  const opened = await openListed(server, order, parts.openSession, parts.background);
  if (!opened.ok) return err(beforeCall(opened.error));
  const { session, list } = opened.value;
  const newTools = policy.mcpServers[server]?.newTools ?? "wait";
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
  // Not noted: the next call looks again.
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

/** Before the call was sent nothing was done. */
const beforeCall = ({ failure, detail }: McpFault): ExecutionResult =>
  failure === "timeout" || failure === "too_large" || failure === "unreadable" || failure === "tool_failed"
    ? notStarted("unavailable", detail)
    : notStarted(failure, detail);

/** Refused before anything was sent. */
const refusals: readonly RunFailure[] = ["host_forbidden", "address_forbidden", "secret_unbound", "connection_missing"];

/** @param safe whether it does nothing: then it does not matter that it may have been done. */
function faultResult(fault: McpFault, safe: boolean): ExecutionResult {
  const { failure, detail, httpStatus, said = "", callSent } = fault;
  if (!callSent || refusals.includes(failure)) return beforeCall(fault);
  const more = { content: said, bytes: utf8Bytes(said), httpStatus };
  const refused = failure === "tool_failed" || (httpStatus !== null && httpStatus >= 300 && httpStatus < 500);
  return refused || safe ? failed(failure, detail, more) : unknown(failure, detail, more);
}
