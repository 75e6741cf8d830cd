/**
 * Keywords that replace those of json-schema-library. Pure.
 *
 * Its own make native regular expressions from the schema (exponential on a hostile pattern), look names up along the
 * prototype (`constructor` is then a known property), let `_id` pass `additionalProperties: false`, compare objects by
 * the order of their keys, and compile what a `$ref` names anew for each value.
 */
import type { JsonSchemaValidatorParams, Keyword, SchemaNode, ValidationReturnType } from "json-schema-library";
import { canonicalJson } from "../lib/canonical-json.ts";
import { compilePattern, type LinearPattern } from "./linear-pattern.ts";
import { pointer as pointerOf } from "./policy-issue.ts";
import { type AdmittedSchema, resolveRef } from "./schema-admission.ts";
import { spend } from "./schema-budget.ts";

type Params = JsonSchemaValidatorParams;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const child = (pointer: string, key: string) => `${pointer}${pointerOf([key])}`;

const check = (node: SchemaNode, value: unknown, pointer: string, path: Params["path"]): ValidationReturnType =>
  node.validate(value, pointer, path).errors;

function invalidSchema(node: SchemaNode, keyword: string, message: string) {
  const data = { pointer: `${node.schemaLocation}/${keyword}`, schema: {}, value: undefined };
  return node.createError("schema-error", data, message);
}

function fault(node: SchemaNode, code: string, pointer: string, data: Record<string, unknown> = {}) {
  return node.createError(code, { pointer, schema: {}, value: undefined, ...data });
}

/** The library's other keywords only ever call `test` on what it types as a RegExp. */
const asRegExp = (pattern: LinearPattern) => pattern as unknown as RegExp;

const pattern: Keyword<"pattern"> = {
  id: "pattern",
  keyword: "pattern",
  parse(node) {
    const source: unknown = node.schema.pattern;
    if (typeof source !== "string") return invalidSchema(node, "pattern", "`pattern` must be a string");
    const compiled = compilePattern(source);
    if (!compiled.ok) return invalidSchema(node, "pattern", `its pattern is not supported (${compiled.error})`);
    node.pattern = asRegExp(compiled.value);
  },
  addValidate: (node) => node.pattern !== undefined,
  validate({ node, data, pointer }) {
    if (typeof data !== "string" || node.pattern.test(data)) return undefined;
    return fault(node, "pattern-error", pointer, { pattern: node.schema.pattern });
  },
};

const patternProperties: Keyword = {
  id: "patternProperties",
  keyword: "patternProperties",
  parse(node) {
    const compiled: NonNullable<SchemaNode["patternProperties"]> = [];
    for (const [source, part] of Object.entries(node.schema.patternProperties as Record<string, AdmittedSchema>)) {
      const one = compilePattern(source);
      const at = `patternProperties${pointerOf([source])}`;
      if (!one.ok) return invalidSchema(node, at, `its pattern is not supported (${one.error})`);
      const partNode = node.compileSchema(part, `${node.evaluationPath}/${at}`, `${node.schemaLocation}/${at}`);
      compiled.push({ name: source, pattern: asRegExp(one.value), node: partNode });
    }
    node.patternProperties = compiled;
    return compiled.flatMap((one) => one.node.schemaValidation ?? []);
  },
  addValidate: (node) => node.patternProperties !== undefined,
  validate({ node, data, pointer, path }) {
    if (!isRecord(data)) return undefined;
    return Object.entries(data).flatMap(([key, value]) =>
      (node.patternProperties ?? []).flatMap((one) => {
        spend(1 + key.length / 64);
        return one.pattern.test(key) ? check(one.node, value, child(pointer, key), path) : [];
      }),
    );
  },
};

const properties: Keyword = {
  id: "properties",
  keyword: "properties",
  parse(node) {
    const compiled: Record<string, SchemaNode> = Object.create(null);
    for (const [name, part] of Object.entries(node.schema.properties as Record<string, AdmittedSchema>)) {
      const at = `properties${pointerOf([name])}`;
      compiled[name] = node.compileSchema(part, `${node.evaluationPath}/${at}`, `${node.schemaLocation}/${at}`);
    }
    node.properties = compiled;
    return Object.values(compiled).flatMap((one) => one.schemaValidation ?? []);
  },
  addResolve: (node) => node.properties !== undefined,
  resolve: ({ node, key }) => node.properties?.[key],
  addValidate: (node) => node.properties !== undefined,
  validate({ node, data, pointer, path }) {
    if (!isRecord(data)) return undefined;
    return Object.entries(data).flatMap(([key, value]) => {
      const property = node.properties?.[key];
      return property ? check(property, value, child(pointer, key), path) : [];
    });
  },
};

