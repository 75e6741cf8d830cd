/**
 * Notifies clients of changed resources. A client of 2025 subscribes in separate requests, which are stored in the user's object: the
 * stream that listens reads them there. A client of 2026 names them when it opens its stream.
 *
 * Changes before the server knew of a subscription are never reported: so a stream reports each resource once as possibly changed.
 */
import { describeError, log } from "../../lib/log.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { visibleTexts } from "../../lib/text/unseen-characters.ts";
import { isSameSet } from "../../lib/unique.ts";
import type { ServerAccess } from "../../tools/mcp/authorize-server.ts";
import type { McpFault } from "../../tools/mcp/session.ts";
import type { Turn } from "../../turn/turn.ts";
import { orUnavailable } from "../reach.ts";
import { readable } from "./relay.ts";
import { innerUri, outerUri } from "./relayed-uris.ts";
import { INVALID_PARAMS, type RpcFault, rpcFault, SERVER_ERROR } from "./rpc-error.ts";
import type { CallContext } from "./server-questions.ts";

/** How often a stream reads its session's subscriptions. */
const LOOK_MS = 5_000;
/** How soon a subscription is sent to a server again: a server that ends each stream at once would otherwise get it without end. */
const AGAIN_MS = 30_000;
/** How long one session with a server lasts; then another is opened. */
const FOLLOW_MS = 600_000;
/** Per stream: each takes a connection. */
const MAX_SERVERS = 4;

export async function subscribe(
  { c, deps, at, session }: CallContext,
  turn: Turn,
  uri: string,
  signal: AbortSignal,
): Promise<Result<object, RpcFault>> {
  const named = innerUri(uri);
  if (!named || !readable(turn, "resources", deps.now()).includes(named.server))
    return err({ code: INVALID_PARAMS, message: "the server relays none", data: { uri } });
  const access = accessTo(turn, named.server);
  const { mcpSessions } = deps.guardOf(at.principal);
  const known = await orUnavailable(mcpSessions.subscriptions(session.id));
  if (!known.ok) return err(rpcFault(known.error));
  const servers = new Set([...known.value, uri].map((one) => innerUri(one)?.server));
  if (servers.size > MAX_SERVERS) return err(tooMany(`resources of more than ${MAX_SERVERS} servers`));
  // Only its server knows whether there is such a resource, and when it changes.
  const tried = await deps.mcp.follow(access, {
    uris: [named.uri],
    updates: { updated() {}, ended() {} },
    until: deps.now() + access.settings.timeout,
    signal,
  });
  if (!tried.ok) return err(faultOf(tried.error));
  c.executionCtx.waitUntil(tried.value());
  const added = await orUnavailable(mcpSessions.subscribe(session.id, uri));
  if (!added.ok) return err(rpcFault(added.error));
  return added.value ? ok({}) : err(tooMany("more resources than are kept"));
}

const tooMany = (what: string): RpcFault => ({ code: INVALID_PARAMS, message: `the session subscribes to ${what}` });

const faultOf = ({ failure, serverWords, detail }: McpFault): RpcFault =>
  failure === "tool_failed"
    ? { code: INVALID_PARAMS, message: visibleTexts(serverWords ?? detail) }
    : { code: SERVER_ERROR, message: detail };

export async function unsubscribe({ deps, at, session }: CallContext, uri: string): Promise<Result<object, RpcFault>> {
  const removed = await orUnavailable(deps.guardOf(at.principal).mcpSessions.unsubscribe(session.id, uri));
  return removed.ok ? ok({}) : err(rpcFault(removed.error));
}

function accessTo({ input: { policy, principal } }: Turn, server: string): ServerAccess {
  const settings = policy.mcpServers.get(server);
  if (!settings) throw new Error("the policy has no such MCP server");
  return { policy, server, settings, principal };
}

interface SubscribedUpdates {
  /** The client's current URIs; undefined if they cannot be read. */
  uris(): Promise<readonly string[] | undefined>;
  /** What the session may read now; undefined if it cannot be read. */
  turn(): Promise<Turn | undefined>;
  /** A resource may have changed, by the URI that the client subscribed to. Never throws. */
  updated(uri: string): void;
}

