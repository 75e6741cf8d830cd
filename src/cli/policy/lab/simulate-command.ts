/** `policy simulate`: what a running gateway would do with a message, under the policy in force or the one in a file. */
import type { SimulationView } from "../../../api-views/policy-views.ts";
import { err, ok, type Result } from "../../../lib/result.ts";
import { readGatewayAddress, requestGateway } from "../../gateway-client.ts";
import { readPolicyLines } from "../../policy-file.ts";
import { readJsonFile } from "../../read-json-file.ts";
import { command, fail } from "../../subcommands.ts";
import { issueText, remoteOptions } from "../command.ts";
import { toolsIn } from "../init/read-tools.ts";
import { simulationLines } from "./simulation-text.ts";

export const simulateCommand = command({
  usage:
    "simulate [FILE] --user TEXT [--role R] [--mode M] [--tools TOOLS.json] [--after 'TOOL RESULT']… [--call 'TOOL {…}']… [--json] [--gateway URL] [--tenant T]",
  options: {
    ...remoteOptions,
    user: { type: "string" },
    role: { type: "string" },
    mode: { type: "string" },
    tools: { type: "string" },
    after: { type: "string", multiple: true },
    call: { type: "string", multiple: true },
    json: { type: "boolean", default: false },
  },
  positionals: [0, 1],
  run: async ({ user, role, mode, after, call, ...values }, [file]) => {
    if (user === undefined) return "usage";
    const tools = readTools(values.tools);
    const policy = file === undefined ? ok(undefined) : await readPolicyLines(file);
    const gateway = readGatewayAddress(values.gateway, process.env);
    if (!tools.ok) return fail(tools.error);
    if (!policy.ok) return fail(policy.error);
    if (!gateway.ok) return fail(gateway.error);
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
    if (!reply.ok) return fail(reply.error);
    console.log(values.json ? JSON.stringify(reply.value, null, 2) : simulationLines(reply.value).join("\n"));
    return 0;
  },
});

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
