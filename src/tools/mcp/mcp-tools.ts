/** Tools of MCP servers: what the runner and operators ask of them. */
import type { McpPort } from "../mcp-port.ts";
import type { ServerAccess } from "./authorize-server.ts";
import { catalogueCache } from "./catalogue.ts";
import type { KnownServer } from "./known-server.ts";
import { listServer, type McpParts } from "./list-server.ts";
import { runMcpCall } from "./run-call.ts";
import type { OpenSession } from "./session.ts";

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
