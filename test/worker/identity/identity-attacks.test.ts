/**
 * Attacks on who asks, one a test: nobody is taken for another, and nothing of another is read, changed or used up.
 * @module-tag attack/keys
 */
import { env } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createApp } from "../../../src/app.ts";
import { createKey } from "../../../src/auth/kv-keys.ts";
import { createDeps } from "../../../src/create-deps.ts";
import type { ApiKey } from "../../../src/ports/api-key.ts";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { ask, call, result, says, user } from "../support/script.ts";

afterEach(() => vi.useRealTimers());

const hi = [user("hi")];
const policy = {
  handshake: { select: "off" },
  modes: { default: { allow: ["*"] }, quiet: { allow: [] } },
  tools: { read_file: { category: "read_only" }, share: { category: "external", destination: "a partner" } },
};
const open = () => gateway({ policy, upstream: says({ text: "ok" }) });

async function keyOf(owner: Partial<ApiKey> & Pick<ApiKey, "tenant" | "user">): Promise<string> {
  return (await createKey(env.KV, { role: "user", connections: [], ...owner }, Date.now())).token;
}
const told = async (response: Response): Promise<[number, string | undefined]> => [
  response.status,
  ((await response.json()) as { error?: { code: string } }).error?.code,
];
const withKey = (key: string, headers: Record<string, string> = {}) => ({
  headers: { authorization: `Bearer ${key}`, ...headers },
});

/** Makes the session `s` of who holds the key, in the mode `quiet`. */
async function makeSession(gate: Gateway, key: string): Promise<void> {
  const headers = { "x-toolgate-session": "s", "x-toolgate-mode": "quiet", authorization: `Bearer ${key}` };
  expect((await gate.chat({ messages: hi }, headers)).status).toBe(200);
}
async function modeOf(gate: Gateway, key: string): Promise<string | undefined> {
  return ((await (await gate.fetch("/v1/sessions/s", { key })).json()) as { mode?: string }).mode;
}

describe("whoever claims to be another", () => {
  it("by `x-toolgate-user` without a service key is refused", async () => {
    const gate = await open();
    for (const path of ["/v1/models", "/v1/sessions/s", "/v1/audit/turns"]) {
      expect(await told(await gate.fetch(path, withKey(gate.key, { "x-toolgate-user": "bob" })))).toEqual([
        403,
        "user_header_not_allowed",
      ]);
    }
  });

  it("by the body's `user` without a service key stays who it is", async () => {
    const gate = await open();
    const bob = await gate.keyFor("bob", "user");
    const reply = await gate.chat({ messages: hi, user: "bob" }, { "x-toolgate-session": "s" });
    expect(reply.status).toBe(200);
    expect((await gate.fetch("/v1/sessions/s", { key: bob })).status).toBe(404);
    expect((await gate.fetch("/v1/sessions/s")).status).toBe(200);
  });

  it("by `x-toolgate-role` without a service key is refused", async () => {
    const gate = await open();
    const answer = await gate.fetch("/v1/audit/turns", withKey(gate.key, { "x-toolgate-role": "admin" }));
    expect(await told(answer)).toEqual([403, "role_header_not_allowed"]);
  });

  it("by a role above the service key's is refused", async () => {
    const gate = await open();
    const key = await keyOf({ tenant: gate.tenant, user: "backend", actsFor: true });
    for (const path of ["/v1/models", "/v1/audit/turns", "/admin/keys"]) {
      const answer = await gate.fetch(path, withKey(key, { "x-toolgate-user": "ada", "x-toolgate-role": "admin" }));
      expect(await told(answer)).toEqual([403, "role_forbidden"]);
    }
  });

  it("by a service key, as an operator, acts on no other tenant", async () => {
    const gate = await open();
    const key = await keyOf({ tenant: gate.tenant, user: "backend", role: "admin", actsFor: true, operator: true });
    const answer = await gate.fetch("/admin/keys?tenant=other", withKey(key, { "x-toolgate-user": "root" }));
    expect(await told(answer)).toEqual([403, "tenant_forbidden"]);
  });

  it("by an anonymous key with the role admin is no admin", async () => {
    const gate = await open();
    const key = await keyOf({ tenant: gate.tenant, user: "visitor", role: "admin", anonymous: true });
    for (const path of ["/v1/audit/turns", "/admin/keys"]) {
      expect(await told(await gate.fetch(path, { key }))).toEqual([403, "admin_required"]);
    }
  });
});

