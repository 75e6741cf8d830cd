/** What the gateway answers an MCP client with: the calls of its session, and what it may read of the policy's servers. */
import type { Deps } from "../../deps.ts";
import { boundedCache } from "../../lib/bounded-cache.ts";
import { lengthPrefixed, sha256Hex } from "../../lib/digest.ts";
import type { JsonObject } from "../../lib/json/json-value.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { traitsOf } from "../../policy/traits.ts";
import { mcpTarget, withRelayed } from "../../tools/managed-tools.ts";
import { isRead } from "../../tools/mcp/relayed-reads.ts";
import { mcpToolView } from "../../tools/tool-view.ts";
import { offerStep } from "../../turn/offer/offer-step.ts";
import { isOffer } from "../../turn/offer/step-offer.ts";
import { previewToolTurn, type ToolSession } from "../../turn/tool-call/tool-call-turn.ts";
import type { Turn } from "../../turn/turn.ts";
import { loadPolicy } from "../load-policy.ts";
import { orUnavailable } from "../reach.ts";
import { activeConnections } from "../user/linked-connections.ts";
import { callRead, callTool } from "./call-tool.ts";
import type { CalledTool, RelayedSession, ServedSession } from "./mcp-server.ts";
import { completeRelayed, listRelayed, promptRead, type ReadCall, resourceRead } from "./relay.ts";
import { type RpcFault, rpcFault } from "./rpc-error.ts";
import type { CallContext } from "./server-questions.ts";
import { followUpdates, subscribe, unsubscribe } from "./subscriptions.ts";

export function servedSession(context: CallContext): ServedSession {
  const { deps, at, session } = context;
  const relays = [...at.policy.mcpServers.values()].some(({ relay }) => relay.some(isRead));
  return {
    instructions: instructionsFor(at),
    list: async () => mapped(await preview(deps, at), (turn) => listedTools(turn, deps.now())),
    call: (call) => callTool(context, call),
    relay: relays
      ? relayedSession(context, `${lengthPrefixed(at.principal.tenant, at.principal.user)} ${session.id}`)
      : undefined,
    version: () => listVersion(deps, at),
    watch: (changed, known) => watchSession(deps, at, changed, known),
    keepAliveMs: deps.replyTimeouts.keepAliveMs,
  };
}

/** Many clients put this text before their model: a list that changes, and a call that must be made again, are unusual. */
function instructionsFor({ policy: { handshake } }: ToolSession): string {
  const selects =
    handshake.select === "off"
      ? ""
      : ` To get the tools that change something, call \`${handshake.tool}\` with what the user wants, then list the tools again.`;
  return (
    `These are the tools that the user may use now; the list changes.${selects} Some calls need the user's consent. Where the user cannot be ` +
    "asked here, such a call is an error that says where they answer: once they have, make the very same call again."
  );
}

function relayedSession(context: CallContext, key: string): RelayedSession {
  const { deps, at, session } = context;
  const read = async (found: Result<ReadCall, RpcFault>, call: CalledTool) =>
    found.ok ? callRead(context, found.value, call) : found;
  return {
    async list(method, signal) {
      const turn = await preview(deps, at);
      return turn.ok ? ok(await listRelayed(deps, turn.value, method, signal)) : turn;
    },
    readResource: (uri, call) => read(resourceRead(uri), call),
    getPrompt: (name, values, call) => read(promptRead(at, name, values), call),
    async complete(params, signal) {
      const turn = await preview(deps, at);
      return turn.ok ? ok(await completeRelayed(deps, turn.value, params, signal)) : turn;
    },
    async subscribe(uri, signal) {
      const turn = await preview(deps, at);
      return turn.ok ? subscribe(context, turn.value, uri, signal) : turn;
    },
    unsubscribe: (uri) => unsubscribe(context, uri),
    follow: (updated, uris) =>
      followUpdates(context, {
        uris: async () =>
          uris ?? valueOrNone(await orUnavailable(deps.guardOf(at.principal).mcpSessions.subscriptions(session.id))),
        turn: async () => valueOrNone(await preview(deps, at)),
        updated,
      }),
    get level() {
      return levels.get(key);
    },
    set level(level) {
      if (level !== undefined) levels.set(key, level, level.length);
    },
  };
}

