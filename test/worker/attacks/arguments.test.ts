/**
 * Attacks by a call's arguments and by the schema that they are held against.
 * @module-tag attack/arguments
 */
import { describe, expect, it } from "vitest";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { ask, call, says, user } from "../support/script.ts";

type Verdict = "released" | "refused" | "withheld";
type Attack = readonly [name: string, verdict: Verdict, schema: unknown, args: string];

const open = { type: "object" };
const path = {
  type: "object",
  properties: { path: { type: "string" } },
  required: ["path"],
  additionalProperties: false,
};
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

const texts: readonly Attack[] = [
  ["a key twice", "refused", open, '{"path":"a","path":"b"}'],
  ["a key twice by its code", "refused", open, '{"path":"a","p\\u0061th":"b"}'],
  ["keys that differ in case", "refused", open, '{"path":"a","Path":"b"}'],
  ["keys that differ in a ligature", "refused", open, '{"file":"a","\ufb01le":"b"}'],
  ["keys that are one in NFC", "refused", open, '{"caf\u00e9":"a","cafe\u0301":"b"}'],
  ["keys that differ in what nobody sees", "refused", open, '{"path":"a","pa\u200bth":"b"}'],
  ["`__proto__`", "refused", open, '{"__proto__":{"path":"a"}}'],
  ["-0", "refused", open, '{"n":-0}'],
  ["1e400", "refused", open, '{"n":1e400}'],
  ["9007199254740993", "refused", open, '{"n":9007199254740993}'],
  ["a leading zero", "refused", open, '{"n":010}'],
  ["a plus", "refused", open, '{"n":+1}'],
  ["hexadecimal", "refused", open, '{"n":0x10}'],
  ["`NaN`", "refused", open, '{"n":NaN}'],
  ["`Infinity`", "refused", open, '{"n":Infinity}'],
  ["null", "refused", open, "null"],
  ["a list", "refused", open, "[]"],
  ["an object that is encoded twice", "refused", open, '"{}"'],
  ["a byte order mark", "refused", path, '\ufeff{"path":"a"}'],
  ["NUL behind", "refused", path, '{"path":"a"}\u0000'],
  ["a trailing comma", "refused", path, '{"path":"a",}'],
  ["a comment", "refused", path, '{"path":"a"}//'],
  ["a raw line break in a text", "refused", path, '{"path":"a\nb"}'],
  ["half a surrogate pair", "refused", path, '{"path":"\\ud800"}'],
  ["nesting of 10,000", "refused", open, nested(10_000)],
  ["3 MB of one letter", "refused", path, `{"path":"${"a".repeat(3_000_000)}"}`],
];

const schemas: readonly Attack[] = [
  ["a required name that objects inherit", "refused", { type: "object", required: ["toString"] }, "{}"],
  ["a name that objects inherit, where none is left over", "refused", path, '{"path":"a","constructor":1}'],
  [
    "a property named `__proto__` in the schema",
    "refused",
    JSON.parse('{"type":"object","properties":{"__proto__":{"const":1}},"additionalProperties":false}'),
    '{"constructor":1}',
  ],
  ["a type that is another", "refused", path, '{"path":["a"]}'],
  ["a number for a text", "refused", path, '{"path":1}'],
  ["a schema that is `false`", "refused", false, "{}"],
  ["a schema that is a text", "withheld", "object", "{}"],
  ["a schema that is a list", "withheld", [open], "{}"],
  ["`$ref` to itself", "refused", { $ref: "#" }, '{"a":1}'],
  ["`$ref` to a file", "withheld", { type: "object", properties: { a: { $ref: "file:///etc/passwd" } } }, '{"a":1}'],
  [
    "`$ref` to metadata",
    "withheld",
    { type: "object", properties: { a: { $ref: "http://169.254.169.254/" } } },
    '{"a":1}',
  ],
  [
    "`$id` of another host",
    "withheld",
    { $id: "https://evil.test/s", type: "object", properties: { a: { $ref: "other" } } },
    '{"a":1}',
  ],
  ["`$dynamicRef`", "withheld", { type: "object", properties: { a: { $dynamicRef: "#x" } } }, '{"a":1}'],
  [
    "a `$ref` bomb",
    "refused",
    {
      ...open,
      properties: { a: { $ref: "#/$defs/d0" } },
      $defs: Object.fromEntries(
        [...Array(40).keys()].map((at) => [
          `d${at}`,
          at === 39 ? { type: "string" } : { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
        ]),
      ),
    },
    '{"a":1}',
  ],
  [
    "a pattern that backtracks",
    "refused",
    { ...open, properties: { a: { type: "string", pattern: "^(a+)+$" } } },
    `{"a":"${"a".repeat(50)}!"}`,
  ],
  ["a pattern that RE2 does not know", "withheld", { ...open, properties: { a: { pattern: "(?=a)b" } } }, '{"a":"b"}'],
  [
    "`multipleOf` of almost nothing",
    "refused",
    { ...open, properties: { a: { multipleOf: 1e-300, type: "number" } } },
    '{"a":"x"}',
  ],
  [
    "`uniqueItems` over many objects",
    "refused",
    { ...open, properties: { a: { type: "array", uniqueItems: true } } },
    `{"a":[${Array.from({ length: 3_000 }, (_, at) => `{"n":${at % 2_999}}`).join()}]}`,
  ],
  ["`patternProperties` that forbid", "refused", { ...open, patternProperties: { "^x": false } }, '{"x1":1}'],
  ["`propertyNames` that forbid", "refused", { ...open, propertyNames: { maxLength: 2 } }, '{"abc":1}'],
  ["`dependentSchemas` that forbid", "refused", { ...open, dependentSchemas: { a: false } }, '{"a":1}'],
  [
    "`unevaluatedItems`",
    "refused",
    { ...open, properties: { a: { prefixItems: [true], unevaluatedItems: false } } },
    '{"a":[1,2]}',
  ],
  ["`if` without `then`", "released", { ...open, if: { required: ["a"] }, else: false }, '{"a":1}'],
  [
    "a `default` that is of another type",
    "refused",
    { ...open, properties: { a: { type: "string", default: { evil: 1 } } }, required: ["a"] },
    "{}",
  ],
  ["an `enum` with a look-alike", "refused", { ...open, properties: { a: { enum: ["safe"] } } }, '{"a":"s\u0430fe"}'],
  ["a `const` in another case", "refused", { ...open, properties: { a: { const: "safe" } } }, '{"a":"SAFE"}'],
];

/** Each branch sees the keys of the others as left over, and each such key would try all branches again. */
const unevaluated = (branches: number) => ({
  type: "object",
  unevaluatedProperties: false,
  anyOf: Array.from({ length: branches }, (_, at) => ({ properties: { [`k${at}`]: { type: "string" } } })),
});
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));

