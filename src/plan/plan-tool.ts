/** A tool as a plan may use it. Pure. */
import type { UsableTool } from "../policy/usable-tools.ts";

export interface PlanTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly category: string;
  /** JSON Schema of its arguments, as offered; absent: any object. */
  readonly parameters?: unknown;
  /** Where its arguments go. */
  readonly destination?: string | undefined;
  /** The providers that the user must have linked. */
  readonly connections: readonly string[];
}

/** By name. A map, because clients choose the names. */
export type PlanTools = ReadonlyMap<string, PlanTool>;

export function planToolOf({ definition, traits }: Pick<UsableTool, "definition" | "traits">): PlanTool {
  return {
    name: definition.name,
    description: traits.description ?? definition.description,
    category: traits.category,
    parameters: traits.parameters ?? definition.parameters ?? undefined,
    destination: traits.destination,
    connections: traits.connections,
  };
}

/** The tools whose providers the user has linked. */
export function planToolsOf(usable: readonly UsableTool[]): PlanTools {
  const ready = usable.filter(({ missing }) => missing.length === 0);
  return new Map(ready.map((tool) => [tool.definition.name, planToolOf(tool)]));
}
