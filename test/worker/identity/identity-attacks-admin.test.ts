/**
 * Attacks on operators' surfaces by who is no operator there: nothing of another tenant is read, changed or repaired.
 * @module-tag attack/keys
 */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { createKey } from "../../../src/auth/kv-keys.ts";
import type { ApiKey } from "../../../src/ports/api-key.ts";
import { type Gateway, gateway } from "../support/gateway.ts";
import { says, user } from "../support/script.ts";

const policy = { tools: { read_file: { category: "read_only" } } };
const looser = { handshake: { select: "off" }, unlistedTools: "read_only" };

async function keyOf(owner: Partial<ApiKey> & Pick<ApiKey, "tenant" | "user">): Promise<string> {
  return (await createKey(env.KV, { role: "user", connections: [], ...owner }, Date.now())).token;
}
const told = async (response: Response): Promise<[number, string | undefined]> => [
  response.status,
  ((await response.json()) as { error?: { code: string } }).error?.code,
];

interface Found {
  readonly version: string | null;
  readonly document: unknown;
  readonly data: readonly { readonly version: string | null; readonly in_force: boolean }[];
}

/** A tenant with two versions of its policy, and the admin who put them. */
async function twoVersions() {
  const gate = await gateway({ policy, upstream: says({ text: "ok" }) });
  const admin = await gate.keyFor("boss", "admin");
  const path = `/admin/policies/${gate.tenant}`;
  const read = async (below = "") => (await (await gate.fetch(`${path}${below}`, { key: admin })).json()) as Found;
  const { version: first } = await read();
  expect((await gate.fetch(path, { method: "PUT", json: { ...policy, roles: ["user"] }, key: admin })).status).toBe(
    200,
  );
  return { gate, path, read, first };
}

/** Every route below a tenant's policies, each with a request that would be taken from an admin of that tenant. */
function attempts(gate: Gateway, path: string, first: string | null, key: string): Promise<Response>[] {
  return [
    gate.fetch(path, { key }),
    gate.fetch(path, { method: "HEAD", key }),
    gate.fetch(path, { method: "PUT", json: looser, key }),
    gate.fetch(`${path}?dry_run=true`, { method: "PUT", json: looser, key }),
    gate.fetch(path, { method: "DELETE", key }),
    gate.fetch(`${path}/versions`, { key }),
    gate.fetch(`${path}/versions/${first}`, { key }),
    gate.fetch(`${path}/rollback`, { json: { version: first }, key }),
    gate.fetch(`${path}/rollback?dry_run=true`, { json: { version: first }, key }),
  ];
}

