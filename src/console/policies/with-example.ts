/** A policy document with a user's message as an example of an intent, and with such messages kept. Pure. */

import type { MissedMessageView } from "../../api-views/policy-views.ts";
import { isObject } from "../../lib/json/json-value.ts";

type Document = Readonly<Record<string, unknown>>;
type Example = Pick<MissedMessageView, "message" | "intent">;

/** Undefined where the document has no such intent of its own. */
function intentIn(document: Document, name: string): Document | undefined {
  const intents = isObject(document.intents) ? document.intents : {};
  const intent = Object.hasOwn(intents, name) ? intents[name] : undefined;
  return isObject(intent) ? intent : undefined;
}

const examplesOf = (intent: Document): readonly unknown[] => (Array.isArray(intent.examples) ? intent.examples : []);

/** Whether the message can be an example and is none yet. */
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
