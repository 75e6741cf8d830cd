/** Words zod's findings for the author of a document or a request. Pure. */
import type { z } from "zod";
import { toPointer } from "../../lib/json/json-value.ts";
import { nearestName } from "../../lib/text/nearest-name.ts";
import type { PolicyIssue } from "./policy-issue.ts";

type Issue = z.core.$ZodIssue;
type Schema = z.core.$ZodType;

export interface ShapeIssue extends PolicyIssue {
  /** `path` as keys. */
  readonly at: readonly PropertyKey[];
  /** For a misspelt member: the name that was probably meant. */
  readonly meant?: string;
  /** The name is unknown at this path. */
  readonly unknown?: true;
}

/** Goes with `safeParse(input, { error: shapeMessages })`; `shapeIssues` reads the result. */
export const shapeMessages: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? "is missing"
        : `must be ${typeName(issue.expected)}, not ${kindOf(issue.input)}`;
    case "invalid_value":
      return `must be one of ${issue.values.map((value) => `\`${String(value)}\``).join(", ")}${nearValue(issue.input, issue.values)}`;
    case "too_small":
      return `must be ${sizeText(issue.origin, issue.minimum)} or more`;
    case "too_big":
      return `must be ${sizeText(issue.origin, issue.maximum)} or less`;
    case "invalid_format":
      return issue.format === "datetime"
        ? "must be a time such as `2027-01-31T12:00:00Z`"
        : "does not have the expected form";
    case "unrecognized_keys":
      // zod copies the issue's members into the error, but not the schema, which lists the known names.
      Object.assign(issue, { known: membersOf(issue.inst) });
      return undefined;
    case "invalid_union":
      return issue.inst ? `must be ${describe(issue.inst)}` : undefined;
    default:
      return undefined;
  }
};

/** Every finding with its path. For a value with several possible forms those of the form that was meant, if that is clear. */
export function shapeIssues({ issues }: z.core.$ZodError): ShapeIssue[] {
  return issues.flatMap((issue) => readIssue(issue, []));
}

/** Suggestions for one object: an author with more misspelt names corrects these first. */
const MAX_GUESSED = 20;

function readIssue(issue: Issue, prefix: readonly PropertyKey[]): ShapeIssue[] {
  const at = [...prefix, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    const known = (issue as { known?: readonly string[] }).known ?? [];
    return issue.keys.map((key, index) =>
      unknownMember([...at, key], index < MAX_GUESSED ? nearestName(key, known) : undefined),
    );
  }
  if (issue.code === "invalid_key") {
    const [first] = issue.issues;
    return [found(at, first?.message ?? issue.message)];
  }
  const meant = issue.code === "invalid_union" ? formMeant(issue.errors) : undefined;
  return meant ? meant.flatMap((one) => readIssue(one, at)) : [found(at, issue.message)];
}

const found = (at: readonly PropertyKey[], message: string): ShapeIssue => ({ path: toPointer(at), message, at });

function unknownMember(at: readonly PropertyKey[], meant: string | undefined): ShapeIssue {
  const unknown = true;
  if (meant === undefined) return { ...found(at, "unknown setting, correct its spelling or remove it"), unknown };
  return { ...found(at, `unknown setting, did you mean \`${meant}\`?`), meant, unknown };
}

/** The findings of the only form of the value's kind. */
function formMeant(forms: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const isOtherKind = ({ code, path }: Issue) =>
    path.length === 0 && (code === "invalid_type" || code === "invalid_value" || code === "invalid_union");
  const possible = forms.filter((issues) => !issues.some(isOtherKind));
  return possible.length === 1 ? possible[0] : undefined;
}

const typeNames: Readonly<Record<string, string>> = {
  object: "an object",
  record: "an object",
  array: "a list",
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  null: "null",
};

const typeName = (type: string): string => typeNames[type] ?? `of type ${type}`;

/** Never the value itself: it may be a misplaced secret. */
function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number" && !Number.isInteger(value)) return "a fraction";
  return typeName(typeof value);
}

function nearValue(input: unknown, values: readonly unknown[]): string {
  if (typeof input !== "string") return "";
  const near = nearestName(
    input,
    values.filter((value) => typeof value === "string"),
  );
  return near === undefined ? "" : `; did you mean \`${near}\`?`;
}

function sizeText(origin: string, limit: number | bigint): string {
  if (origin === "string") return `${limit} ${limit === 1 ? "character" : "characters"}`;
  if (origin === "array" || origin === "set") return `${limit} ${limit === 1 ? "item" : "items"}`;
  return String(limit);
}

/** Empty for an object without an `inst`. */
function membersOf(schema: unknown): readonly string[] {
  const def = (schema as Schema | undefined)?._zod.def as { shape?: Readonly<Record<string, unknown>> } | undefined;
  return Object.keys(def?.shape ?? {});
}

interface Definition {
  readonly type: string;
  readonly options?: readonly Schema[];
  readonly innerType?: Schema;
  readonly in?: Schema;
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, unknown>>;
}

/** The forms that a value may have, for a person. */
function describe(schema: unknown): string {
  const { type, options, innerType, in: input, values, entries } = (schema as Schema)._zod.def as Definition;
  if (options) return [...new Set(options.map(describe))].join(" or ");
  if (innerType ?? input) return describe(innerType ?? input);
  const listed = values ?? (entries && Object.values(entries));
  if (listed) return listed.map((value) => `\`${String(value)}\``).join(" or ");
  const members = membersOf(schema).map((name) => `\`${name}\``);
  return members.length > 0 ? `an object with ${members.join(", ")}` : typeName(type);
}