describe("a tenant's policies", () => {
  it("are neither read nor changed by an admin of another tenant", async () => {
    const { gate, path, read, first } = await twoVersions();
    const before = [await read(), await read("/versions")];
    const stranger = await keyOf({ tenant: `${gate.tenant}-other`, user: "boss", role: "admin" });
    for (const answer of await Promise.all(attempts(gate, path, first, stranger))) {
      expect(answer.status).toBe(403);
      const text = await answer.text();
      expect(text === "" || (JSON.parse(text) as { error: { code: string } }).error.code).toBe(
        text === "" ? true : "tenant_forbidden",
      );
    }
    expect([await read(), await read("/versions")]).toEqual(before);
  });

  it("are reached by no other spelling of the path or of the tenant", async () => {
    const { gate, read, first } = await twoVersions();
    const before = [await read(), await read("/versions")];
    const own = `${gate.tenant}-other`;
    const stranger = await keyOf({ tenant: own, user: "boss", role: "admin" });
    const encoded = [...gate.tenant].map((one) => `%${one.charCodeAt(0).toString(16)}`).join("");
    for (const path of [
      `/admin/policies/${encoded}`,
      `/admin/policies/${encoded.replaceAll("%", "%25")}`,
      `/admin/policies/${own}/../${gate.tenant}`,
      `/admin/policies/${own}%2f..%2f${gate.tenant}`,
      `/admin/policies//${gate.tenant}`,
      `/admin//policies/${gate.tenant}`,
      `/admin/policies/${gate.tenant}/`,
      `/admin/policies/${gate.tenant}%20`,
      `/ADMIN/policies/${gate.tenant}`,
    ]) {
      for (const answer of await Promise.all(attempts(gate, path, first, stranger))) {
        expect([400, 403, 404]).toContain(answer.status);
      }
    }
    expect([await read(), await read("/versions")]).toEqual(before);
  });

  it("have versions that another tenant's admin cannot take over by their digest", async () => {
    const { gate, first } = await twoVersions();
    const own = `${gate.tenant}-other`;
    const stranger = await keyOf({ tenant: own, user: "boss", role: "admin" });
    const path = `/admin/policies/${own}`;
    expect(await told(await gate.fetch(`${path}/versions/${first}`, { key: stranger }))).toEqual([404, "not_found"]);
    const rolled = await gate.fetch(`${path}/rollback`, { json: { version: first }, key: stranger });
    expect(await told(rolled)).toEqual([404, "not_found"]);
  });

  it.each<[string, Partial<ApiKey>, Record<string, string>, string]>([
    ["a user", { role: "user" }, {}, "admin_required"],
    ["an anonymous admin", { role: "admin", anonymous: true }, {}, "admin_required"],
    ["an operator's flag without the role", { role: "user", operator: true }, {}, "admin_required"],
    [
      "a service key that asks for more than it has",
      { role: "premium", actsFor: true },
      { "x-toolgate-user": "boss", "x-toolgate-role": "admin" },
      "role_forbidden",
    ],
    [
      "a service key that asks for nothing",
      { role: "admin", defaultRole: "user", actsFor: true },
      { "x-toolgate-user": "boss" },
      "admin_required",
    ],
  ])("are not for %s of the same tenant", async (_who, owner, headers, code) => {
    const { gate, path, read } = await twoVersions();
    const before = await read();
    const key = await keyOf({ tenant: gate.tenant, user: "mallory", ...owner });
    const authorization = `Bearer ${key}`;
    for (const init of [{}, { method: "PUT", json: looser }, { method: "DELETE" }]) {
      const answer = await gate.fetch(path, { ...init, headers: { ...headers, authorization } });
      expect(await told(answer)).toEqual([403, code]);
    }
    expect(await read()).toEqual(before);
  });

  it("name an operator of another tenant as nobody of this tenant can be named", async () => {
    const gate = await gateway();
    const path = `/admin/policies/${gate.tenant}`;
    const authorOf = async (key: string, document: object) => {
      expect((await gate.fetch(path, { method: "PUT", json: document, key })).status).toBe(200);
      return ((await (await gate.fetch(path, { key })).json()) as { created_by: string }).created_by;
    };
    const byOperator = await authorOf(await gate.operatorKey(), policy);
    expect(byOperator).toBe("op@operators");
    expect(await authorOf(await gate.keyFor("op@operators", "admin"), {})).not.toBe(byOperator);
  });
});

describe("another tenant's audit trail", () => {
  const paths = ["turns", "decisions", "verify?user=u", "redeliver?user=u"];
  const at = (path: string, tenant: string) => `/v1/audit/${path}${path.includes("?") ? "&" : "?"}tenant=${tenant}`;

  it("is for operators alone", async () => {
    const gate = await gateway();
    const other = await gateway();
    await other.chat({ messages: [{ role: "user", content: "hi" }] });
    expect(await other.turns()).toHaveLength(1);
    const admin = await gate.keyFor("boss", "admin");
    const operator = await gate.operatorKey();
    for (const path of paths) {
      const method = path.startsWith("redeliver") ? "POST" : "GET";
      const asked = (key: string, tenant: string) => gate.fetch(at(path, tenant), { method, key });
      expect(await told(await asked(admin, other.tenant))).toEqual([403, "tenant_forbidden"]);
      expect((await asked(admin, gate.tenant)).status).toBe(200);
      expect((await asked(operator, other.tenant)).status).toBe(200);
    }
    const seen = (await (await gate.fetch(at("turns", other.tenant), { key: operator })).json()) as { data: unknown[] };
    expect(seen.data).toHaveLength(1);
    for (const tenant of ["x".repeat(200), `${gate.tenant}&tenant=${other.tenant}`]) {
      expect((await gate.fetch(at("turns", tenant), { key: operator })).status).toBe(400);
    }
  });
});

