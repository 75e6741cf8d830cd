import { env } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { createKey } from "../../../src/auth/kv-keys.ts";
import { sha256Hex } from "../../../src/lib/digest.ts";
import { type Gateway, gateway } from "../support/gateway.ts";
import { says, user } from "../support/script.ts";

type Json = Record<string, unknown>;

interface Operators extends Gateway {
  readonly admin: string;
  readonly operator: string;
  /** Status and body of a request as the tenant's admin, or with another key. */
  admins(method: string, path?: string, json?: unknown, key?: string): Promise<[number, Json]>;
  make(order: Json, key?: string): Promise<Json & { id: string; token: string }>;
}

async function operators(variables = {}): Promise<Operators> {
  const gate = await gateway({ upstream: says({ text: "ok" }), variables });
  const admin = await gate.keyFor("root", "admin");
  const owner = { tenant: "operators", user: "op", role: "admin", connections: [], operator: true };
  const operator = (await createKey(env.KV, owner, Date.now())).token;
  const admins: Operators["admins"] = async (method, path = "", json = undefined, key = admin) => {
    const response = await gate.fetch(`/admin/keys${path}`, { method, json, key });
    return [response.status, (await response.json()) as Json];
  };
  const make: Operators["make"] = async (order, key) => {
    const [status, body] = await admins("POST", "", { user: "bob", role: "user", ...order }, key);
    expect([status, body.error]).toEqual([201, undefined]);
    return body as Json & { id: string; token: string };
  };
  return { ...gate, admin, operator, admins, make };
}

const codeOf = ([status, body]: [number, Json]) => [status, (body.error as { code?: string } | undefined)?.code];

