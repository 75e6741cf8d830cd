import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CallDone, templateFault, undoArguments } from "../../../src/policy/arguments/undo-arguments.ts";

const done = (result: unknown, args: Record<string, unknown> = {}): CallDone => ({
  tool: "create_note",
  arguments: args,
  result: typeof result === "string" ? result : JSON.stringify(result),
});

const fill = (template: string, of: CallDone) =>
  undoArguments({ tool: "delete_note", arguments: { id: template } }, undefined, of);

describe("templates", () => {
  it("keep the type of a value that stands alone", () => {
    const of = done({ id: 7, note: { tags: ["a", "b"], open: false, none: null } }, { title: "T" });
    expect(fill("{{result.id}}", of)).toEqual({ ok: true, value: { id: 7 } });
    expect(fill("{{ result.note.tags }}", of)).toEqual({ ok: true, value: { id: ["a", "b"] } });
    expect(fill("{{result.note.tags.1}}", of)).toEqual({ ok: true, value: { id: "b" } });
    expect(fill("{{result.note.open}}", of)).toEqual({ ok: true, value: { id: false } });
    expect(fill("{{result.note.none}}", of)).toEqual({ ok: true, value: { id: null } });
    expect(fill("{{arguments.title}}", of)).toEqual({ ok: true, value: { id: "T" } });
    expect(fill("{{result}}", done("note_7"))).toEqual({ ok: true, value: { id: "note_7" } });
  });

  it("write values into text", () => {
    const of = done({ id: 7 }, { folder: "inbox" });
    expect(fill("{{arguments.folder}}/note-{{result.id}}.md", of)).toEqual({
      ok: true,
      value: { id: "inbox/note-7.md" },
    });
    expect(fill("plain", of)).toEqual({ ok: true, value: { id: "plain" } });
  });

  it("refuse what is missing, and a value that is no text inside of text", () => {
    const of = done({ note: { id: 1 } });
    expect(fill("{{result.id}}", of)).toEqual({ ok: false, error: "the call to `create_note` has no `result.id`" });
    expect(fill("n-{{result.note}}", of)).toEqual({
      ok: false,
      error: "`result.note` of the call to `create_note` is no text",
    });
    expect(fill("{{result.id}}", { ...of, result: undefined })).toMatchObject({ ok: false });
    expect(fill("{{arguments.id}}", { ...of, arguments: undefined })).toMatchObject({ ok: false });
    expect(fill("{{result.id}}", done("a note was made"))).toMatchObject({ ok: false });
  });

  it.each(["__proto__", "constructor", "toString", "length", "note.constructor", "list.length", "list.map"])(
    "see own properties only: %s",
    (path) => {
      expect(fill(`{{result.${path}}}`, done({ note: {}, list: [1] }))).toMatchObject({ ok: false });
    },
  );

  it("take a result that two readers could take for different things for text", () => {
    expect(fill("{{result.id}}", done('{"id":1,"id":2}'))).toMatchObject({ ok: false });
    expect(fill("{{result.id}}", done('{"__proto__":{"id":1}}'))).toMatchObject({ ok: false });
  });

  it("refuse a number that would be sent back as another one, and nothing else of that result", () => {
    const of = done('{"id":1234567890123456789,"etag":"x","note":{"rev":-0}}');
    expect(fill("{{result.etag}}", of)).toEqual({ ok: true, value: { id: "x" } });
    for (const template of ["{{result.id}}", "n-{{result.id}}", "{{result}}", "{{result.note}}"])
      expect(fill(template, of)).toEqual({ ok: false, error: expect.stringContaining("cannot be sent back exactly") });
  });

  it("are checked before there is a call", () => {
    expect(templateFault("{{result.id}} and {{arguments.a.0}}")).toBeUndefined();
    expect(templateFault("{{ result }}")).toBeUndefined();
    expect(templateFault("{{secret.KEY}}")).toContain("has no meaning");
    expect(templateFault("{{result..id}}")).toContain("has no meaning");
    expect(templateFault("{{results.id}}")).toContain("has no meaning");
  });
});

