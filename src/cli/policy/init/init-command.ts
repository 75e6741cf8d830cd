/** `policy init`: drafts a policy from a list of tools, each guess with its reason. */
import { basename } from "node:path";
import { isLoopbackHost } from "../../../lib/host.ts";
import { err, ok, type Result } from "../../../lib/result.ts";
import { readGatewayAddress } from "../../gateway-client.ts";
import { readJsonFile } from "../../read-json-file.ts";
import { command, fail } from "../../subcommands.ts";
import { readSeenTools } from "../admin-client.ts";
import { issueText, remoteOptions, writeOut } from "../command.ts";
import { draftPolicy } from "./draft-policy.ts";
import { jsoncText } from "./jsonc-text.ts";
import { listMcpTools } from "./list-mcp-tools.ts";
import { toolsIn } from "./read-tools.ts";

interface Source {
  readonly tools: unknown;
  /** Names the policy, unless `--name` does. */
  readonly name: string;
  /** Where the tools come from, in words. */
  readonly label: string;
  /** The MCP server that the gateway is to ask and to run. */
  readonly server?: { readonly name: string; readonly url: string };
}

/** Prints the policy, or writes it; what was left out goes to standard error. */
export const initCommand = command({
  usage:
    "init (--from TOOLS.json | --mcp URL | --from-gateway [--gateway URL] [--tenant T]) [--name NAME] [--out FILE [--force]]",
  options: {
    ...remoteOptions,
    from: { type: "string" },
    mcp: { type: "string" },
    "from-gateway": { type: "boolean", default: false },
    name: { type: "string" },
    out: { type: "string" },
    force: { type: "boolean", default: false },
  },
  run: async ({ out: path, force, name, ...values }) => {
    const sources = [values.from, values.mcp, values["from-gateway"] || undefined].filter((one) => one !== undefined);
    if (sources.length !== 1) return "usage";
    const source = await sourceOf(values);
    if (!source.ok) return fail(source.error);
    const list = toolsIn(source.value.tools);
    if (!list.ok) return fail([`${source.value.label} ${list.error}`]);
    for (const line of list.value.skipped) console.error(`left out: ${line}`);
    const { tools } = list.value;
    const text = draftText(tools, source.value, name);
    if (path === undefined) {
      console.log(text.trimEnd());
      return 0;
    }
    // A draft that a person has corrected is not overwritten by the next one.
    if (!writeOut(path, text, force)) return 1;
    console.log(
      `${path}: a policy for ${tools.length} tools; read its comments, then \`npm run policy -- check ${path}\``,
    );
    return 0;
  },
});

function draftText(tools: Parameters<typeof draftPolicy>[0], source: Source, name = source.name): string {
  const { document, comments, summary } = draftPolicy(tools, name, source.server);
  return [
    `// Drafted by \`policy init\` from ${tools.length} tools (${source.label.replace(/\s+/g, " ")}).`,
    "// The comments give the reason of each guess. Read them, and correct what names and descriptions do not tell.",
    "// The examples are sentences that people say of such tools. How well they hear your users is not measured: no word of theirs is known.",
    "//",
    ...summary.map((line) => `// ${line}`),
    jsoncText(document, comments),
  ].join("\n");
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
