/** The arguments of a tool whose values must be the user's: to whom, where, which, and of a commitment how much and when. Pure. */
import { isObject } from "../../../lib/json/json-value.ts";
import { workBudget } from "../../../lib/work-budget.ts";
import { argumentsOf } from "../../../policy/infer/arguments.ts";
import type { ToolWords } from "../../../policy/infer/evidence.ts";
import type { InferredTool } from "../../../policy/infer/infer-tool.ts";
import { nameWords, singular } from "../../../policy/infer/name-words.ts";
import { DISCOUNTS, MONEY } from "../../../policy/infer/nouns.ts";
import { type Authority, authorityOf, hasAuthority } from "../../../policy/origin/authority.ts";
import { type KnownRole, type RoleSettings, rolesOf } from "../../../policy/origin/roles/argument-roles.ts";
import type { ArgumentRole } from "../../../policy/origin/roles/roles.ts";
import { toolEffects } from "../../../policy/origin/roles/tool-verbs.ts";
import type { Category } from "../../../policy/selectors.ts";

export interface AuthorityArgument {
  /** A name, or a pattern of JSON pointers for a value that lies deeper. */
  readonly key: string;
  readonly role: ArgumentRole;
  readonly because: string;
  /** It is a record, which a policy holds as a destination: of a tool that may not destroy, objects are not held. */
  readonly isRecord?: true;
}

interface ToolActs {
  readonly sends: boolean;
  readonly destroysMore: boolean;
  /** It changes what is there, and not only makes something. */
  readonly changes: boolean;
  /** Arguments that the draft has settled already: the account of the server, an element of a page. */
  readonly settled: RoleSettings;
}

/**
 * A tool that sends and has no argument for a receiver writes to its object: a comment to an issue, a review to a product. One that may
 * destroy, by its description or a hint, and is not called so, acts on the objects that a call must name. The object that a tool changes is
 * held if people use its key, such as `WEB-412`, or if the tool changes several: users do not say the id of one event.
 */
export function authorityArguments(tool: ToolWords, category: Category, acts: ToolActs): readonly AuthorityArgument[] {
  const { sends, destroysMore, changes, settled } = acts;
  const own = argumentsWhere(tool, settled, (role) => hasAuthority(authorityIn(tool, category), { role }));
  const named = [...namedByKey(tool, settled), ...(changes ? listed(tool, settled) : [])];
  const keyed = named.filter(({ key }) => !own.some((one) => one.key === key));
  const isPlace = ({ because }: AuthorityArgument) => !SEEN_BY.test(because);
  if (own.some(isPlace)) return [...keyed, ...own];
  const held = sends ? writtenTo(tool, settled) : destroysMore ? destroyed(tool, settled) : [];
  return [...(held.length > 0 ? held : keyed), ...own];
}

/** An argument for who may see something is not a receiver. */
const SEEN_BY = /`(?:visibility|privacy|audience)`/;

const writtenTo = (tool: ToolWords, settled: RoleSettings): readonly AuthorityArgument[] =>
  argumentsWhere(tool, settled, ({ role, unsure }) => role === "object" && unsure !== true).map((one) =>
    asRecord(one, "and no other says where it goes"),
  );

function destroyed(tool: ToolWords, settled: RoleSettings): readonly AuthorityArgument[] {
  const required = requiredIn(tool);
  const isRequired = (pattern: string) => required.has(pattern.split("/")[1] ?? "");
  const objects = argumentsWhere(tool, settled, ({ role, because, unsure }, pattern) => {
    const isNamed = unsure !== true && because.startsWith("its name says") && !pattern.includes("/*");
    return role === "object" && (isNamed || isRequired(pattern));
  });
  const held = objects.some(({ key }) => required.has(key)) ? objects : [];
  return held.map((one) => asRecord(one, "and a call may destroy it"));
}

function namedByKey(tool: ToolWords, settled: RoleSettings): readonly AuthorityArgument[] {
  const required = requiredIn(tool);
  return argumentsWhere(tool, settled, ({ role }, pattern) => {
    const name = pattern.slice(1);
    return role === "object" && required.has(name) && isKey(name);
  }).map((one) => asRecord(one, "and people say such a key"));
}

/**
 * `inputs: [{ id, properties }]`: a call that changes many records may add one to those that the user named. The items of an order that a call
 * names are parts of it.
 */
function listed(tool: ToolWords, settled: RoleSettings): readonly AuthorityArgument[] {
  const required = requiredIn(tool);
  const whole = argumentsWhere(
    tool,
    settled,
    ({ role }, pattern) => role === "object" && required.has(pattern.slice(1)),
  );
  if (whole.length > 0) return [];
  return argumentsWhere(tool, settled, ({ role, unsure }, pattern) => {
    return role === "object" && unsure !== true && /^\/[^/]+\/\*(?:\/(?:id|key))?$/.test(pattern);
  }).map((one) => asRecord(one, "and a call may change several"));
}

/** `issueIdOrKey`, `projectKey`. */
export const isKey = (name: string): boolean => nameWords(name).length > 1 && nameWords(name).at(-1) === "key";

const asRecord = (one: AuthorityArgument, why: string): AuthorityArgument => ({
  ...one,
  ...{ role: "destination", because: `${one.because}, ${why}`, isRecord: true },
});

const requiredIn = ({ parameters }: ToolWords): ReadonlySet<string> =>
  new Set(argumentsOf(parameters).flatMap(({ name, required }) => (required ? [name] : [])));

/** Words of a name that says how much, how often, how long or when. */
const STATED: ReadonlySet<string> = new Set(
  `date datetime time day hour start end begin check_in check_out arrival departure slot when from until dose dosage duration night week month
  frequency interval datum uhrzeit zeit tag dauer dosis anzahl menge fecha hora cantidad`.split(/\s+/),
);

/**
 * In a commitment, a wrong dose, number or date is as bad as a wrong object. The gate itself compares the amounts of a payment, and a mere
 * change can be changed again.
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
  settled: RoleSettings,
  isWanted: (role: KnownRole, pattern: string) => boolean,
): readonly AuthorityArgument[] {
  const found = new Map<string, AuthorityArgument>();
  for (const [pattern, role] of rolesOf(tool, settled, workBudget()).listed) {
    if (!isWanted(role, pattern)) continue;
    // Each element of a list has the role of the list's name.
    const name = pattern.replace(/(?:\/\*)+$/, "").slice(1);
    const key = name.includes("/") ? pattern : name;
    found.set(key, { key, role: role.role, because: role.because });
  }
  return [...found.values()];
}