describe("two principals whose names would collide", () => {
  it.each<[string, [string, string], [string, string]]>([
    ["at the border of tenant and user", ["x", "yz"], ["xy", "z"]],
    ["with a separator in the name", ["x:y", "z"], ["x", "y:z"]],
    ["with a length in front, as names are joined", ["x", "1:y"], ["x1:", "y"]],
    ["with the other's joined name", ["x", "y"], ["x", "1:x1:y"]],
    ["by case", ["x", "ada"], ["x", "Ada"]],
    ["by Unicode's composed and decomposed form", ["x", "caf\u00e9"], ["x", "cafe\u0301"]],
    ["by letters that look alike", ["x", "ada"], ["x", "\u0430da"]],
    ["by a blank at the end", ["x", "ada"], ["x", "ada "]],
    ["by a name that objects inherit", ["x", "constructor"], ["x", "__proto__"]],
  ])("do not meet: %s", async (_what, one, other) => {
    const gate = await open();
    const unique = (name: string) => `${gate.tenant}${name}`;
    const [oneKey, otherKey] = [
      await keyOf({ tenant: unique(one[0]), user: one[1] }),
      await keyOf({ tenant: unique(other[0]), user: other[1] }),
    ];
    const session = { "x-toolgate-session": "s" };
    await gate.chat({ messages: hi }, { ...session, authorization: `Bearer ${oneKey}` });
    expect((await gate.fetch("/v1/sessions/s", { key: oneKey })).status).toBe(200);
    expect((await gate.fetch("/v1/sessions/s", { key: otherKey })).status).toBe(404);
  });
});

describe("a development key", () => {
  const request = (dev: string | undefined, url: string, headers: Record<string, string> = {}) => {
    const app = createApp(createDeps({ ...env, TOOLGATE_DEV: dev }));
    return app.request(url, { headers: { authorization: "Bearer tg-dev-admin", ...headers } });
  };

  it("opens on loopback in development, so that the refusals below are theirs", { tags: ["control"] }, async () => {
    expect((await request("1", "http://localhost/v1/me")).status).toBe(200);
    const other = await request("1", "http://localhost/admin/keys?tenant=whatever");
    expect(other.status).toBe(200);
  });

  it.each([undefined, "", "0", "true"])("opens nothing outside development (TOOLGATE_DEV=%s)", async (dev) => {
    expect(await told(await request(dev, "http://localhost/v1/me"))).toEqual([401, "invalid_api_key"]);
  });

  it.each(["https://gate.example.com", "http://10.0.0.1", "http://localhost.evil.example", "http://0.0.0.0"])(
    "opens nothing in development on another host (%s)",
    async (host) => {
      expect(await told(await request("1", `${host}/v1/me`))).toEqual([401, "invalid_api_key"]);
    },
  );

  it.each(["host", "x-forwarded-host", "x-forwarded-for", "forwarded", "x-real-ip", "cf-connecting-ip"])(
    "opens nothing by a spoofed `%s`",
    async (name) => {
      const value = name === "forwarded" ? "host=localhost;for=127.0.0.1" : "localhost";
      const answer = await request("1", "https://gate.example.com/v1/me", { [name]: value });
      expect(await told(answer)).toEqual([401, "invalid_api_key"]);
    },
  );

  it.each(["http://evil.com", "http://localhost.evil.com", "https://localhost.", "null", "file://"])(
    "opens nothing to a page of another origin (%s)",
    async (origin) => {
      expect(await told(await request("1", "http://localhost/v1/me", { origin }))).toEqual([401, "invalid_api_key"]);
    },
  );

  it.each(["http://localhost:8787", "http://127.0.0.1:5173", "http://[::1]"])(
    "opens to a page of this machine (%s)",
    async (origin) => {
      expect((await request("1", "http://localhost/v1/me", { origin })).status).toBe(200);
    },
  );

  it.each<Record<string, string>>([{}, { "x-toolgate-listener": "" }, { "x-toolgate-listener": "guess" }])(
    "opens nothing past the listener that stands before the runtime (%o)",
    async (headers) => {
      const app = createApp(createDeps({ ...env, TOOLGATE_DEV: "1", TOOLGATE_LISTENER_SECRET: "right" }));
      const authorization = "Bearer tg-dev-admin";
      for (const path of ["/admin/keys", "/v1/models", "/health", "/console", "/"]) {
        const answer = await app.request(`http://localhost${path}`, { headers: { authorization, ...headers } });
        expect(await told(answer)).toEqual([403, "listener_only"]);
      }
      const passed = { authorization, "x-toolgate-listener": "right" };
      expect((await app.request("http://localhost/v1/me", { headers: passed })).status).toBe(200);
    },
  );
});