describe("making a key", () => {
  it("tells its token once, stores its hash alone, and the key opens", async () => {
    const gate = await operators();
    const made = await gate.make({ name: "laptop", connections: ["gmail"], expires_in: "1h", rate_limit: null });
    expect(made).toMatchObject({
      object: "key",
      tenant: gate.tenant,
      user: "bob",
      role: "user",
      connections: ["gmail"],
      name: "laptop",
      status: "active",
      rate_limit: null,
      created_by: { tenant: gate.tenant, user: "root" },
      rotated_at: null,
    });
    expect(Date.parse(String(made.expires_at)) - Date.parse(String(made.created_at))).toBe(3_600_000);
    expect((await gate.fetch("/v1/models", { key: made.token })).status).toBe(200);
    const [, got] = await gate.admins("GET", `/${made.id}`);
    const { token, ...shown } = made;
    expect(got).toEqual(shown);
    const stored = await env.KV.get(`key:${sha256Hex(token)}`);
    expect(JSON.stringify([got, stored, await gate.admins("GET")])).not.toContain(token.slice(3));
  });

  it.each<[string, Json, number, string, string?]>([
    ["no user", { user: undefined }, 400, "invalid_value", "user"],
    ["no role", { role: undefined }, 400, "invalid_value", "role"],
    ["a name in another spelling", { user: "e\u0301" }, 400, "invalid_value", "user"],
    ["an unknown field", { rol: "x" }, 400, "unknown_parameter", "rol"],
    ["an unknown role", { role: "root" }, 400, "role_unknown", "role"],
    ["a past expiry", { expires_at: "2020-01-01T00:00:00Z" }, 400, "invalid_value", "expires_at"],
    ["two expiries", { expires_in: "1h", expires_at: "2099-01-01T00:00:00Z" }, 400, "invalid_value", "expires_at"],
    ["a strange expiry", { expires_in: "soon" }, 400, "invalid_value", "expires_in"],
    ["another tenant", { tenant: "other" }, 403, "tenant_forbidden", "tenant"],
    ["an operator", { operator: true, role: "admin" }, 403, "operator_required", "operator"],
    ["a default role alone", { default_role: "guest" }, 400, "invalid_value", "default_role"],
    ["a default role above", { acts_for: true, default_role: "admin" }, 400, "invalid_value", "default_role"],
    ["an admin for everybody", { acts_for: true, role: "admin" }, 400, "invalid_value", "default_role"],
    ["an empty limit", { rate_limit: { max: 0, window: "1m" } }, 400, "invalid_value", "rate_limit.max"],
  ])("is refused: %s", async (_what, order, status, code, param) => {
    const gate = await operators();
    const answer = await gate.admins("POST", "", { user: "bob", role: "user", ...order });
    expect(answer).toMatchObject([status, { error: { code, ...(param && { param }) } }]);
    expect(await gate.admins("GET")).toMatchObject([200, { data: [] }]);
  });

  it.each<[Json, string]>([
    [{ role: undefined }, "`role` is missing; the tenant's policy has `guest`, `user`, `premium`, `admin`"],
    [{ role: 5 }, "`role` must be a string, not a number"],
    [{ user: undefined }, "`user` is missing"],
    [{ conections: [] }, "`conections` is unknown: did you mean `connections`?"],
    [{ expires_at: "soon" }, "`expires_at` must be a time such as `2030-01-31T12:00:00Z`"],
  ])("is told what is wrong with %j", async (order, message) => {
    const gate = await operators();
    const answer = await gate.admins("POST", "", { user: "bob", role: "user", ...order });
    expect(answer).toMatchObject([400, { error: { message: expect.stringContaining(message) } }]);
  });

  it("that acts for others keeps their names apart from the tenant's, unless it is told not to", async () => {
    const gate = await operators();
    const asAda = (key: string) => ({
      key,
      headers: { "x-toolgate-user": "ada" },
      json: { model: "m", messages: [user("hi")] },
    });
    const ownerOf = async (order: Json) => {
      const made = await gate.make({ user: "backend", acts_for: true, ...order });
      const reply = await gate.fetch("/v1/chat/completions", asAda(made.token));
      const path = `/v1/sessions/${reply.headers.get("x-toolgate-session")}`;
      const owners = ["ada", "svc:ada", "forum:ada"];
      const found = await Promise.all(
        owners.map(async (name) => (await gate.fetch(path, { key: await gate.keyFor(name, "user") })).status),
      );
      return [made.user_prefix, owners.filter((_, index) => found[index] === 200)];
    };
    expect(await ownerOf({})).toEqual(["svc:", ["svc:ada"]]);
    expect(await ownerOf({ user_prefix: "forum:" })).toEqual(["forum:", ["forum:ada"]]);
    expect(await ownerOf({ user_prefix: "" })).toEqual(["", ["ada"]]);
    expect((await gate.make({})).user_prefix).toBeNull();
  });

  it("with a role above the maker's own is refused", async () => {
    const gate = await gateway({ policy: { roles: ["user", "admin", "owner"] } });
    const admin = await gate.keyFor("root", "admin");
    const json = { user: "bob", role: "owner" };
    const response = await gate.fetch("/admin/keys", { method: "POST", json, key: admin });
    expect([response.status, await response.json()]).toMatchObject([403, { error: { code: "role_forbidden" } }]);
  });

  it("a tenant's admin cannot lift the gateway's limit, an operator can", async () => {
    const gate = await operators({ KEY_RATE_LIMIT: "100/1m" });
    for (const limit of [null, { max: 101, window: "1m" }, { max: 100, window: "30s" }]) {
      const answer = await gate.admins("POST", "", { user: "bob", role: "user", rate_limit: limit });
      expect(codeOf(answer)).toEqual([403, "rate_limit_forbidden"]);
    }
    await gate.make({ rate_limit: { max: 50, window: "1m" } });
    await gate.make({ rate_limit: null, tenant: gate.tenant }, gate.operator);
  });
});

describe("an operator", () => {
  it("acts on every tenant, and alone makes operators", async () => {
    const gate = await operators();
    const other = `${gate.tenant}-other`;
    const made = await gate.make({ tenant: other, role: "admin", operator: true }, gate.operator);
    expect(made).toMatchObject({ tenant: other, operator: true, created_by: { tenant: "operators", user: "op" } });
    const listed = await gate.admins("GET", `?tenant=${other}`, undefined, made.token);
    expect(listed).toMatchObject([200, { data: [{ id: made.id }] }]);
    expect(codeOf(await gate.admins("GET", `?tenant=${other}`))).toEqual([403, "tenant_forbidden"]);
    // Without a tenant it is about one's own.
    expect(await gate.admins("GET", "", undefined, gate.operator)).toMatchObject([200, { object: "list" }]);
  });

  it("keeps its key from the admins of its tenant, who can neither rotate nor end it", async () => {
    const gate = await operators();
    const made = await gate.make({ tenant: gate.tenant, role: "admin", operator: true }, gate.operator);
    expect(codeOf(await gate.admins("POST", `/${made.id}/rotate`))).toEqual([403, "operator_required"]);
    expect(codeOf(await gate.admins("DELETE", `/${made.id}`))).toEqual([403, "operator_required"]);
    expect((await gate.fetch("/v1/models", { key: made.token })).status).toBe(200);
  });
});

