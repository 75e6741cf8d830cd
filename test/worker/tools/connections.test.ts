/** `/v1/users/:id/connections`, and what a linked provider opens, with real requests and a real object of the user. */
import { beforeEach, expect, it } from "vitest";
import { type Gateway, gateway } from "../support/gateway.ts";
import { runInGuard } from "../support/run-in-guard.ts";
import { call, says } from "../support/script.ts";
import { type CapturedLog, captureLog } from "../telemetry/capture-log.ts";

let log: CapturedLog;
beforeEach(() => {
  log = captureLog();
});

const CONNECTION_KEY = "c1:0123456789abcdef0123456789abcdef";
const TOKEN = "s3cr3t-token-of-ada";
const HOUR = 3_600_000;

const policy = {
  handshake: { select: "off" },
  // The upstream's answers are counted.
  execution: { speculate: false },
  tools: {
    look_up: {
      category: "read_only",
      connection: "crm",
      parameters: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
      run: {
        kind: "http",
        method: "GET",
        url: "https://crm.example.com/c/{{arguments.id}}",
        headers: { authorization: "Bearer {{connection.token}}" },
      },
    },
  },
};

interface Told {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is what is tested
  readonly body: any;
}

async function linked(options: Parameters<typeof gateway>[0] = {}) {
  const gate = await gateway({ policy, variables: { CONNECTION_KEY }, ...options });
  const admin = await gate.keyFor("boss", "admin");
  const ask = async (method: string, path: string, json?: unknown, key = admin): Promise<Told> => {
    const response = await gate.fetch(`/v1/users/${path}`, { method, key, json });
    const text = await response.text();
    return { status: response.status, text, body: JSON.parse(text) };
  };
  const put = (connections: unknown, path = "ada/connections", key = admin) => ask("PUT", path, { connections }, key);
  return { gate, admin, ask, put };
}

const me = async (gate: Gateway) =>
  ((await (await gate.fetch("/v1/me")).json()) as { connections: Record<string, unknown>[] }).connections;

it("a token goes in, to its hosts, and nowhere else: no answer, log, record or store holds it", async () => {
  const asked: Request[] = [];
  const { gate, ask, put } = await linked({
    upstream: [says({ calls: [call("c1", "look_up", { id: "7" })] }), says({ text: "She is Ada." })],
    elsewhere: (request) => {
      asked.push(request);
      return Response.json({ name: "Ada", echoed: request.headers.get("authorization") });
    },
  });
  const told: string[] = [];
  const set = await put(["gnorm", { provider: "crm", token: TOKEN, hosts: ["CRM.example.com", "crm.example.com."] }]);
  expect(set).toMatchObject({
    status: 200,
    body: {
      object: "list",
      data: [
        {
          object: "connection",
          provider: "crm",
          has_token: true,
          hosts: ["crm.example.com"],
          status: "active",
          expires_at: null,
        },
        { provider: "gnorm", has_token: false, hosts: [] },
      ],
    },
  });
  told.push(set.text, (await ask("GET", "ada/connections")).text, (await ask("GET", "ada/connections/crm")).text);
  expect(await me(gate)).toMatchObject([
    { provider: "crm", from: "operator", has_token: true },
    { provider: "gnorm", from: "operator", has_token: false },
  ]);
  expect(JSON.stringify(await me(gate))).not.toContain("example.com");

  const reply = await gate.chat({ messages: [{ role: "user", content: "who is 7?" }] }, { "x-toolgate-runs": "tell" });
  told.push(await reply.text(), JSON.stringify(gate.sent));
  expect(asked.map(({ url, headers }) => [url, headers.get("authorization")])).toEqual([
    ["https://crm.example.com/c/7", `Bearer ${TOKEN}`],
  ]);
  // Wrong in every way, with the token in every place that a message could cite.
  for (const body of [
    `{"connections":[{"provider":"crm","token":"${TOKEN}","hosts":["x"]}`,
    `{"connections":[{"provider":"crm","token":"${TOKEN}","token":"${TOKEN}"}]}`,
    JSON.stringify({ connections: [{ provider: "crm", token: [TOKEN], hosts: [`${TOKEN}/`], expires_at: TOKEN }] }),
    JSON.stringify({ connections: [{ provider: "crm", token: TOKEN }], more: TOKEN }),
    JSON.stringify({ connections: TOKEN }),
    `"${TOKEN}"`,
  ]) {
    const init = { method: "PUT", body, key: await gate.keyFor("boss", "admin") };
    const refused = await gate.fetch("/v1/users/ada/connections", init);
    expect([body, refused.status]).toEqual([body, 400]);
    told.push(await refused.text());
  }
  told.push(JSON.stringify([await gate.runs(), await gate.decisions(), await gate.turns()]), log.text());
  const dump = await runInGuard(gate.stub, (_, { storage }) => {
    const tables = storage.sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").toArray();
    return tables
      .filter(({ name }) => !name.startsWith("_cf"))
      .map(({ name }) => JSON.stringify(storage.sql.exec(`SELECT * FROM "${name}"`).toArray()));
  });
  expect(dump.join()).toContain("s1.c1.");
  told.push(...dump);
  expect(log.lines("connections_set")).toMatchObject([{ user: "ada", providers: ["crm", "gnorm"], by: "boss" }]);
  for (const text of told) expect(text).not.toContain(TOKEN);
});

