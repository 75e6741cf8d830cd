/** What the user's words give of a call's arguments, and what they leave open. Pure; never a value that the schema refuses. */
import { fillDefaults } from "../../approvals/edit/fill-defaults.ts";
import type { Entity } from "../../intent/detection.ts";
import { fillArguments, namesTwice } from "../../intent/entities/fill-arguments.ts";
import type { ReadAnswer } from "../../intent/entities/read-answer.ts";
import { type WorkBudget, WorkSpent } from "../../lib/work-budget.ts";
import { compileSchema } from "../../policy/arguments/argument-schema.ts";
import type { AwaitedValues } from "../../session/awaited-values.ts";
import type { Arguments } from "../step/read-arguments.ts";
import { asEntity, bareValues, numberBeside } from "./bare-values.ts";
import { namedValues } from "./value-answer.ts";

export type FilledCall =
  | { readonly kind: "whole"; readonly arguments: Arguments }
  | { readonly kind: "missing"; readonly filled: Arguments; readonly missing: readonly string[] }
  /** The schema wants something that no words can give, or is not known; or the words give two values for one argument. */
  | { readonly kind: "unfit" };

/** What was asked for, and the user's own words that answer. */
export interface AnsweredValues {
  readonly values: Pick<AwaitedValues, "filled" | "missing">;
  readonly text: string;
  readonly read: ReadAnswer;
}

export function fillCall(
  schema: unknown,
  entities: readonly Entity[],
  work: WorkBudget,
  answered?: AnsweredValues,
): FilledCall {
  try {
    return fill(schema, entities, work, answered);
  } catch (error) {
    if (error instanceof WorkSpent) return { kind: "unfit" };
    throw error;
  }
}

function fill(
  schema: unknown,
  entities: readonly Entity[],
  work: WorkBudget,
  answered: AnsweredValues | undefined,
): FilledCall {
  if (!isSchema(schema)) return { kind: "unfit" };
  const compiled = compileSchema(schema, work);
  if (!compiled.ok || namesTwice(schema, entities)) return { kind: "unfit" };
  const { filled, refused } = answered
    ? fillFromAnswer(schema, entities, work, answered)
    : { filled: fillArguments(schema, entities, work), refused: false };
  const missing = missingOf(schema, filled, work);
  if (missing.length > 0) return { kind: "missing", filled, missing };
  const fits = !refused && compiled.value.validate(fillDefaults(schema, filled, work), work).length === 0;
  return fits ? { kind: "whole", arguments: filled } : { kind: "unfit" };
}

interface FromAnswer {
  readonly filled: Arguments;
  /** A value was named that cannot be taken: to go on with another would be a guess. */
  readonly refused: boolean;
}

function fillFromAnswer(
  schema: Schema,
  entities: readonly Entity[],
  work: WorkBudget,
  { values, text, read }: AnsweredValues,
): FromAnswer {
  const named = namedValues(text, Object.keys(schema.properties ?? {}));
  const given = fillArguments(schema, [...named.flatMap((one) => asEntity(one, read)), ...entities], work);
  const filled = { ...values.filled, ...given };
  const refused = named.some(({ name }) => !Object.hasOwn(given, name));
  if (named.length > 0) return { filled, refused };
  const asked = { schema, names: values.missing.filter((name) => !Object.hasOwn(given, name)), read, work };
  // What names something else is not the answer to what was asked.
  const isAnswer = Object.keys(given).length === 0;
  const taken = isAnswer ? bareValues(text, asked) : numberBeside(text, entities, asked);
  return { filled: { ...filled, ...taken }, refused };
}

/** What the schema requires at its top, and gives no default for. */
function missingOf(schema: Schema, filled: Arguments, work: WorkBudget): readonly string[] {
  const whole = fillDefaults(schema, filled, work);
  const required = Array.isArray(schema.required) ? schema.required : [];
  return required.filter((name: unknown): name is string => typeof name === "string" && !Object.hasOwn(whole, name));
}

interface Schema extends Readonly<Record<string, unknown>> {
  readonly properties?: Readonly<Record<string, unknown>>;
}

const isSchema = (schema: unknown): schema is Schema =>
  isObject(schema) && (schema.properties === undefined || isObject(schema.properties));
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
