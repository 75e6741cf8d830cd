import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import defaultPolicy from "../../../policies/default.json" with { type: "json" };
import { policyDigest, putPolicy } from "../../../src/stores/policies/policy-source.ts";
import { gateway, tool } from "../support/gateway.ts";
import { ask, call, result, says, selects, toolsOf, user } from "../support/script.ts";
import { type Entry, pointerOf, policyAdmin } from "./policy-admin.ts";

const open = { handshake: { select: "off" }, tools: { look: { category: "read_only" }, change: {} } } as const;
const closed = { ...open, modes: { default: { deny: ["change"] } } };
const match = (digest: string) => ({ "if-match": `"${digest}"` });

describe("a tenant's policy", () => {
  it("is the embedded one until one is put, and again once it is deleted", async () => {
    const admin = await policyAdmin();
    const embedded = { object: "policy", tenant: admin.gate.tenant, version: null, source: "embedded" };
    const first = await admin.ask<Record<string, unknown>>("GET");
    expect([first.status, first.headers.has("etag")]).toEqual([200, false]);
    expect(first.body).toEqual({
      ...embedded,
      created_at: null,
      created_by: null,
      document: defaultPolicy,
      warnings: [],
    });

    const before = Date.now();
    const put = await admin.put(open);
    const digest = policyDigest(open);
    expect([put.status, put.headers.get("etag")]).toEqual([200, `"${digest}"`]);
    expect(put.body).toMatchObject({ object: "policy.update", version: digest, previous: null, dry_run: false });
    const read = await admin.ask<Record<string, unknown>>("GET");
    expect(read.headers.get("etag")).toBe(`"${digest}"`);
    expect(read.body).toMatchObject({ version: digest, source: "kv", created_by: "boss", document: open });
    expect(Date.parse(String(read.body.created_at))).toBeGreaterThanOrEqual(before);

    const gone = await admin.ask("DELETE");
    expect([gone.status, gone.headers.has("etag")]).toEqual([200, false]);
    expect(gone.body).toMatchObject({ version: null, previous: digest });
    expect(await admin.current()).toMatchObject({ ...embedded, created_by: "boss", document: defaultPolicy });
    expect((await admin.versions()).map(({ action, version, in_force }) => [action, version, in_force])).toEqual([
      ["delete", null, true],
      ["put", digest, false],
    ]);
  });

  it("that is put as it is makes no new version", async () => {
    const admin = await policyAdmin();
    await admin.put(open);
    const again = await admin.put(open);
    expect(again.body.changes).toEqual({
      hosts: [],
      tools: [],
      intents: [],
      modes: [],
      settings: [],
      truncated: false,
    });
    expect(await admin.versions()).toHaveLength(1);
  });

  it("is shown dry first, in the words of the write itself, and a dry run writes nothing", async () => {
    const admin = await policyAdmin();
    await admin.put(open);
    const pointer = await pointerOf(admin.gate.tenant);
    const dry = await admin.ask("PUT", "?dry_run=true", { json: closed });
    expect([dry.status, dry.headers.get("etag")]).toEqual([200, `"${policyDigest(open)}"`]);
    expect(dry.body).toMatchObject({ dry_run: true, version: policyDigest(closed), previous: policyDigest(open) });
    expect(dry.body.changes.tools).toEqual([
      {
        tool: "change",
        before: {},
        after: {},
        effects: ["action", undefined].map((state) => ({
          role: "*",
          mode: "default",
          ...(state ? { state } : { intent: "general" }),
          before: "offered",
          after: "withheld",
          reasons: ["mode_forbids"],
        })),
      },
    ]);
    expect([await pointerOf(admin.gate.tenant), (await admin.versions()).length]).toEqual([pointer, 1]);
    const put = await admin.put(closed);
    expect(put.body).toEqual({ ...dry.body, dry_run: false });
  });

  it("tells of tools that no policy names, but that clients brought", async () => {
    const admin = await policyAdmin({ policy: open, upstream: says({ text: "ok" }) });
    await ask(admin.gate, { messages: [user("hi")], tools: [tool("unheard_of")] });
    await admin.gate.turns();
    const { body } = await admin.ask("PUT", "?dry_run=true", { json: { ...open, unlistedTools: "external" } });
    expect(body.changes.tools.map((one) => one.tool)).toEqual(["*", "change", "unheard_of"]);
  });

  it("rolls back to a version that it had, and to no other's", async () => {
    const admin = await policyAdmin();
    const other = await policyAdmin();
    await other.put({ name: "other" });
    await admin.put(open);
    await admin.put(closed);
    const version = policyDigest(open);
    const dry = await admin.ask("POST", "/rollback?dry_run=true", { json: { version } });
    expect(dry.body).toMatchObject({ dry_run: true, version, previous: policyDigest(closed) });
    const stale = await admin.ask("POST", "/rollback", { json: { version }, headers: match(version) });
    expect([stale.status, stale.body.error.code]).toEqual([412, "policy_changed"]);
    const done = await admin.ask("POST", "/rollback", { json: { version }, headers: match(policyDigest(closed)) });
    expect([done.status, done.body.version]).toEqual([200, version]);
    expect(done.body.changes).toEqual(dry.body.changes);
    expect(await admin.current()).toMatchObject({ version, document: open });
    expect((await admin.versions()).map(({ action }) => action)).toEqual(["rollback", "put", "put"]);

    for (const unknown of [policyDigest({ name: "other" }), "nope", "../x"]) {
      const refused = await admin.ask("POST", "/rollback", { json: { version: unknown } });
      expect([unknown, refused.status]).toEqual([unknown, 404]);
      const own = `\`${version}\`, \`${policyDigest(closed)}\``;
      expect(refused.body.error.message).toBe(`no such version of this policy; the newest are ${own}`);
    }
    for (const json of [{}, { version: 1 }, { version, more: 1 }, [], "x", null])
      expect((await admin.ask("POST", "/rollback", { json })).status).toBe(400);
  });

  it("does not roll back to a version that today's rules refuse", async () => {
    const admin = await policyAdmin();
    await admin.put(open);
    // As an earlier version of the gateway took it: the ledger adopts what it finds in KV.
    const refused = await putPolicy(env.KV, admin.gate.tenant, { name: "old", no_longer_known: true }, Date.now() + 1);
    expect((await admin.versions())[0]).toMatchObject({ version: refused, in_force: true });
    expect((await admin.put(closed)).status).toBe(200);
    for (const query of ["", "?dry_run=true"]) {
      const { status, body } = await admin.ask("POST", `/rollback${query}`, { json: { version: refused } });
      expect([status, body.error.code]).toEqual([400, "policy_invalid"]);
      expect(JSON.stringify(body.error)).toContain("no_longer_known");
    }
    expect(await admin.current()).toMatchObject({ version: policyDigest(closed), document: closed });
    expect((await admin.versions()).map(({ action }) => action)).toEqual(["put", "adopted", "put"]);
  });

  it("keeps its versions, newest first, in pages, each with its document", async () => {
    const admin = await policyAdmin();
    for (let index = 0; index < 5; index++) await admin.put({ name: `v${index}` });
    type Page = { object: string; data: Entry[]; has_more: boolean; first_id: string; last_id: string };
    const seen: (string | null)[] = [];
    let after = "";
    for (let more = true; more; ) {
      const { body } = await admin.ask<Page>("GET", `/versions?limit=2${after}`);
      seen.push(...body.data.map(({ version }) => version));
      expect(body).toMatchObject({ object: "list", first_id: body.data[0]?.id, last_id: body.data.at(-1)?.id });
      after = `&after=${body.last_id}`;
      more = body.has_more;
    }
    expect(seen).toEqual([4, 3, 2, 1, 0].map((index) => policyDigest({ name: `v${index}` })));
    const second = policyDigest({ name: "v1" });
    const one = await admin.ask<Record<string, unknown>>("GET", `/versions/${second}`);
    expect(one.body).toMatchObject({
      object: "policy.version",
      version: second,
      created_by: "boss",
      action: "put",
      document: { name: "v1" },
    });
    expect((await admin.ask("GET", `/versions/${policyDigest({ name: "v9" })}`)).status).toBe(404);
    for (const query of ["after=pver_99", "after=x", "limit=0", "limit=101", "order=asc", "limit=1&limit=2"])
      expect([query, (await admin.ask("GET", `/versions?${query}`)).status]).toEqual([query, 400]);
  });
});

