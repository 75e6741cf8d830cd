/** The arguments whose values must come from the user or a trusted source, as the gateway takes them. Pure. */
import { workBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { authorityOf, hasAuthority } from "../../policy/origin/authority.ts";
import { rolesOf } from "../../policy/origin/roles/argument-roles.ts";
import type { ArgumentRole } from "../../policy/origin/roles/roles.ts";
import { toolEffects } from "../../policy/origin/roles/tool-verbs.ts";
import { traitsOf } from "../../policy/traits.ts";

export interface ArgumentReport {
  readonly tool: string;
  /** JSON pointer, with `*` for each element. */
  readonly argument: string;
  readonly role: ArgumentRole;
  readonly because: string;
}

/** Of the tools whose `parameters` the policy gives: a client's are known at run time. */
export function reportArguments(policy: CompiledPolicy): readonly ArgumentReport[] {
  return [...policy.tools.keys()].flatMap((tool) => {
    const { parameters, description, category, class: cls, arguments: settings } = traitsOf(policy, tool);
    if (parameters === undefined) return [];
    const authority = authorityOf({ category, class: cls, effects: toolEffects(tool, description) });
    const { listed } = rolesOf({ name: tool, description, parameters }, settings, workBudget());
    return [...listed].flatMap(([argument, role]) =>
      hasAuthority(authority, { role }) ? [{ tool, argument, role: role.role, because: role.because }] : [],
    );
  });
}

export const argumentText = ({ tool, argument, role, because }: ArgumentReport): string =>
  `${tool} ${argument}: ${role}, because ${because}`;
