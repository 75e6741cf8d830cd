/** Which of the offered tools, or of the handshake's intents, a message asks for: by the words that they share. Pure. */
import { fillArguments, objectOf } from "./fill-arguments.ts";
import { type MessageValues, stems } from "./message-values.ts";

export interface DemoTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: unknown;
}

/** A word of the name counts this much, a word of the description's first sentence 1, an argument's value 1. From `FITS` on a tool fits. */
const [NAME_WORD, FITS] = [2, 2];

/** The tool that fits best, the first of equals; undefined where none fits. */
export function chooseTool(values: MessageValues, tools: readonly DemoTool[]): DemoTool | undefined {
  const scores = tools.map((tool) => scoreOf(values, tool));
  const best = Math.max(0, ...scores);
  return best >= FITS ? tools[scores.indexOf(best)] : undefined;
}

function scoreOf(values: MessageValues, { name, description, parameters }: DemoTool): number {
  const own = stems(name);
  const described = stems(description.split(/[.:]\s/, 1)[0] ?? "");
  const shared = [...values.words].map((word) => (own.has(word) ? NAME_WORD : described.has(word) ? 1 : 0));
  const words = shared.reduce<number>((sum, points) => sum + points, 0);
  return words === 0 ? 0 : words + fillArguments(parameters, values).given;
}

/** The gateway's handshake tool is known by its shape: it takes `intent`, or a list `intents`, out of named ones. */
export const findHandshake = (tools: readonly DemoTool[]): DemoTool | undefined =>
  tools.find((tool) => intentsOf(tool).length > 0);

function intentsOf({ parameters }: DemoTool): readonly string[] {
  const { intent, intents } = objectOf(objectOf(parameters).properties);
  const named = objectOf(objectOf(intents).items).enum ?? objectOf(intent).enum;
  return Array.isArray(named) ? named : [];
}

/** Selects the intent whose name and line in the description share most words with the message; else the first. */
export function selectIntent({ words }: MessageValues, handshake: DemoTool): object {
  const intents = intentsOf(handshake);
  const lines = handshake.description.split("\n");
  const scores = intents.map((name) => {
    const line = lines.find((one) => one.replace(/^[\s\-*]*/, "").startsWith(`${name}:`)) ?? "";
    const own = stems(`${name} ${line}`);
    return [...words].filter((word) => own.has(word)).length;
  });
  const chosen = intents[scores.indexOf(Math.max(...scores))];
  return "intents" in objectOf(objectOf(handshake.parameters).properties) ? { intents: [chosen] } : { intent: chosen };
}
