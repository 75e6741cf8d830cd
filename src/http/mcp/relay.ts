/**
 * What clients may read of the policy's MCP servers besides their tools: resources, prompts, completions. A list shows what the
 * session could read now; a read is a call like any other.
 */
import type { Deps } from "../../deps.ts";
import { runWithLimit } from "../../lib/concurrency.ts";
import { isObject, type JsonObject, objectsIn } from "../../lib/json/json-value.ts";
import { log } from "../../lib/log.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { visibleTexts } from "../../lib/text/unseen-characters.ts";
import { mcpToolName } from "../../policy/mcp-tools.ts";
import { type RelayedKind, readName } from "../../tools/mcp/relayed-reads.ts";
import { offerStep } from "../../turn/offer/offer-step.ts";
import { isOffer } from "../../turn/offer/step-offer.ts";
import type { ToolSession } from "../../turn/tool-call/tool-call-turn.ts";
import type { Turn } from "../../turn/turn.ts";
import { innerUri, withOuterUris } from "./relayed-uris.ts";
import { INVALID_PARAMS, type RpcFault } from "./rpc-error.ts";

export type ListMethod = "resources/list" | "resources/templates/list" | "prompts/list";

const LISTS = {
  "resources/list": { kind: "resources", key: "resources" },
  "resources/templates/list": { kind: "resources", key: "resourceTemplates" },
  "prompts/list": { kind: "prompts", key: "prompts" },
} as const;

/** Per server's list: pages, and all entries. */
const MAX_PAGES = 10;
const MAX_ENTRIES = 1_000;
const AT_ONCE = 4;

/** Servers whose resources or prompts the session could read now. @param turn one that is never opened. */
export function readable(turn: Turn, kind: RelayedKind, now: number): readonly string[] {
  const step = offerStep(turn, now);
  if (!isOffer(step)) return [];
  return [...turn.input.policy.mcpServers.keys()].filter((server) => step.offer.callable.has(readName(server, kind)));
}

/** A server that does not answer, or has none, is left out. */
export async function listRelayed(
  deps: Deps,
  turn: Turn,
  method: ListMethod,
  signal: AbortSignal,
): Promise<JsonObject> {
  const { kind, key } = LISTS[method];
  const listed = await runWithLimit(AT_ONCE, readable(turn, kind, deps.now()), async (server) => {
    const entries = await pagesOf(deps, turn, server, { method, key, signal });
    return entries.map((entry) => outerEntry(server, kind, entry));
  });
  return { [key]: listed.flatMap((one) => (one.status === "fulfilled" ? one.value : [])) };
}

interface AskedList {
  readonly method: ListMethod;
  readonly key: string;
  readonly signal: AbortSignal;
}

async function pagesOf(
  deps: Deps,
  turn: Turn,
  server: string,
  { method, key, signal }: AskedList,
): Promise<readonly JsonObject[]> {
  const entries: JsonObject[] = [];
  let cursor: unknown;
  for (let pages = 0; pages < MAX_PAGES && entries.length < MAX_ENTRIES; pages += 1) {
    const params = typeof cursor === "string" ? { cursor } : {};
    const page = await ask(deps, turn.input, server, { method, params, signal });
    if (!page.ok) break;
    entries.push(...objectsIn(page.value[key]));
    cursor = page.value.nextCursor;
    if (cursor === undefined) break;
  }
  return entries.slice(0, MAX_ENTRIES);
}

type Asker = Pick<ToolSession, "policy" | "principal">;

async function ask(
  { mcp }: Deps,
  { policy, principal }: Asker,
  server: string,
  request: { readonly method: string; readonly params: JsonObject; readonly signal: AbortSignal },
) {
  const settings = policy.mcpServers.get(server);
  if (!settings) throw new Error("the policy has no such MCP server");
  const answer = await mcp.ask({ policy, server, settings, principal }, request);
  if (!answer.ok && answer.error.failure !== "tool_failed")
    log("warn", "mcp_not_relayed", { server, method: request.method, failure: answer.error.failure });
  return answer;
}

/** Names and texts by a server's author: nothing in them may be hidden from a person who reads them. */
function outerEntry(server: string, kind: RelayedKind, entry: JsonObject): JsonObject {
  const seen = withOuterUris(server, visibleTexts(entry));
  return kind === "prompts" ? { ...seen, name: mcpToolName(server, String(seen.name)) } : seen;
}

/** The call that a read is: its tool, and its arguments. */
export interface ReadCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** The name that the client uses for it. */
  readonly about: JsonObject;
}

export function resourceRead(uri: string): Result<ReadCall, RpcFault> {
  const inner = innerUri(uri);
  if (!inner) return err({ code: INVALID_PARAMS, message: "there is no such resource", data: { uri } });
  const { server } = inner;
  return ok({ server, tool: readName(server, "resources"), arguments: { resource: inner.uri }, about: { uri } });
}

export function promptRead({ policy }: Asker, name: string, values: unknown): Result<ReadCall, RpcFault> {
  const found = promptOf({ policy }, name);
  if (!found) return err({ code: INVALID_PARAMS, message: "there is no such prompt" });
  const { server, prompt } = found;
  const args = { prompt, ...(isObject(values) ? { values } : {}) };
  return ok({ server, tool: readName(server, "prompts"), arguments: args, about: { name } });
}

function promptOf({ policy }: Pick<Asker, "policy">, name: string) {
  const servers = [...policy.mcpServers.keys()].filter((one) => name.startsWith(mcpToolName(one, "")));
  // If one of two names is a prefix of the other, the longer one is meant.
  const server = servers.toSorted((one, other) => other.length - one.length)[0];
  return server === undefined ? undefined : { server, prompt: name.slice(mcpToolName(server, "").length) };
}

/** Possible values. Nothing is recorded: only what the session could read now is offered. */
export async function completeRelayed(
  deps: Deps,
  turn: Turn,
  params: JsonObject,
  signal: AbortSignal,
): Promise<JsonObject> {
  const nothing = { completion: { values: [], hasMore: false } };
  const target = completionOf(turn, params.ref);
  if (!target || !readable(turn, target.kind, deps.now()).includes(target.server)) return nothing;
  const { argument, context } = params;
  const completion = { ref: target.ref, argument, ...(context === undefined ? {} : { context }) };
  const answer = await ask(deps, turn.input, target.server, {
    method: "completion/complete",
    params: completion,
    signal,
  });
  return answer.ok ? visibleTexts(answer.value) : nothing;
}

function completionOf({ input }: Turn, ref: unknown) {
  if (!isObject(ref)) return undefined;
  if (ref.type === "ref/prompt" && typeof ref.name === "string") {
    const found = promptOf(input, ref.name);
    return found && { server: found.server, kind: "prompts" as const, ref: { type: ref.type, name: found.prompt } };
  }
  const inner = ref.type === "ref/resource" && typeof ref.uri === "string" ? innerUri(ref.uri) : undefined;
  return inner && { server: inner.server, kind: "resources" as const, ref: { type: ref.type, uri: inner.uri } };
}
