/** Tools' schemas and the arguments of their calls: for each keyword the worst shapes that are known. */

import { bytesOf, fill, type HostileInput, MAX_BYTES, noise } from "./hostile-input.ts";
import { outcomeOf } from "./outcome.ts";

type Json = unknown;

interface Shape {
  readonly schema: Json;
  readonly args: Json;
  /** Calls of one step; absent: one. */
  readonly calls?: number;
}

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const object = (entries: readonly (readonly [string, Json])[]): Json => Object.fromEntries(entries);
const keys = (count: number, value: Json = 1): Json => object(times(count, (i) => [`k${i}`, value]));
const numbers = (count: number) => times(count, () => 1);
/** As many as fit into the bytes. */
const items = (item: Json): Json[] =>
  times(Math.floor((MAX_BYTES - 400) / (JSON.stringify(item).length + 1)), () => item);
const nested = (depth: number, inner: Json, wrap: (value: Json) => Json): Json => {
  let value = inner;
  for (let level = 0; level < depth; level += 1) value = wrap(value);
  return value;
};
const rows = (schema: Json) => ({ type: "object", properties: { rows: schema } });
const text = noise("ab", MAX_BYTES - 100);
const forms = (count: number, of: (index: number) => Json) => times(count, of);

/** Of two values of each item, and so of all items: exponential, were there no budget. */
const twice = {
  $defs: {
    a: {
      anyOf: [
        { properties: { x: { $ref: "#/$defs/a" } }, required: ["q"] },
        { properties: { x: { $ref: "#/$defs/a" } }, required: ["r"] },
      ],
    },
  },
  $ref: "#/$defs/a",
};