describe("conditions", () => {
  it("of 20 writes at once for the same version exactly one is done", async () => {
    const admin = await policyAdmin();
    await admin.put(open);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => admin.put({ name: `v${index}` }, match(policyDigest(open)))),
    );
    const done = answers.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    const inForce = done[0]?.body.version;
    for (const { status, headers, body } of answers.filter((one) => one !== done[0])) {
      expect([status, headers.get("etag")]).toEqual([412, `"${inForce}"`]);
      expect(body.error).toMatchObject({ code: "policy_changed", param: "If-Match" });
      expect(body.error.message).toContain(inForce);
    }
    expect([await admin.current(), await pointerOf(admin.gate.tenant)]).toMatchObject([
      { version: inForce },
      { digest: inForce },
    ]);
    expect(await admin.versions()).toHaveLength(2);
  });

  it("are compared as RFC 9110 has it", async () => {
    const admin = await policyAdmin();
    const status = async (headers: Record<string, string>, method = "PUT") =>
      (await admin.ask(method, "?dry_run=true", { ...(method === "PUT" ? { json: closed } : {}), headers })).status;
    expect(await status({ "if-match": "*" })).toBe(412);
    expect(await status({ "if-none-match": "*" })).toBe(200);
    await admin.put(open);
    const version = policyDigest(open);
    expect(await status({ "if-match": "*" })).toBe(200);
    expect(await status({ "if-match": `"x", "${version}"` })).toBe(200);
    expect(await status({ "if-match": '"x"' })).toBe(412);
    expect(await status({ "if-match": `W/"${version}"` })).toBe(412);
    expect(await status({ "if-match": version })).toBe(400);
    expect(await status({ "if-none-match": "*" })).toBe(412);
    expect(await status({ "if-none-match": `W/"${version}"` })).toBe(412);
    expect(await status({ "if-none-match": '"x"' })).toBe(200);
    expect(await status(match("x"), "DELETE")).toBe(412);
    expect(await status(match(version), "DELETE")).toBe(200);
    expect(await admin.versions()).toHaveLength(1);
  });
});

