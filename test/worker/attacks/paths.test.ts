/**
 * Attacks by keys, paths, methods and headers that somebody between the client and the gateway might read in another way.
 * @module-tag attack/keys
 */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { createApp } from "../../../src/app.ts";
import { createKey } from "../../../src/auth/kv-keys.ts";
import { createDeps } from "../../../src/create-deps.ts";
import { type Gateway, gateway } from "../support/gateway.ts";
import { says, user } from "../support/script.ts";

const open: Promise<Gateway> = gateway({ upstream: says({ text: "ok" }), variables: { METRICS: "1" } });

describe("F3: development keys open nothing to a page that poses as this machine", () => {
  const app = createApp(createDeps({ ...env, TOOLGATE_DEV: "1" }));
  const json = JSON.stringify({ user: "rebound", role: "admin", operator: true, expires_in: "90d" });
  const LOCAL = "http://localhost:8810/admin/keys";
  const headers: readonly Record<string, string>[] = [
    { host: "evil.com:8810", origin: "http://evil.com:8810", "mf-original-url": LOCAL },
    { host: "evil.com", "mf-original-url": LOCAL },
    { host: "localhost", "x-original-url": LOCAL },
    { "x-rewrite-url": "/admin/keys", "x-forwarded-host": "localhost" },
    { "x-forwarded-host": "localhost", "x-forwarded-proto": "http" },
    { forwarded: "for=127.0.0.1;host=localhost" },
    { "cf-connecting-ip": "127.0.0.1", "x-real-ip": "127.0.0.1" },
    { "mf-route-override": "toolgate", "mf-cf-blob": "{}" },
  ];
  it.each(headers)("%o", async (more) => {
    const init = { method: "POST", body: json, headers: { authorization: "Bearer tg-dev-admin", ...more } };
    expect((await app.request("http://evil.com:8810/admin/keys", init)).status).toBe(401);
  });

  it.each([
    "localhost.evil.com",
    "127.0.0.1.evil.com",
    "localhost@evil.com",
    "127.0.0.1:80@evil.com",
    "evil.com#localhost",
    "0x7f000001.evil.com",
    "localhost\u3002evil.com",
    "169.254.169.254",
    "[::ffff:8.8.8.8]",
  ])("the host %s", async (host) => {
    const init = { headers: { authorization: "Bearer tg-dev-admin" } };
    expect((await app.request(`http://${host}/v1/models`, init)).status).toBe(401);
  });
});

describe("F10: a service key names nobody but its own users", () => {
  const made = async (gate: Gateway) => {
    const json = { user: "backend", role: "user", acts_for: true };
    const response = await gate.fetch("/admin/keys", { json, key: await gate.keyFor("boss", "admin") });
    return ((await response.json()) as { token: string }).token;
  };
  it.each(["ada", "dev-admin", "operator"])("an API key's user, %s", async (name) => {
    const gate = await open;
    const own = await gate.keyFor(name, "user");
    await gate.fetch("/v1/chat/completions", {
      json: { model: "m", messages: [user("hi")] },
      key: own,
      headers: { "x-toolgate-session": "mine" },
    });
    const answer = await gate.fetch("/v1/sessions/mine", {
      key: await made(gate),
      headers: { "x-toolgate-user": name },
    });
    expect(answer.status).toBe(404);
  });

  it("two users in one body", async () => {
    const gate = await open;
    const body = '{"model":"m","user":"a","user":"b","messages":[{"role":"user","content":"hi"}]}';
    const answer = await gate.fetch("/v1/chat/completions", { method: "POST", body, key: await made(gate) });
    expect(answer.status).toBe(400);
  });

  it.each(["a,b", "a b", " ", "a\tb", "../ada", "x".repeat(300), "jwt:ada", "svc:ada"])(
    "the header's user %j",
    async (name) => {
      const gate = await open;
      const key = (
        await createKey(
          env.KV,
          { tenant: gate.tenant, user: "b", role: "user", connections: [], actsFor: true, userPrefix: "svc:" },
          Date.now(),
        )
      ).token;
      const answer = await gate.fetch("/v1/sessions/mine", { key, headers: { "x-toolgate-user": name } });
      expect([400, 404]).toContain(answer.status);
    },
  );
});

