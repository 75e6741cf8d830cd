/** `GET /v1/audit/summary`, `GET /v1/audit/sessions` and `GET /v1/audit/users`. */
import { env, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { lengthPrefixed } from "../../../src/lib/digest.ts";
import { asked as approvalsOf } from "../approvals/approvals.ts";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { ask, call, says, user } from "../support/script.ts";

const policy = {
  roles: ["user", "admin"],
  handshake: { select: "off" },
  tools: { look: { category: "read_only" }, wipe: { category: "modification", roles: ["admin"] } },
};
const tools = [tool("look"), tool("wipe")];

async function read(gate: Gateway, path: string, key: string) {
  const response = await gate.fetch(path, { key });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

it("count what was recorded, for admins of the tenant alone", async () => {
  const gate = await gateway({
    policy,
    upstream: [says({ text: "hello" }), says({ calls: [call("c1", "look"), call("c2", "wipe")] })],
  });
  await ask(gate, { messages: [user("hi")], tools }, { "x-toolgate-session": "one" });
  await ask(gate, { messages: [user("go")], tools }, { "x-toolgate-session": "two" });
  await gate.turns();
  const admin = await gate.keyFor("boss", "admin");
  const summary = await read(gate, "/v1/audit/summary", admin);
  expect(summary.body).toMatchObject({
    object: "audit.summary",
    cut: false,
    turns: 2,
    sessions: 2,
    users: 1,
    tasks: 2,
    effects: { allow: 1, confirm: 0, deny: 1 },
    approvals: {},
    answer_ms: null,
    // That it was not offered says less than why.
    refused: [{ tool: "wipe", reason: "role_forbids", calls: 1, session: "two" }],
  });
  const first = await read(gate, "/v1/audit/sessions?limit=1", admin);
  expect(first.body).toMatchObject({
    data: [{ object: "audit.session", id: "two", user: "ada", turns: 1, effects: { allow: 1, confirm: 0, deny: 1 } }],
    has_more: true,
  });
  const next = await read(gate, "/v1/audit/sessions?limit=1&after=two&user=ada", admin);
  expect(next.body).toMatchObject({
    data: [{ id: "one", effects: { allow: 0, confirm: 0, deny: 0 } }],
    has_more: false,
  });

  const empty = await read(gate, "/v1/audit/summary?from=2020-01-01&to=2020-01-02", admin);
  expect(empty.body).toMatchObject({ turns: 0, refused: [], series: [] });
  const wide = await read(gate, "/v1/audit/summary?from=2020-01-01&to=2021-01-02", admin);
  expect(wide).toMatchObject({ status: 400, body: { error: { code: "range_too_wide", param: "from" } } });
  for (const path of ["summary", "sessions", "users"])
    expect((await read(gate, `/v1/audit/${path}`, gate.key)).status).toBe(403);
});

it("count a call once, by how it ended", async () => {
  const gate = await gateway({
    policy: {
      roles: ["user", "admin"],
      handshake: { select: "off" },
      tools: { send: { category: "modification", confirm: "ask" } },
    },
    upstream: [...["c1", "c2", "c3"].map((id) => says({ calls: [call(id, "send")] })), says({ text: "as you wish" })],
  });
  const body = { messages: [user("go")], tools: [tool("send")] };
  const native = (session: string) => ({ "x-toolgate-approvals": "native", "x-toolgate-session": session });
  const asked: (string | undefined)[] = [];
  for (const session of ["yes", "no", "open"]) asked.push(approvalsOf(await ask(gate, body, native(session)))[0]?.id);
  await ask(gate, { ...body, toolgate: { approvals: [{ id: asked[0], action: "approve" }] } }, native("yes"));
  await ask(gate, { ...body, toolgate: { approvals: [{ id: asked[1], action: "deny" }] } }, native("no"));
  await gate.turns();
  const admin = await gate.keyFor("boss", "admin");
  expect((await read(gate, "/v1/audit/summary", admin)).body).toMatchObject({
    effects: { allow: 1, confirm: 1, deny: 1 },
    denied_by_person: 1,
    approvals: { asked: 3, approved: 1, denied: 1 },
  });
  expect((await read(gate, "/v1/audit/sessions?limit=2", admin)).body).toMatchObject({
    data: [
      { id: "no", effects: { allow: 0, confirm: 0, deny: 1 } },
      { id: "yes", effects: { allow: 1, confirm: 0, deny: 0 } },
    ],
  });
});

it("counts what each user did over the whole time, in pages", async () => {
  const gate = await gateway({
    policy,
    upstream: [
      ...["a", "b"].map(() => says({ text: "hello" })),
      says({ calls: [call("c1", "look"), call("c2", "wipe")] }),
    ],
  });
  const as = async (name: string, session: string) => ({
    authorization: `Bearer ${await gate.keyFor(name, "user")}`,
    "x-toolgate-session": session,
  });
  for (const headers of [await as("ada", "one"), await as("ada", "two"), await as("Adam", "three")])
    await ask(gate, { messages: [user("hi")], tools }, headers);
  await gate.turns();
  const other = env.USER_GUARD.get(env.USER_GUARD.idFromName(lengthPrefixed(gate.tenant, "Adam")));
  await runInDurableObject(other, (instance) => instance.alarm());
  const admin = await gate.keyFor("boss", "admin");
  const list = async (query: string) => (await read(gate, `/v1/audit/users?${query}`, admin)).body;
  const ada = { id: "ada", sessions: 2, turns: 2, effects: { allow: 0, confirm: 0, deny: 0 } };
  const adam = {
    object: "audit.user",
    id: "Adam",
    role: "user",
    sessions: 1,
    effects: { allow: 1, confirm: 0, deny: 1 },
  };
  expect(await list("")).toMatchObject({ data: [adam, ada], has_more: false, cut: false });
  expect(await list("sort=sessions&limit=1")).toMatchObject({ data: [ada], has_more: true });
  expect(await list("sort=sessions&limit=1&after=ada")).toMatchObject({ data: [adam], has_more: false });
  expect(await list("search=DAM")).toMatchObject({ data: [adam] });
  expect(await list("to=2020-01-02&from=2020-01-01")).toMatchObject({ data: [] });
  expect(await list("after=nobody")).toMatchObject({ error: { param: "after" } });
});
