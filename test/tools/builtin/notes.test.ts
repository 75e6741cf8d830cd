/** The notes of the built-in tools, on a real D1: whose they are, how they are found, changed, taken back and forgotten. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { d1Notes, expireNotes } from "../../../src/stores/tools/d1-notes.ts";
import type { BuiltinTool } from "../../../src/tools/builtin/builtin-tool.ts";
import { editNote } from "../../../src/tools/builtin/edit-note.ts";
import { createNote, deleteNote, restoreNote, searchNotes } from "../../../src/tools/builtin/note-tools.ts";
import type { NotesPort } from "../../../src/tools/builtin/notes-port.ts";
import { MAX_CONTENT, MAX_NOTES } from "../../../src/tools/builtin/notes-port.ts";
import type { ExecutionResult } from "../../../src/tools/run.ts";
import { openWorkerdDatabase, type WorkerdDatabase } from "../../stores/workerd-d1.ts";

const DAY_MS = 24 * 3600_000;

let database: WorkerdDatabase;
let time = 0;
let notes: NotesPort;
const tools: Readonly<Record<string, BuiltinTool<NotesPort>>> = {
  create: createNote,
  edit: editNote,
  delete: deleteNote,
  restore: restoreNote,
  search: searchNotes,
};
let count = 0;
let owner: { tenant: string; user: string };

beforeAll(async () => {
  database = await openWorkerdDatabase("src/stores/migrations/tools");
  notes = d1Notes(database.db, () => time);
});
afterAll(() => database?.dispose());
beforeEach(() => {
  time = Date.UTC(2026, 0, 1);
  owner = { tenant: "acme", user: `user-${++count}` };
});

const call = async (
  tool: string,
  args: Record<string, unknown>,
  { by = `dec_${++count}`, who = owner }: { by?: string; who?: typeof owner } = {},
) => {
  time += 1000;
  return (await tools[tool]?.run({ id: by, arguments: args, principal: who }, notes)) ?? expect.fail(`no tool ${tool}`);
};
/** Of a call that must succeed. */
const value = async (...args: Parameters<typeof call>) => {
  const outcome = await call(...args);
  expect(outcome).toMatchObject({ status: "succeeded" });
  return JSON.parse(outcome.content) as Record<string, unknown>;
};
const made = async (title: string, content: string, tags?: readonly string[]) =>
  (await value("create", { title, content, tags: tags ?? null })).note_id as string;
const read = async (id: string) =>
  ((await value("search", { note_id: id })).notes as Record<string, unknown>[])[0] ?? expect.fail("no note");
const titles = async (query: string, more: Record<string, unknown> = {}) =>
  ((await value("search", { query, ...more })).notes as { title: string }[]).map(({ title }) => title);
const told = ({ status, failure, detail, content }: ExecutionResult) => `${status} ${failure}: ${detail} ${content}`;
/** Of a call that nothing came of. */
const error = (text: string, how = "failed tool_failed") =>
  expect.stringMatching(new RegExp(`^${how}: .*${text.replace(/[`.*]/g, "\\$&")}`));

describe("whose notes are", () => {
  it("of another user, and of the same user of another tenant, are unknown to every tool", async () => {
    const id = await made("Secret", "the hermeneutical circle");
    for (const who of [
      { tenant: "acme", user: "eve" },
      { tenant: "other", user: owner.user },
      // No way of writing a principal runs into another.
      { tenant: `acme${owner.user}`, user: "" },
    ]) {
      for (const [tool, args] of [
        ["edit", { note_id: id, old_text: "circle", new_text: "square" }],
        ["edit", { note_id: id, restore_version: 1 }],
        ["delete", { note_id: id }],
        ["restore", { note_id: id }],
        ["search", { note_id: id }],
      ] as const)
        expect(told(await call(tool, args, { who }))).toEqual(error("there is no note"));
      for (const query of ["hermeneutical", "", '"hermeneutical circle"'])
        expect(await value("search", { query }, { who })).toEqual({ notes: [], count: 0 });
    }
    expect(await read(id)).toMatchObject({ content: "the hermeneutical circle", version: 1 });
  });

  it("a decision of another user makes a note of its own, though it had the same id", async () => {
    const mine = await value("create", { title: "Mine", content: "" }, { by: "dec_same" });
    const eve = { tenant: "acme", user: "eve-2" };
    await value("create", { title: "Hers", content: "" }, { by: "dec_same", who: eve });
    expect(await read(mine.note_id as string)).toMatchObject({ title: "Mine" });
  });

  it("an owner's words are found by nobody through the index's own columns", async () => {
    await made("One", "first");
    const row = await database.db
      .prepare("SELECT owner FROM notes WHERE user = ?")
      .bind(owner.user)
      .first<{ owner: string }>();
    const word = row?.owner ?? expect.fail("no row");
    for (const query of [word, `owner:${word}`, `owner : ${word}`, `") OR owner : ("${word}`])
      expect(await titles(query, {})).toEqual([]);
    const eve = { tenant: "acme", user: "eve-3" };
    await value("create", { title: "Hers", content: "hers" }, { who: eve });
    expect(await value("search", { query: `") OR owner : (${word}` }, { who: eve })).toEqual({ notes: [], count: 0 });
  });
});

