/**
 * Finds arguments that represent all that a call can have: one for each way in which they meet the tool's conditions. Pure.
 *
 * Read exactly: objects of scalars with `type`, `enum`, `const`, bounds and lengths. Between two adjacent bounds all
 * values behave alike. A schema with any other keyword is not read; then callers must suppose more.
 */
import { isObject, memberOf } from "../../lib/json/json-value.ts";
import type { WorkBudget } from "../../lib/work-budget.ts";
import { compileSchema } from "../arguments/argument-schema.ts";
import { sampleArguments, sampleValue } from "./sample-values.ts";

type Arguments = Readonly<Record<string, unknown>>;

const words = ["$schema", "title", "description", "default", "examples", "type", "$comment"];
const objectKeywords: ReadonlySet<string> = new Set([...words, "properties", "required"]);
const scalarKeywords: ReadonlySet<string> = new Set([
  ...[...words, "enum", "const", "minLength", "maxLength"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
]);

/** Whether the cases cover all arguments that the schema distinguishes. */
export function isReadable(schema: unknown): boolean {
  if (schema === true) return true;
  if (!isObject(schema) || !Object.keys(schema).every((key) => objectKeywords.has(key))) return false;
  if (schema.type !== undefined && schema.type !== "object") return false;
  return Object.values(isObject(schema.properties) ? schema.properties : {}).every(
    (one) => one === true || (isObject(one) && isReadableScalar(one)),
  );
}

const isReadableScalar = (schema: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(schema).every((key) => scalarKeywords.has(key)) &&
  [schema.minLength, schema.maxLength].every((length) => length === undefined || Number(length) <= LONGEST);

/** As a tool's own schema, which may also refuse arguments that it does not list. */
export const isReadableSchema = (schema: unknown): boolean => {
  if (!isObject(schema)) return schema === undefined || schema === true;
  const { additionalProperties, ...rest } = schema;
  return (additionalProperties === undefined || typeof additionalProperties === "boolean") && isReadable(rest);
};

const LONGEST = 10_000;
const MAX_PRODUCT = 2_000;

/** Absent: the argument is left out. */
const ABSENT = Symbol("absent");

export interface ArgumentCases {
  readonly cases: readonly Arguments[];
  /** No case is missing. */
  readonly whole: boolean;
}

/**
 * @param parameters of the tool; undefined: any.
 * @param conditions the schemas that distinguish arguments.
 */
export function argumentCases(parameters: unknown, conditions: readonly unknown[], work: WorkBudget): ArgumentCases {
  const full = sampleArguments(parameters);
  const least = Object.fromEntries(
    Object.entries(full).filter(([name]) => (memberOf(parameters, "required") as readonly unknown[])?.includes?.(name)),
  );
  const isValid = parameters === undefined ? () => true : matcherOf(parameters, work);
  if (conditions.length === 0) {
    const cases = [full, least].filter(isValid);
    return { cases, whole: cases.length > 0 };
  }
  const whole = isReadableSchema(parameters) && conditions.every(isReadable);
  const choices = choicesOf(parameters, conditions, work);
  const product = choices.reduce((count, { values }) => count * values.length, 1);
  const found = new Map<string, Arguments>();
  const matchers = conditions.map((condition) => matcherOf(condition, work));
  const keep = (args: Arguments): void => {
    if (!isValid(args)) return;
    const met = matchers.map((matches) => matches(args));
    const key = met.join();
    if (!found.has(key)) found.set(key, args);
  };
  for (const args of product <= MAX_PRODUCT ? allOf(full, choices) : oneByOne(full, choices)) keep(args);
  keep(least);
  return { cases: [...found.values()], whole: whole && product <= MAX_PRODUCT && found.size > 0 };
}

/** To look up a schema costs more than to validate with it. */
export function matcherOf(schema: unknown, work: WorkBudget): (args: unknown) => boolean {
  const compiled = compileSchema(schema, work);
  if (!compiled.ok) return () => false;
  return (args) => {
    const result = compiled.value.matches(args, work);
    return result.ok && result.value;
  };
}

interface Choice {
  readonly name: string;
  readonly values: readonly unknown[];
}

/** For each argument that a condition names, one value for each way in which it meets their schemas. */
function choicesOf(parameters: unknown, conditions: readonly unknown[], work: WorkBudget): readonly Choice[] {
  const named = conditions.flatMap((one) => [
    ...Object.keys((memberOf(one, "properties") as object) ?? {}),
    ...(((memberOf(one, "required") as readonly string[]) ?? []).filter((name) => typeof name === "string") ?? []),
  ]);
  return [...new Set(named)].map((name) => {
    const schemas = [parameters, ...conditions].flatMap((one) => {
      const schema = memberOf(memberOf(one, "properties"), name);
      return schema === undefined ? [] : [schema];
    });
    const byMatch = new Map<string, unknown>();
    const matchers = schemas.map((schema) => matcherOf(schema, work));
    for (const value of candidates(name, schemas)) {
      const key = matchers.map((matches) => matches(value)).join();
      if (!byMatch.has(key)) byMatch.set(key, value);
    }
    return { name, values: [...byMatch.values(), ABSENT] };
  });
}

function candidates(name: string, schemas: readonly unknown[]): readonly unknown[] {
  const list = (key: string) => schemas.map((schema) => memberOf(schema, key)).filter((one) => one !== undefined);
  const numbers = (keys: readonly string[]) =>
    [...new Set(keys.flatMap(list).filter((one): one is number => typeof one === "number"))].sort((a, b) => a - b);
  const bounds = numbers(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]);
  const lengths = numbers(["minLength", "maxLength"]).flatMap((length) => [length - 1, length, length + 1]);
  return [
    ...schemas.map((schema) => sampleValue(name, schema)),
    ...bounds.flatMap((bound) => [bound - 1, Math.floor(bound), bound, bound + 0.5, Math.ceil(bound), bound + 1]),
    ...bounds.flatMap((bound, at) => {
      const next = bounds[at + 1];
      return next === undefined ? [] : [(bound + next) / 2, Math.floor((bound + next) / 2), Math.floor(bound) + 1];
    }),
    ...lengths.filter((length) => length >= 0 && length <= LONGEST + 1).map((length) => "x".repeat(length)),
    ...list("enum").flatMap((values) => (Array.isArray(values) ? values : [])),
    ...list("const"),
    ...["A-1042", 7, 7.5, true, false, null, [], {}],
  ];
}

function* allOf(base: Arguments, choices: readonly Choice[], at = 0): Generator<Arguments> {
  const choice = choices[at];
  if (choice === undefined) {
    yield base;
    return;
  }
  for (const value of choice.values) yield* allOf(withValue(base, choice.name, value), choices, at + 1);
}

function* oneByOne(base: Arguments, choices: readonly Choice[]): Generator<Arguments> {
  yield base;
  for (const { name, values } of choices) for (const value of values) yield withValue(base, name, value);
}

function withValue(base: Arguments, name: string, value: unknown): Arguments {
  if (value !== ABSENT) return { ...base, [name]: value };
  return Object.fromEntries(Object.entries(base).filter(([key]) => key !== name));
}

/** One of each built-in set of patterns. */
const injected = [
  ...[
    "../../etc/passwd",
    "ignore all previous instructions",
    "x' OR '1'='1",
    "; rm -rf /",
    "<script>alert(1)</script>",
  ],
];

/** The same arguments with a text that looks like an attack, if the schema takes one. */
export function injectedCases(parameters: unknown, base: Arguments, work: WorkBudget): readonly Arguments[] {
  const isValid = parameters === undefined ? () => true : matcherOf(parameters, work);
  const names = [...Object.keys(base).filter((name) => typeof base[name] === "string"), "a_text"];
  return names.flatMap((name) => injected.map((text) => ({ ...base, [name]: text })).filter(isValid));
}
