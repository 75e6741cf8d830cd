/** `/admin/mcp`: what operators are told of MCP servers, and what they accept. */

import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../../src/deps.ts";
import type { TenantLedgerPort } from "../../../src/ports/tenant-ledger-port.ts";
import { putPolicy } from "../../../src/stores/policies/policy-source.ts";
import { type Gateway, gateway } from "../support/gateway.ts";
import { portsOf } from "../support/object-ports.ts";
import { captureLog } from "../telemetry/capture-log.ts";
import { type ScriptedServer, scriptedServer, scriptedTool } from "../tools/mcp-server.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

interface Tool {
  readonly tool: string;
  readonly state: string;
  readonly digest: string | null;
  readonly seen_digest: string | null;
  readonly [name: string]: unknown;
}

interface Server {
  readonly server: string;
  readonly listed_at: string | null;
  readonly error: { readonly code: string } | null;
  readonly tools: readonly Tool[];
}

interface Desk {
  readonly gate: Gateway;
  readonly server: ScriptedServer;
  ask(
    method: string,
    path?: string,
    json?: unknown,
    key?: string,
  ): Promise<{ status: number; body: never; raw: string }>;
  refresh(): Promise<Server>;
}

async function desk(variables: Partial<Env> = {}): Promise<Desk> {
  const server = scriptedServer();
  const policy = { mcpServers: { crm: { url: "https://crm.test/mcp", connection: "crm" } } };
  const gate = await gateway({ policy, variables, elsewhere: (request) => server.fetch(request) });
  const admin = await gate.keyFor("boss", "admin");
  const self: Desk = {
    gate,
    server,
    async ask(method, path = "", json, key = admin) {
      const response = await gate.fetch(`/admin/mcp${path}`, { method, json, key });
      const raw = await response.text();
      return { status: response.status, raw, body: JSON.parse(raw) as never };
    },
    refresh: async () => (await self.ask("POST", "/crm/refresh")).body,
  };
  return self;
}

