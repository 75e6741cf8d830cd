/** A study agent whose tools the gateway runs itself, and may run before the model is asked. */

import type { Gateway, GatewayOptions } from "../support/gateway.ts";
import { type Answer, ask, says, user } from "../support/script.ts";
import { type Host, managed, type World } from "../tools/managed.ts";

const http = (name: string) => ({ kind: "http", method: "POST", url: `https://study.test/${name}`, retries: 0 });

const level = { type: "string", pattern: "^N[1-5]$" };
const cards = {
  type: "object",
  properties: {
    topic: { type: "string", maxLength: 40, description: "What the cards are about." },
    level,
    count: { type: "integer", minimum: 1, maximum: 20, default: 5 },
  },
  required: ["topic", "level"],
  additionalProperties: false,
};
const quiz = { type: "object", properties: { topic: { type: "string" } }, required: ["topic"] };

export const studyTools = {
  make_cards: {
    category: "read_only",
    trusted: true,
    parameters: cards,
    run: http("cards"),
    redact: ["topic"],
    rateLimits: [{ max: 2, window: "1h" }],
  },
  make_quiz: { category: "read_only", trusted: true, parameters: quiz, run: http("quiz"), roles: ["admin"] },
  wipe_cards: {
    category: "modification",
    trusted: true,
    parameters: { type: "object", properties: { level }, required: ["level"] },
    run: http("wipe"),
  },
  look_up: { category: "read_only", trusted: true, parameters: { type: "object" }, run: http("look-up") },
};

export const studyIntents = {
  CARDS: {
    keywords: ["flashcards"],
    tools: ["make_cards", "look_up"],
    primaryTool: "make_cards",
    entities: ["level", "topic"],
  },
  QUIZ: { keywords: ["quiz"], tools: ["make_quiz"], primaryTool: "make_quiz", entities: ["topic"] },
  WIPE: { keywords: ["wipe"], tools: ["wipe_cards"], primaryTool: "wipe_cards", entities: ["level"] },
  HELP: { keywords: ["help"], tools: ["look_up"] },
  CHAT: { tools: [] },
};

export const study = (execution: object = {}, more: object = {}) => ({
  roles: ["guest", "user", "admin"],
  tools: studyTools,
  intents: studyIntents,
  entities: {
    level: { pattern: "\\b(N[1-9])\\b" },
    topic: { synonyms: { verbs: ["verbs"], kanji: ["kanji"] } },
  },
  detection: { fallback: "CHAT" },
  execution: { strategy: "system_first", ...execution },
  ...more,
});

export const worded = says({ text: "Here they are." });

export const studying = (options: Partial<GatewayOptions> = {}, host?: Host): Promise<World> =>
  managed({ policy: study(), upstream: worded, ...options }, host ?? (({ path, body }) => ({ made: path, body })));

export interface Talk {
  readonly history: Record<string, unknown>[];
  say(text: string, body?: Record<string, unknown>): Promise<Answer>;
}

/** A frontend that keeps what was said. */
export function talk(gate: Gateway, headers: Record<string, string> = { "x-toolgate-session": "s" }): Talk {
  const history: Record<string, unknown>[] = [];
  return {
    history,
    async say(text, body = {}) {
      history.push(user(text));
      const answer = await ask(gate, { messages: [...history], ...body }, headers);
      if (answer.status === 200) history.push(answer.message);
      return answer;
    },
  };
}

/** Whether the model was sent tools, request by request. */
export const toolsSent = (gate: Gateway): boolean[] => gate.sent.map(({ tools }) => tools !== undefined);

export const outcomesOf = async (gate: Gateway): Promise<unknown[]> =>
  (await gate.turns()).map(({ arm, system_first: note }) => [
    arm ?? null,
    (note as { outcome?: string } | null)?.outcome ?? null,
  ]);
