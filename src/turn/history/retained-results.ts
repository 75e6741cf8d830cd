/**
 * Managed calls with their results, which later tasks of the session must still see: the client has only the answer that they
 * led to. They are put back beside it wherever it comes again (`place-exchanges.ts`). Pure.
 */

import type { JsonObject } from "../../lib/json/json-value.ts";
import { utf8Bytes } from "../../lib/text/characters.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { traitsOf } from "../../policy/traits.ts";
import { type HiddenExchange, outlastsTask } from "../../ports/hidden-exchange.ts";
import type { KeptRun } from "../../ports/run-port.ts";
import { callsIn, textOf } from "../../wire/conversation.ts";
import { digestMessages, type ReplyContent } from "./message-digests.ts";

/** UTF-8 bytes of JSON that a session keeps of one exchange. */
const MAX_RETAINED = 32 * 1024;
const CUT = "\n[cut: the rest is not kept]";
/** Bytes. A shorter beginning of a result says nothing. */
const MIN_SHARE = 200;

/**
 * @param reply undefined where it failed.
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

/** Cuts the results until they can be kept; undefined where even the calls are too long. */
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

/** Whether one of them brings back a result of a tool that the policy does not trust. */
export function holdsUntrustedResults(policy: CompiledPolicy, hidden: readonly HiddenExchange[]): boolean {
  const calls = hidden
    .filter(outlastsTask)
    .flatMap(({ messages }) => (messages as readonly JsonObject[]).flatMap(callsIn));
  return calls.some(([, tool]) => !traitsOf(policy, tool).trusted);
}

/** Without the runs that the turn resumes: it begins with them, whatever an earlier try has stored. */
export function withoutRuns(
  hidden: readonly HiddenExchange[],
  resumed: readonly KeptRun[] = [],
): readonly HiddenExchange[] {
  if (resumed.length === 0) return hidden;
  return hidden.filter(({ anchor }) => !("runs" in anchor && resumed.some(({ id }) => anchor.runs.includes(id))));
}