const shapes: Readonly<Record<string, Shape>> = {
  "anyOf of properties under unevaluatedProperties, 100 x 500": {
    schema: {
      type: "object",
      unevaluatedProperties: false,
      anyOf: forms(100, (i) => ({ properties: { [`k${i}`]: { type: "string" } } })),
    },
    args: keys(500),
  },
  "anyOf of properties under unevaluatedProperties, 100 x 1000": {
    schema: {
      type: "object",
      unevaluatedProperties: false,
      anyOf: forms(100, (i) => ({ properties: { [`k${i}`]: { type: "string" } } })),
    },
    args: keys(1_000),
  },
  "anyOf of properties under unevaluatedProperties, five calls": {
    schema: {
      type: "object",
      unevaluatedProperties: false,
      anyOf: forms(100, (i) => ({ properties: { [`k${i}`]: { type: "string" } } })),
    },
    args: keys(500),
    calls: 5,
  },
  "anyOf of properties that hold, under unevaluatedProperties": {
    schema: {
      unevaluatedProperties: false,
      anyOf: forms(700, (i) => ({ properties: object(times(3, (j) => [`k${i * 3 + j}`, {}])) })),
    },
    args: keys(5_000),
  },
  "nested unevaluatedProperties": {
    schema: nested(45, { properties: object(times(500, (i) => [`k${i}`, {}])) }, (part) => ({
      unevaluatedProperties: false,
      allOf: [part, {}],
    })),
    args: keys(4_000),
  },
  "unevaluatedItems after contains and prefixItems": {
    schema: rows({
      unevaluatedItems: { type: "string" },
      allOf: forms(300, () => ({ contains: { type: "integer" } })),
      prefixItems: forms(500, () => ({})),
    }),
    args: { rows: items(1) },
  },
  "names that fold to longer ones": {
    schema: { type: "object" },
    args: object(times(40, (i) => [`${"\ufdfa".repeat(500)}${i}`, {}])),
  },
  "names in capitals of other scripts": {
    schema: { type: "object" },
    args: object(times(4_000, (i) => [`\u0130\u03a3\u00df${i}`, 1])),
  },
  "properties, many": {
    schema: { properties: object(times(2_000, (i) => [`k${i}`, { type: "integer" }])) },
    args: keys(6_000),
  },
  "properties in every one of many branches": {
    schema: { oneOf: forms(400, (i) => ({ properties: { k0: { const: i } }, additionalProperties: false })) },
    args: keys(6_000),
  },
  "patternProperties, many patterns and names": {
    schema: { patternProperties: object(times(400, (i) => [`^(a|b|k)*${i}$`, { type: "integer" }])) },
    args: keys(5_000),
  },
  "patternProperties, long names": {
    schema: {
      patternProperties: object(times(30, (i) => [`(a|b)*a(a|b){${i + 5}}$`, {}])),
      additionalProperties: false,
    },
    args: object(times(30, (i) => [noise("ab", 2_000, i + 1), 1])),
  },
  "additionalProperties that refer to the whole": {
    schema: { additionalProperties: { $ref: "#" }, propertyNames: { pattern: "^[a-z]*$" } },
    args: nested(90, keys(4_000, {}), (value) => ({ a: value })),
  },
  "propertyNames with a large enum": {
    schema: {
      propertyNames: { enum: times(5_000, (i) => `k${i}`) },
      allOf: forms(200, () => ({ propertyNames: { maxLength: 9 } })),
    },
    args: keys(5_000),
  },
  "required, long lists": {
    schema: { allOf: forms(20, () => ({ required: times(400, (i) => `k${i}`) })) },
    args: keys(5_000),
  },
  "dependentRequired and dependentSchemas": {
    schema: {
      dependentRequired: object(times(300, (i) => [`k${i}`, times(8, (j) => `k${j}`)])),
      dependentSchemas: object(times(300, (i) => [`k${i}`, { minProperties: 1, required: ["k0"] }])),
    },
    args: keys(6_000),
  },
  "minProperties in many branches": {
    schema: { allOf: forms(3_000, () => ({ minProperties: 1 })) },
    args: keys(6_000),
  },
  "pattern whose states explode": { schema: { properties: { t: { pattern: "a(?:a|b){450}c?$" } } }, args: { t: text } },
  "pattern of two thousand parts": {
    schema: { properties: { t: { pattern: ".{0,900}b.{0,90}$" } } },
    args: { t: text },
  },
  "pattern of nested quantifiers": {
    schema: { properties: { t: { pattern: "^(((a*)*b*)*)*c$" } } },
    args: { t: text },
  },
  "pattern of Unicode classes": {
    schema: { properties: { t: { pattern: "(?i)[\\p{L}\\p{N}]{300}1$" } } },
    args: { t: noise("日本語のテキストを書くaé", 20_000) },
  },
  "patterns, many, on one text": {
    schema: { properties: { t: { allOf: forms(600, (i) => ({ pattern: `^[a-c]*(?:x${i})?[a-c]*$` })) } } },
    args: { t: text },
  },
  "patterns that are large to compile": {
    schema: { properties: object(times(1_800, (i) => [`k${i}`, { pattern: `.{9${i % 100}}` }])) },
    args: {},
  },
  "patterns of classes that are large to compile": {
    schema: { properties: object(times(1_300, (i) => [`k${i}`, { pattern: `(?i)[\\p{L}\\P{Lu}x${i}]` }])) },
    args: {},
  },
  "patterns that are refused": {
    schema: { properties: object(times(30, (i) => [`k${i}`, { pattern: fill(`[[:${i}`, 1_990) }])) },
    args: {},
  },
  "enum of texts, in many branches": {
    schema: rows({ items: { anyOf: forms(100, (i) => ({ enum: times(40, (j) => `e${i}-${j}`) })) } }),
    args: { rows: items("x") },
  },
  "enum of objects, against many objects": {
    schema: rows({ items: { anyOf: forms(200, (i) => ({ enum: [{ a: i }, { b: [i] }] })) } }),
    args: { rows: items({ a: { b: [1] } }) },
  },
  "const of a large object, in many branches": {
    schema: rows({ allOf: forms(1_500, () => ({ not: { const: { a: 1 } } })) }),
    args: { rows: items({ a: 1 }) },
  },
  "uniqueItems of many": { schema: rows({ uniqueItems: true }), args: { rows: times(10_000, (i) => i) } },
  "uniqueItems of objects": { schema: rows({ uniqueItems: true }), args: { rows: times(5_000, (i) => ({ i })) } },
  "uniqueItems at each level": {
    schema: {
      $defs: { a: { uniqueItems: true, items: { $ref: "#/$defs/a" } } },
      properties: { rows: { $ref: "#/$defs/a" } },
    },
    args: { rows: nested(90, items({ a: 1 }), (value) => [value]) },
  },
  "items, each against many branches": {
    schema: rows({ items: { oneOf: forms(300, (i) => ({ minimum: i, maximum: i })) } }),
    args: { rows: items(7) },
  },
  "contains, counted in many branches": {
    schema: rows({ allOf: forms(600, () => ({ contains: { minimum: 2 }, minContains: 0 })) }),
    args: { rows: numbers(30_000) },
  },
  "maxItems in many branches": {
    schema: rows({ allOf: forms(3_000, () => ({ maxItems: 99_999 })) }),
    args: { rows: numbers(30_000) },
  },
  "maxProperties in many branches": {
    schema: { allOf: forms(2_500, () => ({ maxProperties: 9_999 })) },
    args: keys(6_000),
  },
  "exclusive bounds in many branches": {
    schema: rows({ items: { allOf: forms(1_200, () => ({ exclusiveMinimum: 0, exclusiveMaximum: 9 })) } }),
    args: { rows: items(1) },
  },
  "dynamic references that lead back": {
    schema: {
      $defs: { a: { $dynamicAnchor: "a", allOf: forms(8, () => ({ $dynamicRef: "#a" })) } },
      $ref: "#/$defs/a",
    },
    args: {},
  },
  "minItems in many branches": {
    schema: rows({ allOf: forms(3_000, () => ({ minItems: 1 })) }),
    args: { rows: numbers(30_000) },
  },
  "branches that double at each level": { schema: twice, args: nested(90, {}, (value) => ({ x: value })) },
  "a reference that leads back": {
    schema: { $defs: { a: { allOf: forms(8, () => ({ $ref: "#/$defs/a" })) } }, $ref: "#/$defs/a" },
    args: {},
  },
  "not, if, then and else, nested": {
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    schema: rows({ items: nested(5, { type: "string" }, (part) => ({ not: part, if: part, then: {}, else: {} })) }),
    args: { rows: items(1) },
  },
  "references, many": {
    schema: rows({ items: { $ref: "#/$defs/d0" }, ...{} }),
    args: { rows: items(1) },
  },
  "minLength of many characters beyond the plane": {
    schema: { properties: { t: { allOf: forms(2_000, () => ({ minLength: 12_000 })) } } },
    args: { t: fill("😀", MAX_BYTES - 100) },
  },
  "multipleOf of numbers far apart": {
    schema: rows({ items: { allOf: forms(50, (i) => ({ multipleOf: Number(`1.${i + 1}e-300`) })) } }),
    args: { rows: items(1.2345e300) },
  },
  "type lists": {
    schema: rows({ items: { allOf: forms(600, () => ({ type: ["string", "integer"] })) } }),
    args: { rows: items(1) },
  },
  "minimum in many branches": {
    schema: rows({ items: { allOf: forms(1_500, () => ({ minimum: 0, maximum: 9 })) } }),
    args: { rows: items(1) },
  },
  "defaults in each of many rows": {
    schema: rows({ items: { properties: object(times(2_000, (i) => [`p${i}`, { default: i }])) } }),
    args: { rows: items({}) },
  },
  "defaults behind references": {
    schema: {
      $defs: object(times(45, (i) => [`d${i}`, { allOf: forms(45, (j) => ({ $ref: `#/$defs/d${(i + j) % 45}` })) }])),
      ...rows({ items: { $ref: "#/$defs/d0" } }),
    },
    args: { rows: items({}) },
  },
  "a schema of many parts": { schema: { properties: object(times(4_000, (i) => [`k${i}`, {}])) }, args: keys(6_000) },
  "a deep schema": {
    schema: nested(45, {}, (part) => ({ properties: { a: part } })),
    args: nested(95, 1, (value) => ({ a: value })),
  },
  "deep arguments, many times": { schema: {}, args: { rows: items(nested(40, 1, (value) => [value])) } },
  "arguments of many small members": { schema: {}, args: keys(6_500) },
  "arguments of one text": { schema: {}, args: { t: text } },
  "arguments of escapes": { schema: {}, args: { t: fill("\u0001", 10_000) } },
  "arguments that look like attacks": {
    schema: {},
    args: { t: fill("curl wget base64 union select ../ <a onx ![](https://a?b= ", MAX_BYTES - 100) },
  },
  "arguments of many texts that look like attacks": { schema: {}, args: { rows: items("../%2e ignore all previ") } },
  "lines before and after an edit": {
    schema: {},
    args: {
      old_string: times(4_000, (i) => `${i % 7}`).join("\n"),
      new_string: times(4_000, (i) => `${i % 5}`).join("\n"),
    },
  },
};

