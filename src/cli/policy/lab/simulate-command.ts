/** `policy simulate`: what a running gateway would do with a message, under the policy in force or the one in a file. */
import type { ReasonView, SimulationView } from "../../../api-views/policy-views.ts";
import { err, ok, type Result } from "../../../lib/result.ts";
import { visible } from "../../../lib/text/visible-text.ts";
import { isLackOfIntent } from "../../../policy/reasons.ts";
import { readGatewayAddress, requestGateway } from "../../gateway-client.ts";
import { readPolicyLines } from "../../policy-file.ts";
import { readJsonFile } from "../../read-json-file.ts";
import { command, fail } from "../../subcommands.ts";
import { issueText, remoteOptions } from "../command.ts";
import { toolsIn } from "../init/read-tools.ts";

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

function simulationLines(reply: SimulationView): string[] {
  const { in_force: inForce, policy, role, mode, untrusted, detection, steps, stopped } = reply;
  const which = inForce ? "the policy in force" : "the policy of the file";
  return [
    `${which} (${policy.slice(0, 12)}), role ${role}, mode ${mode}${untrusted ? ", untrusted text was read" : ""}`,
    ...(detection?.intents ?? []).flatMap(detectedLines),
    ...(detection?.missed ?? []).map(missedLine),
    ...steps.flatMap((step, index) => stepLines(step, steps.length > 1 ? `step ${index + 1}: ` : "")),
    ...(stopped ? [`the turn ends: ${visible(stopped.message) || stopped.reason}`] : []),
  ];
}

const missedLine = (layer: string): string =>
  layer === "semantic"
    ? "heard    without the trained layer: it learns changed examples after the first message, for some seconds. Simulate again"
    : `heard    without the layer ${visible(layer)}, which did not answer`;

function detectedLines({
  name,
  confidence,
  layer,
  evidence,
}: NonNullable<SimulationView["detection"]>["intents"][number]) {
  const words = evidence
    .filter(({ discounted, text }) => discounted === undefined && text !== "")
    .map(({ text }) => `"${visible(text)}"`);
  const why = words.length > 0 ? ` from ${[...new Set(words)].join(", ")}` : "";
  return [`heard    ${name} ${confidence.toFixed(2)} (${layer})${why}`];
}

type Step = SimulationView["steps"][number];

function stepLines({ state, intents, offered, withheld, handshake, calls }: Step, prefix: string): string[] {
  const held = intents.length > 0 ? `, intents ${intents.join(", ")}` : "";
  return [
    `${prefix}state ${state}${held}`,
    `offered  ${offered.length > 0 ? offered.join(", ") : "nothing"}${handshake ? `, and ${handshake.name} (${handshake.intents.join(", ")})` : ""}`,
    ...withheld.map(({ name, reasons }) => `withheld ${visible(name)}: ${reasonText(reasons)}`),
    ...calls.flatMap(callLines),
    ...selectionHint(calls, handshake),
  ];
}

/** A model need not call a withheld tool in vain: it may select the intent first. */
function selectionHint(calls: Step["calls"], handshake: Step["handshake"]): readonly string[] {
  const waits = calls.some(({ reasons }) => reasons.some(isLackOfIntent));
  if (!handshake || !waits) return [];
  const call = `${handshake.name} ${JSON.stringify({ intents: ["INTENT"] })}`;
  return [`         a model may select the tool's intent first: put --call '${call}' before this call`];
}

const reasonText = (reasons: readonly ReasonView[]): string =>
  reasons.map(({ code, message }) => `${firstLine(message)} (${code})`).join("; ");

/** The first line of a question: the whole question follows later. */
const firstLine = (text: string): string => visible(text.split("\n", 1)[0] ?? "");

function callLines({ name, arguments: args, effect, reasons, origins, question }: Step["calls"][number]): string[] {
  const from = origins.map(({ path, origin, tool }) => `${path} from ${tool === undefined ? origin : visible(tool)}`);
  return [
    `${effect.padEnd(8)} ${visible(name)} ${visible(args)}`,
    ...(reasons.length > 0 ? [`         ${reasonText(reasons)}`] : []),
    ...(from.length > 0 ? [`         ${from.join(", ")}`] : []),
    ...(question ? question.text.split("\n").map((line) => `         | ${line}`) : []),
  ];
}
