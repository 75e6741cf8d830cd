/** Which families a tool is in. Pure. */
import type { CompiledPolicy } from "./compile.ts";
import type { ToolSettings } from "./document/document-parts.ts";
import { builtInFamilyOf } from "./intent-guard/family-of.ts";
import { unknownFamily } from "./intent-guard/tool-families.ts";
import { type Selectable, selectsAny } from "./selectors.ts";

/**
 * What the policy says of a tool, by its own `families` or by the document's, takes the place of the built-in family:
 * that is for tools of which the policy says nothing, and only where `intentGuard` is in force.
 */
export function familiesOf(
  policy: CompiledPolicy,
  tool: Selectable,
  own: ToolSettings | undefined,
): ReadonlySet<string> {
  const members = policy.families.filter((family) => selectsAny(family.members, tool)).map((family) => family.name);
  const said = new Set([...(own?.families ?? []), ...members]);
  if (policy.intentGuard === undefined || said.size > 0) return said;
  return new Set([own?.families === undefined ? builtInFamilyOf(tool.name) : unknownFamily]);
}
