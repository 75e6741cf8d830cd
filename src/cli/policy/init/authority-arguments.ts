/** The arguments of a tool whose values an attacker wants to change: to whom, where, which. Pure. */
import { workBudget } from "../../../lib/work-budget.ts";
import type { ToolWords } from "../../../policy/infer/evidence.ts";
import { authorityOf, hasAuthority } from "../../../policy/origin/authority.ts";
import { rolesOf } from "../../../policy/origin/roles/argument-roles.ts";
import type { ArgumentRole } from "../../../policy/origin/roles/roles.ts";
import { toolEffects } from "../../../policy/origin/roles/tool-verbs.ts";
import type { Category } from "../../../policy/selectors.ts";

export interface AuthorityArgument {
  /** A name, or a pattern of JSON pointers for a value that lies deeper. */
  readonly key: string;
  readonly role: ArgumentRole;
  readonly because: string;
}

export function authorityArguments(tool: ToolWords, category: Category): readonly AuthorityArgument[] {
  const effects = toolEffects(tool.name, tool.description);
  const authority = authorityOf({ category, class: category === "read_only" ? "safe" : "destructive", effects });
  const found = new Map<string, AuthorityArgument>();
  for (const [pattern, role] of rolesOf(tool, {}, workBudget()).listed) {
    if (!hasAuthority(authority, { role })) continue;
    // Of a list each element has the role: the list's own name says so.
    const name = pattern.replace(/(?:\/\*)+$/, "").slice(1);
    const key = name.includes("/") ? pattern : name;
    found.set(key, { key, role: role.role, because: role.because });
  }
  return [...found.values()];
}
