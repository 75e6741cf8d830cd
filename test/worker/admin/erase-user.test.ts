/** `DELETE /v1/users/:id` in the runtime. `test/stores/audit/erase-user` has the faults. */
import { env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { lengthPrefixed } from "../../../src/lib/digest.ts";
import { wakeOverdue } from "../../../src/stores/audit/retention-overdue.ts";
import { d1Notes } from "../../../src/stores/tools/d1-notes.ts";
import { days, passTo, policyOf, storageOf, turn } from "../audit/retention-world.ts";
import { functionTool, respond } from "../responses/respond.ts";
import { erasedChains } from "../support/erased-chains.ts";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { ask, call, says, user } from "../support/script.ts";

const start = Date.now() + days(300);
const hours = (n: number) => n * 3600_000;
beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.useFakeTimers({ toFake: ["Date"], now: start });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const CONNECTION_KEY = "c1:0123456789abcdef0123456789abcdef";
const calls = says({ calls: [call("c", "read_file")] });

const open = (upstream: Parameters<typeof gateway>[0] = { upstream: calls }): Promise<Gateway> =>
  gateway({ policy: policyOf(30), variables: { CONNECTION_KEY }, ...upstream });

interface Body {
  readonly id: string;
  readonly status: string;
  readonly steps: Readonly<Record<string, string>>;
  readonly data: readonly { readonly id: string }[];
}

async function operating(gate: Gateway, name = "boss") {
  const key = await gate.keyFor(name, "admin");
  return async (method: string, path: string, json?: unknown) => {
    const response = await gate.fetch(path, { method, key, json });
    return { status: response.status, body: (await response.json()) as Body & Record<string, unknown> };
  };
}

/** Rows of the object's tables, by table. */
const rowsOf = (gate: Gateway) =>
  storageOf(gate, ({ sql }) => {
    const tables = sql.exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'",
    );
    const counted = tables
      .toArray()
      .map(({ name }) => [name, sql.exec(`SELECT * FROM ${name}`).toArray().length] as const);
    return counted.filter(([name, n]) => n > 0 && name !== "meta").map(([name]) => name);
  });

it("ends the person's own keys, and names those that the admin may not end", async () => {
  const gate = await open();
  const operate = await operating(gate);
  const made = async (json: object) =>
    (await operate("POST", "/admin/keys", json)).body as unknown as { id: string; token: string };
  const [own, others] = [await made({ user: "ada", role: "user" }), await made({ user: "bob", role: "user" })];
  const admins = await made({ user: "ada", role: "admin" });
  const lesser = await gate.keyFor("helper", "premium");
  const asked = await gate.fetch("/v1/users/ada", { method: "DELETE", key: lesser });
  expect(asked.status).toBe(403);
  const ordered = await operate("DELETE", "/v1/users/ada");
  // Keys made in one millisecond have no order.
  const ended = [own.id, admins.id].sort();
  expect({ ...ordered.body, keys_ended: [...(ordered.body.keys_ended as string[])].sort() }).toMatchObject({
    keys_ended: ended,
    keys_left: [],
  });
  const statusOf = async (key: string) => (await gate.fetch("/v1/me", { key })).status;
  expect([await statusOf(own.token), await statusOf(others.token)]).toEqual([401, 200]);
  const listed = await operate("GET", "/admin/keys");
  expect(listed.body.data.map(({ id }) => id)).toContain(others.id);
  expect((await operate("DELETE", "/v1/users/ada")).body).toMatchObject({ keys_ended: [], keys_left: [] });
  const changes = await operate("GET", "/v1/audit/changes?event=key_ended");
  expect(changes.status).toBe(200);
});

