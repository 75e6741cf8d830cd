import { afterEach, describe, expect, it, vi } from "vitest";
import { type Gateway, type GatewayOptions, gateway } from "../support/gateway.ts";
import { says, user } from "../support/script.ts";
import { AUDIENCE, believing, type Claims, type Issuer, issuer } from "./issuer.ts";

afterEach(() => vi.useRealTimers());

const hi = [user("hi")];

async function gatewayOf(from: Issuer, more: Claims = {}, options: GatewayOptions = {}): Promise<Gateway> {
  const variables = believing(from, more);
  return gateway({
    upstream: says({ text: "ok" }),
    elsewhere: (request) => from.serve(request),
    variables,
    ...options,
  });
}

/** Status and code of a request with this token. */
async function opens(gate: Gateway, key: string): Promise<[number, string | undefined]> {
  const response = await gate.fetch("/v1/sessions/none", { key });
  const { error } = (await response.json()) as { error?: { code: string } };
  return [response.status, error?.code];
}
const OPEN: [number, string] = [404, "not_found"];

describe("a JWT", () => {
  it.each(["RS256", "PS256", "ES256", "ES384", "EdDSA"])("signed with %s opens", async (alg) => {
    const from = await issuer(alg);
    expect(await opens(await gatewayOf(from), await from.token())).toEqual(OPEN);
  });

  it.each<[string, unknown, Awaited<ReturnType<typeof opens>>]>([
    ["the gateway's audience", AUDIENCE, OPEN],
    ["several audiences, the gateway's among them", ["other-app", AUDIENCE], OPEN],
    ["another application's audience", "other-app", [401, "token_audience"]],
    ["no audience", undefined, [401, "token_audience"]],
  ])("for %s is told apart from any other", async (_, aud, expected) => {
    const from = await issuer();
    expect(await opens(await gatewayOf(from), await from.token({ aud }))).toEqual(expected);
  });

  it("gives a turn its tenant, user, role and connections, and names the issuer's user apart", async () => {
    const from = await issuer();
    const claims = { claims: { user: "email", role: "realm_access.roles", connections: "https://x.example/linked" } };
    const gate = await gatewayOf(from, { ...claims, roles: { staff: "user", boss: "premium" }, defaultRole: "guest" });
    const key = await from.token({
      email: "ada@example.com",
      realm_access: { roles: ["offline_access", "boss", "staff"] },
      "https://x.example/linked": ["gmail"],
    });
    const reply = await gate.fetch("/v1/chat/completions", { key, json: { model: "m", messages: hi } });
    expect(reply.status).toBe(200);
    const session = reply.headers.get("x-toolgate-session");
    expect((await gate.fetch(`/v1/sessions/${session}`, { key })).status).toBe(200);
    // By key, the user of the same name is somebody else.
    const same = await gate.keyFor("ada@example.com", "user");
    expect((await gate.fetch(`/v1/sessions/${session}`, { key: same })).status).toBe(404);
    const prefixed = await gate.keyFor("jwt:ada@example.com", "user");
    expect((await gate.fetch(`/v1/sessions/${session}`, { key: prefixed })).status).toBe(200);
  });

  it("is the same user as by key where the settings say so", async () => {
    const from = await issuer();
    const gate = await gatewayOf(from, { userPrefix: "" });
    const key = await from.token({ sub: "ada" });
    const reply = await gate.fetch("/v1/chat/completions", { key, json: { model: "m", messages: hi } });
    const session = reply.headers.get("x-toolgate-session");
    expect((await gate.fetch(`/v1/sessions/${session}`)).status).toBe(200);
  });

  it.each<[string, Claims, Claims, string | number]>([
    ["a role of the policy", {}, { role: "admin" }, 200],
    ["a list, of which the strongest holds", {}, { role: ["user", "admin", "nonsense"] }, 200],
    ["a list in which the strongest is no admin", {}, { role: ["user", "premium"] }, "admin_required"],
    ["a mapped value", { roles: { boss: "admin" } }, { role: "boss" }, 200],
    ["a role's own name where values are mapped", { roles: { boss: "admin" } }, { role: "admin" }, "role_unknown"],
    ["a name that objects inherit", { roles: { boss: "admin" } }, { role: "constructor" }, "role_unknown"],
    ["a role that the policy does not know", {}, { role: "root" }, "role_unknown"],
    ["an unknown role, whatever the default", { defaultRole: "admin" }, { role: "root" }, "role_unknown"],
    ["groups without a role, and a default", { defaultRole: "admin" }, { role: ["a", "b"] }, 200],
    ["no role, and a default", { defaultRole: "admin" }, { role: undefined }, 200],
    ["no role, and no default", {}, { role: undefined }, "role_unknown"],
    ["a role that is no text", {}, { role: { admin: true } }, "role_unknown"],
  ])("brings the role: %s", async (_what, settings, claims, expected) => {
    const from = await issuer();
    const gate = await gatewayOf(from, settings);
    const response = await gate.fetch("/admin/keys", { key: await from.token(claims) });
    const body = (await response.json()) as { error?: { code: string } };
    if (expected === 200) expect(response.status).toBe(200);
    else expect([response.status, body.error?.code]).toEqual([403, expected]);
  });

  it("is never an operator's", async () => {
    const from = await issuer();
    const gate = await gatewayOf(from);
    const key = await from.token({ role: "admin", operator: true });
    const response = await gate.fetch("/admin/keys?tenant=other", { key });
    expect([response.status, await response.json()]).toMatchObject([403, { error: { code: "tenant_forbidden" } }]);
  });

  it("chooses no other user, role or connections by headers", async () => {
    const from = await issuer();
    const gate = await gatewayOf(from);
    const authorization = `Bearer ${await from.token()}`;
    for (const [name, value, code] of [
      ["x-toolgate-user", "bob", "user_header_not_allowed"],
      ["x-toolgate-role", "admin", "role_header_not_allowed"],
      ["x-toolgate-connections", "gmail", "connections_header_not_allowed"],
    ] as const) {
      const response = await gate.fetch("/v1/models", { headers: { authorization, [name]: value } });
      expect([response.status, await response.json()]).toMatchObject([403, { error: { code, param: name } }]);
    }
  });
});

