/** What a client got as the assistant's message, and what it is known by when it comes again. Pure. */
import { squeeze } from "../../session/pair.ts";
import { callIdsOf, textOf } from "../../wire/conversation.ts";
import type { JsonObject } from "../../wire/read-chunk.ts";

export interface Said {
  readonly calls: readonly string[];
  readonly text: string;
}

/** Begins the anchor that tells which run an exchange holds, beside the ids of calls: no provider's id holds a space. */
export const RAN = "ran ";

export const saidIn = (message: JsonObject): Said => ({ calls: callIdsOf(message), text: textOf(message.content) });

/** A message that bears calls is known by them: some clients keep no words with it. */
export const partOf = ({ calls, text }: Said): string =>
  calls.length > 0 ? `calls ${calls.join(" ")}` : `text ${squeeze(text)}`;
