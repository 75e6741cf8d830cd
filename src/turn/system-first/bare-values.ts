/**
 * Values without names, for what was asked for: each is the argument's that alone can take it, told by its schema and by the
 * policy's entity of that name. Pure. No guess: where one could be several arguments', or two are one's, none is taken.
 */

import { ownOf } from "../../approvals/edit/schema-at.ts";
import type { Entity } from "../../intent/detection.ts";
import { fillArguments } from "../../intent/entities/fill-arguments.ts";
import type { ReadAnswer } from "../../intent/entities/read-answer.ts";
import { readNumber } from "../../intent/entities/read-number.ts";
import { isObject } from "../../lib/json/json-object.ts";
import type { WorkBudget } from "../../lib/work-budget.ts";
import type { Arguments } from "../step/read-arguments.ts";
import { saysNoValue } from "./no-value-words.ts";
import { valuesIn, type Written, wholeAnswer } from "./value-answer.ts";

export interface Asked {
  readonly schema: { readonly properties?: Readonly<Record<string, unknown>> };
  /** Names of the arguments. */
  readonly names: readonly string[];
  readonly read: ReadAnswer;
  readonly work: WorkBudget;
}

/** @param text the whole answer: one value, or one for each of several. */
export function bareValues(text: string, asked: Asked): Arguments {
  const [name, ...others] = asked.names;
  if (name === undefined) return {};
  if (others.length === 0) return valueFor(wholeAnswer(text, name), asked);
  const each = valuesIn(text).map((value) => onlyFor(value, asked));
  const names = new Set(each.flatMap(Object.keys));
  // All of them have their place, or the commas are part of one value.
  const isList = each.length > 0 && names.size === each.length && each.every((one) => Object.keys(one).length === 1);
  return isList ? Object.fromEntries(each.flatMap(Object.entries)) : onlyFor(text, asked);
}

/** `verbs, 5`, where the policy finds its own in the rest: the one number beside it. Other words beside it ("please") are no values. */
export function numberBeside(text: string, entities: readonly Entity[], asked: Asked): Arguments {
  const isFound = (part: string) => entities.some((found) => found.text !== "" && part.includes(found.text));
  const [number, ...others] = valuesIn(text).filter((part) => readNumber(part) !== undefined && !isFound(part));
  const names = asked.names.filter((name) => isNumber(ownOf(asked.schema.properties ?? {}, name)));
  return number === undefined || others.length > 0 ? {} : onlyFor(number, { ...asked, names });
}

/** A number is not the text of another argument where one that was asked for is a number. */
function onlyFor(text: string, asked: Asked): Arguments {
  const numbers = asked.names.filter((name) => isNumber(ownOf(asked.schema.properties ?? {}, name)));
  const isNumeric =
    readNumber(text) !== undefined || numbers.some((name) => typeof asked.read(name, text) === "number");
  const takers = isNumeric && numbers.length > 0 ? numbers : asked.names;
  const [taken, ...others] = takers.map((name) => valueFor(wholeAnswer(text, name), asked)).filter(holdsOne);
  return taken !== undefined && others.length === 0 ? taken : {};
}

function valueFor(written: Written, { schema, read, work }: Asked): Arguments {
  if (saysNoValue(written.value) && !isListed(ownOf(schema.properties ?? {}, written.name))) return {};
  const filled = fillArguments(schema, asEntity(written, read), work);
  const { name } = written;
  // Not what the value would fill besides, by its form.
  return Object.hasOwn(filled, name) ? Object.fromEntries([[name, filled[name]]]) : {};
}

/** None where the policy does not take the value: what it would not have found in a wish it does not take in an answer. */
export function asEntity({ name, value: text }: Written, read: ReadAnswer): readonly Entity[] {
  const value = read(name, text);
  return value === undefined ? [] : [{ name, value, text, at: 0, redact: false }];
}

const holdsOne = (values: Arguments): boolean => Object.keys(values).length > 0;

/** "None" may be one of the values that the schema lists. */
const isListed = (schema: unknown): boolean =>
  isObject(schema) && (Object.hasOwn(schema, "enum") || Object.hasOwn(schema, "const"));

function isNumber(schema: unknown): boolean {
  const type = typeof schema === "object" && schema !== null && "type" in schema ? schema.type : undefined;
  return type === "number" || type === "integer";
}