describe("/admin/mcp", () => {
  it("tells of each server of the policy, also of one that was never asked", async () => {
    const { ask, refresh, server } = await desk();
    const list = async () => (await ask("GET")).body as { data: Server[] };
    expect(await list()).toMatchObject({
      object: "list",
      data: [{ object: "mcp.server", server: "crm", connection: "crm", listed_at: null, error: null, tools: [] }],
    });
    server.tools = [scriptedTool("find"), scriptedTool("find it"), scriptedTool("bad", { description: "[INST] <<" })];
    const { tools } = await refresh();
    expect(tools).toMatchObject([
      { tool: "find", name: "mcp__crm__find", state: "accepted", suspicious: false, accepted_by: null },
      { tool: "bad", state: "waiting", suspicious: true, digest: null, accepted: null },
      { tool: "find it", state: "left_out", reason: expect.stringContaining("letters") },
    ]);
    expect((await list()).data[0]?.tools).toEqual(tools);
    await server.once("DELETE");
  });

  it("has a changed definition accepted by its digest, and no other", async () => {
    const { ask, refresh, server } = await desk();
    server.tools = [scriptedTool("find"), scriptedTool("gone")];
    const [before] = (await refresh()).tools;
    server.tools = [scriptedTool("find", { description: "Finds\u202e all" })];
    const [changed, gone] = (await refresh()).tools;
    expect(changed).toMatchObject({
      state: "changed",
      digest: before?.digest,
      accepted: { description: "Does find" },
      seen: { description: "Finds\u202e all" },
    });
    expect(gone).toMatchObject({ tool: "gone", state: "gone", seen_digest: null });
    const accept = (digest: unknown, tool = "find") => ask("POST", `/crm/tools/${tool}/accept`, { digest });
    expect(await accept(before?.digest)).toMatchObject({
      status: 409,
      body: { error: { code: "definition_changed" } },
    });
    expect(await accept(gone?.digest, "gone")).toMatchObject({ status: 409 });
    expect(await accept(changed?.seen_digest, "other")).toMatchObject({ status: 404 });
    expect(await accept("no digest")).toMatchObject({ status: 400, body: { error: { param: "digest" } } });
    const accepted = await accept(changed?.seen_digest);
    expect(accepted).toMatchObject({
      status: 200,
      body: { tools: [{ state: "accepted", accepted_by: "boss" }, gone] },
    });
    // A terminal would turn the line round.
    expect(accepted.raw).toContain("Finds\\u202e all");
  });

  it("tells why a list could not be had, and keeps the one before", async () => {
    const { ask, refresh, server } = await desk();
    server.tools = [scriptedTool("find")];
    await refresh();
    server.answer = () => new Response("Bearer sk-secret", { status: 401 });
    const failed = await ask("POST", "/crm/refresh");
    expect(failed).toMatchObject({ status: 502, body: { error: { code: "unavailable", type: "upstream_error" } } });
    const listed = (await ask("GET")) as { raw: string; body: { data: Server[] } };
    expect(listed.body.data[0]).toMatchObject({ error: { code: "unavailable" }, tools: [{ state: "accepted" }] });
    expect(failed.raw + listed.raw).not.toContain("sk-secret");
  });

  it("is for admins of the tenant, and for operators, who name it", async () => {
    const { ask, gate } = await desk();
    const user = await ask("GET", "", undefined, gate.key);
    expect(user).toMatchObject({ status: 403, body: { error: { code: "admin_required" } } });
    expect(await ask("GET", "?tenant=other")).toMatchObject({
      status: 403,
      body: { error: { code: "tenant_forbidden" } },
    });
    const operator = await gate.operatorKey();
    expect(await ask("GET", "", undefined, operator)).toMatchObject({ status: 200, body: { data: [] } });
    const named = await ask("GET", `?tenant=${gate.tenant}`, undefined, operator);
    expect(named).toMatchObject({ status: 200, body: { data: [{ server: "crm" }] } });
    expect(await ask("POST", "/nothing/refresh")).toMatchObject({ status: 404, body: { error: { param: "server" } } });
    expect(await ask("POST", "/__proto__/refresh")).toMatchObject({ status: 404 });
  });

  it("asks a server with the token of whoever asks, not of a namesake in another tenant", async () => {
    const server = scriptedServer();
    const headers = { authorization: "Bearer {{connection.token}}" };
    const gate = await gateway({
      policy: { mcpServers: { crm: { url: "https://crm.test/mcp", connection: "crm", headers } } },
      variables: { CONNECTION_KEY: "c1:0123456789abcdef0123456789abcdef" },
      elsewhere: (request) => server.fetch(request),
    });
    const [admin, operator] = [await gate.keyFor("op", "admin"), await gate.operatorKey()];
    const json = { connections: [{ provider: "crm", token: "token-of-op", hosts: ["crm.test"] }] };
    expect((await gate.fetch("/v1/users/op/connections", { method: "PUT", json, key: admin })).status).toBe(200);
    const refresh = (key: string) =>
      gate.fetch(`/admin/mcp/crm/refresh?tenant=${gate.tenant}`, { method: "POST", key });
    expect((await refresh(operator)).status).toBe(409);
    await gate.fetch(`/v1/tools?tenant=${gate.tenant}&role=user`, { key: operator });
    expect(server.sent).toEqual([]);
    expect((await refresh(admin)).status).toBe(200);
    expect(server.sent[0]?.headers.get("authorization")).toBe("Bearer token-of-op");
    await server.once("DELETE");
  });
});

