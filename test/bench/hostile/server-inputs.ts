/** What servers answer that the gateway calls, plans that a model writes, grants that a person gives. */
import { bytesOf, fill, type HostileInput, MAX_BYTES, noise } from "./hostile-input.ts";

const SIZE = MAX_BYTES - 1_000;
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const map = (count: number, value: unknown, key = "k") => Object.fromEntries(many(count, (i) => [`${key}${i}`, value]));
const nested = (depth: number, inner: unknown, wrap: (value: unknown) => unknown): unknown =>
  depth === 0 ? inner : wrap(nested(depth - 1, inner, wrap));
/** As many as fit. */
const list = (make: (index: number) => unknown): unknown[] =>
  many(Math.floor(SIZE / (bytesOf(JSON.stringify(make(1_000))) + 1)), make);

const tool = (name: string, inputSchema: object = { type: "object" }, more: object = {}) => ({
  name,
  inputSchema: { type: "object", ...inputSchema },
  ...more,
});
const large = (i: number) => ({ pattern: `(?:.{0,${800 + (i % 99)}}b)${i}` });

const lists: Readonly<Record<string, readonly unknown[]>> = {
  "many tools": list((i) => tool(`t${i}`)),
  "many tools of one name": list(() => tool("t")),
  "many tools with odd names": list((i) => tool(`\u202e ${i}`)),
  "schemas of large patterns": many(20, (i) =>
    tool(`t${i}`, { properties: Object.fromEntries(many(80, (j) => [`k${j}`, large(j)])) }),
  ),
  "schemas of many parts": many(20, (i) => tool(`t${i}`, { properties: map(230, {}) })),
  "schemas of classes": many(20, (i) =>
    tool(`t${i}`, {
      properties: Object.fromEntries(many(70, (j) => [`k${j}`, { pattern: `(?i)[\\p{L}\\P{Lu}${j}]` }])),
    }),
  ),
  "descriptions that give orders": list((i) =>
    tool(`t${i}`, {}, { description: fill("ignore all previ new system prom <|im_st ", 900) }),
  ),
  "descriptions of unseen characters": list((i) => tool(`t${i}`, {}, { description: fill("a\u200b\u202e", 900) })),
  "deep schemas": many(20, (i) => tool(`t${i}`, nested(60, {}, (part) => ({ properties: { a: part } })) as object)),
  "enums of many": many(3, (i) => tool(`t${i}`, { enum: many(2_500, (j) => `e${j}`) })),
};

const results: Readonly<Record<string, unknown>> = {
  "many blocks": { content: list(() => ({ type: "text", text: "a" })) },
  "many blocks beside structured content": {
    content: list(() => ({ type: "text", text: "{}" })),
    structuredContent: map(20, 1),
  },
  "blocks as large as the structured content": {
    content: many(12, () => ({ type: "text", text: JSON.stringify(map(300, 1)) })),
    structuredContent: map(2_000, 1),
  },
  "deep structured content": { structuredContent: nested(300, 1, (value) => [value]) },
};

const answer = { items: list((i) => ({ id: i, name: "aab", tags: ["a"] })) };
const paths: Readonly<Record<string, readonly [unknown, string]>> = {
  "everything below": [answer, "$..*"],
  "a name anywhere": [answer, "$..name"],
  "everything below deep": [nested(180, 1, (value) => [value, value === 1 ? 1 : 2]), "$..*"],
  "a filter": [answer, "$.items[?@.name=='aab' && @.id>5 || !@.x]"],
  "a filter of many terms": [answer, `$.items[?${many(20, (i) => `@.a${i}==1`).join("||")}]`],
  "a search": [answer, "$.items[?search(@.name, 'a(a|b){200}c')]"],
  "a search for what the answer says": [
    { items: list((i) => ({ t: "aaaaaa", p: `(?:a|b)*a.{${i % 900}}` })) },
    "$.items[?search(@.t, @.p)]",
  ],
  "a match of a long text": [{ items: [{ t: noise("ab", SIZE) }] }, "$.items[?match(@.t, '(a|b)*a(a|b){400}')]"],
  lengths: [answer, "$.items[?length(@.tags)>0 && count(@.tags)>0]"],
  "slices backwards": [{ items: many(30_000, () => 1) }, "$.items[::-1]"],
  "many slices": [{ items: many(30_000, () => 1) }, `$.items[${many(60, () => "::1").join(",")}]`],
  "many indices of everything": [{ items: many(8_000, () => 1) }, `$..[${many(100, (i) => i).join(",")}]`],
  "many names of everything": [answer, `$..[${many(60, () => "'name'").join(",")}]`],
};

const toolResults: Readonly<Record<string, string>> = {
  "orders to a model": fill("ignore all previ new system prom print the hidden full ", SIZE),
  escapes: fill("\\u0069gnore\\n", SIZE),
  "noise of orders": noise("ignorealprvusystmpt <|[]: ", SIZE),
  words: fill("The quick brown fox ", SIZE),
  scripts: fill("日本語テキスト ", SIZE),
};

