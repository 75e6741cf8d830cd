import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { createKey } from "../../../src/auth/kv-keys.ts";
import type { ApiKey } from "../../../src/ports/api-key.ts";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { says, user } from "../support/script.ts";
import { believing, issuer } from "./issuer.ts";

const hi = [user("hi")];
const chat = (more = {}) => ({ json: { model: "m", messages: hi, ...more } });

async function serviceKey(gate: Gateway, more: Partial<ApiKey> = {}): Promise<string> {
  const owner = { tenant: gate.tenant, user: "backend", role: "premium", connections: ["gmail", "gnorm"] };
  return (await createKey(env.KV, { ...owner, actsFor: true, ...more }, Date.now())).token;
}

const as = (key: string, headers: Record<string, string> = {}) => ({
  headers: { authorization: `Bearer ${key}`, ...headers },
});
const told = async (response: Response) => [
  response.status,
  ((await response.json()) as { error?: { code: string } }).error?.code,
];

async function open(options = {}) {
  const gate = await gateway({ upstream: says({ text: "ok" }), ...options });
  return { gate, key: await serviceKey(gate) };
}

/** Whether this user owns the session. */
async function owns(gate: Gateway, session: string | null, userId: string): Promise<boolean> {
  const key = await gate.keyFor(userId, "user");
  return (await gate.fetch(`/v1/sessions/${session}`, { key })).status === 200;
}

describe("the person of a service key", () => {
  it("is `x-toolgate-user`, on every route", async () => {
    const { gate, key } = await open();
    const named = as(key, { "x-toolgate-user": "grace hopper" });
    const reply = await gate.fetch("/v1/chat/completions", { ...chat({ user: "bob" }), ...named });
    const session = reply.headers.get("x-toolgate-session");
    expect(await owns(gate, session, "grace hopper")).toBe(true);
    expect((await gate.fetch(`/v1/sessions/${session}`, named)).status).toBe(200);
    const another = as(key, { "x-toolgate-user": "bob" });
    expect((await gate.fetch(`/v1/sessions/${session}`, another)).status).toBe(404);
  });

  it("is else the `user` of a chat completion, any script of it", async () => {
    const { gate, key } = await open();
    const reply = await gate.fetch("/v1/chat/completions", { ...chat({ user: "Jürgen 李" }), ...as(key) });
    expect(reply.status).toBe(200);
    expect(await owns(gate, reply.headers.get("x-toolgate-session"), "Jürgen 李")).toBe(true);
  });

  it.each([{}, { user: null }, { user: "" }])("is required: %o", async (body) => {
    const { gate, key } = await open();
    const answer = await gate.fetch("/v1/chat/completions", { ...chat(body), ...as(key) });
    expect(await told(answer)).toEqual([400, "user_required"]);
    for (const path of ["/v1/models", "/v1/sessions/s", "/v1/audit/turns", "/admin/keys"]) {
      expect(await told(await gate.fetch(path, as(key)))).toEqual([400, "user_required"]);
    }
    expect(gate.sent).toEqual([]);
  });

  it.each([7, " bob", "bob\n", "x".repeat(129), "e\u0301", "a\u200b", "\ud800"])(
    "must be a name of which there is one spelling: %j",
    async (named) => {
      const { gate, key } = await open();
      const answer = await gate.fetch("/v1/chat/completions", { ...chat({ user: named }), ...as(key) });
      expect(await answer.json()).toMatchObject({ error: { code: "invalid_value", param: "user" } });
      expect(gate.sent).toEqual([]);
    },
  );

  it("must be ASCII in a header, since decoders differ on the rest", async () => {
    const { gate, key } = await open();
    const answer = await gate.fetch("/v1/models", as(key, { "x-toolgate-user": "j\u00fcrgen" }));
    expect(await answer.json()).toMatchObject({ error: { param: "x-toolgate-user" } });
  });

  it("is one user: the same header twice is refused, and an id may hold a comma", async () => {
    const { gate, key } = await open();
    const twice = new Headers({ "x-toolgate-user": "pat", authorization: `Bearer ${key}` });
    twice.append("x-toolgate-user", "pat");
    const answer = await gate.fetch("/v1/models", { headers: Object.fromEntries(twice) });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: { param: "x-toolgate-user", message: expect.stringContaining("send the header once") },
    });
    expect((await gate.fetch("/v1/models", as(key, { "x-toolgate-user": "Doe, Jane" }))).status).toBe(200);
  });

  it("is no one where the body names two", async () => {
    const { gate, key } = await open();
    const post = (fields: string, headers = {}) => {
      const body = `{"model":"m","messages":${JSON.stringify(hi)},${fields}}`;
      return gate.fetch("/v1/chat/completions", { method: "POST", body, ...as(key, headers) });
    };
    for (const fields of [
      '"user":"ada","user":"bob"',
      '"user":"ada","us\\u0065r":"bob"',
      '"user":"ada","user":"ada"',
    ]) {
      const answer = await post(fields);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        error: { param: "user", message: "the body holds `user` twice: remove one of them" },
      });
    }
    expect(gate.sent).toEqual([]);
    expect((await post('"user":"ada","metadata":{"user":"bob"}')).status).toBe(200);
    // Where the header names the user, the body's `user` is the provider's alone.
    expect((await post('"user":"ada","user":"bob"', { "x-toolgate-user": "ada" })).status).toBe(200);
  });

  it("has the key's prefix, where it has one", async () => {
    const { gate } = await open();
    const key = await serviceKey(gate, { userPrefix: "forum:" });
    const reply = await gate.fetch("/v1/chat/completions", { ...chat(), ...as(key, { "x-toolgate-user": "ada" }) });
    const session = reply.headers.get("x-toolgate-session");
    expect([await owns(gate, session, "ada"), await owns(gate, session, "forum:ada")]).toEqual([false, true]);
  });

  it("is none of an issuer's users", async () => {
    const from = await issuer("ES256");
    const { gate, key } = await open({ variables: believing(from) });
    const answer = await gate.fetch("/v1/models", as(key, { "x-toolgate-user": "jwt:ada" }));
    expect(await told(answer)).toEqual([403, "user_reserved"]);
    const joined = as(await serviceKey(gate, { userPrefix: "j" }), { "x-toolgate-user": "wt:ada" });
    expect(await told(await gate.fetch("/v1/models", joined))).toEqual([403, "user_reserved"]);
  });
});

