import { describe, expect, test } from "vitest";
import { authenticate, requireAdmin } from "../../src/http/authenticate.ts";
import { createKey, keyLookUp } from "../../src/stores/kv-keys.ts";
import { failingKv } from "../stores/failing-kv.ts";

const owner = { tenant: "acme", user: "ada", role: "user", connections: ["gmail"] };

async function ask(
  headers: Record<string, string>,
  options: { url?: string; dev?: boolean; kv?: ReturnType<typeof failingKv> } = {},
) {
  const { url = "https://gate.example.com/v1/models", dev = false, kv = failingKv() } = options;
  return authenticate(new Request(url, { headers }), { keys: keyLookUp(kv), dev }, 1_000);
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const problem = (status: number, code: string) => ({ ok: false, error: { status, code } });

describe("API keys", () => {
  test("open for the principal that they carry", async () => {
    const kv = failingKv();
    const { token, key } = await createKey(kv, owner, 0);
    const principal = { ok: true, value: { ...owner, authenticated: true, keyId: key.id, operator: false } };
    expect(await ask(bearer(token), { kv })).toEqual(principal);
    expect(await ask({ authorization: `bearer  ${token}`, "x-toolgate-user": "ada" }, { kv })).toEqual(principal);
  });

  test("an anonymous key authenticates nobody", async () => {
    const kv = failingKv();
    const { token } = await createKey(kv, { ...owner, role: "admin", anonymous: true }, 0);
    const asked = await ask(bearer(token), { kv });
    expect(asked).toMatchObject({ ok: true, value: { authenticated: false } });
    expect(asked.ok && requireAdmin(asked.value)).toMatchObject({ status: 403, code: "admin_required" });
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
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject(problem(401, "invalid_api_key"));
    const expired = await ask(bearer(token), { kv });
    expect(expired).toMatchObject({ error: { code: "invalid_api_key", message: expect.stringContaining("expired") } });
    expect(JSON.stringify([answers, expired])).not.toMatch(new RegExp(`${token}|${unknown}|sk-123`));
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
    expect(await ask(bearer(`tg-dev-${role}`), local)).toEqual({
      ok: true,
      value: {
        tenant: "default",
        user: `dev-${role}`,
        role,
        connections: [],
        authenticated: role !== "guest",
        keyId: `dev-${role}`,
        operator: role === "admin",
      },
    });
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
    const asked = await authenticate(request, { keys: keyLookUp(failingKv()), dev: true }, 0);
    expect(asked).toMatchObject(problem(401, "invalid_api_key"));
  });

  test("do not exist where the start-time variable does not say so, and others never do", async () => {
    expect(await ask(bearer("tg-dev-admin"), { ...local, dev: false })).toMatchObject(problem(401, "invalid_api_key"));
    expect(await ask(bearer("tg-dev-root"), local)).toMatchObject(problem(401, "invalid_api_key"));
    expect(await ask(bearer("tg-dev-constructor"), local)).toMatchObject(problem(401, "invalid_api_key"));
  });

  test("x-toolgate-user chooses the user", async () => {
    const named = (user: string) => ask({ ...bearer("tg-dev-user"), "x-toolgate-user": user }, local);
    expect(await named("grace hopper")).toMatchObject({ ok: true, value: { user: "grace hopper", role: "user" } });
    expect(await named("x".repeat(128))).toMatchObject({ ok: true });
    for (const user of ["x".repeat(129), "", "a\u007f", "a\u00ad"]) {
      expect(await named(user)).toMatchObject({ error: { status: 400, param: "x-toolgate-user" } });
    }
  });
});

test("operators' surfaces need the role admin", async () => {
  const principal = { ...owner, authenticated: true };
  expect(requireAdmin({ ...principal, role: "admin" })).toBeUndefined();
  for (const role of ["user", "Admin", "premium"]) {
    expect(requireAdmin({ ...principal, role })).toMatchObject({ status: 403, code: "admin_required" });
  }
});
