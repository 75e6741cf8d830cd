/**
 * Predicts UserGuard's answer to an open, from what the isolate knows. Pure. A wrong prediction costs a model call and changes nothing
 * else: the turn follows UserGuard's answer.
 */

import { traitsOf } from "../../policy/traits.ts";
import { outlastsTask } from "../../ports/turns/hidden-exchange.ts";
import type { OpenRequest, OpenResult } from "../../ports/turns/open-turn-request.ts";
import { knowsPrompt } from "../../session/conversation-fingerprint.ts";
import { applyIntentChange, heldFacts, NO_TASK, type SessionIntents } from "../../session/task.ts";
import type { PreparedOpen } from "../open/open-turn.ts";
import { type CachedSession, definitionsText, type SessionCache } from "./session-cache.ts";

/** In milliseconds. A withdrawal since then may not be known here. */
const MAX_AGE_MS = 2_000;

/** Beyond this number not all definitions are pinned, and only the session knows which count as changed. */
const MAX_DEFINITIONS = 2_000;

/** Roles of the messages of a conversation that has no reply yet. */
const BEFORE_REPLY: ReadonlySet<unknown> = new Set(["system", "developer", "user"]);

/** The name under which the isolate caches a session: the one that the next request uses. */
const sessionName = ({ session: { id, conversationKey } }: OpenRequest): string | undefined => id ?? conversationKey;

/** @returns undefined if the answer cannot be predicted well enough. */
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
  // The conversation has a reply, but this isolate does not know the session or the tag around its results.
  if (!input.request.messages.every(({ role }) => BEFORE_REPLY.has(role))) return undefined;
  const tools = [...policy.tools.keys(), ...request.definitions.map(([tool]) => tool)];
  const linked = sessionCache.connections(principal);
  const isOld = linked !== undefined && now - linked.at > MAX_AGE_MS;
  // Providers that were linked some time ago may be unlinked now.
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
  // Another tag would make another request to the upstream.
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

/** The same test by which UserGuard tells the session from its side sessions. */
function continues({ reply, prompt }: CachedSession, { session: { fingerprint }, newMessage }: OpenRequest): boolean {
  if (!fingerprint) return true;
  if (newMessage && !knowsPrompt([prompt], fingerprint.prompt)) return false;
  return fingerprint.replies.some((marks) => marks.some((mark) => reply.includes(mark)));
}

/**
 * Whether the cached facts allow more than a new conversation would: then they must be recent. UserGuard's answer for a new conversation
 * with the same message needs no cached facts.
 */
function loosens(facts: OpenResult, { newMessage, intents: intentChange }: OpenRequest): boolean {
  if (facts.mode !== undefined || facts.connections?.length || facts.hidden.length > 0) return true;
  const begins =
    newMessage && (intentChange.kind === "replace" || (intentChange.kind === "clear" && !intentChange.stillSelectable));
  return !begins && (facts.intents.length > 0 || facts.detected.length > 0);
}

const movedBy = (held: SessionIntents, { newMessage, intents, detected }: OpenRequest): SessionIntents =>
  newMessage ? applyIntentChange(held, intents, detected, 1) : held;
