/**
 * Digests by which messages are recognised when the client sends them again. Each covers what came before the message, so that
 * the same words in another conversation are not taken for it. Pure.
 */
import { lengthPrefixed, sha256Hex } from "../../lib/digest.ts";
import type { JsonObject } from "../../lib/json/json-value.ts";
import { squeeze } from "../../session/pair.ts";
import { callIdsOf, textOf } from "../../wire/conversation.ts";
import { userWordsIn } from "../../wire/user-words.ts";

/** The assistant's message that a client got. */
export interface ReplyContent {
  readonly calls: readonly string[];
  readonly text: string;
}

export interface DigestedMessage {
  readonly kind: "reply" | "request";
  readonly message: JsonObject;
  readonly digest: string;
  /** How many messages of the user come up to it. */
  readonly position: number;
}

interface Conversation {
  /** The assistant's and the user's messages, in order. */
  readonly digested: readonly DigestedMessage[];
  /** Of a reply that would come next. */
  readonly nextReply: (reply: ReplyContent) => string;
}

/** Each step of a turn asks, and a history may be long: hashing it once a turn is enough, since messages never change. */
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
      user = squeeze(userWordsIn(message.content) ?? "");
      digested.push({ kind: "request", message, digest: digestOf(assistant, user), position });
    }
  }
  const conversation = { digested, nextReply: (reply: ReplyContent) => digestOf(assistant, user, partOf(reply)) };
  known.set(messages, conversation);
  return conversation;
}

/** A message with calls is recognised by them: some clients drop its words. */
const partOf = ({ calls, text }: ReplyContent): string =>
  calls.length > 0 ? `calls ${calls.join(" ")}` : `text ${squeeze(text)}`;

const digestOf = (...parts: readonly string[]): string =>
  sha256Hex(lengthPrefixed(...parts.map((part) => part.toWellFormed())));
