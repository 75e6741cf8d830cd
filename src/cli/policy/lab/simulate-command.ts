/** `policy simulate`: what a running gateway would do with a message, under the policy in force or the one in a file. */
import { parseArgs } from "node:util";
import type { SimulationView } from "../../../api-views/policy-views.ts";
import { err, ok, type Result } from "../../../lib/result.ts";
import { readGatewayAddress, requestGateway } from "../../gateway-client.ts";
import { readPolicyLines } from "../../policy-file.ts";
import { readJsonFile } from "../../read-json-file.ts";
import { fail, issueText, type Output } from "../command.ts";
import { toolsIn } from "../init/read-tools.ts";
import { remoteOptions } from "../remote-options.ts";
import { simulationLines } from "./simulation-text.ts";

export const simulateUsage =
  "simulate [FILE] --user TEXT [--role R] [--mode M] [--tools TOOLS.json] [--after 'TOOL RESULT']… [--call 'TOOL {…}']… [--json] [--gateway URL] [--tenant T]";

const options = {
  ...remoteOptions,
  user: { type: "string" },
  role: { type: "string" },
  mode: { type: "string" },
  tools: { type: "string" },
  after: { type: "string", multiple: true },
  call: { type: "string", multiple: true },
  json: { type: "boolean", default: false },
} as const;

export async function simulateCommand(args: readonly string[], out: Output): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const { user, role, mode, after, call } = values;
  if (user === undefined || positionals.length > 1) return out.usage(simulateUsage);
  const tools = readTools(values.tools);
  const [file] = positionals;
  const policy = file === undefined ? ok(undefined) : await readPolicyLines(file);
  const gateway = readGatewayAddress(values.gateway, process.env);
  for (const read of [tools, policy, gateway]) if (!read.ok) return fail(out, read.error);
  if (!tools.ok || !policy.ok || !gateway.ok) return 1;
  const body = {
    user,
    role,
    mode,
    tools: tools.value,
    after: after?.map((text) => afterOf(text)),
    calls: call?.map((text) => callOf(text)),
    policy: policy.value?.input,
  };
  const reply = await requestGateway<SimulationView>(
    gateway.value,
    `/admin/policies/${encodeURIComponent(values.tenant)}/simulate`,
    { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
  );
  if (!reply.ok) return fail(out, reply.error);
  out.print(values.json ? JSON.stringify(reply.value, null, 2) : simulationLines(reply.value).join("\n"));
  return 0;
}

function readTools(path: string | undefined): Result<readonly unknown[], readonly string[]> {
  if (path === undefined) return ok([]);
  const file = readJsonFile(path);
  if (!file.ok)
    return err(file.error.map((issue) => (issue.path === "" ? issue.message : `${path}: ${issueText(issue)}`)));
  const list = toolsIn(file.value.value);
  if (!list.ok) return err([`${path} ${list.error}`]);
  return ok(list.value.tools.map(({ annotations: _, ...tool }) => ({ type: "function", function: tool })));
}

/** The tool's name, a blank, and the rest. */
function named(text: string): readonly [name: string, rest: string] {
  const [, name = text, rest = ""] = /^\s*(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  return [name, rest];
}

function callOf(text: string): { readonly name: string; readonly arguments: string } {
  const [name, rest] = named(text);
  return { name, arguments: rest === "" ? "{}" : rest };
}

function afterOf(text: string): { readonly tool: string; readonly result: string } {
  const [tool, result] = named(text);
  return { tool, result };
}
