/**
 * Managed calls with their results, kept for later tasks of the session: the client has only the answer that they led to. They are inserted
 * beside that answer whenever it returns (`hidden-history.ts`), recognised by a digest. The digest covers what came before the message, so
 * the same text in another conversation does not match. Pure.
 */

import { withoutClientText } from "../../intent/user-message/without-client-text.ts";
import { lengthPrefixed, sha256Hex } from "../../lib/digest.ts";
import type { JsonObject } from "../../lib/json/json-value.ts";
import { utf8Bytes } from "../../lib/text/characters.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { StoredRun } from "../../ports/calls-port.ts";
import { type HiddenExchange, outlastsTask } from "../../ports/turns/hidden-exchange.ts";
import { collapseWhitespace } from "../../session/conversation-fingerprint.ts";
import { callIdsOf, callsIn, textOf } from "../../wire/conversation.ts";

/** The assistant's message that a client got. */
interface ReplyContent {
  readonly calls: readonly string[];
  readonly text: string;
}

export interface DigestedMessage {
  readonly kind: "reply" | "request";
  readonly message: JsonObject;
  readonly digest: string;
  /** How many messages of the user come before it. */
  readonly position: number;
}

interface Conversation {
  /** The assistant's and the user's messages, in order. */
  readonly digested: readonly DigestedMessage[];
  /** The digest that a reply would have if it came next. */
  readonly nextReply: (reply: ReplyContent) => string;
}

/** Hashed once per turn: each step asks, a history may be long, and messages never change. */
const known = new WeakMap<readonly JsonObject[], Conversation>();

export function digestMessages(messages: readonly JsonObject[]): Conversation {
  const before = known.get(messages);
  if (before) return before;
  const digested: DigestedMessage[] = [];
  let position = 0;
  let assistant = "";
  let user = "";
  for (const message of messages) {
    if (message.role === "assistant") {
      const reply = partOf({ calls: callIdsOf(message), text: textOf(message.content) });
      digested.push({ kind: "reply", message, digest: digestOf(assistant, user, reply), position });
      assistant = reply;
    }
    if (message.role === "user") {
      position += 1;
      user = collapseWhitespace(withoutClientText(message.content) ?? "");
      digested.push({ kind: "request", message, digest: digestOf(assistant, user), position });
    }
  }
  const conversation = { digested, nextReply: (reply: ReplyContent) => digestOf(assistant, user, partOf(reply)) };
  known.set(messages, conversation);
  return conversation;
}

/** A message with calls is recognised by them: some clients drop its text. */
const partOf = ({ calls, text }: ReplyContent): string =>
  calls.length > 0 ? `calls ${calls.join(" ")}` : `text ${collapseWhitespace(text)}`;

const digestOf = (...parts: readonly string[]): string =>
  sha256Hex(lengthPrefixed(...parts.map((part) => part.toWellFormed())));

/** UTF-8 bytes of JSON that a session keeps of one exchange. */
const MAX_RETAINED = 32 * 1024;
const CUT = "\n[cut: the rest is not kept]";
/** Bytes. A shorter beginning of a result is of no use. */
const MIN_SHARE = 200;

/**
 * @param reply undefined if it failed.
 * @param exchanges of the turn, each a message with calls and their results.
 * @param runs ids of the decisions of its managed calls.
 */
export function retainedExchanges(
  messages: readonly JsonObject[],
  reply: ReplyContent | undefined,
  exchanges: readonly (readonly JsonObject[])[],
  runs: readonly string[],
): readonly HiddenExchange[] {
  const { digested, nextReply } = digestMessages(messages);
  const request = digested.findLast(({ kind }) => kind === "request");
  if (!reply && !request) return [];
  const [kind, digest] = reply ? (["reply", nextReply(reply)] as const) : (["request", request?.digest ?? ""] as const);
  const anchor = { kind, digest, position: request?.position ?? 0, runs };
  return exchanges.flatMap((exchange) => {
    const shortened = shorten(exchange);
    return shortened ? [{ anchor, messages: shortened }] : [];
  });
}

const bytesOf = (value: unknown): number => utf8Bytes(JSON.stringify(value));

/** Cuts the results until they fit; undefined if even the calls are too long. */
function shorten(exchange: readonly JsonObject[]): readonly JsonObject[] | undefined {
  if (bytesOf(exchange) <= MAX_RETAINED) return exchange;
  const empty = exchange.map((message) => (message.role === "tool" ? { ...message, content: "" } : message));
  const results = exchange.filter(({ role }) => role === "tool").length;
  const share = Math.floor((MAX_RETAINED - bytesOf(empty)) / results) - bytesOf(CUT);
  if (share < MIN_SHARE) return undefined;
  return exchange.map((message) =>
    message.role === "tool" ? { ...message, content: beginningOf(textOf(message.content), share) } : message,
  );
}

function beginningOf(text: string, share: number): string {
  if (bytesOf(text) <= share) return text;
  let beginning = text.slice(0, share);
  for (let size = bytesOf(beginning); size > share; size = bytesOf(beginning)) {
    beginning = beginning.slice(0, Math.floor((beginning.length * share) / size) - 1);
  }
  return beginning.toWellFormed() + CUT;
}

/** Whether one of them brings back a result of an untrusted tool. */
export function holdsUntrustedResults(policy: CompiledPolicy, hidden: readonly HiddenExchange[]): boolean {
  const calls = hidden
    .filter(outlastsTask)
    .flatMap(({ messages }) => (messages as readonly JsonObject[]).flatMap(callsIn));
  return calls.some(([, tool]) => !traitsOf(policy, tool).trusted);
}

/** Without the runs that the turn resumes: the turn begins with them, whatever an earlier try has stored. */
export function withoutRuns(
  hidden: readonly HiddenExchange[],
  resumed: readonly StoredRun[] = [],
): readonly HiddenExchange[] {
  if (resumed.length === 0) return hidden;
  return hidden.filter(({ anchor }) => !("runs" in anchor && resumed.some(({ id }) => anchor.runs.includes(id))));
}
