/** The gateway's handshake tool, recognised by its shape, and the intent that fits a message. Pure. */
import { latePattern } from "../../lib/once.ts";
import { type DemoTool, readSchema } from "./tool-schema.ts";
import { escapeRegExp, readTask, readWords, splitWords } from "./words.ts";

export interface Handshake {
  readonly tool: string;
  readonly intents: readonly { readonly name: string; readonly description: string }[];
}

/** A tool that requires `intent`, one of a list of strings. */
export function findHandshake(tools: readonly DemoTool[]): Handshake | undefined {
  for (const { name, description = "", schema } of tools) {
    const { properties, required } = readSchema(schema);
    const intent = properties.get("intent");
    const names = intent?.enum.filter((value) => typeof value === "string") ?? [];
    if (!intent || names.length === 0 || !required.includes("intent")) continue;
    const described = `${description}\n${intent.description}`;
    return { tool: name, intents: names.map((value) => ({ name: value, description: describe(value, described) })) };
  }
  return undefined;
}

const GOES_ON = latePattern(String.raw`^[\p{L}\p{N}_]`, "u");

/** The rest of the line that opens with the name: `NAME: …`, `- NAME - …`, `* \`NAME\` (…)`. */
function describe(name: string, text: string): string {
  for (const line of text.split(/[\n;]/)) {
    const bare = line.replace(/^[\s\-*•\d.]*[`"'*]*/, "");
    if (bare.startsWith(name) && !GOES_ON().test(bare.slice(name.length))) return bare.slice(name.length);
  }
  return "";
}

/**
 * The intent whose name and description share most words with the message. Where none shares any: the one for
 * everything else, if there is something to do (`fallback`), or nothing.
 */
export function chooseIntent({ intents }: Handshake, message: string, fallback: boolean): string | undefined {
  const wanted = readTask(message);
  const scored = intents.map(({ name, description }) => {
    if (new RegExp(`(?<![\\w])${escapeRegExp(name)}(?![\\w])`).test(message)) return { name, score: 100 };
    const [own, told] = [readWords(name), readWords(description)];
    const shared = (words: ReadonlySet<string>) => [...wanted.nouns].filter((noun) => words.has(noun)).length;
    const acts = (actions: readonly string[]) => wanted.actions.filter((action) => actions.includes(action)).length;
    return { name, score: 3 * shared(own.nouns) + 2 * acts(own.actions) + shared(told.nouns) + acts(told.actions) };
  });
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a));
  if (best.score > 0) return best.name;
  return fallback ? generalIntent(intents.map(({ name }) => name)) : undefined;
}

/** Not `chat`: this is asked only where there is something to do. */
const GENERAL = ["general", "other", "default", "any", "fallback", "misc"];

function generalIntent(names: readonly string[]): string | undefined {
  const words = new Map(names.map((name) => [name, splitWords(name)]));
  const general = GENERAL.flatMap((word) => names.filter((name) => words.get(name)?.includes(word)));
  return general[0] ?? names[0];
}
