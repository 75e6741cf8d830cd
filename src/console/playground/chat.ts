/** Talks to the gateway as an application would: one chat completion per message, with questions as data. */

import type { Message, Note } from "../../api-views/chat-views.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { ok, type Result } from "../../lib/result.ts";
import { call, type Failure } from "../api/call.ts";
import { me } from "../sign-in/me.ts";
import { type Actor, actingToken } from "./acting-key.ts";

export interface Reply {
  readonly choices: readonly [{ readonly message: Extract<Message, { role: "assistant" }> }];
  readonly toolgate?: Note;
}

export interface Settings {
  readonly session: string;
  readonly tenant: string;
  /** "": that of the signed-in user. */
  readonly user: string;
  readonly role: string;
  readonly mode: string;
  readonly model: string;
  /** Names of tools, or a JSON array of their definitions. */
  readonly tools: string;
}

/** Undefined if the JSON is no list. */
export function readTools(text: string): readonly unknown[] | undefined {
  if (!text.trim().startsWith("["))
    return text
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(toolNamed);
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A tool of which only the name is given accepts any arguments. */
const toolNamed = (name: string) => ({ type: "function", function: { name, parameters: { type: "object" } } });

/** @param answered the user's answers to questions; the same messages are sent again with them. */
export async function send(
  { session, mode, model, tools, ...actor }: Settings,
  messages: readonly Message[],
  answered: readonly { readonly id: string; readonly action: "approve" | "deny" }[] = [],
): Promise<Result<Reply, Failure>> {
  const named = readTools(tools) ?? [];
  const token = await tokenOf(actor);
  if (!token.ok) return token;
  return call<Reply>("/v1/chat/completions", {
    method: "POST",
    token: token.value,
    headers: {
      "x-toolgate-session": session,
      "x-toolgate-approvals": "native",
      ...(mode === "" ? {} : { "x-toolgate-mode": mode }),
    },
    body: {
      model,
      messages,
      ...(named.length > 0 ? { tools: named } : {}),
      ...(answered.length > 0 ? { toolgate: { approvals: answered } } : {}),
    },
  });
}

/** Undefined: the signed-in user's own key. */
async function tokenOf({ tenant, user, role }: Actor): Promise<Result<string | undefined, Failure>> {
  const own = me.peek();
  const actor = { tenant, user: user || (own?.user ?? ""), role: role || (own?.role ?? "") };
  const isOwn = tenant === own?.tenant && actor.user === own.user && actor.role === own.role;
  return isOwn ? ok(undefined) : actingToken(actor);
}

/** Makes a file of cases for `policy test`: the tools that must be withheld for the first message of the conversation. */
export function caseOf({ role, mode, tools }: Settings, message: string, note: Note): string {
  const file = {
    tools: Object.fromEntries((readTools(tools) ?? []).map(definitionOf)),
    cases: [
      {
        name: message.slice(0, 80),
        principal: { role: role || (me.peek()?.role ?? "user") },
        ...(mode === "" ? {} : { session: { mode } }),
        turns: [
          {
            user: message,
            model: [{ text: "…", calls: [] }],
            expect: {
              steps: [
                { withheld: Object.fromEntries((note.withheld ?? []).map(({ name, reasons }) => [name, reasons])) },
              ],
            },
          },
        ],
      },
    ],
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

function definitionOf(tool: unknown): readonly [string, object] {
  const {
    name = "",
    description,
    parameters,
  } = (tool as { readonly function?: { name?: string; description?: string; parameters?: object } }).function ?? {};
  return [name, { ...(description === undefined ? {} : { description }), ...(parameters ? { parameters } : {}) }];
}

/** Suggestions for the first message. */
const MANY = 4;

/** For the first intents that have any: an example, else the first keyword. */
export function openingsOf(document: Readonly<Record<string, unknown>>): readonly string[] {
  const intents = Object.values(isObject(document.intents) ? document.intents : {}).filter(isObject);
  return intents.flatMap(({ examples, keywords }) => firstOf(examples) ?? firstOf(keywords) ?? []).slice(0, MANY);
}

function firstOf(list: unknown): string | undefined {
  const [first]: readonly unknown[] = Array.isArray(list) ? list : [];
  return typeof first === "string" ? first : undefined;
}
