/** A simulated turn as lines for a person at a terminal. Pure. */
import type { ReasonView, SimulationView } from "../../../api-views/policy-views.ts";
import { visible } from "../../../lib/text/visible-text.ts";
import { isLackOfIntent } from "../../../policy/reasons.ts";

export function simulationLines(reply: SimulationView): string[] {
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

/** Of a question: all of it follows. */
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