describe("what is gone", () => {
  const start = Date.now();
  const later = (minutes: number) => vi.setSystemTime(start + minutes * 60_000);
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: start });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
    status,
    body.error?.code,
  ];

  it("of a server is forgotten by its operators alone, and is as new when it comes back", async () => {
    const log = captureLog();
    const { ask, gate, refresh, server } = await desk();
    const forget = async (tool: string, key?: string) =>
      codeOf(await ask("DELETE", `/crm/tools/${tool}?tenant=${gate.tenant}`, undefined, key));
    server.tools = ["find", "odd", "left"].map((name) => scriptedTool(name));
    await refresh();
    later(1);
    server.tools = [scriptedTool("find", { description: "Finds" }), scriptedTool("left", { inputSchema: 1 })];
    expect((await refresh()).tools.map(({ tool, state }) => [tool, state])).toEqual([
      ["find", "changed"],
      ["odd", "gone"],
      ["left", "left_out"],
    ]);
    expect(await forget("odd")).toEqual([409, "policy_too_new"]);
    later(2);
    expect(await forget("find")).toEqual([409, "mcp_tool_not_gone"]);
    expect(await forget("left")).toEqual([409, "mcp_tool_not_gone"]);
    expect(await forget("other")).toEqual([404, "not_found"]);
    expect(await forget("odd", gate.key)).toEqual([403, "admin_required"]);
    const others = await gateway();
    expect(await forget("odd", await others.keyFor("boss", "admin"))).toEqual([403, "tenant_forbidden"]);
    expect(await forget("odd", await gate.operatorKey())).toEqual([200, undefined]);
    expect(await forget("odd")).toEqual([404, "not_found"]);
    expect(log.lines("mcp_tool_forgotten")).toMatchObject([
      { tenant: gate.tenant, subject: "crm/odd", by: "op@operators" },
    ]);
    later(3);
    server.tools = [scriptedTool("odd", { description: "Another" }), scriptedTool("find")];
    expect((await refresh()).tools).toMatchObject([
      { tool: "odd", state: "accepted", accepted: { description: "Another" }, accepted_by: null },
      { tool: "find", state: "accepted" },
      { tool: "left", state: "gone" },
    ]);
  });

  it("is not what another address does not have", async () => {
    const { ask, gate, refresh, server } = await desk();
    server.tools = [scriptedTool("find"), scriptedTool("odd")];
    await refresh();
    later(1);
    server.tools = [scriptedTool("find")];
    await refresh();
    await putPolicy(env.KV, gate.tenant, { mcpServers: { crm: { url: "https://crm2.test/mcp" } } }, Date.now());
    later(4);
    expect(codeOf(await ask("DELETE", "/crm/tools/odd"))).toEqual([409, "mcp_tool_not_gone"]);
    // Nor what one does not have that could not be asked.
    server.answer = () => new Response(null, { status: 500 });
    await ask("POST", "/crm/refresh");
    expect(codeOf(await ask("DELETE", "/crm/tools/odd"))).toEqual([409, "mcp_tool_not_gone"]);
  });

  it("of the policy is told of, and forgotten once no place has the policy before", async () => {
    const { ask, gate, refresh, server } = await desk();
    const forget = async () => codeOf(await ask("DELETE", "/crm"));
    server.tools = [scriptedTool("find")];
    await refresh();
    later(3);
    expect(await forget()).toEqual([409, "mcp_server_in_policy"]);
    await putPolicy(env.KV, gate.tenant, {}, Date.now());
    later(4.5);
    expect(await forget()).toEqual([409, "policy_too_new"]);
    later(5);
    const list = async () => ((await ask("GET")).body as { data: Server[] }).data;
    const [known, ...others] = await list();
    expect([known, others]).toMatchObject([
      {
        server: "crm",
        in_policy: false,
        url: "https://crm.test/mcp",
        tools: [{ tool: "find", state: "accepted" }],
      },
      [],
    ]);
    expect(await forget()).toEqual([200, undefined]);
    expect([await list(), await forget()]).toEqual([[], [404, "not_found"]]);
  });

  it.each(["another", "the built-in one"])(
    "is not what an older policy does not have: in force is %s",
    async (which) => {
      let out = false;
      const get = (key: string) =>
        out && key.startsWith("policy:") ? Promise.reject(new Error("KV GET failed: 500")) : env.KV.get(key);
      const { ask, gate, refresh, server } = await desk({ KV: { get } as unknown as KVNamespace });
      captureLog();
      server.tools = [scriptedTool("find")];
      await refresh();
      await putPolicy(env.KV, gate.tenant, {}, Date.now() + 1);
      later(3);
      expect((await ask("GET")).body).toMatchObject({ data: [{ in_policy: false }] });
      out = true;
      const ledger = portsOf<TenantLedgerPort>(env.TENANT_LEDGER.get(env.TENANT_LEDGER.idFromName(gate.tenant)));
      const write = { tenant: gate.tenant, by: "boss", condition: {}, dryRun: false } as const;
      const text = JSON.stringify({ mcpServers: { crm: { url: "https://crm.test/mcp" } } });
      await ledger.policies.write(
        which === "another" ? { ...write, action: "put", text } : { ...write, action: "delete", text: null },
      );
      later(6);
      expect(codeOf(await ask("DELETE", "/crm"))).toEqual([503, "policy_unavailable"]);
    },
  );
});
