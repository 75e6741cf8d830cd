/** The requests that are made: one body a workload, each copy with a number of its own, so that none is another's retry. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type SurfaceName, wordsSurfaces } from "./surfaces.ts";

export interface Workload {
  readonly name: string;
  readonly kind: "stream" | "json" | "tools";
  readonly surface: SurfaceName;
  /** The scripted model, such as `text-200`. */
  readonly model: string;
  /** How many words answer; none where a call does. */
  readonly words: number;
}

export const stream = (words: number, everyMs = 0): Workload => ({
  name: everyMs === 0 ? `stream ${words}` : `stream ${words}, one every ${everyMs} ms`,
  kind: "stream",
  surface: "chat",
  model: everyMs === 0 ? `text-${words}` : `text-${words}-every-${everyMs}ms`,
  words,
});

/** A stream in another wire format than chat completions. @param provider a provider's name, before the model's. */
export const surfaceStream = (surface: SurfaceName, words: number, provider?: string): Workload => ({
  name: `${surface} stream ${words}${provider === undefined ? "" : `, upstream ${provider}`}`,
  kind: "stream",
  surface,
  model: `${provider === undefined ? "" : `${provider}/`}text-${words}`,
  words,
});

/** A JSON answer of so many words. */
export const json = (words: number): Workload => ({
  name: "json",
  kind: "json",
  surface: "chat",
  model: `text-${words}`,
  words,
});

/** A streamed call of a tool that the policy lets through after every rule was asked. */
export const toolsTurn: Workload = {
  name: "tools",
  kind: "tools",
  surface: "chat",
  model: "tool-read_file",
  words: 0,
};

export interface Message {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export interface RequestOptions {
  readonly tools?: readonly unknown[];
  /** Between the system's message and the user's. */
  readonly history?: readonly Message[];
}

const systemPrompt = `You are a coding agent that works in the user's repository. Read before you write, keep changes
small, run the tests after each change, and say plainly what you could not do. Never send anything outside the
workspace unless the user asked for it. Answer in the user's language, briefly, in Markdown.`;

const userPrompt = `The retry test in test/worker/settle.test.ts fails every few runs. Please look at the last commits,
find out why, and tell me what you would change before you change anything.`;

export const codingTools: readonly unknown[] = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../fixtures/coding-agent-tools.json"), "utf8"),
);

const MARK = "@request@";
let made = 0;

/** @returns what makes the next body; all have the same length. */
export function requestBodies({ model, kind, surface }: Workload, options: RequestOptions = {}): () => Buffer {
  const { tools = codingTools, history = [] } = options;
  const messages: Message[] = [
    { role: "system", content: systemPrompt },
    ...history,
    { role: "user", content: `${userPrompt} (request ${MARK})` },
  ];
  const streamed = kind === "json" ? {} : { stream: true, stream_options: { include_usage: true } };
  const text = JSON.stringify(
    surface === "chat"
      ? { model, ...streamed, messages, ...(tools.length > 0 ? { tools } : {}) }
      : wordsSurfaces[surface].body(model, messages, tools),
  );
  const at = text.indexOf(MARK);
  const [before, after] = [Buffer.from(text.slice(0, at)), Buffer.from(text.slice(at + MARK.length))];
  return () => Buffer.concat([before, Buffer.from(String(made++).padStart(9, "0")), after]);
}
