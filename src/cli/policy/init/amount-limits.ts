/** The lines by which a draft tells how to ask, or refuse, above an amount: a condition to uncomment. Pure. */
import { isObject } from "../../../lib/json/json-value.ts";
import { workBudget } from "../../../lib/work-budget.ts";
import type { ToolWords } from "../../../policy/infer/evidence.ts";
import type { InferredTool } from "../../../policy/infer/infer-tool.ts";
import { nameWords, singular } from "../../../policy/infer/name-words.ts";
import { DISCOUNTS } from "../../../policy/infer/nouns.ts";
import { rolesOf } from "../../../policy/origin/roles/argument-roles.ts";
import { spacedText } from "./jsonc-text.ts";

/** Limits to begin with: an operator knows better ones. */
const LIMIT = { amount: 100, percent: 20 };

/** @returns nothing for a tool that neither pays nor gives a discount, or that takes no number which says how much. */
export function amountLimitLines(tool: ToolWords, { effects, effect }: InferredTool): readonly string[] {
  const gives = effect !== "read" && nameWords(tool.name).some((word) => DISCOUNTS.has(singular(word)));
  if (!effects.has("pay") && !gives) return [];
  const name = amountOf(tool);
  if (name === undefined) return [];
  const limit = PERCENT.test(name) ? LIMIT.percent : LIMIT.amount;
  const condition = {
    if: { properties: { [name]: { exclusiveMinimum: limit } }, required: [name] },
    effect: "ask",
    say: `${name} above ${limit}`,
  };
  return [
    `to ask a person each time where \`${name}\` is above ${limit}, uncomment this with a limit of your own ("deny" refuses the call):`,
    `"conditions": ${spacedText([condition])},`,
  ];
}

const PERCENT = /percent|pct|prozent|porcentaje|pourcentage/i;
/** A name that a comment can hold as it is. */
const PLAIN_NAME = /^[A-Za-z]\w{0,40}$/;

/** An argument at the top of the schema that says how much. One whose schema says that it is a text has no limit. */
function amountOf(tool: ToolWords): string | undefined {
  const properties =
    isObject(tool.parameters) && isObject(tool.parameters.properties) ? tool.parameters.properties : {};
  const roles = rolesOf(tool, {}, workBudget()).listed;
  return Object.entries(properties).find(
    ([name, schema]) => PLAIN_NAME.test(name) && roles.get(`/${name}`)?.role === "amount" && mayBeNumber(schema),
  )?.[0];
}

const mayBeNumber = (schema: unknown): boolean =>
  !isObject(schema) || schema.type === undefined || [schema.type].flat().some((type) => NUMBERS.has(String(type)));
const NUMBERS: ReadonlySet<string> = new Set(["number", "integer"]);
