/**
 * Caches in the isolate the sessions whose last turn it served, so that the first step of the next turn can begin before the user's object
 * has answered. It decides nothing: such a step counts only if the object's own facts lead to the same request.
 */
import { boundedCache, CACHE_BYTES } from "../../lib/bounded-cache.ts";
import { lengthPrefixed } from "../../lib/digest.ts";
import type { OpenResult } from "../../ports/turns/open-turn-request.ts";
import type { SessionSnapshot } from "../../ports/turns/turns-port.ts";
import type { Owner } from "../../session/principal.ts";

export interface CachedSession {
  /** When the object last confirmed it, in milliseconds since the epoch. */
  readonly at: number;
  /** The answer that an open would get now, without the changes that its request makes. */
  readonly facts: OpenResult;
  /** The tools of the last request, as `definitionsText` writes them. */
  readonly definitions: string;
  /** Marks of the last reply, and the sketch of its system prompt. */
  readonly reply: readonly string[];
  readonly prompt: readonly number[];
}

interface CachedUser {
  /** Providers that operators linked, and when the object reported them. */
  readonly connections: readonly string[];
  readonly at: number;
}

export interface SessionCache {
  find(owner: Owner, session: string): CachedSession | undefined;
  remember(owner: Owner, session: string, known: CachedSession): void;
  forget(owner: Owner, session: string): void;
  /** The object has reported the session's current state: the cached session is confirmed, or forgotten if it differs. */
  confirm(owner: Owner, session: string, snapshot: SessionSnapshot, now: number): void;
  connections(owner: Owner): CachedUser | undefined;
  noteConnections(owner: Owner, connections: readonly string[], now: number): void;
  /**
   * Remembers the request. @returns false if the same request came before, because it may get what its first try got; if too many of the
   * user's steps are ahead of their opens; or if one was discarded a short while ago.
   */
  tryReserve(owner: Owner, request: string, now: number): boolean;
  started(owner: Owner): void;
  /** @param isDiscarded whether the call of the model was discarded. */
  finished(owner: Owner, isDiscarded: boolean, now: number): void;
}

/** UTF-16 units of the hidden exchanges of one session. */
const MAX_UNITS = 16_000;
/**
 * Early steps of one user at a time. A user who sends more at once is not in one conversation, and each step may be a paid call that is
 * discarded.
 */
const MAX_AHEAD = 8;
/** No step of the user begins early for this long after a discarded one. */
const PAUSE_MS = 10_000;

export const definitionsText = (definitions: readonly (readonly [name: string, digest: string])[]): string =>
  definitions.map((one) => one.join(" ")).join("\n");

export function newSessionCache(maxBytes: number = CACHE_BYTES.knownSessions): SessionCache {
  const sessions = boundedCache<CachedSession>({ maxBytes: maxBytes * 0.8 });
  const users = boundedCache<CachedUser>({ maxBytes: maxBytes * 0.05 });
  const paused = boundedCache<number>({ maxBytes: maxBytes * 0.05 });
  /** Requests that came, by user and digest. How long the object repeats its answer to the same request depends on the outcome. */
  const requests = boundedCache<true>({ maxBytes: maxBytes * 0.1 });
  /** Kept only while a step is ahead: the entry ends with its turn. */
  const ahead = new Map<string, number>();
  const userKey = ({ tenant, user }: Owner) => lengthPrefixed(tenant, user);
  const keyOf = ({ tenant, user }: Owner, session: string) => lengthPrefixed(tenant, user, session);
  const forget = (owner: Owner, session: string) => sessions.delete(keyOf(owner, session));
  const remember = (owner: Owner, session: string, known: CachedSession): void => {
    const { hidden, members, stored } = known.facts;
    const units = JSON.stringify([hidden, members ?? null, stored ?? null, known.prompt]).length;
    if (units > MAX_UNITS) forget(owner, session);
    else sessions.set(keyOf(owner, session), known, 2 * (units + known.definitions.length) + 1000);
  };
  return {
    find: (owner, session) => sessions.get(keyOf(owner, session)),
    remember,
    forget,
    confirm(owner, session, { mode, intents, connections, resultTag }, now) {
      const known = sessions.get(keyOf(owner, session));
      if (!known) return;
      const { facts } = known;
      const isSame =
        (facts.mode ?? null) === mode &&
        isEqual(facts.intents, intents) &&
        isEqual(facts.connections ?? [], connections);
      if (!isSame) forget(owner, session);
      else remember(owner, session, { ...known, facts: { ...facts, resultTag }, at: now });
    },
    connections: (owner) => users.get(userKey(owner)),
    noteConnections(owner, connections, now) {
      // An empty list need not be kept.
      if (connections.length === 0) users.delete(userKey(owner));
      else users.set(userKey(owner), { connections, at: now }, 40 * connections.length);
    },
    tryReserve(owner, request, now) {
      const key = keyOf(owner, request);
      const isKnown = requests.get(key) === true;
      requests.set(key, true, 8);
      if (isKnown) return false;
      return (ahead.get(userKey(owner)) ?? 0) < MAX_AHEAD && (paused.get(userKey(owner)) ?? 0) <= now;
    },
    started(owner) {
      ahead.set(userKey(owner), (ahead.get(userKey(owner)) ?? 0) + 1);
    },
    finished(owner, isDiscarded, now) {
      const left = (ahead.get(userKey(owner)) ?? 1) - 1;
      if (left > 0) ahead.set(userKey(owner), left);
      else ahead.delete(userKey(owner));
      if (isDiscarded) paused.set(userKey(owner), now + PAUSE_MS, 8);
    },
  };
}

const isEqual = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, index) => one === b[index]);
