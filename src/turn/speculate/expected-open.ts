/**
 * What UserGuard will most likely answer to an open, from what the isolate knows. Pure. A wrong guess costs a call of the model, and
 * changes nothing: the turn goes by what UserGuard answers.
 */

import { traitsOf } from "../../policy/traits.ts";
import { outlastsTask } from "../../ports/turns/hidden-exchange.ts";
import type { OpenRequest, OpenResult } from "../../ports/turns/open-turn-request.ts";
import { knowsPrompt } from "../../session/conversation-fingerprint.ts";
import { applyIntentChange, heldFacts, NO_TASK, type SessionIntents } from "../../session/task.ts";
import type { PreparedOpen } from "../open/open-turn.ts";
import { type CachedSession, definitionsText, type SessionCache } from "./session-cache.ts";

/** What was withdrawn since may be unknown for this long, in milliseconds. */
const MAX_AGE_MS = 2_000;

/** More definitions are not all pinned: which of them count as changed only the session knows. */
const MAX_DEFINITIONS = 2_000;

/** Roles of the messages of a conversation that has no reply yet. */
const BEFORE_REPLY: ReadonlySet<unknown> = new Set(["system", "developer", "user"]);

/** Under what the isolate knows a session: as the next request names it. */
const sessionName = ({ session: { id, conversationKey } }: OpenRequest): string | undefined => id ?? conversationKey;

/** @returns undefined where the answer is not known well enough. */
export function expectedOpen(
  sessionCache: Pick<SessionCache, "find" | "connections">,
  { input, request }: PreparedOpen,
  now: number,
): OpenResult | undefined {
  const { policy, principal } = input;
  if (request.definitions.length > MAX_DEFINITIONS) return undefined;
  const name = sessionName(request);
  const session = name === undefined ? undefined : sessionCache.find(principal, name);
  if (session) return ofKnown(session, request, now);
  // Of a conversation that has a reply this isolate knows nothing, nor what stands around a session's results.
  if (!input.request.messages.every(({ role }) => BEFORE_REPLY.has(role))) return undefined;
  const tools = [...policy.tools.keys(), ...request.definitions.map(([tool]) => tool)];
  const linked = sessionCache.connections(principal);
  const isOld = linked !== undefined && now - linked.at > MAX_AGE_MS;
  // Providers that were linked a while ago may not be by now.
  if (isOld && tools.some((tool) => traitsOf(policy, tool).connections.length > 0)) return undefined;
  const connections = isOld ? [] : (linked?.connections ?? []);
  return ofNew(request, connections);
}

function ofNew(request: OpenRequest, connections: readonly string[]): OpenResult {
  const held = movedBy({ intents: [], taskState: NO_TASK }, request);
  return {
    ...heldFacts(held),
    session: request.session.id ?? "",
    mode: request.mode,
    fresh: true,
    untrusted: request.untrusted,
    changedDefinitions: [],
    hidden: [],
    replay: undefined,
    connections,
  };
}

function ofKnown(known: CachedSession, request: OpenRequest, now: number): OpenResult | undefined {
  const { facts } = known;
  if (known.definitions !== definitionsText(request.definitions)) return undefined;
  if (!continues(known, request)) return undefined;
  // Under another tag the call would be another one.
  if (request.wantsTag && facts.resultTag === undefined) return undefined;
  if (now - known.at > MAX_AGE_MS && loosens(facts, request)) return undefined;
  const { intents, detected, undetected, endorsed, succeeded, reminded, untrusted } = facts;
  const before = { ...NO_TASK, detected, undetected, endorsed, succeeded, reminded, untrusted };
  const held = movedBy({ intents, taskState: before }, request);
  return {
    ...facts,
    ...heldFacts(held),
    mode: request.mode ?? facts.mode,
    untrusted: untrusted || request.untrusted,
    fresh: false,
    hidden: request.newMessage ? facts.hidden.filter(outlastsTask) : facts.hidden,
    ...(request.newMessage ? { members: undefined } : {}),
  };
}

/** As UserGuard tells the session from its side sessions. */
function continues({ reply, prompt }: CachedSession, { session: { fingerprint }, newMessage }: OpenRequest): boolean {
  if (!fingerprint) return true;
  if (newMessage && !knowsPrompt([prompt], fingerprint.prompt)) return false;
  return fingerprint.replies.some((marks) => marks.some((mark) => reply.includes(mark)));
}

/**
 * Whether the request would ask for less without what is known: then what is known must be new. What UserGuard would answer for a
 * new conversation with the same message needs no facts at all.
 */
function loosens(facts: OpenResult, { newMessage, intents: intentChange }: OpenRequest): boolean {
  if (facts.mode !== undefined || facts.connections?.length || facts.hidden.length > 0) return true;
  const begins =
    newMessage && (intentChange.kind === "replace" || (intentChange.kind === "clear" && !intentChange.stillSelectable));
  return !begins && (facts.intents.length > 0 || facts.detected.length > 0);
}

const movedBy = (held: SessionIntents, { newMessage, intents, detected }: OpenRequest): SessionIntents =>
  newMessage ? applyIntentChange(held, intents, detected, 1) : held;