describe("two issuers", () => {
  it("of one tenant keep their users apart; one issuer's audiences may share them", async () => {
    const [one, other] = [await issuer("ES256", "https://one.example/"), await issuer("ES256", "https://two.example/")];
    const gate = await gateway({
      upstream: says({ text: "ok" }),
      elsewhere: (request) => (request.url.startsWith(one.url) ? one : other).serve(request),
      variables: (tenant) => ({
        JWT_ISSUERS: JSON.stringify([
          { issuer: one.url, audience: AUDIENCE, jwks: one.jwks, tenant, userPrefix: "one:" },
          { issuer: one.url, audience: "mobile", jwks: one.jwks, tenant, userPrefix: "one:" },
          { issuer: other.url, audience: AUDIENCE, jwks: other.jwks, tenant, userPrefix: "two:" },
        ]),
      }),
    });
    const key = await one.token({ sub: "ada" });
    const reply = await gate.fetch("/v1/chat/completions", { key, json: { model: "m", messages: hi } });
    const path = `/v1/sessions/${reply.headers.get("x-toolgate-session")}`;
    expect((await gate.fetch(path, { key: await other.token({ sub: "ada" }) })).status).toBe(404);
    expect((await gate.fetch(path, { key: await one.token({ sub: "ada", aud: "mobile" }) })).status).toBe(200);
    // The other's key set does not vouch for this one's tokens.
    expect(await opens(gate, await other.token({ iss: one.url }))).toEqual([401, "token_key_unknown"]);
  });
});