it("what is set again without its token keeps it for the same hosts alone, and what is taken away is gone", async () => {
  const { gate, ask, put } = await linked();
  const hasToken = async () => (await ask("GET", "ada/connections/crm")).body.has_token;
  await put([{ provider: "crm", token: TOKEN, hosts: ["a.example", "b.example:8443"] }]);
  await put([{ provider: "crm", hosts: ["B.EXAMPLE:8443", "a.example"] }, "gnorm"]);
  expect(await hasToken()).toBe(true);
  expect(await ask("DELETE", "ada/connections/gnorm")).toMatchObject({ status: 200, body: { deleted: true } });
  expect(await ask("DELETE", "ada/connections/gnorm")).toMatchObject({
    status: 404,
    body: { error: { code: "not_found" } },
  });
  expect(await ask("GET", "ada/connections/gnorm")).toMatchObject({ status: 404 });
  // The other was left as it was.
  expect(await hasToken()).toBe(true);
  await put([{ provider: "crm", hosts: ["a.example"] }]);
  expect(await hasToken()).toBe(false);
  expect((await put([])).body.data).toEqual([]);
  expect(await me(gate)).toEqual([]);
});

it("`/v1/tools` says that a tool is available where its token may go to the host that the tool asks, and not before", async () => {
  const { gate, put } = await linked({ connections: ["crm"] });
  const told = async () => {
    const { data } = (await (await gate.fetch("/v1/tools")).json()) as { data: Record<string, unknown>[] };
    return data.map(({ available, connections }) => [available, connections]);
  };
  const lacking = [[false, [{ provider: "crm", connected: true, token_missing: true }]]];
  expect(await told()).toEqual(lacking);
  await put([{ provider: "crm", token: TOKEN, hosts: ["elsewhere.example.com"] }]);
  expect(await told()).toEqual(lacking);
  await put([{ provider: "crm", token: TOKEN, hosts: ["crm.example.com"] }]);
  expect(await told()).toEqual([[true, [{ provider: "crm", connected: true }]]]);
});

it("each change is in the audit: which provider, for which hosts, by whom, and never the token", async () => {
  const { gate, ask, put, admin } = await linked();
  await put([{ provider: "crm", token: TOKEN, hosts: ["a.example"] }, "gnorm"]);
  // As it was: that is no change.
  await put([{ provider: "crm", hosts: ["a.example"] }, "gnorm"]);
  await put([{ provider: "crm", hosts: ["b.example"] }]);
  await ask("DELETE", "ada/connections/crm");
  await ask("DELETE", "ada/connections/crm");
  const told = async (query = "") => {
    // Delivers them.
    await gate.turns();
    return (await gate.fetch(`/v1/audit/connections?order=asc${query}`, { key: admin })).text();
  };
  const text = await told();
  const { data } = JSON.parse(text) as { data: Record<string, unknown>[] };
  expect(data.sort((a, b) => Number(a.seq) - Number(b.seq))).toMatchObject(
    [
      ["set", "crm", ["a.example"], true],
      ["set", "gnorm", [], false],
      ["removed", "gnorm", [], false],
      ["set", "crm", ["b.example"], false],
      ["removed", "crm", ["b.example"], false],
    ].map(([event, provider, hosts, has]) => ({
      object: "audit.connection",
      user: "ada",
      by: "boss",
      expires_at: null,
      event,
      provider,
      hosts,
      has_token: has,
    })),
  );
  expect(text).not.toContain(TOKEN);
  const gnorm = JSON.parse(await told("&provider=gnorm&event=removed&user=ada")) as { data: unknown[] };
  expect(gnorm.data).toHaveLength(1);
  expect((await gate.fetch("/v1/audit/connections?session=s", { key: admin })).status).toBe(400);
  const verified = await gate.fetch("/v1/audit/verify?user=ada", { key: admin });
  expect(await verified.json()).toMatchObject({ ok: true });
});

