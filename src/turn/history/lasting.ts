/**
 * Managed calls with their results, as later tasks of the session must still see them. Pure.
 *
 * The client has only the answer that they led to. They are put back before it wherever that answer comes again: known by
 * its own words (or calls), the user's words before it, and the answer before those, so that the same words in another
 * conversation are not taken for it.
 */
import { lengthPrefixed, sha256Hex } from "../../lib/digest.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { KeptRun } from "../../ports/run-port.ts";
import type { HiddenExchange } from "../../ports/turns-port.ts";
import { squeeze } from "../../session/pair.ts";
import { callsIn, textOf } from "../../wire/conversation.ts";
import type { JsonObject } from "../../wire/read-chunk.ts";
import { userWordsIn } from "../../wire/user-words.ts";
import { partOf, RAN, type Said, saidIn } from "./said.ts";
import { askedAnchor } from "./unanswered.ts";

/** An anchor beside the ids of calls: no provider's id holds a space. */
const SAID = "said ";

/** Tells which run an exchange holds: by its decision. */
export const runAnchor = (id: string): string => RAN + id;

/** Of the reply to these messages. */
export function saidAnchor(messages: readonly JsonObject[], reply: Said): string {
  const before = messages.findLast(({ role }) => role === "assistant");
  const asked = messages.findLast(({ role }) => role === "user");
  const parts = [
    before ? partOf(saidIn(before)) : "",
    asked ? squeeze(userWordsIn(asked.content) ?? "") : "",
    partOf(reply),
  ];
  return SAID + sha256Hex(lengthPrefixed(...parts.map((part) => part.toWellFormed())));
}

/** UTF-8 bytes of JSON that a session keeps of one exchange. */
const MAX_LASTING = 32 * 1024;
const CUT = "\n[cut: the rest is not kept]";
/** A shorter beginning of a result tells nothing. */
const MIN_SHARE = 200;

/**
 * @param reply undefined where it failed: what they did stands behind the words that they were made for.
 * @param exchanges of the turn, each a message with calls and their results.
 * @param runs the decisions of its managed calls.
 */
export function lastingExchanges(
  messages: readonly JsonObject[],
  reply: Said | undefined,
  exchanges: readonly (readonly JsonObject[])[],
  runs: readonly string[],
): readonly HiddenExchange[] {
  const anchor = reply ? saidAnchor(messages, reply) : askedAnchor(messages);
  if (anchor === undefined) return [];
  const anchors = [anchor, ...runs.map(runAnchor)];
  const place = placeOf(messages);
  return exchanges.flatMap((exchange) => {
    const kept = shortened(exchange);
    return kept ? [{ anchors, place, messages: kept, lasting: true as const }] : [];
  });
}

/** How many messages of the user come before the reply: of two replies that read the same, each has its own. */
const placeOf = (messages: readonly JsonObject[]): number => messages.filter(({ role }) => role === "user").length;

const encoder = new TextEncoder();
const bytesOf = (value: unknown): number => encoder.encode(JSON.stringify(value)).length;

/** Its results cut until it can be kept; undefined where even its calls are too long. */
function shortened(exchange: readonly JsonObject[]): readonly JsonObject[] | undefined {
  if (bytesOf(exchange) <= MAX_LASTING) return exchange;
  const bare = exchange.map((message) => (message.role === "tool" ? { ...message, content: "" } : message));
  const results = exchange.filter(({ role }) => role === "tool").length;
  const share = Math.floor((MAX_LASTING - bytesOf(bare)) / results) - bytesOf(CUT);
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

/**
 * Lasting exchanges by the message that they come before. One that the task's own exchanges hold is not told twice; where
 * it is not certain which message is meant, it stays out.
 */
export function placeLasting(
  messages: readonly JsonObject[],
  hidden: readonly HiddenExchange[],
): ReadonlyMap<JsonObject, readonly unknown[]> {
  const lasting = hidden.filter((exchange) => exchange.lasting === true);
  const placed = new Map<JsonObject, readonly unknown[]>();
  if (lasting.length === 0) return placed;
  const ofTask = new Set(hidden.filter((exchange) => exchange.lasting !== true).flatMap(({ anchors }) => anchors));
  const groups = Map.groupBy(lasting, ({ anchors }) => anchors.find((anchor) => anchor.startsWith(SAID)) ?? "");
  for (const [anchor, candidates] of candidatesFor(messages, groups)) {
    const turns = [
      ...Map.groupBy(groups.get(anchor) ?? [], ({ anchors, place }) => [place, ...anchors].join()).values(),
    ];
    for (const exchanges of turns) {
      const [first] = exchanges;
      const sure = turns.length === 1 && candidates.length === 1 ? candidates[0] : undefined;
      const meant = sure ?? candidates.find(({ place }) => place === first?.place);
      if (!meant || first?.anchors.some((one) => one.startsWith(RAN) && ofTask.has(one))) continue;
      // Of two for one message the last stands: the first one's reply never arrived.
      placed.set(
        meant.message,
        exchanges.flatMap((exchange) => exchange.messages),
      );
    }
  }
  return placed;
}

interface Candidate {
  readonly message: JsonObject;
  readonly place: number;
}

function candidatesFor(
  messages: readonly JsonObject[],
  groups: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, readonly Candidate[]> {
  const found = new Map<string, Candidate[]>();
  const anchors = anchorsOf(messages);
  let place = 0;
  for (const message of messages) {
    if (message.role === "user") place += 1;
    const anchor = anchors.get(message);
    if (anchor === undefined || !groups.has(anchor)) continue;
    found.set(anchor, [...(found.get(anchor) ?? []), { message, place }]);
  }
  return found;
}

/** Asked for with each step, and a history may be long: messages are not changed. */
const known = new WeakMap<readonly JsonObject[], ReadonlyMap<JsonObject, string>>();

function anchorsOf(messages: readonly JsonObject[]): ReadonlyMap<JsonObject, string> {
  const before = known.get(messages);
  if (before) return before;
  const anchors = new Map<JsonObject, string>();
  let context: JsonObject[] = [];
  for (const message of messages) {
    if (message.role === "assistant") anchors.set(message, saidAnchor(context, saidIn(message)));
    if (message.role === "assistant" || message.role === "user")
      context = [...context.filter(({ role }) => role !== message.role), message];
  }
  known.set(messages, anchors);
  return anchors;
}

/** Whether one of them brings back what a tool has said that the policy does not trust. */
export function lastingUntrusted(policy: CompiledPolicy, hidden: readonly HiddenExchange[]): boolean {
  return hidden.some(
    ({ lasting, messages }) =>
      lasting === true &&
      (messages as readonly JsonObject[]).some((message) =>
        callsIn(message).some(([, tool]) => !traitsOf(policy, tool).trusted),
      ),
  );
}

/** Without what the turn goes on from: it begins with that, whatever an earlier try has kept of it. */
export function withoutRuns(
  hidden: readonly HiddenExchange[],
  runs: readonly KeptRun[] | undefined,
): readonly HiddenExchange[] {
  if (!runs) return hidden;
  const resumed = new Set(runs.map(({ id }) => runAnchor(id)));
  return hidden.filter(({ lasting, anchors }) => lasting !== true || !anchors.some((one) => resumed.has(one)));
}