describe("a key of another form opens nothing", () => {
  const forms: readonly (readonly [name: string, of: (key: string) => string])[] = [
    ["Basic", (key) => `Basic ${btoa(`${key}:`)}`],
    ["with a byte more", (key) => `Bearer ${key}a`],
    ["with a byte less", (key) => `Bearer ${key.slice(0, -1)}`],
    ["in capitals", (key) => `Bearer ${key.toUpperCase()}`],
    ["twice", (key) => `Bearer ${key}, Bearer ${key}`],
    ["two at once", (key) => `Bearer ${key} ${key}`],
    ["in quotation marks", (key) => `Bearer "${key}"`],
    ["behind a path", (key) => `Bearer ../${key}`],
    ["that objects inherit", () => "Bearer __proto__"],
    ["`tg_` alone", () => "Bearer tg_"],
    ["`tg_` and a path", () => "Bearer tg_../../keys"],
    ["100 KB", () => `Bearer tg_${"a".repeat(100_000)}`],
    ["no scheme", (key) => key],
  ];
  it.each(forms)("%s", async (_name, of) => {
    const gate = await open;
    const answer = await gate.fetch("/v1/models", { headers: { authorization: of(gate.key) } });
    expect([401, 431]).toContain(answer.status);
  });

  it("in a query, a cookie or another header", async () => {
    const gate = await open;
    const headers = { authorization: "", cookie: `authorization=Bearer ${gate.key}`, "x-api-key": gate.key };
    expect((await gate.fetch(`/v1/models?key=${gate.key}&authorization=${gate.key}`, { headers })).status).toBe(401);
  });
});

describe("an operators' surface under another spelling of its path opens to nobody else", () => {
  const paths = [
    ...[
      "//admin/keys",
      "/admin//keys",
      "/./admin/keys",
      "/x/../admin/keys",
      "/%61dmin/keys",
      "/admin%2fkeys",
      "/admin/keys/",
    ],
    ...[
      "/ADMIN/KEYS",
      "/admin/keys;x=1",
      "/admin\\keys",
      "/admin/keys%00",
      "/admin/keys%20",
      "/admin/keys?tenant=other",
    ],
    ...[
      "/v1/../admin/keys",
      "/v1/%2e%2e/admin/keys",
      "/v1/models/..%2f..%2fadmin/keys",
      "/admin\uff0fkeys",
      "/metrics/",
      "/%6detrics",
    ],
    ...["/v1/audit/decisions/", "/v1//audit/decisions", "/V1/audit/decisions", "/v1/audit/%64ecisions"],
  ];
  it.each(paths)("%s", async (path) => {
    const gate = await open;
    for (const method of ["GET", "POST", "HEAD"]) {
      const body = method === "POST" ? '{"user":"eve","role":"admin"}' : undefined;
      const answer = await gate.fetch(path, { method, body });
      expect([403, 404, 405]).toContain(answer.status);
    }
  });

  it.each<Record<string, string>>([
    { "x-original-url": "/admin/keys" },
    { "x-rewrite-url": "/admin/keys" },
    { "x-http-method-override": "DELETE" },
    { "x-method-override": "PUT" },
    { "x-forwarded-prefix": "/admin" },
    { "x-toolgate-role": "admin" },
    { "x-toolgate-tenant": "other" },
    { "x-toolgate-listener": "x" },
  ])("by the header %o", async (headers) => {
    const gate = await open;
    const answer = await gate.fetch("/v1/me", { headers });
    expect([200, 403]).toContain(answer.status);
    if (answer.status === 200) expect(await answer.json()).toMatchObject({ user: "ada", role: "user" });
  });
});

it.each([
  "null",
  "https://app.test.evil.com",
  "https://evil-app.test",
  "http://app.test",
  "https://app.test:8443",
  "https://x@app.test",
  "https://app.test.",
  "https://APP.test/",
  "*",
])("the origin %s reads no answer", async (origin) => {
  const gate = await gateway({ upstream: says({ text: "ok" }), variables: { CORS_ORIGINS: "https://app.test" } });
  const answer = await gate.fetch("/v1/models", { headers: { origin } });
  expect(answer.headers.get("access-control-allow-origin")).not.toBe(origin);
  expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
});