describe("the issuer's keys", () => {
  const start = 1_800_000_000_000;

  it("are fetched once, and not for each made-up key id", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    const from = await issuer("ES256");
    const gate = await gatewayOf(from);
    const good = await from.token();
    expect(await opens(gate, good)).toEqual(OPEN);
    for (let n = 0; n < 5; n++) {
      expect(await opens(gate, await from.token({}, { kid: `made-up-${n}` }))).toEqual([401, "token_key_unknown"]);
    }
    expect(from.asked).toBe(1);
    vi.setSystemTime(start + 30_000);
    for (let n = 0; n < 5; n++) await opens(gate, await from.token({}, { kid: `made-up-${n}` }));
    expect(from.asked).toBe(2);
    expect(await opens(gate, good)).toEqual(OPEN);
  });

  it("are renewed when one is not known, and after their time; withdrawn ones then open nothing", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    const from = await issuer("ES256");
    const gate = await gatewayOf(from);
    const old = await from.token({ exp: start / 1000 + 3600 });
    expect(await opens(gate, old)).toEqual(OPEN);
    await from.rotate();
    vi.setSystemTime(start + 30_000);
    expect(await opens(gate, await from.token())).toEqual(OPEN);
    expect(await opens(gate, old)).toEqual([401, "token_key_unknown"]);
    const next = await from.token({ exp: start / 1000 + 3600 });
    await from.rotate();
    vi.setSystemTime(start + 630_000);
    expect(await opens(gate, next)).toEqual([401, "token_key_unknown"]);
  });

  it("go on for six hours while the issuer is down, and no longer", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    const from = await issuer("ES256");
    const gate = await gatewayOf(from);
    const lasting = await from.token({ exp: start / 1000 + 86_400 });
    expect(await opens(gate, lasting)).toEqual(OPEN);
    from.down = true;
    vi.setSystemTime(start + 6 * 3600_000 - 1);
    expect(await opens(gate, lasting)).toEqual(OPEN);
    vi.setSystemTime(start + 6 * 3600_000);
    expect(await opens(gate, lasting)).toEqual([503, "keys_unavailable"]);
    from.down = false;
    vi.setSystemTime(start + 6 * 3600_000 + 30_000);
    expect(await opens(gate, lasting)).toEqual(OPEN);
    expect(errors).toHaveBeenCalled();
    errors.mockRestore();
  });

  it("that never could be had open nothing, and are not asked for with each request", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    const from = await issuer("ES256");
    from.down = true;
    const gate = await gatewayOf(from);
    for (let n = 0; n < 3; n++) expect(await opens(gate, await from.token())).toEqual([503, "keys_unavailable"]);
    expect(from.asked).toBe(1);
    from.down = false;
    vi.setSystemTime(start + 5_000);
    expect(await opens(gate, await from.token())).toEqual(OPEN);
    errors.mockRestore();
  });

  it("may stand in the settings: nothing is fetched, and no other key opens", async () => {
    const from = await issuer("ES256");
    const keys = await keysOf(from);
    from.asked = 0;
    const gate = await gatewayOf(from, { jwks: undefined, keys });
    expect(await opens(gate, await from.token())).toEqual(OPEN);
    expect(await opens(gate, await from.token({}, { kid: "made-up" }))).toEqual([401, "token_key_unknown"]);
    const stranger = await issuer("ES256");
    const [{ kid }] = keys as [{ kid: string }];
    expect(await opens(gate, await stranger.token({}, { kid }))).toEqual([401, "token_signature"]);
    expect(await opens(gate, await from.token({ exp: 1 }))).toEqual([401, "token_expired"]);
    expect(from.asked).toBe(0);
  });

  it("may be fetched from this machine without TLS in development", async () => {
    const from = await issuer("ES256", "http://localhost:9000/");
    const variables = (tenant: string) => ({ ...believing(from)(tenant), TOOLGATE_DEV: "1" });
    expect(await opens(await gatewayOf(from, {}, { variables }), await from.token())).toEqual(OPEN);
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    const deployed = (tenant: string) => ({ ...believing(from)(tenant), TOOLGATE_DEV: undefined });
    const refused = await opens(await gatewayOf(from, {}, { variables: deployed }), await from.token());
    expect(refused).toEqual([503, "misconfigured"]);
    errors.mockRestore();
  });

  it("of a token without a key id are tried in turn", async () => {
    const [one, other] = [await issuer("ES256"), await issuer("ES256")];
    const both = async () => Response.json({ keys: [...(await keysOf(one)), ...(await keysOf(other))] });
    const gate = await gateway({ elsewhere: both, variables: believing(one) });
    expect(await opens(gate, await other.token({}, { kid: undefined }))).toEqual(OPEN);
    const stranger = await issuer("ES256");
    expect(await opens(gate, await stranger.token({}, { kid: undefined }))).toEqual([401, "token_signature"]);
  });
});

async function keysOf(from: Issuer): Promise<object[]> {
  const { keys } = (await from.serve(new Request(from.jwks)).json()) as { keys: object[] };
  return keys;
}
