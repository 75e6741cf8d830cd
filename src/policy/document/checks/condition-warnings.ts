/** Conditions that do not say what their author seems to mean. Pure. */
import { memberOf } from "../../../lib/json/json-value.ts";
import { WorkSpent, workBudget } from "../../../lib/work-budget.ts";
import { compileSchema } from "../../arguments/argument-schema.ts";
import type { PolicyDocument } from "../document-schema.ts";
import type { Warnings } from "../policy-issue.ts";
import { declaredNames } from "./declared-arguments.ts";
import { someOf } from "./tool-warnings.ts";

export function* warnConditions({ tools }: PolicyDocument): Warnings {
  for (const [key, { conditions = [], parameters }] of Object.entries(tools)) {
    const declared = memberOf(parameters, "properties") ? new Set(declaredNames(parameters ?? {})) : undefined;
    const required: unknown = memberOf(parameters, "required");
    const always = new Set(Array.isArray(required) ? required : []);
    for (const [index, { if: schema }] of conditions.entries()) {
      const path = ["tools", key, "conditions", index, "if"];
      const named = declaredNames(schema);
      const unknown = declared ? named.filter((name) => !declared.has(name)) : [];
      const noSuch = `looks at ${someOf(unknown)}, which \`parameters\` does not have: check the spelling`;
      yield ["condition_argument_unknown", path, unknown.length > 0 && noSuch];
      const absent = unknown.length > 0 ? [] : named.filter((name) => !always.has(name));
      const isVacuous = absent.length > 0 && matchesNothing(schema);
      const vacuous = `also holds for calls without ${someOf(absent)}: name what must be there in \`required\``;
      yield ["condition_without_required", path, isVacuous && vacuous];
    }
  }
}

/** Whether a call without arguments matches. A schema that is too costly to try is not warned about. */
function matchesNothing(schema: unknown): boolean {
  try {
    const work = workBudget();
    const compiled = compileSchema(schema, work);
    const matches = compiled.ok ? compiled.value.matches({}, work) : compiled;
    return matches.ok && matches.value;
  } catch (error) {
    if (error instanceof WorkSpent) return false;
    throw error;
  }
}