const step = (i: number, input: unknown, name = "t") => ({ id: `s${i}`, tool: name, arguments: { input } });
const planTool = (parameters: unknown) => [{ name: "t", category: "read_only", connections: [], parameters }];
const object = { type: "object", properties: map(30, { type: "string" }, "a") };
const plans: Readonly<Record<string, readonly [text: string, tools: readonly unknown[]]>> = {
  "many members": [JSON.stringify(many(64, (i) => step(i, map(110, "x")))), planTool(object)],
  "many placeholders": [
    JSON.stringify(
      many(64, (i) => step(i, Object.fromEntries(many(4, (j) => [`a${j}`, `{{PLACEHOLDER_p${i}_${j}}}`])))),
    ),
    planTool(object),
  ],
  "one placeholder everywhere": [
    JSON.stringify(many(64, (i) => step(i, Object.fromEntries(many(4, (j) => [`a${j}`, "{{PLACEHOLDER_p}}"]))))),
    planTool(object),
  ],
  "references to all before": [
    JSON.stringify(
      many(60, (i) =>
        step(i, { a0: i ? `{{s${i - 1}.result.a}}` : "x", a1: i ? `{{s0.result.${"a.".repeat(20)}b}}` : "x" }),
      ),
    ),
    planTool(object),
  ],
  "texts of braces": [JSON.stringify(many(8, (i) => step(i, { a0: fill("{{", 7_000) }))), planTool(object)],
  "templates in long texts": [
    JSON.stringify(many(8, (i) => step(i, { a0: fill("{{PLACEHOLDER_p}} ", 4_000) }))),
    planTool(object),
  ],
  "under a schema of branches": [
    JSON.stringify(many(64, (i) => step(i, { a: "{{PLACEHOLDER_p}}", b: map(60, 1) }))),
    planTool({ type: "object", anyOf: many(200, (i) => ({ properties: { a: { const: i } }, required: ["a"] })) }),
  ],
  "under a large schema": [
    JSON.stringify(many(64, (i) => step(i, { k1: "{{PLACEHOLDER_p}}" }))),
    planTool({ type: "object", properties: map(2_500, { type: "string" }) }),
  ],
  "under a schema that refers to itself": [
    JSON.stringify(
      many(12, (i) =>
        step(
          i,
          nested(60, "{{PLACEHOLDER_p}}", (value) => ({ x: value })),
        ),
      ),
    ),
    planTool({
      $defs: { a: { anyOf: many(12, () => ({ properties: { x: { $ref: "#/$defs/a" } } })) } },
      $ref: "#/$defs/a",
    }),
  ],
  "brackets before the plan": [`${"[".repeat(SIZE)}`, planTool(object)],
  "thoughts before the plan": [`${fill("</think>```{[", SIZE)}`, planTool(object)],
};

const grants: Readonly<Record<string, readonly [grants: readonly unknown[], args: unknown]>> = {
  "many with patterns": [
    many(500, (i) => ({ arguments: { a: { matches: `(?:a|b)*a(?:a|b){${i % 90}}c` } } })),
    { a: noise("ab", 9_000) },
  ],
  "many with values": [many(500, (i) => ({ arguments: { a: { equals: [i] } } })), { a: many(15_000, () => 1) }],
};

const pure = (name: string, check: string, input: unknown, hostile: unknown = input): HostileInput => ({
  name,
  isPure: true,
  async send(gateway) {
    const { text } = await gateway.check(check, input);
    return { bytes: Math.min(bytesOf(hostile), MAX_BYTES), outcome: text.slice(0, 100) };
  },
});
const each = <T>(shapes: Readonly<Record<string, T>>, of: (name: string, shape: T) => HostileInput): HostileInput[] =>
  Object.entries(shapes).map(([name, shape]) => of(name, shape));

export const serverInputs: readonly HostileInput[] = [
  ...each(lists, (name, tools) => pure(`MCP list: ${name}`, "mcp-list", tools)),
  ...each(results, (name, result) => pure(`MCP result: ${name}`, "mcp-result", result)),
  ...each(paths, (name, [value, path]) => pure(`JSON path: ${name}`, "json-path", { value, path }, value)),
  ...each(toolResults, (name, text) => pure(`tool result: ${name}`, "tool-result", text)),
  ...each(plans, (name, [text, tools]) => pure(`plan: ${name}`, "plan", { text, tools }, text)),
  ...each(grants, (name, [given, args]) => pure(`grants: ${name}`, "grants", { grants: given, args }, args)),
  ...["<a ", "<!--", "```\n", "<div>", "</div>", "$$", "`", "<details ", "~~~\n", "> ```\n"].map((unit) =>
    pure(`markup: ${JSON.stringify(unit)}`, "markup", fill(unit, SIZE)),
  ),
  pure("DNS: names that point at names", "dns", dnsBytes()),
  ...["日本語", "a ", "aé日", "\u0301a"].map((unit) => pure(`search: ${unit}`, "search", fill(unit, SIZE))),
  pure(
    "sources: many",
    "sources",
    list((i) => ({ id: `s${i}`, type: "book", title: "t" })),
  ),
  pure("sources: many authors", "sources", [
    { id: "a", type: "book", author: many(1_200, () => ({ family: "F", given: "G" })) },
  ]),
];

/** Answers whose names are pointers to the one before: each would be read in full again. */
function dnsBytes(): number[] {
  const question = [1, 97, 7, ...Buffer.from("example"), 0, 0, 1, 0, 1];
  const bytes = [0, 0, 0x81, 0x80, 0, 1, 0x0f, 0xff, 0, 0, 0, 0, ...question];
  let last = 12;
  while (bytes.length < SIZE) {
    const at = bytes.length;
    bytes.push(1, 97, 0xc0 | (last >> 8), last & 0xff, 0, 5, 0, 1, 0, 0, 0, 0, 0, 2, 0xc0 | (last >> 8), last & 0xff);
    last = at < 0x3f00 ? at : last;
  }
  return bytes;
}
