/** The arguments of a tool whose values an attacker wants to change: to whom, where, which. Pure. */
import { workBudget } from "../../../lib/work-budget.ts";
import type { ToolWords } from "../../../policy/infer/evidence.ts";
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
 * A tool that sends and has no argument for a receiver writes to its object: a comment to an issue, a review to a product.
 * @param sends it brings words to others.
 */
export function authorityArguments(tool: ToolWords, category: Category, sends: boolean): readonly AuthorityArgument[] {
  const own = argumentsWhere(tool, (role) => hasAuthority(authorityIn(tool, category), { role }));
  if (!sends || own.length > 0) return own;
  const objects = argumentsWhere(tool, ({ role, unsure }) => role === "object" && unsure !== true);
  return objects.map((one) => ({
    ...one,
    role: "destination",
    because: `${one.because}, and no other says where it goes`,
  }));
}

function authorityIn(tool: ToolWords, category: Category): Authority {
  const effects = toolEffects(tool.name, tool.description);
  return authorityOf({ category, class: category === "read_only" ? "safe" : "destructive", effects });
}

function argumentsWhere(tool: ToolWords, isWanted: (role: KnownRole) => boolean): readonly AuthorityArgument[] {
  const found = new Map<string, AuthorityArgument>();
  for (const [pattern, role] of rolesOf(tool, {}, workBudget()).listed) {
    if (!isWanted(role)) continue;
    // Of a list each element has the role: the list's own name says so.
    const name = pattern.replace(/(?:\/\*)+$/, "").slice(1);
    const key = name.includes("/") ? pattern : name;
    found.set(key, { key, role: role.role, because: role.because });
  }
  return [...found.values()];
}
