/** MCP servers and their tools as operators see them. Pure. */
import { isoTimeOrNull } from "../../lib/text/iso-time.ts";
import { visibleJson } from "../../lib/text/visible-text.ts";
import type { McpServer } from "../../policy/document/run-parts.ts";
import { mcpToolName } from "../../policy/mcp-tools.ts";
import { type KnownServer, type KnownTool, stateOf } from "../../tools/mcp/known-server.ts";

/**
 * Nothing is known of a server that was never reached, or whose address in the policy has changed since.
 * @param settings undefined if the policy does not have it any more.
 */
export function presentServer(name: string, settings: McpServer | undefined, noted: KnownServer | undefined) {
  const known = settings === undefined || noted?.url === settings.url ? noted : undefined;
  return {
    object: "mcp.server",
    server: name,
    in_policy: settings !== undefined,
    url: settings?.url ?? known?.url ?? null,
    connection: settings?.connection ?? null,
    trust_annotations: settings?.trustAnnotations ?? false,
    new_tools: settings?.newTools ?? null,
    listed_at: isoTimeOrNull(known?.listedAt),
    tried_at: isoTimeOrNull(known?.triedAt),
    error: known?.error ? { code: known.error.failure, message: known.error.detail } : null,
    tools: known ? toolsOf(known) : [],
  };
}

function toolsOf(known: KnownServer) {
  const pinned = new Set(known.tools.map(({ tool }) => tool));
  const others = known.leftOut.filter(({ tool }) => !pinned.has(tool));
  return [
    ...known.tools.map((one) => presentTool(known, one)),
    ...others.map(({ tool, reason }) => ({
      ...NOTHING_SEEN,
      tool,
      name: null,
      state: "left_out",
      reason,
    })),
  ];
}

const NOTHING_SEEN = {
  digest: null,
  seen_digest: null,
  suspicious: false,
  accepted: null,
  seen: null,
  accepted_at: null,
  accepted_by: null,
};

/** Both definitions whole, for an operator to compare. */
function presentTool(known: KnownServer, one: KnownTool) {
  const { tool, accepted, seen } = one;
  return {
    tool,
    name: mcpToolName(known.server, tool),
    state: stateOf(known, one),
    reason: known.leftOut.find((other) => other.tool === tool)?.reason ?? null,
    digest: accepted?.digest ?? null,
    seen_digest: seen?.digest ?? null,
    suspicious: seen?.suspicious ?? false,
    accepted: accepted?.definition ?? null,
    seen: seen?.definition ?? null,
    accepted_at: isoTimeOrNull(accepted?.at),
    accepted_by: accepted?.by ?? null,
  };
}

/** Servers choose these texts: characters that a terminal would not show, or would show as something else, are escaped. */
export const visibleResponse = (body: object): Response =>
  new Response(visibleJson(body), { headers: { "content-type": "application/json; charset=utf-8" } });