describe("without templates", () => {
  const byName = (schema: unknown, of: CallDone) => undoArguments({ tool: "delete_note" }, schema, of);
  const needs = (...required: string[]) => ({ type: "object", required });

  it("a number that would be sent back as another one is refused, wherever the undo tool takes it", () => {
    const of = done('{"note_id":1234567890123456789,"etag":"x"}');
    expect(byName(needs("etag"), of)).toEqual({ ok: true, value: { etag: "x" } });
    const optional = { type: "object", required: ["etag"], properties: { etag: {}, note_id: {} } };
    for (const schema of [needs("note_id"), optional])
      expect(byName(schema, of)).toEqual({ ok: false, error: expect.stringContaining("`note_id`") });
  });

  it("what the undo tool requires is found in the result, then in the call's own arguments", () => {
    const of = done({ note_id: "n1", title: "as stored" }, { title: "as asked", folder: "inbox" });
    expect(byName(needs("note_id", "title", "folder"), of)).toEqual({
      ok: true,
      value: { note_id: "n1", title: "as stored", folder: "inbox" },
    });
    expect(byName(needs("id"), of)).toEqual({
      ok: false,
      error: "neither the result nor the arguments of `create_note` have `id`",
    });
    expect(byName(needs(), of)).toEqual({ ok: true, value: {} });
    expect(byName(needs("constructor"), of)).toMatchObject({ ok: false });
  });

  it("what it may be told by id is found too, where it is one", () => {
    const takes = (...names: string[]) => ({ properties: Object.fromEntries(names.map((name) => [name, {}])) });
    const of = done({ note_id: "n1", id: 7, tag_id: null, paid: "x", force: true }, { folder_id: "f", title: "T" });
    expect(byName(takes("note_id", "id", "tag_id", "paid", "force", "folder_id", "title", "user_id"), of)).toEqual({
      ok: true,
      value: { note_id: "n1", id: 7, folder_id: "f" },
    });
    expect(byName({ ...needs("title"), ...takes("title", "note_id") }, of)).toEqual({
      ok: true,
      value: { title: "T", note_id: "n1" },
    });
  });

  it("a tool that takes something is not called with nothing, unless the policy says so", () => {
    const schema = { properties: { note_id: {}, thread_id: {}, force: {} } };
    expect(byName(schema, done({ ok: true }))).toEqual({
      ok: false,
      error: "neither the result nor the arguments of `create_note` have `note_id` or `thread_id`",
    });
    expect(byName({ properties: { force: {} } }, done({ force: true }))).toEqual({
      ok: false,
      error: "nothing says what `force` of `delete_note` must be: give the undo its `arguments` in the policy",
    });
    expect(undoArguments({ tool: "delete_note", arguments: {} }, schema, done({}))).toEqual({ ok: true, value: {} });
    expect(byName({ properties: {} }, done({}))).toEqual({ ok: true, value: {} });
  });

  it("a result that was not kept leaves the call's own arguments", () => {
    expect(byName(needs("path"), { ...done("", { path: "a.md" }), result: undefined })).toEqual({
      ok: true,
      value: { path: "a.md" },
    });
  });

  it("nothing is guessed where nothing says what the tool takes", () => {
    expect(byName(undefined, done({ id: 1 }))).toMatchObject({ ok: false });
  });
});

it("a_result_never_adds_an_argument_nor_alters_another", () => {
  const json = fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("keep", "from", "more", "tool")), fc.jsonValue());
  fc.assert(
    fc.property(json, fc.jsonValue(), fc.jsonValue(), (others, id, a) => {
      const undo = {
        tool: "delete_note",
        arguments: { id: "{{result.id}}", keep: "as it is", from: "{{arguments.a}}" },
      };
      const filled = undoArguments(undo, undefined, {
        tool: "create_note",
        arguments: { a, keep: "other" },
        result: JSON.stringify({ ...others, id }),
      });
      fc.pre(filled.ok);
      const expected = { ok: true, value: { id, keep: "as it is", from: a } };
      expect(JSON.parse(JSON.stringify(filled))).toEqual(JSON.parse(JSON.stringify(expected)));
    }),
  );
});
