/** Settings of single tenants, through the gateway: who may write them, and what follows for whom. */
import { env, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { createKey } from "../../../src/auth/kv-keys.ts";
import { DIRECTORY, tenantKey } from "../../../src/stores/tenant/tenant-keys.ts";
import { AUDIENCE, issuer } from "../identity/issuer.ts";
import { type Gateway, gateway } from "../support/gateway.ts";
import { says, user } from "../support/script.ts";

const variables = { TENANT_SETTINGS: "1", CONNECTION_KEY: `k:${"c".repeat(32)}`, SIGNING_KEYS: `s:${"s".repeat(32)}` };

interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown> & { readonly error?: { readonly code: string; readonly message: string } };
}

type Ask = (method: string, path: string, json?: unknown, headers?: Record<string, string>) => Promise<Reply>;

interface Platform {
  readonly gate: Gateway;
  readonly operator: string;
  readonly ask: Ask;
  /** What the upstreams were asked, by host. */
  readonly asked: { readonly host: string; readonly key: string | null }[];
}

async function platform(more = {}): Promise<Platform> {
  const asked: Platform["asked"] = [];
  const answer = (request: Request) => {
    asked.push({ host: new URL(request.url).host, key: request.headers.get("authorization") });
    return says({ text: "hello" })({}, request);
  };
  const gate = await gateway({ upstream: (_, request) => answer(request), elsewhere: answer, variables, ...more });
  const operator = await gate.operatorKey();
  const ask: Ask = async (method, path, json, headers) => {
    const response = await gate.fetch(`/admin/tenants${path}`, { method, json, key: operator, headers });
    return { status: response.status, body: await response.json() };
  };
  return { gate, operator, ask, asked };
}

const hello = { messages: [user("hello")] };
const own = { UPSTREAM_BASE_URL: "https://own.example/v1", UPSTREAM_API_KEY: "sk-own-1234" };

