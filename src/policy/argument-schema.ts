/**
 * Arguments against a tool's JSON Schema: draft 2020-12 and draft 7. Pure.
 * Patterns run in linear time, nothing is fetched, work is bounded. A schema that cannot be checked lets no call by.
 */
import {
  compileSchema as compileNode,
  type Draft,
  draft07,
  draft2020,
  extendDraft,
  type Keyword,
  type SchemaNode,
} from "json-schema-library";
import { boundedCache, remember } from "../lib/bounded-cache.ts";
import { once } from "../lib/once.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { compilePattern } from "./linear-pattern.ts";
import type { ArgumentIssue } from "./reasons.ts";
import { type Admitted, admitSchema, type SchemaFault } from "./schema-admission.ts";
import { spend, withBudget } from "./schema-budget.ts";
import { replacedKeywords } from "./schema-keywords.ts";
import { schemaMessages } from "./schema-messages.ts";

/** A schema that can be checked against, whole and local. */
export interface ArgumentSchema {
  /** @returns no issues, or at most five; their messages are for the model. */
  validate(value: unknown): readonly ArgumentIssue[];
}

const maxSchemaLength = 262_144;
const maxIssues = 5;
/** Formats are native expressions; some of them are quadratic on a long text. */
const maxFormatLength = 1_000;

function strict(draft: Draft): Draft {
  const format = draft.keywords.find((keyword) => keyword.keyword === "format");
  const replaced = extendDraft(draft, {
    errors: schemaMessages,
    keywords: [...replacedKeywords, ...(format ? [boundedFormat(format)] : [])],
    formats: {
      regex: ({ node, data, pointer }) =>
        typeof data !== "string" || compilePattern(data).ok
          ? undefined
          : node.createError("pattern-error", { pointer, schema: {}, value: undefined, pattern: "of a regex" }),
    },
  });
  return { ...replaced, keywords: replaced.keywords.map(counted) };
}

function boundedFormat(format: Keyword): Keyword {
  return {
    ...format,
    validate: (params) =>
      typeof params.data === "string" && params.data.length > maxFormatLength
        ? params.node.createError("format-length-error", { pointer: params.pointer, schema: {}, value: undefined })
        : format.validate?.(params),
  };
}

function counted(keyword: Keyword): Keyword {
  const { validate } = keyword;
  if (!validate) return keyword;
  const counting: NonNullable<Keyword["validate"]> = (params) => {
    spend(1);
    return validate(params);
  };
  return { ...keyword, validate: Object.assign(counting, { order: validate.order }) };
}

const drafts: Readonly<Record<Admitted["draft"], () => Draft>> = {
  "draft-07": once(() => strict(draft07)),
  "draft-2020-12": once(() => strict(draft2020)),
};

type CompiledSchema = Result<ArgumentSchema, readonly SchemaFault[]>;

interface KnownSchema {
  readonly admitted: Result<Admitted, readonly SchemaFault[]>;
  /** Made when the first call is checked: of the tools that are offered few are called. */
  readonly compiled: () => CompiledSchema;
}

const known = boundedCache<KnownSchema>({ maxEntries: 500, maxWeight: 4_000_000 });

/** @returns the compiled schema, cached by its text; or why calls cannot be checked against it (worded for the model). */
export function compileSchema(parameters: unknown): Result<ArgumentSchema, string> {
  const found = lookUp(parameters).compiled();
  return found.ok ? found : err(faultText(found.error));
}

/** Everything for which calls cannot be checked against the schema; none where they can. */
export function schemaFaults(parameters: unknown): readonly SchemaFault[] {
  const { admitted } = lookUp(parameters);
  return admitted.ok ? [] : admitted.error;
}

export function faultText([fault = ofWhole("it cannot be read")]: readonly SchemaFault[]): string {
  const place = fault.path === "" ? "" : ` (at \`${fault.path.slice(0, 200)}\`)`;
  return `the schema is not valid: ${fault.message}${place}`;
}

function lookUp(parameters: unknown): KnownSchema {
  const text = JSON.stringify(parameters);
  if (text === undefined) return refused("it is not JSON");
  if (text.length > maxSchemaLength) return refused(`it is longer than ${maxSchemaLength} characters`);
  return remember(known, text, () => {
    try {
      return knownOf(admitSchema(parameters));
    } catch {
      return refused("it cannot be read");
    }
  });
}

const knownOf = (admitted: KnownSchema["admitted"]): KnownSchema => ({
  admitted,
  compiled: once(() => (admitted.ok ? compileAdmitted(admitted.value) : admitted)),
});

const ofWhole = (message: string): SchemaFault => ({ path: "", message });

const refused = (message: string): KnownSchema => knownOf(err([ofWhole(message)]));

function compileAdmitted({ schema, draft }: Admitted): CompiledSchema {
  try {
    const node = compileNode(schema, { drafts: [drafts[draft]()] });
    const fault = node.schemaErrors?.[0];
    if (!fault) return ok({ validate: (value) => validateNode(node, value) });
    return err([ofWhole(lower(fault.message.slice(0, 200)))]);
  } catch {
    return err([ofWhole("it cannot be read")]);
  }
}

function validateNode(node: SchemaNode, value: unknown): readonly ArgumentIssue[] {
  try {
    const { errors: found } = withBudget(() => node.validate(bare(value)));
    return found.slice(0, maxIssues).map((error) => ({
      path: error.data.pointer.replace(/^#/, ""),
      message: error.message.slice(0, 200),
    }));
  } catch (error) {
    return [{ path: "", message: error instanceof Error ? error.message.slice(0, 200) : "cannot be checked" }];
  }
}

/** A copy whose objects have no prototype: `required: ["constructor"]` must not be met by every object. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, part] of Object.entries(value)) copy[key] = bare(part);
  return copy;
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
