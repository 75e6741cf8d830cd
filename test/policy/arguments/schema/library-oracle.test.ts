import fc from "fast-check";
import { compileSchema as compileOther, draft2020 } from "json-schema-library";
import { expect, test } from "vitest";
import { workBudget } from "../../../../src/lib/work-budget.ts";
import { compileSchema } from "../../../../src/policy/arguments/argument-schema.ts";

/**
 * Left out is what the other validator gets wrong by the official test suite: `unevaluated…`, `maxContains`, names that a prototype
 * has. `argument-schema.test.ts` has cases of those.
 */
type Schema = boolean | { readonly [keyword: string]: unknown };

const name = fc.constantFrom("a", "b", "c", "a/b", "~", "é");
const scalar = fc.constantFrom<unknown>(null, true, false, 0, 1, 2, 3, 1.5, -1, "", "a", "ab", "2026-01-31", "😀");
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { weight: 4, arbitrary: scalar },
    { weight: 2, arbitrary: fc.array(tie("value"), { maxLength: 4 }) },
    { weight: 3, arbitrary: fc.dictionary(name, tie("value"), { maxKeys: 4, noNullPrototype: true }) },
  ),
}));

/** Not 0: the other validator takes `maximum: 0` for no bound. */
const count = fc.integer({ min: 1, max: 3 });
const names = fc.array(name, { maxLength: 2 });
const types = fc.constantFrom("null", "boolean", "number", "integer", "string", "array", "object");
const pattern = fc.constantFrom("^a", "b$", "^[a-c]+$", ".");

type Keywords = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** What refers to other schemas takes them from `part`. */
const keywords = (part: fc.Arbitrary<Schema>, refs: Keywords): fc.Arbitrary<Schema> => {
  const parts = fc.array(part, { minLength: 1, maxLength: 3 });
  const known: Keywords = {
    type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
    enum: fc.array(value, { minLength: 1, maxLength: 3 }),
    const: value,
    minimum: count,
    maximum: count,
    exclusiveMinimum: count,
    exclusiveMaximum: count,
    multipleOf: fc.constantFrom(1, 2, 0.5),
    minLength: count,
    maxLength: count,
    pattern,
    format: fc.constantFrom("date", "uuid", "email", "unknown"),
    required: names,
    properties: fc.dictionary(name, part, { maxKeys: 3 }),
    patternProperties: fc.dictionary(pattern, part, { minKeys: 1, maxKeys: 2 }),
    additionalProperties: part,
    propertyNames: fc.record({ pattern }),
    minProperties: count,
    maxProperties: count,
    dependentRequired: fc.dictionary(name, names, { maxKeys: 2 }),
    dependentSchemas: fc.dictionary(name, part, { maxKeys: 2 }),
    prefixItems: parts,
    items: part,
    contains: part,
    minContains: count,
    uniqueItems: fc.boolean(),
    minItems: count,
    maxItems: count,
    allOf: parts,
    anyOf: parts,
    oneOf: parts,
    not: part,
    if: part,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: part,
    else: part,
    ...refs,
  };
  const one = fc.oneof(...Object.entries(known).map(([keyword, demands]) => demands.map((each) => [keyword, each])));
  return fc.array(one, { minLength: 1, maxLength: 3 }).map((entries) => Object.fromEntries(entries));
};

const schemas = (refs: Keywords): fc.Arbitrary<Schema> =>
  fc.letrec<{ schema: Schema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 1, arbitrary: fc.boolean() },
      { weight: 9, arbitrary: keywords(tie("schema"), refs) },
    ),
  })).schema;
/** Without references of its own: the other validator does not come back from some circles. */
const definition = schemas({});
const schema = schemas({ $ref: fc.constantFrom("#/$defs/one", "#/$defs/two") });

function fits(root: Schema, data: unknown): boolean {
  const compiled = compileSchema(root, workBudget());
  if (!compiled.ok) throw new Error(compiled.error);
  return compiled.value.validate(data, workBudget()).length === 0;
}

test("what_fits_is_what_another_validator_says_fits", () => {
  fc.assert(
    fc.property(schema, definition, definition, value, (root, one, two, data) => {
      const whole = typeof root === "boolean" ? root : { ...root, $defs: { one, two } };
      const other = compileOther(whole as object, { drafts: [draft2020] });
      expect(fits(whole, data)).toBe(other.validate(data).valid);
    }),
    { numRuns: 1_000 },
  );
});