describe("another user's session", () => {
  it("can be neither read, changed nor deleted", async () => {
    const gate = await open();
    const bob = await gate.keyFor("bob", "admin");
    await makeSession(gate, gate.key);
    const attempts = [
      await gate.fetch("/v1/sessions/s", { key: bob }),
      await gate.fetch("/v1/sessions/s", { method: "PATCH", json: { mode: "default" }, key: bob }),
      await gate.fetch("/v1/sessions/s", { method: "DELETE", key: bob }),
    ];
    for (const answer of attempts) expect(await told(answer)).toEqual([404, "not_found"]);
    expect(await modeOf(gate, gate.key)).toBe("quiet");
  });

  it("cannot be taken up by the header or the body: the id names one's own", async () => {
    const gate = await open();
    const bob = await gate.keyFor("bob", "user");
    await makeSession(gate, gate.key);
    const authorization = `Bearer ${bob}`;
    const byHeader = { "x-toolgate-session": "s", "x-toolgate-reset": "true", authorization };
    const reply = await ask(gate, { messages: hi, tools: [tool("read_file")] }, byHeader);
    expect(reply.note.offered).toEqual(["read_file"]);
    await ask(gate, { messages: [user("/toolgate reset")], metadata: { session_id: "s" } }, { authorization });
    expect([await modeOf(gate, gate.key), await modeOf(gate, bob)]).toEqual(["quiet", "default"]);
  });

  it("is not found by repeating its words: a derived session belongs to who opened it", async () => {
    const gate = await open();
    const bob = await gate.keyFor("bob", "user");
    const first = await ask(gate, { messages: hi });
    const messages = [...hi, first.message, user("go on")];
    const own = await ask(gate, { messages });
    const others = await ask(gate, { messages }, { authorization: `Bearer ${bob}` });
    expect(own.note.session_id).toBe(first.note.session_id);
    expect(others.note.session_id).not.toBe(first.note.session_id);
  });

  it("has its calls settled by nobody else", async () => {
    const limited = {
      ...policy,
      tools: { read_file: { category: "read_only", rateLimits: [{ max: 1, window: "1h" }] } },
    };
    const gate = await gateway({ policy: limited, upstream: says({ calls: [call("c", "read_file")] }) });
    const bob = { authorization: `Bearer ${await gate.keyFor("bob", "user")}`, "x-toolgate-session": "s" };
    const tools = [tool("read_file")];
    const own = await ask(gate, { messages: hi, tools }, { "x-toolgate-session": "s" });
    expect(own.calls.length).toBe(1);
    // Bob's limit is his own, and his made-up result settles nothing of Ada's.
    const bobs = await ask(gate, { messages: [...hi, own.message, result("c")], tools }, bob);
    expect(bobs.calls.length).toBe(1);
    await gate.settle();
    const info = (await (await gate.fetch("/v1/sessions/s")).json()) as { pending_calls: unknown };
    expect(info.pending_calls).toBe(1);
  });
});

describe("another user's consent", () => {
  it("opens no gate of one's own, and cannot be withdrawn", async () => {
    const shares = says({ calls: [call("c", "share")] });
    const gate = await gateway({ policy, upstream: [shares, shares, says({ text: "ok" })] });
    const bob = await gate.keyFor("bob", "user");
    expect((await gate.fetch("/v1/gates/share", { method: "POST" })).status).toBe(200);
    const tools = [tool("share")];
    const bobs = await ask(gate, { messages: hi, tools }, { authorization: `Bearer ${bob}` });
    expect(bobs.calls).toEqual([]);
    expect(bobs.note.decisions.flatMap(({ reasons }) => reasons.map(({ code }) => code))).toContain("first_use");
    expect((await gate.fetch("/v1/gates/share", { method: "DELETE", key: bob })).status).toBe(404);
    const own = await ask(gate, { messages: hi, tools });
    expect(own.calls.map(({ id }) => id)).toEqual(["c"]);
  });
});