/** The log level of sessions, as far as this isolate knows: another isolate sends more than its client wants. */
const levels = boundedCache<string>({ maxBytes: 256 * 1024 });

const valueOrNone = <T, E>(result: Result<T, E>): T | undefined => (result.ok ? result.value : undefined);

const mapped = <T, U, E>(result: Result<T, E>, change: (value: T) => U): Result<U, E> =>
  result.ok ? ok(change(result.value)) : result;

/** The session's current offer: of a turn that is never opened. */
async function preview(deps: Deps, at: ToolSession): Promise<Result<Turn, RpcFault>> {
  const [session, linked] = await Promise.all([
    orUnavailable(deps.guardOf(at.principal).sessions.find(at.session)),
    activeConnections(at.principal, deps),
  ]);
  if (!session.ok) return err(rpcFault(session.error));
  if (!linked.ok) return err(rpcFault(linked.error));
  const connections = linked.value.map(({ provider }) => provider);
  return ok(previewToolTurn(at, session.value, connections));
}

/** @param turn one that is never opened. */
function listedTools(turn: Turn, now: number): readonly JsonObject[] {
  const step = offerStep(turn, now);
  if (!isOffer(step)) return [];
  const { policy } = turn.input;
  const { handshake, callable, offered } = step.offer;
  // Reads of servers' resources have requests of their own.
  const called = offered.filter(({ name }) => mcpTarget(policy, name)?.method === undefined);
  const tools = called.map((definition) => {
    const traits = traitsOf(policy, definition.name);
    const undo = traits.undo && callable.has(traits.undo.tool) ? traits.undo.tool : undefined;
    return mcpToolView(policy, {
      definition,
      traits,
      managed: true,
      undo,
      modes: [],
      missing: [],
      withoutToken: undefined,
    });
  });
  return handshake ? [...tools, handshakeView(handshake.definition)] : tools;
}

/** It changes only which tools can be called. */
const handshakeView = ({
  name,
  description,
  parameters,
}: {
  name: string;
  description?: string;
  parameters?: unknown;
}) => ({
  name,
  description,
  inputSchema: parameters,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  _meta: { "toolgate/handshake": true },
});

/** How often a stream that listens reads its session. */
const LOOK_MS = 5_000;

/**
 * A digest of everything that the session's lists depend on: equal digests mean equal lists.
 * @returns undefined if it cannot be read now.
 */
async function listVersion(deps: Deps, { principal, session }: ToolSession): Promise<string | undefined> {
  const [policy, found, linked] = await Promise.all([
    loadPolicy(deps, principal.tenant),
    orUnavailable(deps.guardOf(principal).sessions.find(session)),
    activeConnections(principal, deps),
  ]);
  if (!policy.ok || !found.ok || !linked.ok) return undefined;
  const { names, changed } = withRelayed(await deps.tools.managed(policy.value, principal));
  const { intents = [], mode = null } = found.value ?? {};
  const providers = linked.value.map(({ provider }) => provider);
  const parts = [policy.value.version, [...names], [...changed], intents, mode, providers];
  return sha256Hex(JSON.stringify(parts)).slice(0, 16);
}

/**
 * Calls `changed` with each new version.
 * @param known the version that the listener has; absent: the current one.
 * @returns to be called when the client stops listening.
 */
function watchSession(deps: Deps, at: ToolSession, changed: (version: string) => void, known?: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = known;
  let stopped = false;
  const look = async () => {
    const version = (await listVersion(deps, at)) ?? last;
    if (stopped) return;
    if (last !== undefined && version !== undefined && version !== last) changed(version);
    last = version;
    timer = setTimeout(look, Math.min(LOOK_MS, deps.replyTimeouts.keepAliveMs));
  };
  void look();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
