import { describe, expect, test } from "vitest";
import { issuerKeys } from "../../../src/auth/issuer-keys.ts";
import { createKey, keyLookUp } from "../../../src/auth/kv-keys.ts";
import { authenticate, requireAdmin, requireAdminOf } from "../../../src/http/authenticate/authenticate.ts";
import type { AuthenticateDeps } from "../../../src/http/authenticate/identity.ts";
import { ok } from "../../../src/lib/result.ts";
import type { KvPort } from "../../../src/ports/kv-port.ts";
import { NO_ACCESS } from "../../../src/settings/access.ts";
import { failingKv } from "../../stores/policies/failing-kv.ts";

const owner = { tenant: "acme", user: "ada", role: "user", connections: ["gmail"] };

const depsFor = (kv: KvPort, dev: boolean): AuthenticateDeps => ({
  keys: keyLookUp(kv),
  dev,
  access: NO_ACCESS,
  accessOf: async () => ok(NO_ACCESS),
  tenantIssuers: undefined,
  issuerKeys: issuerKeys(() => Promise.reject(new Error("no issuer is set up"))),
  rolesOf: async () => ok(["guest", "user", "premium", "admin"]),
});

async function ask(
  headers: Record<string, string>,
  options: { url?: string; dev?: boolean; kv?: ReturnType<typeof failingKv> } = {},
) {
  const { url = "https://gate.example.com/v1/models", dev = false, kv = failingKv() } = options;
  return authenticate(new Request(url, { headers }), depsFor(kv, dev), 1_000);
}
const known = (principal: object) => ({ ok: true, value: { kind: "known", principal } });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const problem = (status: number, code: string) => ({ ok: false, error: { status, code } });

describe("API keys", () => {
  test("open for the principal that they carry", async () => {
    const kv = failingKv();
    const { token, key } = await createKey(kv, owner, 0);
    const principal = known({ ...owner, authenticated: true, keyId: key.id, operator: false });
    expect(await ask(bearer(token), { kv })).toEqual(principal);
    expect(await ask({ authorization: `bearer  ${token}`, "x-toolgate-user": "ada" }, { kv })).toEqual(principal);
  });

  test("an anonymous key authenticates nobody", async () => {
    const kv = failingKv();
    const { token } = await createKey(kv, { ...owner, role: "admin", anonymous: true }, 0);
    const asked = await ask(bearer(token), { kv });
    expect(asked).toMatchObject(known({ authenticated: false }));
    expect(asked.ok && asked.value.kind === "known" && requireAdmin(asked.value.principal)).toMatchObject({
      status: 403,
      code: "admin_required",
    });
  });

  test("stand for no other user", async () => {
    const kv = failingKv();
    const { token } = await createKey(kv, owner, 0);
    const asked = await ask({ ...bearer(token), "x-toolgate-user": "bob" }, { kv });
    expect(asked).toMatchObject(problem(403, "user_header_not_allowed"));
  });

  test("missing, malformed, unknown and expired are refused, and no message holds the key", async () => {
    const kv = failingKv();
    const { token } = await createKey(kv, { ...owner, expiresAt: 1_000 }, 0);
    const unknown = `tg_${"A".repeat(43)}`;
    expect(await ask({}, { kv })).toMatchObject(problem(401, "missing_api_key"));
    const answers = await Promise.all(
      [bearer(unknown), bearer("sk-123"), bearer("a b"), { authorization: `Basic ${unknown}` }].map((headers) =>
        ask(headers, { kv }),
      ),
    );
    for (const answer of answers) expect(answer).toMatchObject(problem(401, "invalid_api_key"));
    const expired = await ask(bearer(token), { kv });
    expect(expired).toMatchObject({ error: { code: "invalid_api_key", message: expect.stringContaining("expired") } });
    expect(JSON.stringify([answers, expired])).not.toMatch(new RegExp(`${token}|${unknown}|sk-123`));
  });

  test.each([
    ["Bearer sk-proj-abc123", "that looks like an OpenAI key; Toolgate's begin with `tg_`"],
    ["Bearer sk-ant-api03-abc123", "that looks like an Anthropic key"],
    ["bearer AIzaabc123", "that looks like a Google key"],
    ["sk-abc123", "that looks like an OpenAI key"],
    ["Basic dXNlcjphYmMxMjM=", "`Basic` credentials are not accepted; send a key as `Authorization: Bearer tg_…`"],
    ["Bearer tg_abc123", "the API key is not valid; check it"],
    ["Bearer abc123 sk-abc123", "the API key is not valid; check it"],
    ["", "the API key is not valid; check it"],
  ])("a header `%s` is refused with the mistake", async (authorization, message) => {
    const answer = await ask({ authorization });
    expect(answer).toMatchObject({ error: { code: "invalid_api_key", message: expect.stringContaining(message) } });
    expect(JSON.stringify(answer)).not.toMatch(/abc123|dXNl/);
  });

  test("cannot be told while the store fails", async () => {
    const kv = failingKv();
    kv.failing = true;
    expect(await ask(bearer(`tg_${"A".repeat(43)}`), { kv })).toMatchObject(problem(503, "keys_unavailable"));
  });
});