/** @returns to be called when the client stops listening. */
export function followUpdates({ c, deps }: Pick<CallContext, "c" | "deps">, wanted: SubscribedUpdates): () => void {
  const followed = new Map<string, FollowedServer>();
  const tried = new Map<string, { readonly uris: ReadonlySet<string>; readonly at: number }>();
  const stopped = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const leave = (one: FollowedServer | undefined) => one && c.executionCtx.waitUntil(one.end());

  async function follow(turn: Turn, server: string, uris: ReadonlySet<string>): Promise<void> {
    const before = followed.get(server);
    if (before && isSameSet(before.uris, uris)) return;
    const last = tried.get(server);
    if (last && isSameSet(last.uris, uris) && deps.now() < last.at + AGAIN_MS) return;
    tried.set(server, { uris, at: deps.now() });
    const updates = {
      updated: (uri: string) => subscribedUris(server, uri, uris).forEach(wanted.updated),
      ended: () => {
        if (followed.get(server)?.updates === updates) followed.delete(server);
      },
    };
    const one = { uris, updates, end: async () => {} };
    followed.set(server, one);
    const opened = await deps.mcp.follow(accessTo(turn, server), {
      uris: [...uris].flatMap((uri) => innerUri(uri)?.uri ?? []),
      updates,
      until: deps.now() + FOLLOW_MS,
      signal: stopped.signal,
    });
    if (!opened.ok) {
      log("warn", "mcp_not_relayed", { server, method: "resources/subscribe", failure: opened.error.failure });
      if (before) followed.set(server, before);
      else followed.delete(server);
      return;
    }
    one.end = opened.value;
    // The new session subscribes to everything; the old one ends after it.
    leave(before);
    // It may have ended meanwhile: some servers offer no stream for notifications.
    if (followed.get(server) !== one) return leave(one);
    for (const uri of uris) if (!before?.uris.has(uri)) wanted.updated(uri);
  }

  async function look(): Promise<void> {
    const uris = await wanted.uris();
    const turn = uris?.length === 0 && followed.size === 0 ? undefined : await wanted.turn();
    if (!uris || !turn || stopped.signal.aborted) return;
    const now = byServer(uris, readable(turn, "resources", deps.now()));
    for (const [server, one] of followed) {
      if (now.has(server)) continue;
      followed.delete(server);
      leave(one);
    }
    await Promise.all([...now].map(([server, own]) => follow(turn, server, own)));
  }

  const keepLooking = async (): Promise<void> => {
    await look().catch((error: unknown) => log("warn", "mcp_not_relayed", describeError(error)));
    if (!stopped.signal.aborted) timer = setTimeout(keepLooking, Math.min(LOOK_MS, deps.replyTimeouts.keepAliveMs));
  };
  void keepLooking();
  return () => {
    stopped.abort();
    clearTimeout(timer);
    for (const one of followed.values()) leave(one);
    followed.clear();
  };
}

interface FollowedServer {
  /** As the client knows them. */
  readonly uris: ReadonlySet<string>;
  readonly updates: object;
  readonly end: () => Promise<void>;
}

/** Servers beyond the limit are left out: the first ones of the client's list count. */
function byServer(uris: readonly string[], servers: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const sorted = new Map<string, Set<string>>();
  for (const uri of uris) {
    const server = innerUri(uri)?.server;
    if (server === undefined || !servers.includes(server)) continue;
    if (!sorted.has(server) && sorted.size >= MAX_SERVERS) continue;
    sorted.set(server, (sorted.get(server) ?? new Set()).add(uri));
  }
  return sorted;
}

/** A server may name a part of what was subscribed to; the client gets only the URI that it used itself. */
const subscribedUris = (server: string, uri: string, uris: ReadonlySet<string>): readonly string[] =>
  [...uris].filter((own) => outerUri(server, uri).startsWith(own));
