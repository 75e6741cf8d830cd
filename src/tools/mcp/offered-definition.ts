/** A definition as the model is shown it: without characters that no person sees. Pure. */
import { withoutUnseen } from "../../lib/text/visible-text.ts";
import type { McpDefinition } from "./known-server.ts";

interface OfferedDefinition {
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export function offeredDefinition({ description = "", inputSchema }: McpDefinition): OfferedDefinition {
  return { description: withoutUnseen(description), parameters: cleaned(inputSchema) as Record<string, unknown> };
}

/** Only prose can hold them: a schema that has them elsewhere was left out (`read-definitions.ts`). */
function cleaned(value: unknown): unknown {
  if (typeof value === "string") return withoutUnseen(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, cleaned(part)]));
}