describe("who may", () => {
  const routes = [
    ["GET", ""],
    ["PUT", ""],
    ["DELETE", ""],
    ["GET", "/versions"],
    ["GET", "/versions/x"],
    ["POST", "/rollback"],
    ["PATCH", ""],
    ["GET", "/nope"],
  ] as const;

  it("is an admin of the tenant, and nobody else", async () => {
    const gate = await gateway({ policy: open });
    const stranger = await (await gateway()).keyFor("boss", "admin");
    const keys = [
      ["user's", gate.key, "admin_required"],
      ["premium user's", await gate.keyFor("eve", "premium"), "admin_required"],
      ["other tenant's admin's", stranger, "tenant_forbidden"],
    ] as const;
    for (const [method, path] of routes) {
      for (const [whose, key, code] of keys) {
        const body = method === "GET" || method === "DELETE" ? {} : { json: closed };
        const response = await gate.fetch(`/admin/policies/${gate.tenant}${path}`, { method, key, ...body });
        const { error } = (await response.json()) as { error: { code: string } };
        expect([method, path, whose, response.status, error.code]).toEqual([method, path, whose, 403, code]);
      }
      const bare = await gate.fetch(`/admin/policies/${gate.tenant}${path}`, {
        method,
        headers: { authorization: "" },
      });
      expect(bare.status).toBe(401);
    }
    expect(await pointerOf(gate.tenant)).toMatchObject({ digest: policyDigest(open) });
  });

  it("is an operator, of every tenant, by a name that tells where they are from", async () => {
    const admin = await policyAdmin();
    const { createApp } = await import("../../../src/app.ts");
    const { createDeps } = await import("../../../src/create-deps.ts");
    const { createExecutionContext } = await import("cloudflare:test");
    const request = new Request(`http://localhost/admin/policies/${admin.gate.tenant}`, {
      method: "PUT",
      headers: { authorization: "Bearer tg-dev-admin" },
      body: JSON.stringify(open),
    });
    const response = await createApp(createDeps(env)).fetch(request, env, createExecutionContext());
    expect(response.status).toBe(200);
    expect(await admin.current()).toMatchObject({ version: policyDigest(open), created_by: "dev-admin@default" });
  });

  it("a tenant's name is one that its keys may have, whatever the characters", async () => {
    const gate = await gateway();
    const key = await gate.keyFor("boss", "admin");
    const status = async (tenant: string) => {
      const response = await gate.fetch(`/admin/policies/${encodeURIComponent(tenant)}`, { key });
      return [response.status, ((await response.json()) as { error: { code: string } }).error.code];
    };
    expect(await status("x".repeat(129))).toEqual([400, "invalid_value"]);
    expect(await status("a\u0000b")).toEqual([400, "invalid_value"]);
    expect(await status("a\nb")).toEqual([400, "invalid_value"]);
    // Nobody can have such a tenant: keys and issuers of it are refused.
    for (const name of ["acme ", "e\u0301"]) expect(await status(name)).toEqual([400, "invalid_value"]);
    for (const name of ["x".repeat(128), "a/b", "é ü", "__proto__", "%41"])
      expect(await status(name)).toEqual([403, "tenant_forbidden"]);
  });
});

