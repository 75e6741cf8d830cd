/** A study agent whose tools the gateway runs itself, and which may do so before the model is asked. */

import type { GatewayOptions } from "./gateway.ts";
import { type Host, managed, type World } from "./managed.ts";
import { says } from "./script.ts";

const http = (name: string) => ({ kind: "http", method: "POST", url: `https://study.test/${name}`, retries: 0 });

const cards = {
  type: "object",
  properties: {
    topic: { type: "string", maxLength: 40, description: "What the cards are about." },
    level: { type: "string", pattern: "^N[1-5]$" },
    count: { type: "integer", minimum: 1, maximum: 20, default: 5 },
  },
  required: ["topic", "level"],
  additionalProperties: false,
};

export const studyTools = {
  make_cards: { category: "read_only", trusted: true, parameters: cards, run: http("cards"), redact: ["topic"] },
  make_quiz: { category: "read_only", trusted: true, parameters: cards, run: http("quiz"), roles: ["admin"] },
  wipe_cards: {
    category: "modification",
    trusted: true,
    parameters: { type: "object", properties: { level: cards.properties.level }, required: ["level"] },
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
  QUIZ: { keywords: ["quiz"], tools: ["make_quiz"], primaryTool: "make_quiz", entities: ["level", "topic"] },
  WIPE: { keywords: ["wipe"], tools: ["wipe_cards"], primaryTool: "wipe_cards", entities: ["level"] },
  CHAT: { tools: [] },
};

export const study = (execution: object = {}, more: object = {}) => ({
  roles: ["guest", "user", "admin"],
  tools: studyTools,
  intents: studyIntents,
  entities: {
    level: { pattern: "\\b(N[1-5])\\b" },
    topic: { synonyms: { verbs: ["verbs"], kanji: ["kanji"] }, redact: true },
  },
  detection: { fallback: "CHAT" },
  execution: { strategy: "system_first", whenMissing: "ask", ...execution },
  ...more,
});

export const worded = says({ text: "Here they are." });

export const studying = (options: Partial<GatewayOptions> = {}, host?: Host): Promise<World> =>
  managed({ policy: study(), upstream: worded, ...options }, host ?? (({ path, body }) => ({ made: path, body })));
