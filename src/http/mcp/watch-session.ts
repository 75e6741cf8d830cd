/** What a session's lists depend on, and streams that listen for a change of it. The session may move in any isolate: its object alone knows. */
import type { Deps } from "../../deps.ts";
import { sha256Hex } from "../../lib/digest.ts";
import { withRelayed } from "../../tools/managed-tools.ts";
import type { ToolSession } from "../../turn/tool-call/tool-call-turn.ts";
import { loadPolicy } from "../load-policy.ts";
import { orUnavailable } from "../reach.ts";
import { activeConnections } from "../user/linked-connections.ts";

/** How often a stream that listens reads its session. */
const LOOK_MS = 5_000;

/**
 * A digest of all that the session's lists depend on: where two are equal, so are the lists.
 * @returns undefined where it cannot be read now.
 */
export async function listVersion(deps: Deps, { principal, session }: ToolSession): Promise<string | undefined> {
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
 * @param known the version that the listener has; absent: the present one.
 * @returns to be called when nobody listens any more.
 */
export function watchSession(
  deps: Deps,
  at: ToolSession,
  changed: (version: string) => void,
  known?: string,
): () => void {
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