describe("a policy replaced while the gateway runs", () => {
  const tools = [tool("look"), tool("change")];

  it("serves at once, in the next turn of a session under way too, and the record names it", async () => {
    const admin = await policyAdmin({ policy: open, upstream: says({ text: "ok" }) });
    const { gate } = admin;
    const session = { "x-toolgate-session": "s" };
    const turn = () => ask(gate, { messages: [user("go")], tools }, session);
    const first = await turn();
    await admin.put(closed);
    const second = await turn();
    await admin.ask("DELETE");
    const third = await turn();
    expect([first, second].map(({ note }) => note.offered)).toEqual([["look", "change"], ["look"]]);
    const versions = [open, closed, defaultPolicy].map(policyDigest);
    expect([first, second, third].map(({ headers }) => headers.get("x-toolgate-policy"))).toEqual(
      versions.map((version) => version.slice(0, 12)),
    );
    expect((await gate.turns()).map(({ policy }) => policy)).toEqual(versions);
  });

  it("leaves a turn under way the policy that it began with, to its last step", async () => {
    const before = { tools: open.tools, intents: { WORK: {} } };
    const after = { ...before, modes: { default: { deny: ["change"] } } };
    const admin = await policyAdmin({
      policy: before,
      upstream: [
        async (body, request) => {
          await admin.put(after);
          return says({ calls: [selects("WORK")] })(body, request);
        },
        says({ calls: [call("c", "change", {})] }),
        says({ text: "ok" }),
      ],
    });
    const confirmed = { ...before, tools: { ...before.tools, change: { confirm: "auto" } } };
    await putPolicy(env.KV, admin.gate.tenant, confirmed, Date.now());
    const { note, calls } = await ask(admin.gate, { messages: [user("go")], tools });
    expect([note.intent, calls.map(({ name }) => name)]).toEqual(["WORK", ["change"]]);
    expect(toolsOf(admin.gate.sent[1])).toContain("change");
    const next = await ask(admin.gate, { messages: [user("again")], tools });
    expect(next.note.withheld.map(({ name }) => name)).toContain("change");
    expect((await admin.gate.turns()).map(({ policy }) => policy)).toEqual([confirmed, after].map(policyDigest));
  });

  it("without the intent that a session holds takes the session back to reasoning", async () => {
    const before = { tools: { look: { category: "read_only" }, change: { confirm: "auto" } }, intents: { WORK: {} } };
    const admin = await policyAdmin({
      policy: before,
      upstream: [says({ calls: [selects("WORK")] }), says({ calls: [call("c", "change")] }), says({ text: "ok" })],
    });
    const session = { "x-toolgate-session": "s" };
    const { message, note } = await ask(admin.gate, { messages: [user("go")], tools }, session);
    expect(note.state).toBe("action");
    await admin.put({ ...before, intents: { OTHER: {} } });
    const shown = await admin.gate.fetch("/v1/sessions/s");
    expect(await shown.json()).toMatchObject({ state: "request", intents: [] });
    const messages = [user("go"), message, result("c")];
    const next = await ask(admin.gate, { messages, tools }, session);
    expect([next.status, next.note.state, next.note.intent]).toEqual([200, "reasoning", null]);
    expect(toolsOf(admin.gate.sent[2])).toEqual(["look", "select_intent"]);
  });
});