const additionalProperties: Keyword = {
  id: "additionalProperties",
  keyword: "additionalProperties",
  order: -10,
  parse(node) {
    const part = node.schema.additionalProperties as AdmittedSchema;
    const at = "additionalProperties";
    node.additionalProperties = node.compileSchema(
      part,
      `${node.evaluationPath}/${at}`,
      `${node.schemaLocation}/${at}`,
    );
    return node.additionalProperties.schemaValidation;
  },
  addResolve: (node) => node.additionalProperties !== undefined,
  resolve: ({ node, key }) => (isAdditional(node, `${key}`) ? node.additionalProperties : undefined),
  addValidate: (node) => node.additionalProperties !== undefined,
  validate({ node, data, pointer, path }) {
    if (!isRecord(data)) return undefined;
    return Object.entries(data).flatMap(([key, value]) => {
      if (!node.additionalProperties || !isAdditional(node, key)) return [];
      if (node.schema.additionalProperties !== false) {
        return check(node.additionalProperties, value, child(pointer, key), path);
      }
      return [fault(node, "no-additional-properties-error", child(pointer, key))];
    });
  },
};

function isAdditional(node: SchemaNode, key: string): boolean {
  spend(1 + (node.patternProperties?.length ?? 0));
  return node.properties?.[key] === undefined && !node.patternProperties?.some((one) => one.pattern.test(key));
}

/** Canonical texts, so that neither the order of keys nor a quadratic comparison plays a part. */
const constant: Keyword = {
  id: "const",
  keyword: "const",
  addValidate: (node) => Object.hasOwn(node.schema, "const"),
  validate({ node, data, pointer }) {
    if (canonicalJson(data) === canonicalJson(node.schema.const)) return undefined;
    return fault(node, "const-error", pointer, { expected: node.schema.const });
  },
};

const allowed = new WeakMap<SchemaNode, ReadonlySet<string>>();

const enumeration: Keyword = {
  id: "enum",
  keyword: "enum",
  parse(node) {
    const values: unknown = node.schema.enum;
    if (!Array.isArray(values)) return invalidSchema(node, "enum", "`enum` must be a list");
    node.enum = values;
    allowed.set(node, new Set(values.map((value) => canonicalJson(value))));
  },
  addValidate: (node) => node.enum !== undefined,
  validate({ node, data, pointer }) {
    if (allowed.get(node)?.has(canonicalJson(data))) return undefined;
    return fault(node, "enum-error", pointer, { values: node.enum });
  },
};

const uniqueItems: Keyword = {
  id: "uniqueItems",
  keyword: "uniqueItems",
  addValidate: (node) => node.schema.uniqueItems === true,
  validate({ node, data, pointer }) {
    if (!Array.isArray(data)) return undefined;
    const texts = new Set(data.map((item) => canonicalJson(item)));
    return texts.size === data.length ? undefined : fault(node, "unique-items-error", pointer);
  },
};

/** What a `$ref` names, compiled once a schema. Held by the root node, so that it goes when the schema goes. */
const targets = new WeakMap<SchemaNode, Map<string, SchemaNode>>();

function refTarget(node: SchemaNode): SchemaNode {
  const ref: unknown = node.schema.$ref;
  if (typeof ref !== "string") return node;
  const root = node.context.rootNode;
  const held = targets.get(root) ?? new Map<string, SchemaNode>();
  targets.set(root, held);
  const known = held.get(ref);
  if (known) return known;
  const schema = ref === "#" ? undefined : resolveRef(root.schema, ref);
  if (ref !== "#" && schema === undefined) throw new Error(`$ref ${ref} leads nowhere`);
  const target = schema === undefined ? root : root.compileSchema(schema, ref, ref);
  held.set(ref, target);
  return target;
}

/** What is being checked now: the same `$ref` at the same place again would never end. */
const open = new Set<string>();

const reference: Keyword = {
  id: "$ref",
  keyword: "$ref",
  order: 10,
  // Other keywords ask every node for what it refers to.
  parse(node) {
    node.resolveRef = () => refTarget(node);
  },
  addValidate: (node) => node.schema.$ref !== undefined,
  validate({ node, data, pointer, path }) {
    const here = `${String(node.schema.$ref)} ${pointer}`;
    if (open.has(here)) throw new Error("the schema's $ref leads back to itself");
    open.add(here);
    try {
      return check(refTarget(node), data, pointer, path);
    } finally {
      open.delete(here);
    }
  },
};

export const replacedKeywords: readonly Keyword[] = [
  pattern as Keyword,
  patternProperties,
  properties,
  additionalProperties,
  constant,
  enumeration,
  uniqueItems,
  reference,
];