/** 1,000 characters that are nearly of the format. */
const nearly: Readonly<Record<string, string>> = {
  date: "2026-01-31".repeat(100),
  time: `10:00:00.${"0".repeat(980)}x`,
  "date-time": `${"t".repeat(990)}`,
  duration: `P${"1".repeat(990)}x`,
  email: `${"a.".repeat(31)}a@${"a.".repeat(460)}-`,
  url: `http://${"a.".repeat(480)}^`,
  uuid: "0123abcd-".repeat(110),
  "json-pointer": `${"/~0".repeat(330)}~`,
  "relative-json-pointer": `${"1".repeat(990)}x`,
  regex: `${"(".repeat(300)}a${")*".repeat(300)}`,
};

for (const [format, value] of Object.entries(nearly)) {
  Object.assign(shapes, {
    [`format ${format}`]: {
      schema: rows({ items: { allOf: forms(400, () => ({ not: { format } })) } }),
      args: { rows: items(value) },
    },
  });
}

/** No handshake: the calls are vetted at once, and a person is asked. */
const ASKING = { handshake: { select: "off" }, detection: { layers: [] } };

const callInputs: readonly HostileInput[] = Object.entries(shapes).map(([name, { schema, args, calls = 1 }]) => ({
  name: `schema: ${name}`,
  prepare: (gateway, salt) => gateway.tenant(ASKING, salt),
  async send(gateway, salt, headers) {
    const parameters = { ...(schema as object), $comment: salt };
    const call = { name: "probe", arguments: JSON.stringify(args) };
    gateway.script({ calls: times(calls, () => call) });
    const body = {
      model: "m",
      stream: true,
      messages: [{ role: "user", content: `probe ${salt}` }],
      tools: [{ type: "function", function: { name: "probe", parameters } }],
    };
    const reply = await gateway.send("POST", "/v1/chat/completions", body, headers as Readonly<Record<string, string>>);
    const bytes = Math.max(bytesOf(parameters), bytesOf(call.arguments));
    return { bytes, outcome: outcomeOf(reply.text, reply.status) };
  },
}));

