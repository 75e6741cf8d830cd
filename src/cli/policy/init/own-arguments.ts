/**
 * Arguments that are no choice of a call: the account that every tool of a server works in, and the element of a page that a browser acts on.
 * A draft takes them for content, so that no question is about them. Pure.
 */
import { unique } from "../../../lib/unique.ts";
import { workBudget } from "../../../lib/work-budget.ts";
import { argumentsOf } from "../../../policy/infer/arguments.ts";
import type { ToolWords } from "../../../policy/infer/evidence.ts";
import { nameWords, singular } from "../../../policy/infer/name-words.ts";
import { isGesture, staysInside } from "../../../policy/infer/reviewed-words.ts";
import { type RoleSettings, rolesOf } from "../../../policy/origin/roles/argument-roles.ts";
import { toolEffects } from "../../../policy/origin/roles/tool-verbs.ts";

/** Words of an account or a tenant. A channel, a project or a folder is a choice, though every tool may take one. */
const TENANT =
  /^(?:user|my|own|cloud|tenant|workspace|account|organi[sz]ation|org|site|portal|company|team|hub|realm|subscription)s?$/;
const TENANT_VALUE: ReadonlySet<string> = new Set(["id", "email", "mail", "uuid", "slug", "key", "domain"]);
const SAYS_OWN =
  /\b(?:the|your|current|authenticated|signed-in|logged-in)\s+(?:user['’]s?\s+|user\s+)?(?:own\s+|google\s+|microsoft\s+)?(?:e-?mail|account|workspace|tenant|organi[sz]ation)\b|\b(?:cloud|tenant|site|workspace)\s+instance\b|\bidentifier for an? [\p{L} ]{0,30}(?:cloud|site|instance|tenant|workspace)\b/iu;
const SAYS_OTHER =
  /\b(?:to (?:send|share|invite|add|pay|transfer|grant|assign)|recipients?|share[ds]? with|receiv|other|target|new owner)/i;
/** If at least this share of a server's tools takes the argument, it is an account of all of them. */
const MOST = 0.5;
const FEWEST = 3;

/** The names of a server's own account, by how many of its tools take them and what they say. */
export function accountArguments(tools: readonly ToolWords[]): ReadonlySet<string> {
  const taken = tools.map(({ parameters }) => argumentsOf(parameters));
  const names = unique(taken.flatMap((own) => own.map(({ name }) => name)));
  const isOwn = (name: string) => {
    const all = taken.flat().filter((one) => one.name === name);
    const words = nameWords(name);
    return (
      all.length >= Math.max(FEWEST, tools.length * MOST) &&
      words.length > 1 &&
      words.some((word) => TENANT.test(word)) &&
      TENANT_VALUE.has(words.at(-1) ?? "") &&
      all.some(({ description }) => SAYS_OWN.test(description)) &&
      !all.some(({ description }) => SAYS_OTHER.test(description))
    );
  };
  return new Set(names.filter(isOwn));
}

/** Pointers at what a page shows: `ref`, `element`, `startTarget`, the key that is pressed. */
const POINTERS: ReadonlySet<string> = new Set("target ref element selector uid key xpath".split(" "));
const SAYS_POINTER = /\b(?:elements?|selectors?|snapshot|xpath|key to press|keyboard)\b/i;

/** Arguments that a draft takes for content. A tool that pays has no such account: there it is the source or the receiver of the money. */
export function contentArguments(tool: ToolWords, accounts: ReadonlySet<string>): RoleSettings {
  const pays = toolEffects(tool.name, tool.description).has("pay");
  const guessed = rolesOf(tool, {}, workBudget()).listed;
  const onPage = isGesture(tool);
  const keys = [...guessed].flatMap(([pattern, { role }]) => {
    const keys = pattern.split("/").slice(1);
    const name = keys.filter((key) => key !== "*").at(-1) ?? "";
    if (role === "content") return [];
    const description = descriptionAt(tool.parameters, keys);
    const isPointer = POINTERS.has(singular(nameWords(name).at(-1) ?? "")) && SAYS_POINTER.test(description);
    const isAccount = keys.length === 1 && accounts.has(name) && !pays;
    const isFlag = onPage && role === "object";
    return isAccount || (onPage && (isPointer || isFlag)) ? [keys.length === 1 ? name : pattern] : [];
  });
  return Object.fromEntries(keys.map((key) => [key, { role: "content" as const }]));
}

/** For a reader whose server says that it reaches no outside world: the domain that it takes is one of the server's own. */
export function insideArguments(tool: ToolWords): RoleSettings {
  if (!staysInside(tool)) return {};
  const listed = [...rolesOf(tool, {}, workBudget()).listed];
  const own = listed.filter(([pattern, { reaches }]) => reaches === true && pattern.split("/").length === 2);
  return Object.fromEntries(own.map(([pattern]) => [pattern.slice(1), { role: "content" as const }]));
}

function descriptionAt(parameters: unknown, keys: readonly string[]): string {
  const at = keys.reduce((schema: unknown, key) => {
    const held = Object(schema);
    return key === "*" ? held.items : Object(held.properties)[key];
  }, parameters);
  const { description } = Object(at);
  return typeof description === "string" ? description : "";
}
