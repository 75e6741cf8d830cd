/** The limit of amounts for a tool that pays or gives a discount: above it a person is asked, whatever a grant says. Pure. */
import { isObject } from "../../../lib/json/json-value.ts";
import { workBudget } from "../../../lib/work-budget.ts";
import type { ToolWords } from "../../../policy/infer/evidence.ts";
import type { InferredTool } from "../../../policy/infer/infer-tool.ts";
import { nameWords, singular } from "../../../policy/infer/name-words.ts";
import { DISCOUNTS, MONEY } from "../../../policy/infer/nouns.ts";
import { rolesOf } from "../../../policy/origin/roles/argument-roles.ts";

/** Limits to begin with: an operator knows better ones. */
const LIMIT = { amount: 1000, percent: 20 };

export interface DraftCondition {
  readonly if: object;
  readonly effect: "ask";
  readonly say: string;
}

interface AmountArgument {
  readonly name: string;
  /** The list that holds it: `lineItems`. No number of its own says how much all of them are. */
  readonly list?: string;
}

/** @returns nothing for a tool that neither moves money nor gives a discount, or that takes no number which says how much. */
export function amountConditions(tool: ToolWords, inferred: InferredTool): readonly DraftCondition[] {
  const amount = movesMoney(inferred) || givesDiscount(tool, inferred) ? amountOf(tool) : undefined;
  if (amount === undefined) return [];
  const { name, list } = amount;
  const limit = PERCENT.test(name) ? LIMIT.percent : LIMIT.amount;
  const above = { properties: { [name]: { exclusiveMinimum: limit } }, required: [name] };
  return [
    {
      if: list === undefined ? above : { properties: { [list]: { contains: above } }, required: [list] },
      effect: "ask",
      say: `${name} above ${limit}`,
    },
  ];
}

/** It pays, or makes a demand to pay. */
const movesMoney = ({ effect, effects, nouns }: InferredTool): boolean =>
  effects.has("pay") || (effect === "create" && nouns.some((noun) => MONEY.has(noun) || noun === "invoice"));

const givesDiscount = ({ name }: ToolWords, { effect }: InferredTool): boolean =>
  effect !== "read" && nameWords(name).some((word) => DISCOUNTS.has(singular(word)));

const PERCENT = /percent|pct|prozent|porcentaje|pourcentage/i;
/** A name that a condition can say. */
const PLAIN_NAME = /^[A-Za-z]\w{0,40}$/;
/** A number of things: beside a price it says less. */
const COUNTS = /quantity|qty|count|menge|anzahl|cantidad/i;

/** The number that says how much, at the top of the schema or in a list of it. One whose schema says that it is a text has no limit. */
export function amountOf(tool: ToolWords): AmountArgument | undefined {
  const roles = rolesOf(tool, {}, workBudget()).listed;
  const found = [...roles].flatMap(([pattern, { role }]): AmountArgument[] => {
    const keys = pattern.split("/").slice(1);
    const [first = "", second, third] = keys;
    if (!keys.every((key) => key === "*" || PLAIN_NAME.test(key))) return [];
    const isPlain = role === "amount" && mayBeNumber(schemaAt(tool.parameters, keys));
    if (isPlain && keys.length === 1) return [{ name: first }];
    return isPlain && keys.length === 3 && second === "*" && third !== undefined ? [{ name: third, list: first }] : [];
  });
  const isBetter = ({ name, list }: AmountArgument) => Number(list === undefined) * 2 + Number(!COUNTS.test(name));
  return found.toSorted((one, other) => isBetter(other) - isBetter(one))[0];
}

function schemaAt(schema: unknown, keys: readonly string[]): unknown {
  return keys.reduce((at: unknown, key) => {
    if (!isObject(at)) return undefined;
    return key === "*" ? at.items : isObject(at.properties) ? at.properties[key] : undefined;
  }, schema);
}

const mayBeNumber = (schema: unknown): boolean =>
  !isObject(schema) || schema.type === undefined || [schema.type].flat().some((type) => NUMBERS.has(String(type)));
const NUMBERS: ReadonlySet<string> = new Set(["number", "integer"]);