describe("the role of a service key", () => {
  const policy = {
    handshake: { select: "off" },
    tools: {
      for_premium: { category: "read_only", roles: ["premium", "admin"] },
      for_users: { category: "read_only", roles: ["user", "premium", "admin"] },
      for_guests: { category: "read_only", roles: ["guest"] },
    },
  };
  const tools = Object.keys(policy.tools).map((name) => tool(name));

  async function offered(headers: Record<string, string>, more: Partial<ApiKey> = {}) {
    const { gate } = await open({ policy });
    const key = await serviceKey(gate, more);
    const init = { ...chat({ tools }), ...as(key, { "x-toolgate-user": "ada", ...headers }) };
    const answer = await gate.fetch("/v1/chat/completions", init);
    const { toolgate, error } = (await answer.json()) as { toolgate?: { offered: string[] }; error?: { code: string } };
    return toolgate?.offered ?? [answer.status, error?.code];
  }

  it("is its own where none is asked for, or the default that it was given", async () => {
    expect(await offered({})).toEqual(["for_premium", "for_users"]);
    expect(await offered({}, { defaultRole: "guest" })).toEqual(["for_guests"]);
  });

  it("is `x-toolgate-role` up to its own, in the policy's order", async () => {
    expect(await offered({ "x-toolgate-role": "user" })).toEqual(["for_users"]);
    expect(await offered({ "x-toolgate-role": "guest" })).toEqual(["for_guests"]);
    expect(await offered({ "x-toolgate-role": "premium" }, { defaultRole: "guest" })).toEqual([
      "for_premium",
      "for_users",
    ]);
    expect(await offered({ "x-toolgate-role": "admin" })).toEqual([403, "role_forbidden"]);
    expect(await offered({ "x-toolgate-role": "root" })).toEqual([403, "role_unknown"]);
    expect(await offered({ "x-toolgate-role": "" })).toEqual([403, "role_unknown"]);
  });

  it("follows the tenant's own order of roles", async () => {
    const { gate } = await open({ policy: { roles: ["premium", "user"] } });
    const key = await serviceKey(gate);
    const asUser = as(key, { "x-toolgate-user": "ada", "x-toolgate-role": "user" });
    expect(await told(await gate.fetch("/v1/sessions/s", asUser))).toEqual([403, "role_forbidden"]);
  });
});

describe("the connections of a service key", () => {
  const policy = {
    handshake: { select: "off" },
    tools: {
      read_mail: { category: "read_only", connection: "gmail" },
      annotate: { category: "read_only", connection: "gnorm" },
    },
  };

  it.each<[string | undefined, unknown]>([
    [undefined, ["read_mail", "annotate"]],
    ["gmail", ["read_mail"]],
    ["gmail, gnorm", ["read_mail", "annotate"]],
    ["", []],
    ["gmail,slack", "connection_forbidden"],
  ])("are those of `x-toolgate-connections` among its own: %j", async (header, expected) => {
    const { gate, key } = await open({ policy });
    const headers = { "x-toolgate-user": "ada", ...(header !== undefined && { "x-toolgate-connections": header }) };
    const tools = [tool("read_mail"), tool("annotate")];
    const answer = await gate.fetch("/v1/chat/completions", { ...chat({ tools }), ...as(key, headers) });
    const body = (await answer.json()) as { toolgate?: { offered: string[] }; error?: { code: string } };
    expect(body.toolgate?.offered ?? body.error?.code).toEqual(expected);
  });
});
