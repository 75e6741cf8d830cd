/**
 * A tool as a principal who may use it sees it: its settings in the policy, and its definition for OpenAI's and for MCP's
 * clients. Pure. Source: reference/human-centered-tool-calling.md (get_mcp_schema).
 */
import type { CompiledPolicy } from "../policy/compile.ts";
import type { RunSettings } from "../policy/document/run-parts.ts";
import type { ToolTraits } from "../policy/traits.ts";
import type { UsableTool } from "../policy/usable-tools.ts";

export interface ToolToView extends UsableTool {
  readonly managed: boolean;
  /** How its calls are undone, if the principal may know it. */
  readonly undo: string | undefined;
  /** A linked provider whose token may not go to the tool's host: each call would fail. */
  readonly withoutToken: string | undefined;
}

type Confirmation = "none" | "first_time" | "always" | "first_time_and_always";

export function toolView(policy: CompiledPolicy, tool: ToolToView) {
  const { definition, traits, managed, modes, intents, missing, undo, withoutToken } = tool;
  const providers = new Set([...traits.connections, ...(withoutToken === undefined ? [] : [withoutToken])]);
  const connections = [...providers].map((provider) => ({
    provider,
    connected: !missing.includes(provider),
    ...(provider === withoutToken && { token_missing: true }),
  }));
  return {
    object: "tool",
    name: traits.name,
    managed,
    ...(managed && { kind: policy.tools.get(traits.name)?.run?.kind ?? "mcp" }),
    available: missing.length === 0 && withoutToken === undefined,
    category: traits.category,
    class: traits.class,
    confirmation: confirmationOf(traits),
    reversible: traits.reversible,
    ...(undo !== undefined && { undo }),
    ...(connections.length > 0 && { connections }),
    families: [...traits.families],
    modes,
    ...(intents && { intents }),
    definition: definition.wire,
    mcp: mcpToolView(policy, tool),
  };
}

/** In the form of MCP's `tools/list`. */
export function mcpToolView(policy: CompiledPolicy, { definition, traits, managed, missing, undo }: ToolToView) {
  const { description, parameters } = definition;
  return {
    name: traits.name,
    ...(description !== undefined && { description }),
    inputSchema: { ...(parameters as object | undefined), type: "object" },
    annotations: mcpAnnotations(traits, policy.tools.get(traits.name)?.run),
    _meta: {
      "toolgate/category": traits.category,
      "toolgate/class": traits.class,
      "toolgate/requires_confirmation": traits.needsConfirmation || traits.gate,
      "toolgate/confirmation": confirmationOf(traits),
      "toolgate/reversible": traits.reversible,
      ...(undo !== undefined && { "toolgate/undo": undo }),
      "toolgate/managed": managed,
      ...(missing.length > 0 && { "toolgate/missing_connections": missing }),
    },
  };
}

/** Suspicious arguments need a question whatever the tool is. */
function confirmationOf({ needsConfirmation, gate }: ToolTraits): Confirmation {
  if (gate) return needsConfirmation ? "first_time_and_always" : "first_time";
  return needsConfirmation ? "always" : "none";
}

interface McpHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  /** Absent if the effect of a repeated call is unknown. */
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
