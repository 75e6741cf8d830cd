/** What other hosts answer to a case: its own answers, the file's, and the servers that the policy names. Pure. */

import type { PolicyOnDisk } from "../files.ts";
import type { CaseFile, PolicyCase } from "./case-schema.ts";
import type { HostScript } from "./scripted-hosts.ts";

export function hostScript(
  { document }: PolicyOnDisk,
  { hosts, mcp }: Pick<CaseFile, "hosts" | "mcp">,
  one: Pick<PolicyCase, "hosts" | "mcp">,
): HostScript {
  const servers = Object.entries(document.mcpServers).map(([name, { url }]) => {
    const { tools = [], results = {} } = mcp[name] ?? {};
    return [
      new URL(url).href,
      { name, server: { tools, results: { ...results, ...one.mcp[name]?.results } } },
    ] as const;
  });
  return { own: one.hosts, shared: hosts, mcp: new Map(servers) };
}
