/** Tools of scripted MCP servers, on a real ledger, behind the real guard; time goes on only when it is told to. */
import { env } from "cloudflare:test";
import type { CompiledPolicy } from "../../../src/policy/compile.ts";
import type { TenantLedgerPort } from "../../../src/ports/tenant-ledger-port.ts";
import type { Principal } from "../../../src/session/principal.ts";
import type { KnownServer, McpPinsPort } from "../../../src/tools/mcp/known-server.ts";
import { type McpTools, mcpTools } from "../../../src/tools/mcp/mcp-tools.ts";
import type { ExecutionResult } from "../../../src/tools/run.ts";
import type { McpCatalogue } from "../../../src/tools/tool-runner.ts";
import { policyOf } from "../../support/policy.ts";
import { portsOf } from "../support/object-ports.ts";
import { type ScriptedServer, scriptedServer } from "./mcp-server.ts";

export const URL_OF_CRM = "https://crm.test/mcp";

export interface McpWorld {
  readonly server: ScriptedServer;
  readonly tools: McpTools;
  readonly pins: McpPinsPort;
  readonly policy: CompiledPolicy;
  readonly principal: Principal;
  /** Milliseconds to add to the clock. */
  advance(ms: number): void;
  /** What is offered, by name. */
  catalogue(): Promise<McpCatalogue>;
  known(): Promise<KnownServer>;
  call(
    tool: string,
    args?: Record<string, unknown>,
    more?: { signal?: AbortSignal; ms?: number },
  ): Promise<ExecutionResult>;
  /** Waits for what no answer waits for. */
  settle(): Promise<void>;
  /** As another isolate of the same tenant, which knows nothing yet. */
  elsewhere(): McpWorld;
}

export interface McpWorldOptions {
  readonly settings?: object;
  readonly document?: object;
  readonly tokens?: Readonly<Record<string, string>>;
  readonly secrets?: Readonly<Record<string, string>>;
}

export function mcpWorld(options: McpWorldOptions = {}): McpWorld {
  const tenant = crypto.randomUUID();
  return worldOf(options, tenant, scriptedServer(), { added: 0 });
}

function worldOf(options: McpWorldOptions, tenant: string, server: ScriptedServer, clock: { added: number }): McpWorld {
  const mcpServers = { crm: { url: URL_OF_CRM, timeout: "10s", ...options.settings } };
  const policy = policyOf({ mcpServers, ...options.document });
  const principal: Principal = { tenant, user: "ada", role: "user", authenticated: true, connections: [] };
  const { mcp: pins } = portsOf<TenantLedgerPort>(env.TENANT_LEDGER.get(env.TENANT_LEDGER.idFromName(tenant)));
  const background = new Set<Promise<unknown>>();
  const now = () => Date.now() + clock.added;
  const tools = mcpTools({
    reach: { fetch: server.fetch, resolver: undefined, dev: false, now },
    secrets: { secret: (name) => options.secrets?.[name] },
    tokens: { connectionToken: async (_, provider) => options.tokens?.[provider] },
    pinsOf: () => pins,
    background: (work) => void background.add(work),
    now,
  });
  const self: McpWorld = {
    server,
    tools,
    pins,
    policy,
    principal,
    advance(ms) {
      clock.added += ms;
    },
    catalogue: async () => tools.catalogue(policy, principal),
    async known() {
      const [known] = await pins.servers();
      if (!known) throw new Error("no server is known");
      return known;
    },
    call: (tool, args = {}, { signal = new AbortController().signal, ms = 10_000 } = {}) =>
      tools.run(
        {
          id: "dec_1",
          tool: `mcp__crm__${tool}`,
          arguments: args,
          system: {},
          connections: [],
          principal,
          session: "s",
          policy,
          deadline: now() + ms,
          signal,
        },
        { server: "crm", tool },
      ),
    async settle() {
      for (const work of background) await work;
    },
    elsewhere: () => worldOf(options, tenant, server, clock),
  };
  return self;
}