describe("another tenant", () => {
  it("has an audit trail that its own admins alone read", async () => {
    const gate = await open();
    await gate.chat({ messages: hi });
    expect((await gate.turns()).length).toBe(1);
    const stranger = await keyOf({ tenant: `${gate.tenant}-other`, user: "ada", role: "admin" });
    const read = await gate.fetch("/v1/audit/turns", { key: stranger });
    expect(await read.json()).toMatchObject({ data: [] });
    expect((await gate.fetch(`/v1/audit/turns?tenant=${gate.tenant}`, { key: stranger })).status).not.toBe(200);
    expect(await told(await gate.fetch("/v1/audit/turns"))).toEqual([403, "admin_required"]);
  });

  it("has keys that its own admins alone list, make, rotate and revoke", async () => {
    const gate = await open();
    const admin = await gate.keyFor("root", "admin");
    const json = { user: "ada", role: "user" };
    const made = (await (await gate.fetch("/admin/keys", { json, key: admin })).json()) as {
      id: string;
      token: string;
    };
    const stranger = await keyOf({ tenant: `${gate.tenant}-other`, user: "root", role: "admin" });
    const tenant = gate.tenant;
    const byTenant = [
      await gate.fetch(`/admin/keys?tenant=${tenant}`, { key: stranger }),
      await gate.fetch("/admin/keys", { json: { ...json, tenant }, key: stranger }),
      await gate.fetch(`/admin/keys/${made.id}?tenant=${tenant}`, { key: stranger }),
      await gate.fetch(`/admin/keys/${made.id}/rotate`, { json: { tenant, overlap: 0 }, key: stranger }),
      await gate.fetch(`/admin/keys/${made.id}?tenant=${tenant}`, { method: "DELETE", key: stranger }),
    ];
    for (const answer of byTenant) expect(await told(answer)).toEqual([403, "tenant_forbidden"]);
    for (const [method, path] of [
      ["GET", ""],
      ["DELETE", ""],
      ["POST", "/rotate"],
    ] as const) {
      const answer = await gate.fetch(`/admin/keys/${made.id}${path}`, { method, key: stranger });
      expect(await told(answer)).toEqual([404, "not_found"]);
    }
    expect((await gate.fetch("/v1/models", { key: made.token })).status).toBe(200);
  });
});

describe("a key that has ended", () => {
  async function withAdmin() {
    const gate = await open();
    const admin = await gate.keyFor("root", "admin");
    const post = async (path: string, json: object) =>
      (await (await gate.fetch(`/admin/keys${path}`, { method: "POST", json, key: admin })).json()) as {
        id: string;
        token: string;
      };
    const status = async (key: string) => (await gate.fetch("/v1/models", { key })).status;
    return { gate, admin, post, status };
  }

  it("by revocation opens nothing, at the latest a minute after where it was in use", async () => {
    const { gate, admin, post, status } = await withAdmin();
    const { id, token } = await post("", { user: "bob", role: "user" });
    expect(await status(token)).toBe(200);
    expect((await gate.fetch(`/admin/keys/${id}`, { method: "DELETE", key: admin })).status).toBe(200);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    expect(await status(token)).toBe(401);
  });

  it("by its time opens nothing from that moment on", async () => {
    const { post, status } = await withAdmin();
    const now = Date.now();
    const { token } = await post("", { user: "bob", role: "user", expires_in: "1h" });
    expect(await status(token)).toBe(200);
    vi.useFakeTimers({ toFake: ["Date"], now: now + 3_601_000 });
    expect(await status(token)).toBe(401);
  });

  it("by rotation opens nothing after its overlap, while the new one does", async () => {
    const { post, status } = await withAdmin();
    const now = Date.now();
    const { id, token } = await post("", { user: "bob", role: "user" });
    const next = await post(`/${id}/rotate`, { overlap: "1h" });
    expect([await status(token), await status(next.token)]).toEqual([200, 200]);
    vi.useFakeTimers({ toFake: ["Date"], now: now + 3_601_000 });
    expect([await status(token), await status(next.token)]).toEqual([401, 200]);
  });
});

describe("credentials of a client", () => {
  it("never go upstream, nor do cookies and headers of ours, on any route", async () => {
    const gate = await open();
    const key = await keyOf({ tenant: gate.tenant, user: "backend", actsFor: true });
    const headers = {
      authorization: `Bearer ${key}`,
      "proxy-authorization": "Basic c2VjcmV0",
      cookie: "session=secret",
      "x-api-key": "secret",
      "x-toolgate-user": "ada",
      "x-toolgate-role": "guest",
      "x-toolgate-session": "s",
      "x-title": "kept",
    };
    await gate.chat({ messages: hi }, headers);
    await gate.fetch("/v1/models", { headers });
    await gate.fetch("/v1/embeddings", { json: {}, headers });
    expect(gate.requests.length).toBe(3);
    for (const { headers: sent } of gate.requests) {
      expect([sent.get("authorization"), sent.get("x-title")]).toEqual(["Bearer sk-upstream", "kept"]);
      const names = [...sent.keys()].filter((name) => /cookie|proxy-auth|x-api-key|toolgate/.test(name));
      expect(names).toEqual([]);
      expect(JSON.stringify([...sent])).not.toMatch(new RegExp(`secret|${key}`));
    }
  });
});