describe("the list", () => {
  it("is OpenAI's, with limit, after and order", async () => {
    const gate = await operators();
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) {
      vi.useFakeTimers({ toFake: ["Date"], now: 1_900_000_000_000 + ids.length });
      ids.push((await gate.make({ name })).id);
    }
    vi.useRealTimers();
    const list = async (query: string) => (await gate.admins("GET", query))[1];
    const found = await list("");
    expect((found.data as Json[]).map(({ id }) => id)).toEqual(ids.toReversed());
    expect(found).toMatchObject({ object: "list", first_id: ids[2], last_id: ids[0], has_more: false });
    expect(await list("?limit=2&order=asc")).toMatchObject({ data: [{ id: ids[0] }, { id: ids[1] }], has_more: true });
    expect(await list(`?limit=2&order=asc&after=${ids[1]}`)).toMatchObject({ data: [{ id: ids[2] }], has_more: false });
    expect(codeOf(await gate.admins("GET", "?limit=0"))).toEqual([400, "invalid_value"]);
    expect(codeOf(await gate.admins("GET", "?role=admin"))).toEqual([400, "unknown_parameter"]);
  });
});

describe("revoking a key", () => {
  it("takes it out of KV and of the list, for good", async () => {
    const gate = await operators();
    const { id, token } = await gate.make({});
    expect(await gate.admins("DELETE", `/${id}`)).toEqual([
      200,
      { id, object: "key.deleted", deleted: true, settled: true },
    ]);
    expect(await env.KV.get(`key:${sha256Hex(token)}`)).toBeNull();
    expect((await gate.fetch("/v1/models", { key: token })).status).toBe(401);
    for (const [method, path] of [
      ["DELETE", ""],
      ["GET", ""],
      ["POST", "/rotate"],
    ] as const) {
      expect(codeOf(await gate.admins(method, `/${id}${path}`))).toEqual([404, "not_found"]);
    }
    expect(await gate.admins("GET")).toMatchObject([200, { data: [] }]);
  });
});

describe("rotating a key", () => {
  it("keeps its principal under a new token, and the old one for the overlap", async () => {
    const gate = await operators();
    const made = await gate.make({ name: "laptop" });
    const chat = { json: { model: "m", messages: [user("hi")] } };
    const reply = await gate.fetch("/v1/chat/completions", { ...chat, key: made.token });
    const [status, rotated] = await gate.admins("POST", `/${made.id}/rotate`, { overlap: "1h" });
    expect([status, rotated]).toMatchObject([200, { id: made.id, name: "laptop", rotated_by: { user: "root" } }]);
    expect(rotated.token).not.toBe(made.token);
    const path = `/v1/sessions/${reply.headers.get("x-toolgate-session")}`;
    expect((await gate.fetch(path, { key: String(rotated.token) })).status).toBe(200);
    expect((await gate.fetch(path, { key: made.token })).status).toBe(200);
    const stored = JSON.parse((await env.KV.get(`key:${sha256Hex(made.token)}`)) ?? "{}") as { expiresAt?: number };
    expect(stored.expiresAt).toBeLessThanOrEqual(Date.now() + 3600_000);
    expect(codeOf(await gate.admins("POST", `/${made.id}/rotate`, { overlap: "soon" }))).toEqual([
      400,
      "invalid_value",
    ]);
  });

  it("ends the old token at once where there is no overlap", async () => {
    const gate = await operators();
    const made = await gate.make({});
    const [, rotated] = await gate.admins("POST", `/${made.id}/rotate`, { overlap: 0 });
    expect((await gate.fetch("/v1/models", { key: made.token })).status).toBe(401);
    expect((await gate.fetch("/v1/models", { key: String(rotated.token) })).status).toBe(200);
  });

  it("does not bring back an expired key", async () => {
    const gate = await operators();
    const now = Date.now();
    const made = await gate.make({ expires_in: "1m" });
    vi.useFakeTimers({ toFake: ["Date"], now: now + 61_000 });
    expect(codeOf(await gate.admins("POST", `/${made.id}/rotate`))).toEqual([409, "key_expired"]);
    expect((await gate.admins("GET", `/${made.id}`))[1]).toMatchObject({ status: "expired" });
    vi.useRealTimers();
  });
});
