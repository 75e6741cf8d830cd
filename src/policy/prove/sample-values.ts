/** Makes a value that meets a schema, as a person might write it. Best effort: callers validate it. Pure. */
import { isObject, memberOf } from "../../lib/json/json-value.ts";

const MAX_DEPTH = 6;

/** Arguments of a call whose tool has no schema: one of each kind that an attacker wants to change. */
const USUAL = { id: "A-1042", to: "ada@example.org" } as const;

/** All that the schema lists. */
export function sampleArguments(schema: unknown): Readonly<Record<string, unknown>> {
  const properties = memberOf(schema, "properties");
  if (isObject(properties)) return sampleObject(schema, properties, 0);
  return memberOf(schema, "additionalProperties") === false ? {} : USUAL;
}

function sampleObject(schema: unknown, properties: object, depth: number): Readonly<Record<string, unknown>> {
  const required = memberOf(schema, "required");
  const entries = Object.entries(properties).filter(
    ([name]) => depth < 2 || (Array.isArray(required) && required.includes(name)),
  );
  return Object.fromEntries(entries.map(([name, one]) => [name, sampleValue(name, one, depth + 1)]));
}

export function sampleValue(name: string, schema: unknown, depth = 0): unknown {
  if (!isObject(schema) || depth > MAX_DEPTH) return textFor(name, undefined);
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  for (const keyword of ["anyOf", "oneOf", "allOf"]) {
    const parts = schema[keyword];
    if (Array.isArray(parts) && schema.type === undefined) return sampleValue(name, parts[0], depth + 1);
  }
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "number":
    case "integer":
      return sampleNumber(schema);
    case "boolean":
      return true;
    case "null":
      return null;
    case "array":
      return Array.from({ length: Math.max(1, numberIn(schema.minItems) ?? 1) }, () =>
        sampleValue(name, schema.items, depth + 1),
      );
    case "object":
      return isObject(schema.properties) ? sampleObject(schema, schema.properties, depth + 1) : {};
    default:
      return sampleText(name, schema);
  }
}

function sampleNumber(schema: Readonly<Record<string, unknown>>): number {
  const above = numberIn(schema.exclusiveMinimum);
  const least = numberIn(schema.minimum) ?? (above === undefined ? undefined : above + 1);
  const below = numberIn(schema.exclusiveMaximum);
  const most = numberIn(schema.maximum) ?? (below === undefined ? undefined : below - 1);
  const step = numberIn(schema.multipleOf) ?? 1;
  const value = Math.max(least ?? Number.NEGATIVE_INFINITY, Math.min(7, most ?? 7));
  return step > 0 ? Math.ceil(value / step) * step : value;
}

function sampleText(name: string, { format, minLength, maxLength }: Readonly<Record<string, unknown>>): string {
  const text = textFor(name, format).padEnd(numberIn(minLength) ?? 0, "x");
  return text.slice(0, numberIn(maxLength) ?? text.length);
}

const formats: Readonly<Record<string, string>> = {
  email: "ada@example.org",
  uri: "https://example.org/a",
  url: "https://example.org/a",
  date: "2026-03-14",
  "date-time": "2026-03-14T09:00:00Z",
  time: "09:00:00Z",
  uuid: "5f0c3c1e-8a52-4f0a-9d51-0b8d0c1f2a37",
};

function textFor(name: string, format: unknown): string {
  const known = typeof format === "string" && Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (known !== undefined) return known;
  if (/mail|^to$|^cc$|recipient/i.test(name)) return "ada@example.org";
  if (/url|uri|link|host/i.test(name)) return "https://example.org/a";
  if (/date|day/i.test(name)) return "2026-03-14";
  return "A-1042";
}

const numberIn = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
