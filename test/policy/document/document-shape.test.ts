import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isCaseFile } from "../../../src/cli/policy/cases/read-case-file.ts";
import { toPointer } from "../../../src/lib/json/json-value.ts";
import { checkNewPolicy } from "../../../src/policy/check.ts";
import { shippedFiles } from "../../support/shipped-policies.ts";
import { documents } from "../arbitraries.ts";

const pathsOf = async (input: unknown): Promise<string[]> => {
  const checked = await checkNewPolicy(input, "v");
  return checked.ok ? [] : checked.error.map(({ path }) => path);
};

type Path = readonly (string | number)[];

const shipped = shippedFiles
  .filter((file) => !isCaseFile(file))
  .map((file) => JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>);

/** Of every member. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  const own = path.length > 0 ? [path] : [];
  if (typeof value !== "object" || value === null) return own;
  const members = Array.isArray(value) ? value.map((one, index) => [index, one] as const) : Object.entries(value);
  return [...own, ...members.flatMap(([key, one]) => pathsIn(one, [...path, key]))];
}

/** Inside of these anything may stand. */
const isFree = (path: Path) => path.includes("parameters") || path.includes("body");

function replaced(value: unknown, [key, ...rest]: Path, by?: unknown): unknown {
  if (key === undefined) return by ?? (typeof value === "number" ? "wrong" : 12_345);
  if (Array.isArray(value)) return value.map((one, index) => (index === key ? replaced(one, rest, by) : one));
  const record = value as Record<string, unknown>;
  return { ...record, [key]: replaced(record[String(key)], rest, by) };
}

const without = (value: object, name: string): object =>
  Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));

const sound = {
  roles: ["guest", "user"],
  families: { files: ["read_*"] },
  modes: { quiet: { allow: ["category:read_only"], roles: ["user"] } },
  tools: {
    read_file: { category: "read_only", roles: ["user"], redact: ["a", "b"] },
    write_file: { category: "modification", undo: { tool: "delete_file", arguments: { id: "{{result.id}}" } } },
    delete_file: { rateLimits: [{ max: 1, window: "1h" }], injection: { sets: ["mine"] }, families: ["files"] },
    find_lead: {
      parameters: { type: "object", properties: { name: { type: "string" } } },
      run: { kind: "http", method: "GET", url: "https://crm.test/{{arguments.name}}", result: "$.a" },
    },
    search: { run: { kind: "mcp", server: "zotero", tool: "find" } },
  },
  mcpServers: { zotero: { url: "https://zotero.test/mcp" } },
  injection: { custom: { mine: ["a+"] } },
  intents: {
    READ: { keywords: ["read"], patterns: ["a", "b"], tools: ["read_file", "family:files"], primaryTool: "read_file" },
    browser_access: { families: { allowedFamilies: ["browser"] }, entities: ["topic"] },
  },
  intentGuard: { intents: { browser_access: { allowedFamilies: ["browser"] } } },
  entities: { topic: { pattern: ["x", "y"], type: "integer", min: 1, max: 2 } },
  detection: { fallback: "READ", semanticThreshold: 0.5 },
  handshake: { tool: "pick" },
};

/** Each is one mistake in `sound`: where it is made, what stands there then, and where it is told. */
const mistakes: readonly (readonly [path: Path, value: unknown, told?: string])[] = [
  [["toolz"], {}],
  [["roles", 0], 5],
  [["families", "files", 0], "family:x"],
  [["modes", "quiet", "alow"], []],
  [["modes", "quiet", "allow", 0], "category:none"],
  [["tools", "read_file", "category"], "bad"],
  [["tools", "read_file", "redact", 1], 5],
  [["tools", "write_file", "undo", "tool"], "gone", "/tools/write_file/undo"],
  [["tools", "write_file", "undo", "arguments", "id"], "{{results.id}}"],
  [["tools", "delete_file", "rateLimits", 0, "max"], -1],
  [["tools", "delete_file", "rateLimits", 0, "window"], "1x"],
  [["tools", "find_lead", "parameters", "properties", "name", "type"], "strin"],
  [["tools", "find_lead", "run", "url"], "http://crm.test/{{arguments.name}}"],
  [["tools", "find_lead", "run", "result"], "a.b"],
  [["tools", "find_lead", "run", "timeout"], "soon"],
  [["tools", "search", "run", "server"], "gone"],
  [["mcpServers", "zotero", "url"], "ftp://x"],
  [["injection", "custom", "mine", 0], "(a)\\1"],
  [["injection", "action"], "shout"],
  [["intents", "READ", "patterns", 0], "(?=x)"],
  [["intents", "READ", "patterns", 1], 5],
  [["intents", "READ", "primaryTool"], "write_file"],
  [["intents", "browser_access", "entities", 0], "gone"],
  [["intents", "browser_access", "families", "allowedFamilies", 0], "gone"],
  [["intentGuard", "intents", "browser_access", "softBlockAfter"], -1],
  [["intentGuard", "intents", "nonsense"], {}],
  [["entities", "topic", "pattern", 0], "("],
  [["entities", "topic", "min"], 3],
  [["detection", "fallback"], "GONE"],
  [["detection", "semanticThreshold"], 2],
  [["handshake", "selectAt"], "high"],
];

