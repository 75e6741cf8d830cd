import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { readPolicy, readPolicyLines } from "../../src/cli/policy-file.ts";
import { readJsonFile } from "../../src/cli/read-json-file.ts";
import { withoutComments } from "../../src/lib/json/json-comments.ts";

const folder = mkdtempSync(join(tmpdir(), "toolgate-json-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(text: string): string {
  const path = join(folder, "file.json");
  writeFileSync(path, text);
  return path;
}

const contentOf = (text: string) => {
  const file = readJsonFile(written(text));
  return file.ok ? file.value.value : file.error.map(({ message }) => message);
};

describe("a JSON file", () => {
  it.each([
    ['{ // one\n "a": "// no, /* no */", /* two\n lines */ "b": [1, 2, ], }', { a: "// no, /* no */", b: [1, 2] }],
    ['{"a": "\\"// no", // yes\r\n}', { a: '"// no' }],
    ['\uFEFF{"a": 1 /* "quoted" */ , // "one\n}', { a: 1 }],
    ["[[1,],{},]", [[1], {}]],
    ['{"a": ",}"}', { a: ",}" }],
  ])("%j may hold comments, trailing commas and a byte order mark", (text, value) => {
    expect(contentOf(text)).toEqual(value);
  });

  it.each([
    ["{,}", "line 1, column 2: a name"],
    ["[,]", "line 1, column 2: a value"],
    ["[1,,]", "line 1, column 4: a value"],
    ['{"a":,}', "line 1, column 6: a value"],
    ["// only this", "line 1, column 13: the text ends too early"],
    ["{} /* open", "line 1, column 4: this comment does not end"],
    ["{\n  // a comment\n  /* two */ b\n}", "line 3, column 13: a name in double quotes"],
  ])("%j tells where it is wrong, as the author sees it", (text, where) => {
    expect(contentOf(text)).toEqual([expect.stringContaining(`is not JSON: ${where}`)]);
  });

  it("that_is_plain_stays_as_it_is", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(withoutComments(text)).toBe(text);
      }),
    );
  });

  it("that is not there, or is a folder, is told so", () => {
    for (const [path, why] of [
      [join(folder, "nowhere.json"), `there is no file ${join(folder, "nowhere.json")}`],
      [folder, `${folder} is a folder: name a file in it`],
    ] as const)
      expect(readJsonFile(path)).toEqual({ ok: false, error: [{ path: "", message: why }] });
  });
});

describe("a policy's file", () => {
  const twice =
    '{\n "tools": { "x": { "category": "external" },\n  "x": { "category": "read_only" } },\n "toolz": {} }';

  it("is refused where a key stands twice: the last would win without a word", async () => {
    const messages = [
      "/tools/x: line 3, column 3: `x` is given twice in this object, and readers use only one: remove the other",
      "/toolz: unknown setting, did you mean `tools`?",
    ];
    const read = await readPolicy(written(twice));
    expect(read.ok ? [] : read.error.map(({ path, message }) => `${path}: ${message}`)).toEqual(messages);
    const started = await readPolicyLines(written(twice));
    expect(started.ok ? [] : started.error.slice(1).map((line) => line.trim())).toEqual(messages);
  });

  it("has one version, with comments and without", async () => {
    const plain = await readPolicy(written('{"name":"a","tools":{}}'));
    const commented = await readPolicy(written('{ // mine\n "name": "a", "tools": {}, }'));
    const started = await readPolicyLines(written('{ // mine\n "name": "a", "tools": {}, }'));
    if (!plain.ok || !commented.ok || !started.ok) throw new Error("a policy is not valid");
    expect(commented.value.version).toBe(plain.value.version);
    expect(started.value).toMatchObject({ version: plain.value.version, input: { name: "a", tools: {} } });
  });
});
