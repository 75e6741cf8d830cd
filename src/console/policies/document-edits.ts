/**
 * Changes to a policy document that the console offers by one press: tools without an entry, examples of intents, suggested rules. Pure.
 */

import type { MissedMessageView, SeenToolView, SuggestionView } from "../../api-views/policy-views.ts";
import { isObject } from "../../lib/json/json-value.ts";

type Document = Readonly<Record<string, unknown>>;

/** @returns the document with the guessed entry of each tool that it does not have. */
export function withTools(document: Document, tools: readonly Pick<SeenToolView, "name" | "set">[]): Document {
  const own = isObject(document.tools) ? document.tools : {};
  const missing = tools.filter(({ name }) => !Object.hasOwn(own, name));
  // Not spread: a tool may be called `__proto__`.
  const entries = [...Object.entries(own), ...missing.map(({ name, set }) => [name, set] as const)];
  return { ...document, tools: Object.fromEntries(entries) };
}

export function withSuggestion(document: Document, { tool, set }: SuggestionView): Document {
  const tools = isObject(document.tools) ? document.tools : {};
  const entry = tools[tool];
  const own = isObject(entry) ? entry : {};
  const before = Array.isArray(own.conditions) ? own.conditions : [];
  const conditions = [...before, ...(set.conditions ?? [])];
  const next = { ...own, confirm: set.confirm, ...(conditions.length > 0 ? { conditions } : {}) };
  return { ...document, tools: { ...tools, [tool]: next } };
}

type Example = Pick<MissedMessageView, "message" | "intent">;

/** Undefined if the document has no such intent of its own. */
function intentIn(document: Document, name: string): Document | undefined {
  const intents = isObject(document.intents) ? document.intents : {};
  const intent = Object.hasOwn(intents, name) ? intents[name] : undefined;
  return isObject(intent) ? intent : undefined;
}

const examplesOf = (intent: Document): readonly unknown[] => (Array.isArray(intent.examples) ? intent.examples : []);

/** Whether the message can be added as an example. */
export function isNewExample(document: Document, { message, intent: name }: Example): boolean {
  const intent = intentIn(document, name);
  return intent !== undefined && !examplesOf(intent).includes(message);
}

export function withExample(document: Document, { message, intent: name }: Example): Document {
  const intent = intentIn(document, name);
  if (!intent) return document;
  const next = { ...intent, examples: [...examplesOf(intent), message] };
  return { ...document, intents: { ...(document.intents as Document), [name]: next } };
}

const auditOf = (document: Document): Document => (isObject(document.audit) ? document.audit : {});

export const keepsMissed = (document: Document): boolean => auditOf(document).logMissedMessages === true;

export const keepingMissed = (document: Document): Document => ({
  ...document,
  audit: { ...auditOf(document), logMissedMessages: true },
});