describe("settings of a tenant", () => {
  it("lead its turns to its own upstream with its own key, and nobody else's", async () => {
    const { gate, ask, asked } = await platform();
    const put = await ask("PUT", `/${gate.tenant}`, { settings: own });
    expect(put).toMatchObject({ status: 200, body: { id: gate.tenant, settled: true, updated_by: "op@operators" } });
    expect((await gate.chat(hello)).status).toBe(200);
    expect(asked).toEqual([{ host: "own.example", key: "Bearer sk-own-1234" }]);
    // Of another tenant of the same gateway.
    expect(
      (await gate.fetch("/v1/chat/completions", { json: { model: "m", ...hello }, key: await gate.operatorKey() }))
        .status,
    ).toBe(200);
    expect(asked.at(-1)).toEqual({ host: "upstream.test", key: "Bearer sk-upstream" });
    expect(await gate.turns()).toHaveLength(1);
  });

  it("are sealed in KV and in the directory, and shown without secrets", async () => {
    const { gate, ask } = await platform();
    await ask("PUT", `/${gate.tenant}`, { settings: own });
    const shown = await ask("GET", `/${gate.tenant}`);
    expect(shown.body.settings).toEqual({ ...own, UPSTREAM_API_KEY: "***" });
    const directory = env.TENANT_LEDGER.get(env.TENANT_LEDGER.idFromName(DIRECTORY));
    const rows = await runInDurableObject(directory, (_, { storage }) =>
      storage.sql.exec("SELECT * FROM tenants").toArray(),
    );
    const stored = JSON.stringify([await env.KV.get(tenantKey(gate.tenant)), rows, shown.body]);
    expect(stored).not.toContain("sk-own-1234");
    expect(stored.replaceAll(gate.tenant, "")).not.toContain('"sealed":"{');
    const kept = await ask("PUT", `/${gate.tenant}`, {
      settings: { ...own, UPSTREAM_API_KEY: "***", KEY_RATE_LIMIT: "9/1m" },
    });
    expect(kept.status).toBe(200);
    expect((await gate.chat(hello)).headers.get("x-ratelimit-limit-requests")).toBe("9");
  });

  it("are an operator's to write, and refused whole", async () => {
    const { gate, ask } = await platform();
    const admin = await gate.keyFor("root", "admin");
    const refused = await gate.fetch(`/admin/tenants/${gate.tenant}`, {
      method: "PUT",
      json: { settings: own },
      key: admin,
    });
    expect([refused.status, await refused.json()]).toMatchObject([403, { error: { code: "operator_required" } }]);
    const wrong = await ask("PUT", `/${gate.tenant}`, { settings: { ...own, AUDIT_KEY: "x" } });
    expect(wrong).toMatchObject({ status: 400, body: { error: { code: "settings_invalid" } } });
    expect((await ask("GET", `/${gate.tenant}`)).status).toBe(404);
    const first = await ask("PUT", `/${gate.tenant}`, { settings: own }, { "if-none-match": "*" });
    expect(first.status).toBe(200);
    const late = await ask("PUT", `/${gate.tenant}`, { settings: {} }, { "if-match": '"somebody-elses"' });
    expect(late).toMatchObject({ status: 412, body: { error: { code: "tenant_changed" } } });
  });

  it("let its issuer's tokens count for it alone", async () => {
    const by = await issuer("ES256", `https://${crypto.randomUUID()}.example/`);
    const { gate, ask } = await platform({ elsewhere: by.serve });
    const issuers = [{ issuer: by.url, audience: AUDIENCE, jwks: by.jwks }];
    const token = await by.token();
    expect((await gate.fetch("/v1/me", { key: token })).status).toBe(401);
    const other = await platform({ elsewhere: by.serve });
    expect((await other.ask("PUT", `/${gate.tenant}`, { settings: { JWT_ISSUERS: issuers } })).status).toBe(200);
    const me = await other.gate.fetch("/v1/me", { key: token });
    expect(await me.json()).toMatchObject({ tenant: gate.tenant });
    const stolen = await ask("PUT", `/${other.gate.tenant}`, { settings: { JWT_ISSUERS: issuers } });
    expect(stolen).toMatchObject({ status: 409, body: { error: { code: "issuer_taken" } } });
    expect((await ask("DELETE", `/${gate.tenant}`)).body).toMatchObject({ deleted: true });
    expect((await ask("PUT", `/${other.gate.tenant}`, { settings: { JWT_ISSUERS: issuers } })).status).toBe(200);
  });

  it("may be written by an operator whose own tenant has some", async () => {
    const { gate } = await platform();
    const owner = { tenant: gate.tenant, user: "op", role: "admin", connections: [], operator: true };
    const { token } = await createKey(env.KV, owner, Date.now());
    const ask = (method: string, json?: unknown) =>
      gate.fetch(`/admin/tenants/${gate.tenant}`, { method, json, key: token });
    expect((await ask("PUT", { settings: own })).status).toBe(200);
    expect((await ask("GET")).status).toBe(200);
  });

  it("pin its records to one of several databases", async () => {
    const shards = { TRAIL_SHARDS: "AUDIT_DB,AUDIT_DB_2", AUDIT_DB_2: env.AUDIT_DB };
    const { gate, ask } = await platform({ variables: { ...variables, ...shards } });
    const path = `/${gate.tenant}`;
    expect(await ask("PUT", path, { settings: {}, shard: "AUDIT_DB_3" })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining("`AUDIT_DB_2`") } },
    });
    const pinned = { shard: "AUDIT_DB", pinned: "AUDIT_DB", move: null };
    expect((await ask("PUT", path, { settings: {}, shard: "AUDIT_DB" })).body.trail).toEqual(pinned);
    await gate.chat(hello);
    expect(await gate.turns()).toHaveLength(1);
    expect((await ask("GET", path)).body.trail).toEqual(pinned);
    await ask("DELETE", path);
    expect((await ask("PUT", path, { settings: {} })).body.trail).toEqual({ ...pinned, pinned: null });
  });

  it("keep its users within a jurisdiction, from the first turn on", async () => {
    const within: string[] = [];
    // workerd knows no jurisdictions: this says which one was asked for.
    const objects = new Proxy(env.USER_GUARD, {
      get: (of, name) => {
        if (name === "jurisdiction")
          return (jurisdiction: string) => {
            within.push(jurisdiction);
            return of;
          };
        const member: unknown = Reflect.get(of, name);
        return typeof member === "function" ? member.bind(of) : member;
      },
    });
    const { gate, ask } = await platform({ variables: { ...variables, USER_GUARD: objects } });
    expect((await ask("PUT", `/${gate.tenant}`, { settings: {}, jurisdiction: "eu" })).status).toBe(200);
    await gate.chat(hello);
    expect(await gate.turns()).toHaveLength(1);
    expect([...new Set(within)]).toEqual(["eu"]);
    const moved = await ask("PUT", `/${gate.tenant}`, { settings: {}, jurisdiction: null });
    expect(moved).toMatchObject({ status: 409, body: { error: { code: "jurisdiction_fixed" } } });
    expect(await ask("DELETE", `/${gate.tenant}`)).toMatchObject({ status: 409 });
  });

  it("serve nothing where they cannot be read", async () => {
    const { gate, ask } = await platform();
    await ask("PUT", `/${gate.tenant}`, { settings: own });
    const other = await gateway({ variables: { ...variables, CONNECTION_KEY: `z:${"z".repeat(32)}` } });
    const reply = await other.fetch("/v1/models", { key: gate.key });
    expect([reply.status, await reply.json()]).toMatchObject([503, { error: { code: "tenant_unavailable" } }]);
  });

  it("reach KV by the alarm where KV refused them", async () => {
    const { gate, ask } = await platform();
    await ask("PUT", `/${gate.tenant}`, { settings: own });
    await env.KV.delete(tenantKey(gate.tenant));
    const directory = env.TENANT_LEDGER.get(env.TENANT_LEDGER.idFromName(DIRECTORY));
    await runInDurableObject(
      directory,
      (_, { storage }) => void storage.sql.exec("UPDATE tenant_projections SET due = 0"),
    );
    await runDurableObjectAlarm(directory);
    expect(await env.KV.get(tenantKey(gate.tenant))).not.toBeNull();
  });

  it("do not exist where the deployment does not ask for them", async () => {
    const { gate, ask } = await platform({ variables: {} });
    expect(await ask("PUT", `/${gate.tenant}`, { settings: own })).toMatchObject({
      status: 409,
      body: { error: { code: "tenant_settings_off" } },
    });
  });
});