describe("development keys", () => {
  const local = { dev: true, url: "http://127.0.0.1:8787/v1/models" };

  test.each(["guest", "user", "premium", "admin"])("tg-dev-%s opens on loopback", async (role) => {
    const principal = { tenant: "default", user: `dev-${role}`, role, connections: [], keyId: `dev-${role}` };
    const rights = { authenticated: role !== "guest", operator: role === "admin" };
    expect(await ask(bearer(`tg-dev-${role}`), local)).toEqual(known({ ...principal, ...rights }));
  });

  test.each(["http://localhost:1/", "http://[::1]/", "http://127.9.9.9/", "http://2130706433/", "http://LOCALHOST/"])(
    "loopback is %s",
    async (url) => {
      expect(await ask(bearer("tg-dev-user"), { dev: true, url })).toMatchObject({ ok: true });
    },
  );

  test.each([
    "https://gate.example.com/",
    "http://localhost.example.com/",
    "http://127.0.0.1.example.com/",
    "http://evil-localhost/",
    "http://128.0.0.1/",
    "http://10.0.0.1/",
    "http://[::2]/",
    "http://localhost@gate.example.com/",
  ])("loopback is not %s", async (url) => {
    // `Request` refuses credentials in its URL; the look at the host must not rely on that.
    const request = { url, headers: new Headers(bearer("tg-dev-admin")) } as Request;
    const asked = await authenticate(request, depsFor(failingKv(), true), 0);
    expect(asked).toMatchObject(problem(401, "invalid_api_key"));
  });

  test("do not exist where the start-time variable does not say so, and others never do", async () => {
    expect(await ask(bearer("tg-dev-admin"), { ...local, dev: false })).toMatchObject(problem(401, "invalid_api_key"));
    expect(await ask(bearer("tg-dev-root"), local)).toMatchObject(problem(401, "invalid_api_key"));
    expect(await ask(bearer("tg-dev-constructor"), local)).toMatchObject(problem(401, "invalid_api_key"));
  });

  test("x-toolgate-user chooses the user", async () => {
    const named = (user: string) => ask({ ...bearer("tg-dev-user"), "x-toolgate-user": user }, local);
    expect(await named("grace hopper")).toMatchObject(known({ user: "grace hopper", role: "user" }));
    expect(await named("x".repeat(128))).toMatchObject({ ok: true });
    for (const user of ["x".repeat(129), "", "a\u007f", "a\u00ad", "\u00a0ada", "pat, pat"]) {
      expect(await named(user)).toMatchObject({ error: { status: 400, param: "x-toolgate-user" } });
    }
  });

  test("a role or connections that the key has not are refused, and not passed over", async () => {
    const send = (headers: Record<string, string>) => ask({ ...bearer("tg-dev-user"), ...headers }, local);
    expect(await send({ "x-toolgate-role": "user" })).toMatchObject({ ok: true });
    expect(await send({ "x-toolgate-role": "premium" })).toMatchObject(problem(403, "role_header_not_allowed"));
    expect(await send({ "x-toolgate-connections": "gmail" })).toMatchObject(
      problem(403, "connections_header_not_allowed"),
    );
  });
});

test("operators' surfaces need the role admin", async () => {
  const principal = { ...owner, authenticated: true };
  expect(requireAdmin({ ...principal, role: "admin" })).toBeUndefined();
  for (const role of ["user", "Admin", "premium"]) {
    expect(requireAdmin({ ...principal, role })).toMatchObject({ status: 403, code: "admin_required" });
  }
});

test("an admin acts on its own tenant, an operator on every one, and nobody else on any", () => {
  const principal = { ...owner, authenticated: true, keyId: "key_1", operator: false };
  const admin = { ...principal, role: "admin" };
  expect(requireAdminOf(admin, "acme")).toBeUndefined();
  expect(requireAdminOf(admin, "other")).toMatchObject({ status: 403, code: "tenant_forbidden" });
  expect(requireAdminOf({ ...admin, operator: true }, "other")).toBeUndefined();
  expect(requireAdminOf(principal, "acme")).toMatchObject({ status: 403, code: "admin_required" });
  expect(requireAdminOf({ ...principal, operator: true }, "acme")).toMatchObject({ code: "admin_required" });
});