describe("search", () => {
  it("finds by words however they are bent, by phrases, tags and titles; the title counts most", async () => {
    await made("Schleiermacher", "The hermeneutical circle of part and whole.");
    await made("On method", "Nothing of that.", ["hermeneutics"]);
    await made("Hermeneutic circles", "Heidegger: it is not vicious.");
    await made("Größe und Être", "Ça va, naïve Überlegung");
    expect(await titles("hermeneutic")).toEqual(["Hermeneutic circles", "On method", "Schleiermacher"]);
    expect(await titles('"part and whole"')).toEqual(["Schleiermacher"]);
    expect(await titles('"whole and part"')).toEqual([]);
    expect(await titles("uberlegung naive etre")).toEqual(["Größe und Être"]);
    expect(await titles("ÜBERLEGUNG")).toEqual(["Größe und Être"]);
  });

  it("where no note has all words tells those that have some, and says so", async () => {
    await made("A", "alpha beta");
    await made("B", "beta gamma");
    expect(await value("search", { query: "alpha beta" })).not.toHaveProperty("matched");
    expect(await value("search", { query: "alpha gamma" })).toMatchObject({
      count: 2,
      matched: "some of the words; no note has all",
    });
  });

  it.each([
    ["解釈", ["解釈学的循環"]],
    ["循環", ["解釈学的循環"]],
    ["環", ["解釈学的循環"]],
    ["ガダマー", ["ガダマーの地平"]],
    // Half width, and a letter whose mark is a letter of its own.
    ["ｶﾞﾀﾞﾏｰ", ["ガダマーの地平"]],
    ["地平融合", ["ガダマーの地平", "视域融合"]],
    ["地平の融合について", ["ガダマーの地平", "视域融合"]],
    ["视域", ["视域融合"]],
    ["伽达默尔 视域", ["视域融合"]],
    ["「視域の」", []],
    ["노트", ["연구 노트"]],
    ["ปรัชญา", ["บันทึก"]],
    ["Gadamerの地平", ["ガダマーの地平"]],
  ])("finds %s in scripts without blanks", async (query, expected) => {
    await made("解釈学的循環", "部分と全体。", ["解釈学"]);
    await made("ガダマーの地平", "Gadamerの地平の融合とは何か。");
    await made("视域融合", "伽达默尔认为理解是视域的融合。");
    await made("연구 노트", "노트를 정리했다.");
    await made("บันทึก", "แนวคิดปรัชญาของกาดาเมอร์");
    expect(await titles(query)).toEqual(expected);
  });

  it("takes nothing of a query but words", async () => {
    await made("Needle", "needle in the haystack");
    for (const query of [
      "needle OR zzz",
      "title:needle",
      "^haystack",
      "NEAR(needle zzz)",
      '"needle',
      "needle\0*",
      "')--needle",
    ])
      expect(await titles(query)).toEqual(["Needle"]);
    // Operators are words as others are: no note has `NOT`.
    expect(await value("search", { query: "needle NOT haystack" })).toHaveProperty("matched");
    expect(await titles("need*")).toEqual([]);
  });

  it("shows the passage of a long note, the whole of a short one, and no more notes than asked for", async () => {
    await made("Long", `${"filler ".repeat(200)}the fusion of horizons 地平の融合 ${"filler ".repeat(200)}`);
    const [note] = (await value("search", { query: "horizon 融合" })).notes as Record<string, unknown>[];
    expect(note).toMatchObject({ snippet: expect.stringContaining("[horizons]"), characters: expect.any(Number) });
    expect(note?.snippet).toContain("地平の[融合]");
    expect(note).not.toHaveProperty("content");
    for (let n = 0; n < 12; n += 1) await made(`n${n}`, "same");
    expect(await titles("same", { limit: 3 })).toEqual(["n11", "n10", "n9"]);
    expect(await value("search", { query: "same" })).toMatchObject({ count: 10, more: true });
    expect(await value("search", { query: "same", limit: 1e9 })).toMatchObject({ count: 12 });
    expect(await value("search", { query: "same", limit: -3 })).toMatchObject({ count: 1 });
    expect(await titles("")).toHaveLength(10);
    expect(await call("search", { limit: 3 })).toMatchObject({ status: "not_started", failure: "arguments_unfit" });
  });
});

