/**
 * What MCP's hints say of a tool, by what the policy says of it. Pure. The way back from `policy/mcp-annotations.ts`: who
 * trusts these hints takes the tool for no lower a category, and for no safer, than it is.
 */
import type { RunSettings } from "../policy/document/run-parts.ts";
import type { ToolTraits } from "../policy/traits.ts";

export interface McpHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  /** Absent where nothing says what comes of a call that is made twice. */
  readonly idempotentHint?: boolean;
  readonly openWorldHint: boolean;
}

export function mcpAnnotations(
  { category, class: cls }: Pick<ToolTraits, "category" | "class">,
  run: RunSettings | undefined,
): McpHints {
  const readOnly = category === "read_only" && cls === "safe";
  const idempotent = run?.kind === "http" ? { idempotentHint: !["POST", "PATCH"].includes(run.method) } : {};
  return {
    readOnlyHint: readOnly,
    destructiveHint: !readOnly && category !== "note_taking",
    ...idempotent,
    openWorldHint: category === "external",
  };
}
