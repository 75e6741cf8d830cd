/** What pages of other origins may do, and how large a request may be. */
import { describe, expect, it } from "vitest";
import { gateway } from "../support/gateway.ts";
import { says, user } from "../support/script.ts";

const hi = { json: { model: "m", messages: [user("hi")] } };
const page = "https://chat.example.com";
const other = "https://evil.example.com";

const open = (CORS_ORIGINS?: string, more = {}) =>
  gateway({ upstream: says({ text: "ok" }), variables: { CORS_ORIGINS, ...more } });

const corsOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-") || name === "vary"));

const preflight = (origin: string) => ({
  method: "OPTIONS",
  headers: {
    origin,
    authorization: "",
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization,content-type,x-stainless-os",
  },
});

describe("a page of another origin", () => {
  it("is told nothing by default", async () => {
    const gate = await open();
    const replies = [
      await gate.fetch("/v1/chat/completions", { ...hi, headers: { origin: page } }),
      await gate.fetch("/v1/chat/completions", preflight(page)),
    ];
    expect(replies.map(corsOf)).toEqual([{}, {}]);
    expect(replies.map(({ status }) => status)).toEqual([200, 401]);
  });

  it("that the settings name gets its preflight answered without a key", async () => {
    const gate = await open(`${page}, http://localhost:3000`);
    const reply = await gate.fetch("/v1/chat/completions", preflight(page));
    expect(reply.status).toBe(204);
    expect(corsOf(reply)).toMatchObject({
      "access-control-allow-origin": page,
      "access-control-allow-credentials": "true",
      "access-control-allow-headers": "authorization,content-type,x-stainless-os",
      "access-control-allow-methods": expect.stringContaining("DELETE"),
      vary: expect.stringContaining("Origin"),
    });
  });

  it("that they do not name is allowed nothing, and caches are told to keep answers apart", async () => {
    const gate = await open(page);
    for (const origin of [other, "null", `${page}.evil.example`, page.toUpperCase(), "http://chat.example.com"]) {
      const asked = await gate.fetch("/v1/chat/completions", preflight(origin));
      expect([origin, asked.status, Object.keys(corsOf(asked))]).toEqual([origin, 204, ["vary"]]);
      const sent = await gate.fetch("/v1/chat/completions", { ...hi, headers: { origin } });
      expect(corsOf(sent)).toEqual({ vary: "Origin" });
    }
  });

  it("may read our headers, also of errors, streams and unknown routes", async () => {
    const gate = await open(page);
    const headers = { origin: page };
    const replies = [
      await gate.fetch("/v1/chat/completions", { ...hi, headers }),
      await gate.fetch("/v1/chat/completions", { json: { ...hi.json, stream: true }, headers }),
      await gate.fetch("/v1/chat/completions", { body: "{", headers }),
      await gate.fetch("/v1/models", { headers: { ...headers, authorization: "Bearer nope" } }),
      await gate.fetch("/nope", { headers }),
      await gate.fetch("/v1/models", { headers }),
      await gate.fetch("/health", { headers }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 400, 401, 404, 200, 200]);
    for (const reply of replies) {
      expect(corsOf(reply)).toMatchObject({ "access-control-allow-origin": page, vary: "Origin" });
      const exposed = reply.headers.get("access-control-expose-headers")?.split(", ");
      for (const name of reply.headers.keys()) if (name.startsWith("x-toolgate-")) expect(exposed).toContain(name);
      expect(exposed).toEqual(expect.arrayContaining(["x-request-id", "x-toolgate-session", "retry-after"]));
      await reply.text();
    }
  });

  it("may follow approvals, and decide them", async () => {
    const gate = await open(page);
    const asked = (method: string) => ({
      ...preflight(page).headers,
      "access-control-request-method": method,
      "access-control-request-headers": "authorization,last-event-id",
    });
    for (const [method, path] of [
      ["GET", "/v1/approvals/events"],
      ["POST", "/v1/approvals/x"],
      ["DELETE", "/v1/grants/x"],
    ] as const) {
      const reply = await gate.fetch(path, { method: "OPTIONS", headers: asked(method) });
      const told = corsOf(reply);
      expect(told["access-control-allow-methods"]?.split(", ")).toContain(method);
      expect(told["access-control-allow-headers"]).toContain("last-event-id");
    }
    const stream = await gate.fetch("/v1/approvals/events", { headers: { origin: page } });
    expect(corsOf(stream)).toMatchObject({ "access-control-allow-origin": page });
    await stream.body?.cancel();
  });

  it("of any origin may call where the settings say `*`, never with credentials of the browser", async () => {
    const gate = await open("*");
    const replies = [
      await gate.fetch("/v1/chat/completions", preflight(other)),
      await gate.fetch("/v1/models", { headers: { origin: other } }),
    ];
    for (const reply of replies) {
      expect(corsOf(reply)["access-control-allow-origin"]).toBe("*");
      expect(reply.headers.has("access-control-allow-credentials")).toBe(false);
    }
  });

  it("is not let at the console, whatever the settings are", async () => {
    const gate = await open(page);
    expect(corsOf(await gate.fetch("/console/inbox", { headers: { origin: page } }))).toEqual({});
    expect((await gate.fetch("/console", preflight(page))).status).not.toBe(204);
  });
});

