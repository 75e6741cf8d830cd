/** What the tools of MCP servers are called. Pure. */
import type { PolicyDocument } from "../document-schema.ts";
import type { Report } from "../policy-issue.ts";

/** What a server's tool is called that no tool of the policy runs. Providers take no dots. */
export const offeredName = (server: string, tool: string): string => `mcp__${server}__${tool.replaceAll(".", "_")}`;

/** One tool, one name: else what one name forbids the other permits. */
export function checkMcpNames({ tools }: PolicyDocument, report: Report): void {
  const names = new Map<string, string>();
  for (const [name, { run }] of Object.entries(tools)) {
    if (run?.kind !== "mcp") continue;
    const { server, tool = name } = run;
    const target = JSON.stringify([server, tool]);
    const other = names.get(target);
    if (other !== undefined)
      report(["tools", name, "run"], `\`${other}\` runs the same tool of \`${server}\` already`, [
        ["tools", other, "run"],
        ["tools", name, "run"],
      ]);
    else names.set(target, name);
    const offered = offeredName(server, tool);
    if (offered !== name && Object.hasOwn(tools, offered) && !tools[offered]?.run)
      report(["tools", offered], `\`${name}\` runs this tool, which is known by that name alone: set it there`, [
        ["tools", name, "run"],
        ["tools", offered, "run"],
      ]);
  }
}
