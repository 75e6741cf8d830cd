/** `policy init`: drafts a policy from a list of tools, each guess with its reason. */
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { isLoopbackHost } from "../../../lib/host.ts";
import { err, ok, type Result } from "../../../lib/result.ts";
import { DEFAULT_GATEWAY, readGatewayAddress } from "../../gateway-client.ts";
import { readJsonFile } from "../../read-json-file.ts";
import { readSeenTools } from "../admin-client.ts";
import { issueText, type Output, writeOut } from "../command.ts";
import { draftPolicy } from "./draft-policy.ts";
import { jsoncText } from "./jsonc-text.ts";
import { listMcpTools } from "./list-mcp-tools.ts";
import { toolsIn } from "./read-tools.ts";

export const initUsage =
  "init (--from TOOLS.json | --mcp URL | --from-gateway [--gateway URL] [--tenant T]) [--name NAME] [--out FILE [--force]]";

const options = {
  from: { type: "string" },
  mcp: { type: "string" },
  "from-gateway": { type: "boolean", default: false },
  gateway: { type: "string", default: DEFAULT_GATEWAY },
  tenant: { type: "string", default: "default" },
  name: { type: "string" },
  out: { type: "string" },
  force: { type: "boolean", default: false },
} as const;

interface Source {
  readonly tools: unknown;
  /** Names the policy, unless `--name` does. */
  readonly name: string;
  /** Where the tools come from, in words. */
  readonly label: string;
  /** The MCP server that the gateway is to ask and to run. */
  readonly server?: { readonly name: string; readonly url: string };
}

/** Prints the policy, or writes it; what was left out goes to standard error. @returns the exit code */
export async function initCommand(args: readonly string[], out: Output): Promise<number> {
  const { values } = parseArgs({ args: [...args], options });
  const sources = [values.from, values.mcp, values["from-gateway"] || undefined].filter((one) => one !== undefined);
  if (sources.length !== 1) return out.usage(initUsage);
  const source = await sourceOf(values);
  if (!source.ok) {
    for (const line of source.error) out.fail(line);
    return 1;
  }
  const list = toolsIn(source.value.tools);
  if (!list.ok) {
    out.fail(`${source.value.label} ${list.error}`);
    return 1;
  }
  for (const line of list.value.skipped) out.fail(`left out: ${line}`);
  const name = values.name ?? source.value.name;
  const { document, comments, summary } = draftPolicy(list.value.tools, name, source.value.server);
  const text = [
    `// Drafted by \`policy init\` from ${list.value.tools.length} tools (${source.value.label.replace(/\s+/g, " ")}).`,
    "// The comments give the reason of each guess. Read them, and correct what names and descriptions do not tell.",
    "// The examples are sentences that people say of such tools. How well they hear your users is not measured: no word of theirs is known.",
    "//",
    ...summary.map((line) => `// ${line}`),
    jsoncText(document, comments),
  ].join("\n");
  return write(text, values, list.value.tools.length, out);
}

/** A draft that somebody has corrected is not overwritten by the next one. */
function write(
  text: string,
  { out: path, force }: { readonly out?: string | undefined; readonly force: boolean },
  count: number,
  out: Output,
): number {
  if (path === undefined) {
    out.print(text.trimEnd());
    return 0;
  }
  if (!writeOut(out, path, text, force)) return 1;
  out.print(`${path}: a policy for ${count} tools; read its comments, then \`npm run policy -- check ${path}\``);
  return 0;
}

interface Values {
  readonly from?: string | undefined;
  readonly mcp?: string | undefined;
  readonly gateway: string;
  readonly tenant: string;
}

async function sourceOf({ from, mcp, gateway: url, tenant }: Values): Promise<Result<Source, readonly string[]>> {
  if (from !== undefined) {
    const file = readJsonFile(from);
    if (!file.ok)
      return err(file.error.map((issue) => (issue.path === "" ? issue.message : `${from}: ${issueText(issue)}`)));
    return ok({ tools: file.value.value, name: policyName(basename(from).replace(/\.\w+$/, "")), label: from });
  }
  if (mcp !== undefined) return mcpSource(mcp);
  const gateway = readGatewayAddress(url, process.env);
  if (!gateway.ok) return gateway;
  const seen = await readSeenTools(gateway.value, tenant);
  if (!seen.ok) return seen;
  if (seen.value.length === 0)
    return err([`tenant \`${tenant}\` has seen no tool that its policy does not list, in its last turns`]);
  return ok({
    tools: seen.value.map((name) => ({ name })),
    name: policyName(tenant),
    label: `seen by tenant ${tenant}`,
  });
}

/** A private address is no address for a deployed gateway: there the client runs the tools, under the server's names. */
async function mcpSource(address: string): Promise<Result<Source, readonly string[]>> {
  const listed = await listMcpTools(address, process.env.MCP_TOKEN?.trim() || undefined);
  if (!listed.ok) return err([listed.error]);
  const { hostname, host, protocol } = new URL(address);
  const name = policyName(hostname);
  const source = { tools: listed.value, name, label: host };
  if (protocol !== "https:" || isLoopbackHost(hostname)) return ok(source);
  return ok({ ...source, server: { name: name.replace(/[^a-zA-Z0-9-]/g, "-").slice(0, 32), url: address } });
}

const policyName = (text: string): string => text.replace(/[^\w.-]+/g, "-").slice(0, 100) || "tools";
