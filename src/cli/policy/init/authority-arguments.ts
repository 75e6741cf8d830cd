/** The arguments of a tool whose values must be the user's: to whom, where, which, and of a commitment how much and when. Pure. */
import { isObject } from "../../../lib/json/json-value.ts";
import { workBudget } from "../../../lib/work-budget.ts";
import { argumentsOf } from "../../../policy/infer/arguments.ts";
import type { ToolWords } from "../../../policy/infer/evidence.ts";
import type { InferredTool } from "../../../policy/infer/infer-tool.ts";
import { nameWords, singular } from "../../../policy/infer/name-words.ts";
import { DISCOUNTS, MONEY } from "../../../policy/infer/nouns.ts";
import { type Authority, authorityOf, hasAuthority } from "../../../policy/origin/authority.ts";
import { type KnownRole, rolesOf } from "../../../policy/origin/roles/argument-roles.ts";
import type { ArgumentRole } from "../../../policy/origin/roles/roles.ts";
import { toolEffects } from "../../../policy/origin/roles/tool-verbs.ts";
import type { Category } from "../../../policy/selectors.ts";

export interface AuthorityArgument {
  /** A name, or a pattern of JSON pointers for a value that lies deeper. */
  readonly key: string;
  readonly role: ArgumentRole;
  readonly because: string;
}

/**
 * A tool that sends and has no argument for a receiver writes to its object: a comment to an issue, a review to a product. One that may
 * destroy, by its description or a hint, and is not called so, acts on the objects that a call must name.
 */
export function authorityArguments(
  tool: ToolWords,
  category: Category,
  { sends, destroysMore }: { readonly sends: boolean; readonly destroysMore: boolean },
): readonly AuthorityArgument[] {
  const own = argumentsWhere(tool, (role) => hasAuthority(authorityIn(tool, category), { role }));
  if (own.length > 0 || !(sends || destroysMore)) return own;
  if (destroysMore && !sends) {
    const required = new Set(argumentsOf(tool.parameters).flatMap(({ name, required }) => (required ? [name] : [])));
    const isRequired = (pattern: string) => required.has(pattern.split("/")[1] ?? "");
    const objects = argumentsWhere(tool, ({ role, because, unsure }, pattern) => {
      const isNamed = unsure !== true && because.startsWith("its name says") && !pattern.includes("/*");
      return role === "object" && (isNamed || isRequired(pattern));
    });
    const held = objects.some(({ key }) => required.has(key)) ? objects : [];
    return held.map((one) => ({ ...one, role: "destination", because: `${one.because}, and a call may destroy it` }));
  }
  return argumentsWhere(tool, ({ role, unsure }) => role === "object" && unsure !== true).map((one) => ({
    ...one,
    role: "destination",
    because: `${one.because}, and no other says where it goes`,
  }));
}

/** Words of a name that says how much, how often, how long or when. */
const STATED: ReadonlySet<string> = new Set(
  `date datetime time day hour start end begin check_in check_out arrival departure slot when from until dose dosage duration night week month
  frequency interval datum uhrzeit zeit tag dauer dosis anzahl menge fecha hora cantidad`.split(/\s+/),
);

/**
 * A wrong dose, number or date of what commits somebody is as bad as a wrong object. Of a payment the gate compares amounts by itself, and
 * what a tool merely changes can be changed again.
 */
export function statedArguments(tool: ToolWords, { effect, nouns }: InferredTool): readonly AuthorityArgument[] {
  const givesMoney =
    effect === "create" && nouns.some((noun) => MONEY.has(noun) || DISCOUNTS.has(noun) || noun === "invoice");
  if (effect !== "commit" && !givesMoney) return [];
  const roles = rolesOf(tool, {}, workBudget()).listed;
  return argumentsOf(tool.parameters).flatMap(({ name }): readonly AuthorityArgument[] => {
    const role = roles.get(`/${name}`)?.role;
    const says = `its name says how much${effect === "commit" ? " or when" : ""}`;
    const isStated = role === "amount" || (effect === "commit" && role === "content" && saysWhen(tool, name));
    return isStated ? [{ key: name, role: "amount", because: says }] : [];
  });
}

function saysWhen({ parameters }: ToolWords, name: string): boolean {
  const schema = isObject(parameters) && isObject(parameters.properties) ? parameters.properties[name] : undefined;
  const { type, format } = isObject(schema) ? schema : {};
  const words = nameWords(name).map(singular);
  return (
    type === "integer" ||
    type === "number" ||
    (typeof format === "string" && /^(?:date|time|date-time|duration)$/.test(format)) ||
    STATED.has(words.join("_")) ||
    STATED.has(words.at(-1) ?? "")
  );
}

function authorityIn(tool: ToolWords, category: Category): Authority {
  const effects = toolEffects(tool.name, tool.description);
  return authorityOf({ category, class: category === "read_only" ? "safe" : "destructive", effects });
}

function argumentsWhere(
  tool: ToolWords,
  isWanted: (role: KnownRole, pattern: string) => boolean,
): readonly AuthorityArgument[] {
  const found = new Map<string, AuthorityArgument>();
  for (const [pattern, role] of rolesOf(tool, {}, workBudget()).listed) {
    if (!isWanted(role, pattern)) continue;
    // Of a list each element has the role: the list's own name says so.
    const name = pattern.replace(/(?:\/\*)+$/, "").slice(1);
    const key = name.includes("/") ? pattern : name;
    found.set(key, { key, role: role.role, because: role.because });
  }
  return [...found.values()];
}
