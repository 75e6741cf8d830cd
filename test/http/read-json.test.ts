import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type JsonBody, parseJson, readJson } from "../../src/http/read-json.ts";
import { once } from "../../src/lib/once.ts";

const body = {
  schema: once(() =>
    z.strictObject({ name: z.string().max(3), tags: z.array(z.strictObject({ id: z.number() })).optional() }),
  ),
  example: '`{ "name": "…" }`',
};

const post = (text: BodyInit) => new Request("https://gate.example/", { method: "POST", body: text });

async function problemOf(text: BodyInit, shape: Partial<JsonBody<z.ZodType>> = {}) {
  const read = await readJson(post(text), 100, { ...body, ...shape });
  if (read.ok) throw new Error("the body was accepted");
  return read.error;
}

describe("readJson", () => {
  it("returns what the schema makes of the body", async () => {
    expect(await readJson(post('{"name":"ada"}'), 100, body)).toEqual({ ok: true, value: { name: "ada" } });
  });

  it.each([
    ["", "the body is missing"],
    ['{"name":', "the body is not JSON: line 1, column 9"],
    [new Uint8Array([0x7b, 0xff, 0x7d]), "the body is not UTF-8"],
    ['{"name":"a","name":"b"}', "the body is ambiguous: line 1, column 13"],
    ['{"name":1e400}', "the body is ambiguous: line 1, column 9"],
    ['{"__proto__":{}}', "the body is ambiguous: line 1, column 2"],
  ])("refuses %j, says where it is wrong and what to send", async (text, message) => {
    const problem = await problemOf(text);
    expect(problem).toMatchObject({ status: 400, code: "invalid_json" });
    expect(problem.message).toContain(message);
    expect(problem.message).toMatch(/; send `\{ "name": "…" \}`$/);
  });

  it.each([
    ["[]", undefined, "invalid_value", "the body must be an object, not a list"],
    ['{"name":"long"}', "name", "invalid_value", "`name` must be 3 characters or less"],
    ["{}", "name", "invalid_value", "`name` is missing"],
    ['{"name":"a","tags":[{"id":"1"}]}', "tags[0].id", "invalid_value", "`tags[0].id` must be a number, not a string"],
    ['{"name":"a","tag":[]}', "tag", "unknown_parameter", "`tag` is unknown: did you mean `tags`?"],
    ['{"name":"a","other":1}', "other", "unknown_parameter", "`other` is unknown: leave it out"],
  ])("names the field at fault in %s", async (text, param, code, message) => {
    const problem = await problemOf(text);
    expect([problem.param, problem.code]).toEqual([param, code]);
    expect(problem.message).toContain(message);
  });

  it("lists every error with its JSON pointer, under the body's own code", async () => {
    const problem = await problemOf('{"tags":[{"id":1},{"id":"2"}]}', { code: "tags_invalid" });
    expect(problem).toMatchObject({
      code: "tags_invalid",
      message: expect.stringContaining("(and 1 more)"),
      errors: [
        { path: "/name", message: "is missing" },
        { path: "/tags/1/id", message: "must be a number, not a string" },
      ],
    });
  });

  it("refuses a body above the limit", async () => {
    expect(await problemOf(`{"name":"${"a".repeat(100)}"}`)).toMatchObject({ status: 413, code: "too_large" });
  });
});

describe("parseJson", () => {
  const bytes = (text: string) => new TextEncoder().encode(text).buffer as ArrayBuffer;

  it("reads an absent body as an empty object only where the body is optional", () => {
    const schema = () => z.strictObject({ name: z.string().optional() });
    expect(parseJson(bytes(""), { ...body, schema, optional: true })).toEqual({ ok: true, value: {} });
    expect(parseJson(bytes(""), { ...body, schema })).toMatchObject({ ok: false });
  });

  it("reads the bounds of 64-bit integers only where the nearest double will do", () => {
    const schema = () => z.strictObject({ maximum: z.number() });
    const text = bytes('{"maximum":9223372036854775807}');
    expect(parseJson(text, { ...body, schema })).toMatchObject({ ok: false, error: { code: "invalid_json" } });
    expect(parseJson(text, { ...body, schema, numbers: "nearest" })).toEqual({ ok: true, value: { maximum: 2 ** 63 } });
    expect(parseJson(bytes('{"maximum":1,"maximum":2}'), { ...body, schema, numbers: "nearest" })).toMatchObject({
      ok: false,
    });
  });
});