describe("a request that is too large", () => {
  const told = async (response: Response) => [
    response.status,
    ((await response.json()) as { error: { code: string; type: string } }).error,
  ];

  it("in its body is 413, by the setting, on every route that reads one", async () => {
    const gate = await open(undefined, { MAX_BODY_BYTES: "2048" });
    const admin = await gate.keyFor("root", "admin");
    for (const [method, path] of [
      ["POST", "/v1/chat/completions"],
      ["POST", "/v1/embeddings"],
      ["PATCH", "/v1/sessions/s"],
      ["POST", "/v1/intents/detect"],
      ["POST", `/v1/approvals/appr_${"0".repeat(26)}`],
      ["POST", "/v1/gates"],
      ["POST", "/admin/keys"],
    ] as const) {
      const answer = await gate.fetch(path, { method, key: admin, json: { x: "x".repeat(2048) } });
      expect([path, ...(await told(answer))]).toMatchObject([path, 413, { code: "too_large" }]);
    }
    expect(gate.sent).toEqual([]);
  });

  it("in its headers is 431, before anything is looked up", async () => {
    const gate = await open();
    const many = { authorization: "Bearer x", "x-a": "a".repeat(16_384), "x-b": "b".repeat(16_384) };
    expect(await told(await gate.fetch("/v1/models", { headers: many }))).toMatchObject([
      431,
      { code: "headers_too_large", type: "invalid_request_error" },
    ]);
    const wide = await open(undefined, { MAX_HEADER_BYTES: "65536" });
    expect((await wide.fetch("/v1/models", { headers: many })).status).toBe(401);
  });

  it("in its credential is 431", async () => {
    const gate = await open();
    for (const name of ["authorization", "x-upstream-authorization"]) {
      const headers = { [name]: `Bearer ${"a".repeat(8192)}` };
      expect(await told(await gate.fetch("/v1/models", { headers }))).toMatchObject([431, { code: "token_too_large" }]);
    }
  });
});

describe("a client's own key for the upstream", () => {
  const own = { "x-upstream-authorization": "Bearer sk-of-the-client" };
  const routes = [
    ["/v1/chat/completions", hi],
    ["/v1/chat/completions", { json: { ...hi.json, stream: true } }],
    ["/v1/embeddings", { json: {} }],
    ["/v1/models", {}],
    ["/v1/models/m", {}],
  ] as const;

  it("takes the place of the gateway's, where the settings allow it", async () => {
    const gate = await open(undefined, { CLIENT_UPSTREAM_KEYS: "1" });
    for (const [path, init] of routes) await (await gate.fetch(path, { ...init, headers: own })).text();
    const sent = gate.requests.map(({ headers }) => headers.get("authorization"));
    expect(sent).toEqual(routes.map(() => "Bearer sk-of-the-client"));
    for (const { headers } of gate.requests) expect(headers.has("x-upstream-authorization")).toBe(false);
    await (await gate.fetch("/v1/chat/completions", hi)).text();
    expect(gate.requests.at(-1)?.headers.get("authorization")).toBe("Bearer sk-upstream");
  });

  it("brings its own organization, which without it is the gateway's", async () => {
    const gate = await open(undefined, { CLIENT_UPSTREAM_KEYS: "1" });
    for (const headers of [own, {}]) {
      for (const [path, init] of routes)
        await (await gate.fetch(path, { ...init, headers: { ...headers, "openai-organization": "org" } })).text();
    }
    const sent = gate.requests.map(({ headers }) => headers.get("openai-organization"));
    expect(sent).toEqual([...routes.map(() => "org"), ...routes.map(() => null)]);
  });

  it("goes with every step of a turn", async () => {
    const gate = await gateway({
      policy: { handshake: { select: "off" } },
      upstream: [says({ calls: [{ id: "c", name: "unheard_of" }] }), says({ text: "ok" })],
      variables: { CLIENT_UPSTREAM_KEYS: "1" },
    });
    await (await gate.fetch("/v1/chat/completions", { ...hi, headers: own })).text();
    expect(gate.requests.map(({ headers }) => headers.get("authorization"))).toEqual([
      "Bearer sk-of-the-client",
      "Bearer sk-of-the-client",
    ]);
  });

  it("is refused where they do not, and one that is no bearer key anywhere", async () => {
    const gate = await open();
    for (const [path, init] of routes) {
      const answer = await gate.fetch(path, { ...init, headers: own });
      expect([answer.status, await answer.json()]).toMatchObject([
        400,
        { error: { code: "upstream_key_not_allowed" } },
      ]);
    }
    const allowing = await open(undefined, { CLIENT_UPSTREAM_KEYS: "1" });
    for (const value of ["sk-x", "Basic abc", "Bearer a b", "Bearer "]) {
      const headers = { "x-upstream-authorization": value };
      const answer = await allowing.fetch("/v1/models", { headers });
      expect([value, answer.status]).toEqual([value, 400]);
      expect(await answer.text()).not.toContain("sk-x");
    }
    expect([...gate.sent, ...allowing.sent]).toEqual([]);
  });
});
