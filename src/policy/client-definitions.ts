/** Tools that the policy itself defines, and clients run: those that a client brings are known in its requests alone. Pure. */
import type { CompiledPolicy } from "./compile.ts";
import type { ToolDefinition } from "./facts.ts";
import { traitsOf } from "./traits.ts";

/** In the policy's order. @param managed names of those that the gateway runs. */
export function clientDefinitions(policy: CompiledPolicy, managed: ReadonlySet<string>): readonly ToolDefinition[] {
  const servers = Object.keys(policy.mcpServers).map((server) => `mcp__${server}__`);
  return [...policy.tools].flatMap(([name, { run }]) => {
    const { description, parameters } = traitsOf(policy, name);
    // One that a server does not have just now is nobody else's.
    if (run || !parameters || managed.has(name) || servers.some((prefix) => name.startsWith(prefix))) return [];
    const told = description === undefined ? { name, parameters } : { name, description, parameters };
    return [{ ...told, wire: { type: "function", function: told } }];
  });
}