describe("a request for another tenant's keys that is misspelt", () => {
  it("is refused, and never taken for one of one's own", async () => {
    const gate = await gateway();
    const operator = await gate.operatorKey();
    const json = { user: "ada", role: "user" };
    const made = await gate.fetch(`/admin/keys?tenant=${gate.tenant}`, { json, key: operator });
    const { id, tenant } = (await made.json()) as { id: string; tenant: string };
    expect(tenant).toBe(gate.tenant);
    for (const [method, path, body] of [
      ["POST", "?tenat=x", json],
      ["POST", `?tenant=${tenant}&tenant=other`, json],
      ["POST", "?tenant=other", { ...json, tenant }],
      ["GET", `/${id}?tenat=${tenant}`, undefined],
      ["DELETE", `/${id}?tenat=${tenant}`, undefined],
      ["POST", `/${id}/rotate?tenat=${tenant}`, {}],
      ["POST", `/${id}/rotate?tenant=other`, { tenant }],
    ] as const) {
      expect((await gate.fetch(`/admin/keys${path}`, { method, json: body, key: operator })).status).toBe(400);
    }
    expect((await gate.fetch(`/admin/keys/${id}?tenant=${tenant}`, { key: operator })).status).toBe(200);
  });
});

describe("an operator's key", () => {
  it("is neither had by rotation nor ended by an admin of its tenant", async () => {
    const gate = await gateway({ upstream: says({ text: "ok" }) });
    const operator = await keyOf({ tenant: gate.tenant, user: "root", role: "admin", operator: true });
    const order = { user: "root", role: "admin", operator: true };
    const made = (await (await gate.fetch("/admin/keys", { json: order, key: operator })).json()) as {
      id: string;
      token: string;
    };
    const admin = await gate.keyFor("boss", "admin");
    for (const answer of [
      await gate.fetch("/admin/keys", { json: order, key: admin }),
      await gate.fetch(`/admin/keys/${made.id}/rotate`, { json: { overlap: 0 }, key: admin }),
      await gate.fetch(`/admin/keys/${made.id}`, { method: "DELETE", key: admin }),
    ])
      expect(await told(answer)).toEqual([403, "operator_required"]);
    expect((await gate.fetch("/admin/keys?tenant=other", { key: made.token })).status).toBe(200);
  });
});

describe("a tenant's audit trail", () => {
  it("is verified and delivered again by its own admins alone", async () => {
    const gate = await gateway({ policy, upstream: says({ text: "ok" }) });
    await gate.chat({ messages: [user("hi")] });
    expect((await gate.turns()).length).toBe(1);
    const stranger = await keyOf({ tenant: `${gate.tenant}-other`, user: "ada", role: "admin" });
    const routes = [
      ["GET", "verify"],
      ["POST", "redeliver"],
    ] as const;
    for (const [method, route] of routes) {
      const path = `/v1/audit/${route}?user=ada`;
      const named = await gate.fetch(`${path}&tenant=${gate.tenant}`, { method, key: stranger });
      expect(await told(named)).toEqual([403, "tenant_forbidden"]);
      expect(await told(await gate.fetch(path, { method }))).toEqual([403, "admin_required"]);
    }
    // The name alone means the user of that name in one's own tenant, of whom there is nothing.
    const others = await gate.fetch("/v1/audit/verify?user=ada", { key: stranger });
    expect(await others.json()).toMatchObject({ ok: true, head: null, waiting: 0 });
    const own = await gate.fetch("/v1/audit/verify?user=ada", { key: await gate.keyFor("boss", "admin") });
    expect(await own.json()).toMatchObject({ ok: true, head: { seq: expect.any(Number) } });
  });
});

describe("what the whole gateway counted", () => {
  it.each<[string, Partial<ApiKey>, Record<string, string>]>([
    ["a tenant's admin", { role: "admin" }, {}],
    ["an operator's service key", { role: "admin", actsFor: true, operator: true }, { "x-toolgate-user": "root" }],
    ["an operator's key for nobody", { role: "admin", anonymous: true, operator: true }, {}],
    ["an operator's flag without the role", { role: "user", operator: true }, {}],
  ])("is not told to %s", async (_who, owner, headers) => {
    const gate = await gateway({ variables: { METRICS: "1" } });
    const key = await keyOf({ tenant: gate.tenant, user: "mallory", ...owner });
    const answer = await gate.fetch("/metrics", { headers: { ...headers, authorization: `Bearer ${key}` } });
    expect(await told(answer)).toEqual([403, "operator_required"]);
  });
});
