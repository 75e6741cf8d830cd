/** Says once what holds for every role, every mode or every intent. Pure. */
import type { EffectChange, Situations } from "./effects.ts";

type Dimension = "role" | "mode" | "intent";

/** In the order of the changes given: each line stands where its first one stood. */
export function collapse(
  changes: readonly EffectChange[],
  { roles, modes, intents }: Pick<Situations, "roles" | "modes" | "intents">,
): EffectChange[] {
  const overRoles = along(changes, "role", roles);
  const overModes = along(overRoles, "mode", modes);
  return along(overModes, "intent", intents);
}

/** One value alone is told by its name. */
function along(changes: readonly EffectChange[], dimension: Dimension, values: readonly string[]): EffectChange[] {
  if (values.length < 2) return [...changes];
  const groups = new Map<string, EffectChange[]>();
  for (const change of changes) {
    // Where no intent is held there is nothing to say of every intent.
    const alone = change[dimension] === undefined ? "none" : "";
    const key = JSON.stringify([alone, { ...change, [dimension]: "" }]);
    const group = groups.get(key);
    if (group) group.push(change);
    else groups.set(key, [change]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    const whole = first?.[dimension] !== undefined && group.length === values.length;
    return whole ? [{ ...first, [dimension]: "*" } as EffectChange] : group;
  });
}