describe("a change", () => {
  it("is made once for one decision, and told again as it was", async () => {
    const first = await value("create", { title: "T", content: "one" }, { by: "d1" });
    const second = await value("create", { title: "T", content: "one" }, { by: "d1" });
    expect(second).toEqual(first);
    expect(await titles("one")).toEqual(["T"]);
    const id = first.note_id as string;
    const edit = { note_id: id, old_text: "one", new_text: "one one" };
    const changed = await value("edit", edit, { by: "d2" });
    expect(await value("edit", edit, { by: "d2" })).toEqual(changed);
    await value("edit", { note_id: id, title: "U" }, { by: "d3" });
    // Also when others came after it.
    expect(await value("edit", edit, { by: "d2" })).toEqual(changed);
    expect(await value("create", { title: "T", content: "one" }, { by: "d1" })).toMatchObject({ note_id: id });
    expect(await read(id)).toMatchObject({ title: "U", content: "one one", version: 3 });
    await value("delete", { note_id: id }, { by: "d4" });
    await value("restore", { note_id: id }, { by: "d5" });
    expect(await value("delete", { note_id: id }, { by: "d4" })).toMatchObject({ deleted: true });
    expect(await read(id)).toMatchObject({ version: 5 });
  });

  it("of a passage wants it exactly once, and tells before and after", async () => {
    const id = await made("Outline", "3.2 Discourse\n3.3 Metaphor\nand Metaphor again");
    const edit = (old: string, now: string) =>
      call("edit", { note_id: id, title: "Outline", old_text: old, new_text: now });
    expect(told(await edit("Metaphor", "x"))).toEqual(error("more than once"));
    // Occurrences may overlap.
    await value("edit", { note_id: id, content: "aaa 3.3 Metaphor" });
    expect(told(await edit("aa", "b"))).toEqual(error("more than once"));
    expect(told(await edit("nowhere", "x"))).toEqual(error("does not occur"));
    const passage = { old_text: "3.3 Metaphor", new_text: "3.3 Metaphor\n3.4 Distanciation $& $1" };
    expect(await value("edit", { note_id: id, title: "Outline", ...passage })).toEqual({
      note_id: id,
      title: "Outline",
      version: 3,
      before: { version: 2, title: "Outline" },
      changed: [{ member: "content", before: "aaa 3.3 Metaphor", after: "aaa 3.3 Metaphor\n3.4 Distanciation $& $1" }],
    });
    expect(await read(id)).toMatchObject({ content: "aaa 3.3 Metaphor\n3.4 Distanciation $& $1" });
    expect(await titles("distanciation")).toEqual(["Outline"]);
    expect(await titles("discourse")).toEqual([]);
  });

  it("of title, text and tags tells each, and goes back to the version before, unless others came between", async () => {
    const id = await made("Old", "text", ["a"]);
    const now = { title: "New", content: "本文", tags: ["b", "b", " "] };
    const change = await value("edit", { note_id: id, ...now });
    expect(change.changed).toEqual([
      { member: "title", before: "Old", after: "New" },
      { member: "content", before: "text", after: "本文" },
      { member: "tags", before: ["a"], after: ["b"] },
    ]);
    expect([await titles("本文"), await titles("text"), await titles("b")]).toEqual([["New"], [], ["New"]]);
    const { version, before } = change as { version: number; before: { version: number; title: string } };
    const undo = { note_id: id, title: before.title, restore_version: before.version, if_version: version };
    const undone = await value("edit", undo);
    expect(await read(id)).toMatchObject({ title: "Old", content: "text", tags: ["a"], version: 3 });
    // What was taken back can be taken back.
    await value("edit", { note_id: id, title: "New", restore_version: version, if_version: undone.version });
    expect(await read(id)).toMatchObject({ title: "New", content: "本文", tags: ["b"] });
    await value("edit", { note_id: id, content: "later" });
    expect(told(await call("edit", undo))).toEqual(error("changed since: its version is 5"));
  });

  it("made beside others of the same note loses none of them", async () => {
    const id = await made("T", "1 2 3 4 5 6");
    const all = [1, 2, 3, 4, 5, 6].map((n) => call("edit", { note_id: id, old_text: `${n}`, new_text: `<${n}>` }));
    for (const outcome of await Promise.all(all)) expect(outcome.status).toBe("succeeded");
    expect(await read(id)).toMatchObject({ content: "<1> <2> <3> <4> <5> <6>", version: 7 });
  });

  it("keeps the last versions, and tells one that is not kept", async () => {
    const id = await made("T", "v1");
    for (let version = 2; version <= 25; version += 1) await value("edit", { note_id: id, content: `v${version}` });
    expect(told(await call("edit", { note_id: id, restore_version: 4 }))).toEqual(error("not kept"));
    await value("edit", { note_id: id, restore_version: 6 });
    expect(await read(id)).toMatchObject({ content: "v6" });
  });

  it.each([
    [{ title: " \n ", content: "x" }, "create", "`title` is empty"],
    [{ title: "t".repeat(301), content: "x" }, "create", "longer than 300"],
    [{ title: "t", content: "x".repeat(MAX_CONTENT + 1) }, "create", "`content` is longer"],
    [{ title: "t", content: "x", tags: Array.from({ length: 21 }, (_, n) => `${n}`) }, "create", "more than 20"],
    [{ title: "t", content: "x", tags: "gadamer" }, "create", "list of texts"],
    [{ title: 1, content: "x" }, "create", "`title` must be text"],
    [{ note_id: "n" }, "edit", "nothing says what to change"],
    [{ note_id: "n", old_text: "x" }, "edit", "go together"],
    [{ note_id: "n", old_text: "", new_text: "x" }, "edit", "go together"],
    [{ note_id: "n", old_text: "x", new_text: "y", content: "z" }, "edit", "leave out"],
    [{ note_id: "n", restore_version: 1, tags: [] }, "edit", "leave out"],
    [{ note_id: "" }, "delete", "`note_id` is empty"],
  ])("that does not fit is refused before anything is done (%#)", async (args, tool, message) => {
    expect(told(await call(tool, args))).toEqual(error(message, "not_started arguments_unfit"));
  });

  it("does not grow a note past its bound, and stores what SQLite would cut or break", async () => {
    const id = await made("A\0B \ud800", "x".repeat(MAX_CONTENT));
    expect(await read(id)).toMatchObject({ title: "AB \ufffd" });
    await value("edit", { note_id: id, content: `${"x".repeat(MAX_CONTENT - 1)}y` });
    expect(told(await call("edit", { note_id: id, old_text: "y", new_text: "zz" }))).toEqual(error("would be longer"));
  });
});