interface Asked {
  readonly headers: Readonly<Record<string, string>>;
  readonly id: string;
}

/** The same arguments as a person's edit of a call that waits. Where `{}` does not fit the schema, nothing waits. */
const editInputs: readonly HostileInput[] = Object.entries(shapes).map(([name, { schema, args }]) => ({
  name: `edit: ${name}`,
  async prepare(gateway, salt): Promise<Asked> {
    const headers = await gateway.tenant(ASKING, salt);
    gateway.script({ calls: [{ name: "probe", arguments: "{}" }] });
    const parameters = { ...(schema as object), $comment: salt };
    const body = {
      model: "m",
      messages: [{ role: "user", content: `probe ${salt}` }],
      tools: [{ type: "function", function: { name: "probe", parameters } }],
    };
    const reply = await gateway.send("POST", "/v1/chat/completions", body, {
      ...headers,
      "x-toolgate-approvals": "native",
    });
    const note = JSON.parse(reply.text) as { toolgate?: { approvals?: { id: string }[] } };
    return { headers, id: note.toolgate?.approvals?.[0]?.id ?? "none" };
  },
  async send(gateway, _salt, prepared) {
    const { headers, id } = prepared as Asked;
    const reply = await gateway.send("POST", `/v1/approvals/${id}`, { action: "edit", arguments: args }, headers);
    return { bytes: bytesOf(args), outcome: outcomeOf(reply.text, reply.status) };
  },
}));

export const schemaInputs: readonly HostileInput[] = [...callInputs, ...editInputs];