it("one that has expired counts for nobody, and one of the credential stands beside those that were set", async () => {
  const { gate, ask, put } = await linked({ connections: ["orcid"] });
  const expiresAt = new Date(Date.now() + HOUR).toISOString();
  await put([{ provider: "crm", token: TOKEN, hosts: ["crm.example.com"], expires_at: expiresAt }, "orcid"]);
  expect(await me(gate)).toMatchObject([
    { provider: "orcid", from: "operator", expires_at: null },
    { provider: "crm", expires_at: expiresAt },
  ]);
  await runInGuard(gate.stub, (_, { storage }) =>
    storage.sql.exec("UPDATE connections SET expires = ?", Date.now() - 1),
  );
  expect(await me(gate)).toEqual([
    { provider: "orcid", from: "credential", has_token: false, since: null, expires_at: null },
  ]);
  expect((await ask("GET", "ada/connections/crm")).body).toMatchObject({ status: "expired", has_token: true });
  expect(await gate.guard.connections.token("crm", "crm.example.com")).toBeUndefined();
});

it("a request is all or nothing, and its error lists everything that is wrong with it", async () => {
  const { put } = await linked({ variables: { CONNECTION_KEY: undefined } });
  await put(["gnorm"]);
  const wrong = await put([
    { provider: "crm", token: "t", hosts: ["crm.example.com"] },
    { provider: "crm", token: "t" },
    { provider: "old", expires_at: "2020-01-01T00:00:00Z" },
  ]);
  expect(wrong).toMatchObject({
    status: 400,
    body: { error: { code: "connections_invalid", param: "connections[0].token" } },
  });
  expect(wrong.body.error.message).toContain("set its CONNECTION_KEY");
  expect(wrong.body.error.errors.map(({ path }: { path: string }) => path)).toEqual([
    "/connections/0/token",
    "/connections/1/provider",
    "/connections/1/token",
    "/connections/1/hosts",
    "/connections/2/expires_at",
  ]);
  const shape = await put([
    " gnorm",
    7,
    { provider: "x", tokens: 1, hosts: ["*.example.com", "u@h", "https://h"], token: "a b" },
  ]);
  expect(shape.body.error.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
    "/connections/0/provider",
    "/connections/1",
    "/connections/2/hosts/0",
    "/connections/2/hosts/1",
    "/connections/2/hosts/2",
    "/connections/2/token",
    "/connections/2/tokens",
  ]);
  expect((await put(Array(65).fill("x"))).status).toBe(400);
  expect((await put(["gnorm"])).body.data).toHaveLength(1);
});

it("are an admin's of the tenant to set, or an operator's; users are told apart by their whole ids", async () => {
  const { gate, ask, put } = await linked();
  const other = await linked();
  const operator = await gate.operatorKey();
  for (const method of ["GET", "PUT"])
    expect(await ask(method, "ada/connections", method === "PUT" ? {} : undefined, gate.key)).toMatchObject({
      status: 403,
      body: { error: { code: "admin_required" } },
    });
  expect(await ask("DELETE", "ada/connections/crm", undefined, gate.key)).toMatchObject({ status: 403 });
  const inOther = `ada/connections?tenant=${other.gate.tenant}`;
  expect(await put(["crm"], inOther)).toMatchObject({ status: 403, body: { error: { code: "tenant_forbidden" } } });
  expect((await put(["crm"], inOther, operator)).status).toBe(200);
  expect([await me(gate), await me(other.gate)]).toMatchObject([[], [{ provider: "crm" }]]);
  expect(await put([], "ada/connections?user=eve")).toMatchObject({ body: { error: { code: "unknown_parameter" } } });
  const odd = encodeURIComponent("ada/ß%41@x");
  await put(["odd"], `${odd}/connections`);
  expect((await ask("GET", `${odd}/connections`)).body.data).toMatchObject([{ provider: "odd" }]);
  expect((await ask("GET", `${encodeURIComponent("ada/ßA@x")}/connections`)).body.data).toEqual([]);
  expect((await ask("GET", "ada/connections")).body.data).toEqual([]);
  for (const id of ["%20ada", "a%00", "%E4", "x".repeat(129)])
    expect([id, await ask("GET", `${id}/connections`)]).toMatchObject([
      id,
      { status: 400, body: { error: { param: "id" } } },
    ]);
});
