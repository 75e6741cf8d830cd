/**
 * Managed calls of a turn whose reply failed, or was stopped by the user: what they did is done, and no answer says so. They
 * are put back behind the user's words that they were made for, once something follows those; else the model, asked to go on,
 * would do it all once more. Pure.
 */
import { lengthPrefixed, sha256Hex } from "../../lib/digest.ts";
import type { HiddenExchange } from "../../ports/turns-port.ts";
import { squeeze } from "../../session/pair.ts";
import type { JsonObject } from "../../wire/read-chunk.ts";
import { userWordsIn } from "../../wire/user-words.ts";
import { partOf, RAN, saidIn } from "./said.ts";

/** An anchor beside the ids of calls: no provider's id holds a space. */
const ASKED = "asked ";

/** Of the user's last words, known by themselves and the answer before them. */
export function askedAnchor(messages: readonly JsonObject[]): string | undefined {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const asked = messages[at];
  return (
    asked &&
    anchorOf(
      messages.slice(0, at).findLast(({ role }) => role === "assistant"),
      asked,
    )
  );
}

function anchorOf(before: JsonObject | undefined, asked: JsonObject): string {
  const parts = [before ? partOf(saidIn(before)) : "", squeeze(userWordsIn(asked.content) ?? "")];
  return ASKED + sha256Hex(lengthPrefixed(...parts.map((part) => part.toWellFormed())));
}

/**
 * By the message that they come behind.
 * @param told anchors of runs that stand elsewhere already.
 */
export function placeUnanswered(
  messages: readonly JsonObject[],
  hidden: readonly HiddenExchange[],
  told: Iterable<string>,
): ReadonlyMap<JsonObject, readonly unknown[]> {
  const placed = new Map<JsonObject, readonly unknown[]>();
  const groups = Map.groupBy(
    hidden.filter(({ lasting, anchors }) => lasting === true && anchors.some((one) => one.startsWith(ASKED))),
    ({ anchors, place }) => [place, ...anchors].join(),
  );
  if (groups.size === 0) return placed;
  const candidates = candidatesIn(messages);
  const runs = new Set(told);
  // A later try of the same request holds what the earlier one ran.
  for (const exchanges of [...groups.values()].reverse()) {
    const { anchors = [], place } = exchanges[0] ?? {};
    const own = anchors.filter((one) => one.startsWith(RAN));
    if (own.some((one) => runs.has(one))) continue;
    for (const one of own) runs.add(one);
    const meant = candidates.filter(({ anchor }) => anchors.includes(anchor));
    const found = meant.length === 1 ? meant[0] : meant.find((one) => one.place === place);
    if (!found) continue;
    const behind = exchanges.flatMap((exchange) => exchange.messages);
    placed.set(found.message, [...behind, ...(placed.get(found.message) ?? [])]);
  }
  return placed;
}

/** Words of the user that something follows. */
interface Candidate {
  readonly message: JsonObject;
  readonly anchor: string;
  readonly place: number;
}

/** Each step of a turn asks, and a history may be long. Nothing changes its messages. */
const known = new WeakMap<readonly JsonObject[], readonly Candidate[]>();

function candidatesIn(messages: readonly JsonObject[]): readonly Candidate[] {
  const before = known.get(messages);
  if (before) return before;
  const candidates = readCandidates(messages);
  known.set(messages, candidates);
  return candidates;
}

function readCandidates(messages: readonly JsonObject[]): readonly Candidate[] {
  const found: Candidate[] = [];
  let before: JsonObject | undefined;
  for (const message of messages.slice(0, -1)) {
    if (message.role === "assistant") before = message;
    if (message.role === "user") found.push({ message, anchor: anchorOf(before, message), place: found.length + 1 });
  }
  return found;
}