describe("the errors of a policy", () => {
  it("has a sound document to be tried with", async () => {
    expect(await pathsOf(sound)).toEqual([]);
  });

  it.each(mistakes.map(([path, value, told]) => [toPointer(path), value, told ?? toPointer(path), path] as const))(
    "of %s %j is %s alone",
    async (_, value, told, path) => {
      expect(await pathsOf(replaced(sound, path, value))).toEqual([told]);
    },
  );

  it("mistakes_of_all_kinds_are_told_together", async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray([...mistakes]), async (made) => {
        const input = made.reduce<unknown>((document, [path, value]) => replaced(document, path, value), sound);
        expect(new Set(await pathsOf(input))).toEqual(new Set(made.map(([path, , told]) => told ?? toPointer(path))));
      }),
      { numRuns: 300 },
    );
  });

  it("one_wrong_member_makes_nothing_else_look_wrong", async () => {
    const document = fc.oneof(documents({ groups: true }), fc.constantFrom(sound, ...shipped));
    const wrong = document.chain((one) => {
      const paths = pathsIn(one).filter((path) => !isFree(path) && path[0] !== "$schema");
      return fc.record({ document: fc.constant(one as object), path: fc.constantFrom(...paths) });
    });
    await fc.assert(
      fc.asyncProperty(wrong, async ({ document, path }) => {
        const at = toPointer(path);
        const found = await pathsOf(replaced(document, path));
        expect(found.length).toBeGreaterThan(0);
        for (const one of found) expect([at, at.startsWith(one) || one.startsWith(at)]).toEqual([at, true]);
      }),
      { numRuns: 1_000 },
    );
  });

  it("are sorted by place, indices by number, and none is told twice", async () => {
    const patterns = Array.from({ length: 12 }, () => "(?=x)");
    const paths = await pathsOf({ ...sound, intents: { READ: { patterns }, A: { tools: ["a b"] } }, audit: 1 });
    expect(paths).toEqual([
      "/audit",
      "/intents/A/tools/0",
      ...patterns.map((_, index) => `/intents/READ/patterns/${index}`),
    ]);
  });

  it("do not follow from a name that is misspelt where it is defined", async () => {
    const misspelt = (section: keyof typeof sound, name: string) => ({
      ...without(sound, section),
      [name]: sound[section],
    });
    for (const [section, name] of [
      ["tools", "tool"],
      ["intents", "Intents"],
      ["mcpServers", "mcp_servers"],
      ["entities", "entites"],
      ["roles", "role"],
      ["injection", "injections"],
    ] as const)
      expect(await pathsOf(misspelt(section, name))).toEqual([`/${name}`]);
    expect(await pathsOf({ rateLimits: { x: [{ Max: 1, window: "1h" }] } })).toEqual(["/rateLimits/x/0/Max"]);
  });

  it("of one text are told together", async () => {
    const url = "http://crm.test/{{arguments.gone}}/{{system.gone}}";
    const at = "/tools/find_lead/run/url";
    expect(await pathsOf(replaced(sound, ["tools", "find_lead", "run", "url"], url))).toEqual([at, at, at]);
  });

  it("of a section that is no object leave the others to be judged", async () => {
    const input = { ...sound, tools: [], roles: "guest", detection: { extract: "(" } };
    expect(await pathsOf(input)).toEqual(["/detection/extract", "/roles", "/tools"]);
  });

  it("tell names that cannot be kept together with the rest", async () => {
    const tools = JSON.parse('{ "__proto__": {}, "x": { "category": "bad", "description": "\\ud83d" } }') as object;
    expect(await pathsOf({ tools, intents: { A: { patterns: ["("] } } })).toEqual([
      "/intents/A/patterns/0",
      "/tools/__proto__",
      "/tools/x/category",
      "/tools/x/description",
    ]);
  });
});