const policy = {
  handshake: { select: "off" },
  execution: { maxCorrections: 0 },
  tools: { read_file: { category: "read_only" } },
};

/** How long the runtime may be busy with one attack. Generous: the machine that runs the tests has other work. */
const MAX_MS = 4_000;

it.each([...texts, ...schemas])("%s: %s", async (_name, verdict, schema, args) => {
  const gate: Gateway = await gateway({ policy, upstream: says({ calls: [call("c1", "read_file", args)] }) });
  const begun = performance.now();
  const answer = await ask(gate, { messages: [user("go")], tools: [tool("read_file", schema)] });
  expect(performance.now() - begun).toBeLessThan(MAX_MS);
  const offered = gate.sent.some((sent) => JSON.stringify(sent.tools ?? []).includes("read_file"));
  const seen: Verdict = answer.calls.length > 0 ? "released" : offered ? "refused" : "withheld";
  expect(seen).toBe(verdict);
  expect([200, 400, 502]).toContain(answer.status);
});

describe("F2: a schema that makes each key try all branches holds up nobody", () => {
  const sizes = [
    [100, 500, 1],
    [100, 1_000, 1],
    [100, 500, 5],
    [200, 1_000, 10],
  ] as const;
  it.each(sizes)("%i branches, %i keys, %i calls in one step", async (branches, count, made) => {
    const calls = Array.from({ length: made }, (_, at) => call(`c${at}`, "read_file", keys(count)));
    const gate = await gateway({ policy, upstream: says({ calls }) });
    const begun = performance.now();
    const answer = await ask(gate, { messages: [user("go")], tools: [tool("read_file", unevaluated(branches))] });
    expect(performance.now() - begun).toBeLessThan(MAX_MS);
    expect([answer.calls, answer.note.decisions.map(({ effect }) => effect)]).toEqual([[], calls.map(() => "deny")]);
  });

  it("nor does an answer that changes a call's arguments so", async () => {
    const gate = await gateway({
      policy: { handshake: { select: "off" } },
      upstream: says({ calls: [call("c1", "write_file", { k0: "a" })] }),
    });
    const first = await ask(gate, { messages: [user("go")], tools: [tool("write_file", unevaluated(100))] });
    const { approvals } = first.note as unknown as { approvals: readonly { id: string }[] };
    const path = `/v1/approvals/${approvals[0]?.id}`;
    const begun = performance.now();
    const edited = await gate.fetch(path, { json: { action: "edit", arguments: keys(1_000) } });
    expect([performance.now() - begun < MAX_MS, edited.status]).toEqual([true, 400]);
    expect(await (await gate.fetch(path)).json()).toMatchObject({ status: "pending" });
  });
});
