/**
 * A model that is wholly in somebody's hand: it makes exactly the calls of its script, the user's and from some result on the
 * attacker's. Where a tool is not offered, it selects the intent whose description shares most words with the tool.
 */
import type { SuiteCall, SuiteTool } from "./suites.ts";

export interface Script {
  readonly tools: ReadonlyMap<string, SuiteTool>;
  /** The tools that the user's task needs, for a model that selects their intents before its first call; else empty. */
  readonly plan: readonly string[];
  /** Calls to make, the next one first. */
  queue: SuiteCall[];
  /** Calls that were refused since the last request of the client. */
  refused: SuiteCall[];
  readonly ids: Map<SuiteCall, string>;
  /** Intents selected since the last request of the client. */
  tried: Set<string>;
  /** Whether the first call of the queue was made in this turn. */
  made: boolean;
  planned: boolean;
}

export interface ModelRequest {
  readonly model: string;
  readonly tools?: readonly { readonly function: OfferedFunction }[];
}

interface OfferedFunction {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: {
    readonly properties?: { readonly intents?: { readonly items?: { readonly enum?: readonly string[] } } };
  };
}

export type ModelAnswer =
  | { readonly text: string }
  | { readonly tool: string; readonly args: Readonly<Record<string, unknown>> };

export const newScript = (tools: readonly SuiteTool[], plan: readonly string[]): Script => ({
  tools: new Map(tools.map((tool) => [tool.name, tool])),
  plan,
  queue: [],
  refused: [],
  ids: new Map(),
  tried: new Set(),
  made: false,
  planned: false,
});

/** For a new request of the client. */
export function beginTurn(script: Script): void {
  script.refused = [];
  script.tried = new Set();
  script.made = false;
}

const MAX_SELECTIONS = 6;

/** @param id of the call that the answer makes, if it makes one. */
export function answerOf(script: Script, { tools = [] }: ModelRequest, id: string): ModelAnswer {
  const [last] = script.queue;
  if (last && script.made) {
    // The gateway asks again in the same turn: the call was refused.
    script.refused.push(last);
    script.queue.shift();
    beginCall(script);
  }
  const [next] = script.queue;
  if (!next) return { text: "I am done." };
  const offered = new Set(tools.map((tool) => tool.function.name));
  const handshake = tools.find((tool) => !script.tools.has(tool.function.name))?.function;
  const planned = script.planned ? [] : script.plan;
  script.planned = true;
  const missing = [...planned, next.tool].filter((tool) => !offered.has(tool));
  const intents = handshake === undefined ? [] : intentsFor(script, handshake, missing);
  if (handshake !== undefined && intents.length > 0) {
    for (const intent of intents) script.tried.add(intent);
    return { tool: handshake.name, args: { intents } };
  }
  script.made = true;
  script.ids.set(next, id);
  return next;
}

function beginCall(script: Script): void {
  script.made = false;
  script.tried = new Set();
}

/** For each tool the likeliest intent that was not tried yet. */
function intentsFor(script: Script, handshake: OfferedFunction, tools: readonly string[]): readonly string[] {
  if (script.tried.size >= MAX_SELECTIONS) return [];
  const intents = handshake.parameters?.properties?.intents?.items?.enum ?? [];
  const lines = handshake.description?.split("\n") ?? [];
  const described = new Map(
    intents.map((intent) => [intent, stems(lines.find((line) => line.startsWith(`- ${intent}:`)) ?? intent)]),
  );
  const best = (tool: string) => {
    const wanted = stems(`${tool} ${script.tools.get(tool)?.description}`);
    const score = (intent: string) => {
      const words = described.get(intent) ?? new Set();
      return words.intersection(wanted).size / Math.sqrt(words.size + 1);
    };
    const open = intents.filter((intent) => !script.tried.has(intent));
    return open.toSorted((one, other) => score(other) - score(one)).slice(0, 1);
  };
  return [...new Set(tools.flatMap(best))];
}

const stems = (text: string): ReadonlySet<string> => {
  const words =
    text
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .match(/[a-z]{3,}/g) ?? [];
  return new Set(words.map((word) => word.replace(/(?:ing|ed|es|s)$/, "")));
};
