/** A simulated turn as lines for a person at a terminal. Pure. */
import { visible } from "../../../lib/text/visible-text.ts";

interface ReasonReply {
  readonly code: string;
  readonly message: string;
}

export interface SimulationReply {
  readonly in_force: boolean;
  readonly policy: string;
  readonly role: string;
  readonly mode: string;
  readonly untrusted: boolean;
  readonly detection: {
    readonly intents: readonly {
      readonly name: string;
      readonly confidence: number;
      readonly layer: string;
      readonly evidence: readonly { readonly text: string; readonly source: string; readonly discounted?: string }[];
    }[];
    /** Layers that should have run and could not answer. */
    readonly missed?: readonly string[];
  } | null;
  readonly steps: readonly {
    readonly state: string;
    readonly intents: readonly string[];
    readonly offered: readonly string[];
    readonly withheld: readonly { readonly name: string; readonly reasons: readonly ReasonReply[] }[];
    readonly handshake: { readonly name: string; readonly intents: readonly string[] } | null;
    readonly calls: readonly {
      readonly name: string;
      readonly arguments: string;
      readonly effect: string;
      readonly reasons: readonly ReasonReply[];
      readonly origins: readonly { readonly path: string; readonly origin: string; readonly tool?: string }[];
      readonly question: { readonly text: string } | null;
    }[];
  }[];
  readonly stopped: { readonly reason: string; readonly message: string } | null;
}

export function simulationLines(reply: SimulationReply): string[] {
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
}: NonNullable<SimulationReply["detection"]>["intents"][number]) {
  const words = evidence
    .filter(({ discounted, text }) => discounted === undefined && text !== "")
    .map(({ text }) => `"${visible(text)}"`);
  const why = words.length > 0 ? ` from ${[...new Set(words)].join(", ")}` : "";
  return [`heard    ${name} ${confidence.toFixed(2)} (${layer})${why}`];
}

type Step = SimulationReply["steps"][number];

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

const ofTask = ["state_forbids", "intent_forbids"];

/** A model need not call a withheld tool in vain: it may select the intent first. */
function selectionHint(calls: Step["calls"], handshake: Step["handshake"]): readonly string[] {
  const waits = calls.some(({ reasons }) => reasons.some(({ code }) => ofTask.includes(code)));
  if (!handshake || !waits) return [];
  const call = `${handshake.name} ${JSON.stringify({ intents: ["INTENT"] })}`;
  return [`         a model may select the tool's intent first: put --call '${call}' before this call`];
}

const reasonText = (reasons: readonly ReasonReply[]): string =>
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
