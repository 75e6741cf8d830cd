/** The database of the built-in tools in the gateway: `/v1/bibliography`, what is found of it, who has one, and its sweep. */
import { createScheduledController, env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import library from "../../../policies/research-library.json" with { type: "json" };
import worker from "../../../src/index.ts";
import type { BuiltinRun } from "../../../src/policy/document/run-parts.ts";
import { d1Bibliography } from "../../../src/stores/tools/d1-bibliography.ts";
import { d1Notes } from "../../../src/stores/tools/d1-notes.ts";
import { builtinTools, searchBibliography } from "../../../src/tools/builtin/builtin-tools.ts";
import type { PreparedCall } from "../../../src/tools/tool-runner.ts";
import { type Gateway, gateway } from "../support/gateway.ts";
import { call, says } from "../support/script.ts";

const gadamer = {
  id: "http://zotero.org/users/1/items/GAD",
  type: "book",
  title: "Wahrheit und Methode",
  author: [{ family: "Gadamer", given: "Hans-Georg" }],
  issued: { "date-parts": [["1960"]] },
  keyword: "hermeneutics; horizon",
  publisher: "Mohr",
};
const ricoeur = {
  id: 7,
  type: "article-journal",
  title: "The Hermeneutical Function of Distanciation",
  author: [{ family: "Ricœur", given: "Paul" }],
  issued: { raw: "Summer 1973" },
  "container-title": "Philosophy Today",
  abstract: `${"On the text. ".repeat(40)}Distanciation is the condition of understanding. ${"More. ".repeat(40)}`,
};
const watsuji = {
  id: "w",
  type: "book",
  title: "風土 人間学的考察",
  author: [{ literal: "和辻哲郎" }],
  tags: ["倫理学"],
};

let gate: Gateway;
let admin: string;
let eve: string;
const search = async (query: string, user = gate.user, limit?: number) => {
  const principal = { tenant: gate.tenant, user };
  if (!env.TOOLS_DB) throw new Error("no database");
  const bibliography = d1Bibliography(env.TOOLS_DB, Date.now);
  const outcome = await searchBibliography.run({ id: "dec_1", arguments: { query, limit }, principal }, bibliography);
  return JSON.parse(outcome.content) as { sources: Record<string, unknown>[]; count: number };
};
const ids = async (query: string, user?: string) => (await search(query, user)).sources.map(({ id }) => id);
const post = async (list: unknown, query = "", key?: string) => {
  const response = await gate.fetch(`/v1/bibliography${query}`, { json: list, key });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const get = async (path: string, key?: string) =>
  (await (await gate.fetch(path, { key })).json()) as Record<string, unknown>;

beforeAll(async () => {
  gate = await gateway();
  admin = await gate.keyFor("operator", "admin");
  eve = await gate.keyFor("eve", "user");
  expect(await post([gadamer, ricoeur])).toEqual({
    status: 200,
    body: { object: "bibliography.update", scope: "user", created: 2, updated: 0 },
  });
  expect(await post([watsuji], "?scope=tenant", admin)).toMatchObject({ status: 200, body: { created: 1 } });
});

describe("a source", () => {
  it("is found by title, author, year, container, tags and abstract, and told as one cites it", async () => {
    for (const query of ["distanciation", "ricœur paul", "1973", '"philosophy today"', "hermeneutic ricœur"])
      expect([query, await ids(query)]).toEqual([query, ["7"]]);
    expect(await ids("horizons gadamer")).toEqual([gadamer.id]);
    expect((await search("wahrheit")).sources).toEqual([
      {
        id: gadamer.id,
        type: "book",
        title: gadamer.title,
        authors: ["Gadamer, Hans-Georg"],
        year: "1960",
        tags: ["hermeneutics", "horizon"],
        scope: "user",
      },
    ]);
    const [found] = (await search("condition understanding")).sources;
    expect(found?.abstract).toContain("the [condition] of [understanding]");
    expect(await search("zzz")).toEqual({ sources: [], count: 0 });
    expect(await search("hermeneutics", gate.user, 1)).toMatchObject({ count: 1, more: true });
  });

  it("of the tenant is found by all its users, in Japanese; one of a user by that user alone", async () => {
    for (const query of ["風土", "和辻", "倫理", "人間学"])
      expect([query, await ids(query, "eve")]).toEqual([query, ["w"]]);
    expect(await ids("gadamer", "eve")).toEqual([]);
    expect((await get("/v1/bibliography", eve)).data).toEqual([]);
    const path = `/v1/bibliography/${encodeURIComponent(gadamer.id)}`;
    expect(await get(path, eve)).toMatchObject({ error: { code: "not_found" } });
    expect((await gate.fetch(path, { method: "DELETE", key: eve })).status).toBe(404);
    expect(await get(path)).toMatchObject({ object: "bibliography.source", source: gadamer });
    const other = await gateway();
    expect(await (await other.fetch("/v1/bibliography?query=gadamer")).json()).toMatchObject({ data: [] });
    expect(await (await other.fetch("/v1/bibliography?scope=tenant")).json()).toMatchObject({ data: [] });
  });

  it("of the tenant is written by admins alone", async () => {
    expect(await post([watsuji], "?scope=tenant")).toMatchObject({
      status: 403,
      body: { error: { code: "admin_required" } },
    });
    const path = "/v1/bibliography/w?scope=tenant";
    expect((await gate.fetch(path, { method: "DELETE" })).status).toBe(403);
    expect(await get(path)).toMatchObject({ id: "w", scope: "tenant" });
  });

  it("sent again replaces the one of its id, and is gone from the search with its old words", async () => {
    expect(
      await post([
        { ...gadamer, title: "Truth and Method" },
        { id: "new", type: "book", title: "Neu" },
      ]),
    ).toMatchObject({
      body: { created: 1, updated: 1 },
    });
    expect([await ids("wahrheit"), await ids("truth"), await ids("neu")]).toEqual([[], [gadamer.id], ["new"]]);
    expect((await gate.fetch("/v1/bibliography/new", { method: "DELETE" })).status).toBe(200);
    expect(await ids("neu")).toEqual([]);
    await post([gadamer]);
  });
});

it("a list is all or nothing, and tells what is wrong with each", async () => {
  const wrong = await post([{ id: "ok", type: "book", title: "Fine" }, { type: "book" }, { id: "x", type: 3 }]);
  expect(wrong).toMatchObject({
    status: 400,
    body: {
      error: {
        code: "source_invalid",
        errors: [{ path: "1.id" }, { path: "2.type", message: "must be a string, not a number" }],
      },
    },
  });
  expect(await ids("fine")).toEqual([]);
  for (const list of [{}, [], "x", Array(1001).fill(gadamer)]) expect((await post(list)).status).toBe(400);
  expect(await post([{ ...gadamer, abstract: "x".repeat(40_000) }])).toMatchObject({ status: 400 });
  expect(await post([gadamer], "?scope=all")).toMatchObject({ status: 400 });
});

it("a thousand long sources go in at once, and a list is told in pages", async () => {
  const many = await gateway();
  const list = Array.from({ length: 1000 }, (_, n) => ({
    id: `s${`${n}`.padStart(4, "0")}`,
    type: "book",
    title: `Book ${n}`,
    abstract: "lorem ".repeat(300),
  }));
  const response = await many.fetch("/v1/bibliography", { json: list });
  expect(await response.json()).toMatchObject({ created: 1000, updated: 0 });
  const page = async (query: string) =>
    (await (await many.fetch(`/v1/bibliography?${query}`)).json()) as { data: { id: string }[]; has_more: boolean };
  expect(await page("limit=100&after=s0899")).toMatchObject({
    has_more: false,
    data: { length: 100, 0: { id: "s0900" } },
  });
  expect(await page("limit=2")).toMatchObject({ has_more: true, data: [{ id: "s0000" }, { id: "s0001" }] });
  expect((await page("query=book%20731")).data.map(({ id }) => id)).toEqual(["s0731"]);
  expect((await many.fetch("/v1/bibliography?query=x&after=y")).status).toBe(400);
});

it("without a database the built-in tools are told as unavailable, and everything else is served", async () => {
  const bare = await gateway({
    policy: library,
    variables: { TOOLS_DB: undefined },
    upstream: [says({ calls: [call("call_1", "search_notes", { query: "x" })] }), says({ text: "no notes today" })],
  });
  const response = await bare.fetch("/v1/bibliography");
  expect([response.status, await response.json()]).toMatchObject([
    503,
    { error: { code: "bibliography_unavailable" } },
  ]);
  const reply = await bare.chat({ messages: [{ role: "user", content: "hello" }], stream: true });
  expect(await reply.text()).toContain("no notes today");
  const messages = bare.sent[1]?.messages as { content: string }[];
  expect(messages.at(-1)?.content).toBe("[not done: this deployment has no store for this tool]");
});

it("notes are nobody's where nobody signed in, whatever the policy says", async () => {
  const tools = builtinTools({
    notes: d1Notes(env.TOOLS_DB as D1Database, Date.now),
    bibliography: undefined,
    annotate: { send: () => Promise.reject(new Error("not sent")), now: Date.now },
  });
  const made = {
    id: "dec_1",
    tool: "create_note",
    arguments: { title: "T", content: "" },
    principal: { tenant: gate.tenant, user: "visitors", role: "guest", authenticated: false, connections: [] },
  } as unknown as PreparedCall;
  const ran = await tools.run(made, "create_note", {} as BuiltinRun);
  expect(ran).toMatchObject({ status: "not_started", failure: "unavailable" });
});

it("the daily run forgets what was deleted long ago", async () => {
  const db = env.TOOLS_DB as D1Database;
  const owner = { tenant: gate.tenant, user: "sweep" };
  const then = Date.now() - 31 * 24 * 3600_000;
  const notes = d1Notes(db, () => then);
  for (const [by, deleted] of [
    ["dec_kept", false],
    ["dec_gone", true],
  ] as const) {
    const note = await notes.create(owner, { title: by, content: "", tags: [] }, by);
    if (note && deleted) await notes.change(owner, note, { ...note, deleted }, `${by}_2`);
  }
  await worker.scheduled(createScheduledController(), env);
  const { results } = await db.prepare("SELECT title FROM notes WHERE user = 'sweep'").all();
  expect(results).toEqual([{ title: "dec_kept" }]);
});