describe("deleting", () => {
  it("hides a note from all tools until it is restored", async () => {
    const id = await made("T", "findable");
    expect(told(await call("restore", { note_id: id }))).toEqual(error("is not deleted"));
    // Whoever said yes was shown a title.
    expect(told(await call("delete", { note_id: id, title: "U" }))).toEqual(error("another title"));
    expect(await value("delete", { note_id: id, title: " T" })).toEqual({ note_id: id, title: "T", deleted: true });
    expect(await titles("findable")).toEqual([]);
    expect(await titles("")).toEqual([]);
    for (const [tool, args] of [
      ["search", { note_id: id }],
      ["edit", { note_id: id, title: "x" }],
    ] as const)
      expect(told(await call(tool, args))).toEqual(error("`restore_note` brings it back"));
    expect(told(await call("delete", { note_id: id }))).toEqual(error("deleted already"));
    expect(told(await call("restore", { note_id: id, title: "U" }))).toEqual(error("another title"));
    expect(await value("restore", { note_id: id, title: "T" })).toMatchObject({ restored: true, version: 3 });
    expect(await titles("findable")).toEqual(["T"]);
  });

  it("is for good after 30 days: the row, its versions and its words", async () => {
    const [kept, gone] = [await made("Kept", "sweepable"), await made("Gone", "sweepable unforgettable")];
    await value("edit", { note_id: gone, title: "Gone for good" });
    await value("delete", { note_id: gone });
    time += 29 * DAY_MS;
    expect(await expireNotes(database.db, time)).toBe(0);
    await value("delete", { note_id: kept });
    time += 2 * DAY_MS;
    expect(await expireNotes(database.db, time)).toBe(1);
    expect(told(await call("restore", { note_id: gone }))).toEqual(error("there is no note"));
    await value("restore", { note_id: kept });
    const left = await database.db
      .prepare("SELECT COUNT(*) AS n FROM note_versions WHERE id = ?")
      .bind(gone)
      .first("n");
    expect(left).toBe(0);
    const segments = await database.db.prepare("SELECT block FROM notes_index_data").all<{ block: number[] }>();
    const bytes = segments.results.map(({ block }) => Buffer.from(block).toString("latin1")).join("\n");
    expect(bytes).toContain("sweepabl");
    expect(bytes).not.toContain("unforget");
    await database.db.prepare("INSERT INTO notes_index (notes_index, rank) VALUES ('integrity-check', 1)").run();
  });
});

