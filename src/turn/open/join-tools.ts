/** The tools of a turn: those that the request brings, and those that Toolgate runs itself. Pure. */
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import type { ToolDefinition } from "../../policy/facts.ts";
import type { ManagedTools } from "../../tools/tool-runner.ts";

export interface JoinedTools {
  /** The client's in its order, then the managed ones. */
  readonly all: readonly ToolDefinition[];
  /** Names under which the client brings another tool than the managed one: neither may be used. */
  readonly changed: readonly string[];
}

/** A client tool that is the same as the managed one of its name is the managed one. */
export function joinTools(tools: readonly ToolDefinition[], managed: ManagedTools | undefined): JoinedTools {
  if (!managed || managed.names.size === 0) return { all: tools, changed: [] };
  const own = new Map(managed.definitions.map((definition) => [definition.name, definition]));
  const changed: string[] = [];
  const brought = tools.map((tool) => {
    const same = own.get(tool.name);
    if (!same) return tool;
    own.delete(tool.name);
    if (isSame(tool, same)) return same;
    changed.push(tool.name);
    return tool;
  });
  return { all: [...brought, ...own.values()], changed };
}

/** What a client does not say of its tool's parameters it leaves to the policy, as everywhere. */
const isSame = ({ parameters: sent }: ToolDefinition, { parameters }: ToolDefinition): boolean =>
  sent === undefined || sent === null || canonicalJson(sent) === canonicalJson(parameters);