it("erases a person in the object, the index and what tools store; the proof of the records stays for their time", async () => {
  const gate = await open();
  const operate = await operating(gate);
  const owner = { tenant: gate.tenant, user: gate.user };
  const db = env.TOOLS_DB as D1Database;
  const notes = d1Notes(db, Date.now);
  await turn(gate);
  await turn(gate);
  const linked = [{ provider: "crm", hosts: ["crm.example.com"], token: "s3cr3t-token-of-ada" }];
  expect((await operate("PUT", "/v1/users/ada/connections", { connections: linked })).status).toBe(200);
  await notes.create(owner, { title: "mine", content: "private", tags: [] }, "dec_1");
  await gate.fetch("/v1/bibliography", { json: [{ id: "s", type: "book", title: "Read" }] });
  await passTo(gate, start + hours(1));
  await turn(gate);
  const ordered = await operate("DELETE", "/v1/users/ada");
  expect([ordered.status, ordered.body]).toMatchObject([202, { status: "in_progress", user: "ada", by: "boss" }]);
  const { id } = ordered.body;

  await passTo(gate, start + hours(1) + 60_000);
  expect((await operate("GET", "/v1/users/ada/erasure")).body).toMatchObject({
    id,
    status: "in_progress",
    steps: { object: "done", index: "done", tools: "done", archive: "done", check: "pending" },
  });
  expect(await rowsOf(gate)).toEqual([]);
  expect((await operate("GET", "/v1/users/ada/connections")).body.data).toEqual([]);
  expect(await notes.count(owner)).toBe(0);
  const texts = await db
    .prepare("SELECT title FROM notes WHERE tenant = ?1 UNION SELECT title FROM sources WHERE tenant = ?1")
    .bind(gate.tenant)
    .all();
  expect(texts.results).toEqual([]);
  for (const kind of ["turns", "decisions", "connections"])
    expect((await operate("GET", `/v1/audit/${kind}?user=ada`)).body.data).toEqual([]);
  // Six records of three turns, and the connection.
  const left = (await operate("GET", `/v1/audit/erased?user=${id}`)).body.data;
  expect(left).toHaveLength(7);
  expect(left[0]).toMatchObject({ object: "audit.erased", seq: 7, was: "turn", user: id });
  expect((await operate("GET", "/v1/audit/changes?event=chain_closed")).body.data).toMatchObject([
    { user: id, subject: id, by: "boss", seq: 8 },
  ]);
  const boss = env.USER_GUARD.get(env.USER_GUARD.idFromName(lengthPrefixed(gate.tenant, "boss")));
  await runInDurableObject(boss, (instance) => instance.alarm());
  expect((await operate("GET", "/v1/audit/changes?event=user_erased")).body.data).toMatchObject([
    { user: "boss", subject: id, by: "boss" },
  ]);
  expect((await operate("GET", `/v1/audit/verify?user=${id}`)).body).toMatchObject({ ok: true, to: 8 });

  await evictDurableObject(gate.stub);
  await turn(gate);
  await passTo(gate, start + hours(4));
  expect((await operate("GET", "/v1/users/ada/erasure")).body).toMatchObject({ id, status: "completed" });
  expect((await operate("GET", "/v1/audit/verify?user=ada")).body).toMatchObject({ ok: true, from: 1, to: 2 });
  await passTo(gate, start + days(31));
  expect((await operate("GET", "/v1/users/ada/erasure")).status).toBe(404);
  const tags = await env.AUDIT_DB.prepare(
    "SELECT COUNT(*) AS n FROM erased_users WHERE before BETWEEN ?1 AND ?1 + 7200000",
  )
    .bind(start)
    .first();
  expect(tags).toEqual({ n: 0 });

  vi.setSystemTime(start + days(33));
  const ledgerOf = () => ({ retention: { shortened: async () => {} } });
  const guardOf = () => ({ chain: gate.guard.chain });
  const leftNow = async () => (await operate("GET", `/v1/audit/erased?user=${id}`)).body.data;
  // A night looks at some tenants, and other files have many.
  for (let night = 0; night < 20 && (await leftNow()).length > 0; night++)
    await wakeOverdue({ db: env.AUDIT_DB, kv: env.KV, guardOf, ledgerOf, erased: erasedChains }, Date.now());
  expect(await leftNow()).toEqual([]);
  expect((await operate("GET", `/v1/audit/verify?user=${id}`)).body).toMatchObject({ ok: true, from: 9, to: 8 });
});

it("leaves nothing of a turn that runs meanwhile, in a chat or in a stored response", async () => {
  let erase = async () => {};
  const gate = await open({
    upstream: async (body, request) => {
      await erase();
      return calls(body, request);
    },
  });
  const operate = await operating(gate);
  await turn(gate);
  erase = async () => {
    erase = async () => {};
    await operate("DELETE", "/v1/users/ada");
    await runInDurableObject(gate.stub, (instance) => instance.alarm());
  };
  const reply = await ask(
    gate,
    { messages: [user("go on")], tools: [tool("read_file")] },
    { "x-toolgate-session": "s" },
  );
  expect(reply.calls).toEqual([]);
  await gate.settle();
  expect(await rowsOf(gate)).toEqual([]);
  await passTo(gate, start + hours(5));
  expect((await operate("GET", "/v1/audit/verify?user=ada")).body).toMatchObject({ ok: true, head: null });

  erase = async () => {
    erase = async () => {};
    await operate("DELETE", "/v1/users/ada");
    await runInDurableObject(gate.stub, (instance) => instance.alarm());
  };
  const response = await respond(gate, { input: "again", tools: [functionTool("read_file")], stream: true });
  await gate.settle();
  expect(response.calls).toEqual([]);
  expect(await rowsOf(gate)).toEqual([]);
});

it("is for admins of the tenant, who erase others and not themselves", async () => {
  const gate = await open();
  const operate = await operating(gate);
  expect((await gate.fetch("/v1/users/bob", { method: "DELETE" })).status).toBe(403);
  expect((await gate.fetch("/v1/users/bob/erasure")).status).toBe(403);
  const other = await operating(await open());
  expect((await other("DELETE", `/v1/users/ada?tenant=${gate.tenant}`)).status).toBe(403);
  expect((await operate("DELETE", "/v1/users/boss")).status).toBe(400);
  expect((await operate("DELETE", `/v1/users/ers_${"0".repeat(26)}`)).status).toBe(400);
  expect((await operate("GET", "/v1/users/nobody/erasure")).status).toBe(404);
  const first = await operate("DELETE", "/v1/users/nobody");
  // Nothing was stored since: it is the same erasure.
  expect((await operate("DELETE", "/v1/users/nobody")).body.id).toBe(first.body.id);
});