it("a user has so many notes and no more, and deleting one makes room", async () => {
  const id = await made("First", "x");
  await database.db
    .prepare("UPDATE note_counts SET live = ? WHERE tenant = ? AND user = ?")
    .bind(MAX_NOTES, owner.tenant, owner.user)
    .run();
  expect(told(await call("create", { title: "One more", content: "" }))).toEqual(error("10000 notes already"));
  await value("delete", { note_id: id });
  await made("In its place", "");
  expect(told(await call("restore", { note_id: id }))).toEqual(error("10000 notes already"));
});

it("a store that is not there is told as unavailable; one that fails is asked twice, and then the outcome is unknown", async () => {
  const failing = (message: string) => {
    let asked = 0;
    const throws = () => {
      asked += 1;
      throw new Error(message);
    };
    const db = { prepare: throws, batch: throws } as unknown as D1Database;
    return { notes: d1Notes(db, () => time), asked: () => asked };
  };
  const principal = owner;
  const args = { title: "T", content: "" };
  const absent = failing("D1_ERROR: no such table: notes: SQLITE_ERROR");
  expect(await createNote.run({ id: "d", arguments: args, principal }, absent.notes)).toMatchObject({
    status: "not_started",
    failure: "unavailable",
  });
  const broken = failing("D1_ERROR: network connection lost");
  expect(await createNote.run({ id: "d", arguments: args, principal }, broken.notes)).toMatchObject({
    status: "unknown",
  });
  expect(broken.asked()).toBe(2);
  expect(await searchNotes.run({ id: "d", arguments: { query: "x" }, principal }, broken.notes)).toMatchObject({
    status: "failed",
  });
});
