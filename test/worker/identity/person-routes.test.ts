/** Who may do what on the routes of approvals, grants, gates, calls and streams: asked by everybody who should not. */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { createKey } from "../../../src/auth/kv-keys.ts";
import { askApproval } from "../approvals/asked-approval.ts";
import { type Gateway, gateway } from "../support/gateway.ts";

const policy = {
  tools: { edit_note: { category: "modification" }, send_mail: { category: "external", destination: "mail" } },
};

/** Status and code of each. */
async function tried(gate: Gateway, path: string, init: Parameters<Gateway["fetch"]>[1] = {}) {
  const response = await gate.fetch(path, init);
  const text = await response.text();
  const { error } = text.startsWith("{") ? (JSON.parse(text) as { error?: { code: string } }) : {};
  return `${response.status} ${error?.code ?? ""}`.trim();
}

describe("a key that acts for others", () => {
  const acting = async (role: string) => {
    const gate = await gateway({ policy });
    const owner = { tenant: gate.tenant, user: "service", role, connections: [], actsFor: true } as const;
    return { gate, key: (await createKey(env.KV, owner, Date.now())).token };
  };

  it("is nobody until it names whom it acts for", async () => {
    const { gate, key } = await acting("admin");
    const { id } = await askApproval({ tenant: gate.tenant });
    for (const path of ["", "?scope=tenant", "/events", "/events?scope=tenant", `/${id}`])
      expect([path, await tried(gate, `/v1/approvals${path}`, { key })]).toEqual([path, "400 user_required"]);
    for (const path of ["/v1/me", "/v1/grants", "/v1/gates", "/v1/calls", "/admin/webhooks"])
      expect([path, await tried(gate, path, { key })]).toEqual([path, "400 user_required"]);
    // The body's `user` is for chat completions alone.
    const json = { action: "approve", user: "ada" };
    expect(await tried(gate, `/v1/approvals/${id}`, { key, json })).toBe("400 user_required");
  });

  it("answers for whom it names, and is no operator of all tenants whatever its role", async () => {
    const { gate, key } = await acting("admin");
    const { id } = await askApproval({ tenant: gate.tenant });
    const as = (user: string, role?: string) => ({
      key,
      headers: { "x-toolgate-user": user, ...(role ? { "x-toolgate-role": role } : {}) },
    });
    expect(await tried(gate, "/admin/webhooks", as("ada"))).toBe("403 operator_required");
    expect(await tried(gate, "/v1/approvals?scope=tenant&tenant=default", as("ada"))).toBe("403 tenant_forbidden");
    expect(await tried(gate, "/v1/approvals?scope=tenant", as("eve", "user"))).toBe("403 admin_required");
    expect(await tried(gate, `/v1/approvals/${id}`, as("eve", "user"))).toBe("404 not_found");
    expect(await tried(gate, `/v1/approvals/${id}`, { ...as("ada", "user"), json: { action: "deny" } })).toBe("200");
  });
});

describe("another tenant's admin", () => {
  it("finds nothing by an id, names no tenant, and changes no method", async () => {
    const gate = await gateway({ policy });
    const other = await gateway({ policy });
    const key = await other.keyFor("ada", "admin");
    const { id } = await askApproval({ tenant: gate.tenant });
    const at = `/v1/approvals/${id}`;
    expect(await tried(gate, at, { key })).toBe("404 not_found");
    expect(await tried(gate, at, { key, json: { action: "deny" } })).toBe("404 not_found");
    expect(await tried(gate, `${at}?tenant=${gate.tenant}`, { key })).toBe("403 tenant_forbidden");
    expect(await tried(gate, `${at}?tenant=${gate.tenant}`, { key, json: { action: "deny" } })).toBe(
      "403 tenant_forbidden",
    );
    // Named twice: neither is believed.
    const twice = `${at}?tenant=${other.tenant}&tenant=${gate.tenant}`;
    expect(await tried(gate, twice, { key })).toMatch(/^40[03] /);
    for (const method of ["PUT", "PATCH", "DELETE"])
      expect(await tried(gate, at, { key, method, body: '{"action":"deny"}' })).toBe("405 method_not_allowed");
    const headers = { "x-http-method-override": "POST", "x-method-override": "POST" };
    expect(await tried(gate, `${at}?_method=POST&action=deny`, { headers })).toMatch(/^400 /);
    expect(await (await gate.fetch(at)).json()).toMatchObject({ status: "pending" });
  });
});

it("HEAD tells as much as it may and opens no stream, OPTIONS nothing", async () => {
  const gate = await gateway({ policy });
  const { id } = await askApproval({ tenant: gate.tenant });
  for (const path of ["", "/events", `/${id}`]) {
    const head = await gate.fetch(`/v1/approvals${path}`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(await tried(gate, `/v1/approvals${path}`, { method: "OPTIONS" })).toBe("405 method_not_allowed");
  }
});

it.each([
  ["/v1/gates", '{"tool":"send_mail","tool":"edit_note"}'],
  ["/v1/gates", '{"__proto__":{"tool":"send_mail"}}'],
  ["/v1/gates", '{"tool":"__proto__"}'],
  ["/v1/gates", '{"tool":["send_mail"]}'],
  ["/v1/gates/__proto__", ""],
  ["/v1/gates/constructor", ""],
  ["/v1/gates/send_mail", '{"session_id":{}}'],
  ["/v1/gates/send_mail", "[]"],
])("a consent that could be read in two ways opens nothing: %s %s", async (path, body) => {
  const gate = await gateway({ policy });
  expect(await tried(gate, path, { method: "POST", body })).toMatch(/^400 /);
  expect(await (await gate.fetch("/v1/gates")).json()).toMatchObject({ data: [] });
});
