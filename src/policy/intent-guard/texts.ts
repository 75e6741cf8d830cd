/**
 * What the model, the client and the log are told where an intent's families are not met. Pure.
 * Source: reference/intent-guard.md, 7 and 10: a stop says which intent and which family, and what to do.
 */
import { list, quote, textForClient } from "../reason-texts.ts";
import type { Reason } from "../reasons.ts";
import type { Unmet } from "./unmet.ts";

/** For the client: the task does not begin. */
export function preflightText({ intent, families }: Unmet): string {
  return [
    `Toolgate did not begin: ${quote(intent)} needs a tool of ${ofFamily(families)}, and none can be used here.`,
    "Bring such a tool and try again, or ask for something that can be done without it.",
  ].join("\n");
}

/** For the client: the task ends without what it required. */
export function completionText({ intent, families }: Unmet): string {
  return [
    `Toolgate ended the task as failed: ${quote(intent)} requires that a tool of ${ofFamily(families)} succeeds, and none did.`,
    "Do not rely on what was said without it. Try again, or ask for something that can be done without it.",
  ].join("\n");
}

/** For the model, once, before the task fails. It names no tool: the offer does. */
export function reminderForModel({ intent, families }: Unmet): string {
  return `intent_unmet: the task is not done. ${quote(intent)} requires a successful call of a tool of ${ofFamily(families)}, and there was none. Make that call now; if it cannot be made, say so and why`;
}

/** For the log and the record. */
export function unmetForLog({ intent, families }: Unmet): string {
  return `intent ${quote(intent)} without ${ofFamily(families)}`;
}

/** For the client: the model kept calling what the intent does not permit. */
export function blockedText(
  intents: readonly string[],
  refused: readonly { readonly tool: string; readonly reasons: readonly Reason[] }[],
): string {
  const held = intents.length > 0 ? ` (intent: ${list(intents)})` : "";
  const lines = refused.map(({ tool, reasons }) => `- ${quote(tool)}: ${reasons.map(textForClient).join("; ")}`);
  const ofTask = refused.some(({ reasons }) => reasons.some(({ code }) => taskCodes.has(code)));
  return [
    `Toolgate stopped here: the model kept calling tools that may not be used now${held}.`,
    ...new Set(lines),
    ...(ofTask
      ? ["Say in a new message what you want these tools for, or write `/toolgate reset` to begin anew."]
      : []),
  ].join("\n");
}

/** What another message could change. */
const taskCodes: ReadonlySet<Reason["code"]> = new Set([
  "state_forbids",
  "intent_forbids",
  "family_blocked",
  "soft_limit_reached",
]);

const ofFamily = (families: readonly string[]): string =>
  families.length === 1 ? `the family ${list(families)}` : `one of the families ${list(families)}`;
