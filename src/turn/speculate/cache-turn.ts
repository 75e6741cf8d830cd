/** Stores the facts of a turn in the isolate's memory, for the first step of the next turn. */
import { callsComeBack, type Ending } from "../../ports/turns/ending.ts";
import { outlastsTask } from "../../ports/turns/hidden-exchange.ts";
import type { OpenResult } from "../../ports/turns/open-turn-request.ts";
import { conversationKeyOf, rootSession } from "../../session/conversation-fingerprint.ts";
import type { ReleasedCall } from "../../wire/call-parts.ts";
import { pinnedTools } from "../open/open-turn.ts";
import { toolFacts } from "../open/tool-facts.ts";
import type { Turn } from "../turn.ts";
import { definitionsText, type SessionCache } from "./session-cache.ts";

/** What the client has of the reply. */
interface ClientReply {
  readonly text: string;
  /** Absent: the reply may not have reached the client. */
  readonly marks: readonly string[] | undefined;
}

/**
 * Only for a turn that ended as most do: with text, or with released calls. If calls wait, were run or were cancelled, only UserGuard knows
 * the next facts.
 * @returns the name under which the session is cached; undefined if it is not.
 */
export function cacheTurn(
  sessionCache: SessionCache,
  turn: Turn,
  ending: Ending,
  { text, marks }: ClientReply,
): string | undefined {
  const { input, opened, openedAt } = turn;
  const { principal, conversation } = input;
  // A frontend's own request beside the conversation changes nothing in it.
  if (openedAt === undefined || rootSession(opened.session) !== opened.session) return undefined;
  sessionCache.noteConnections(principal, opened.connections ?? [], openedAt);
  const calls = ending.kind === "answer" ? ending.calls : [];
  const first = () =>
    conversationKeyOf(
      conversation.firstMessageDigest,
      calls.map(({ id }) => id),
      text,
    );
  const name = input.sessionId ?? conversation.conversationKey ?? first();
  if (!isPlain(turn, ending) || marks === undefined) {
    sessionCache.forget(principal, name);
    return undefined;
  }
  sessionCache.remember(principal, name, {
    at: openedAt,
    facts: factsAfter(turn, ending, calls),
    definitions: definitionsText(pinnedTools(input).map((tool) => [tool.name, toolFacts(tool).digest])),
    reply: marks,
    prompt: conversation.fingerprint?.prompt ?? [],
  });
  return name;
}

function isPlain({ input, opened, log }: Turn, ending: Ending): boolean {
  if (input.plan !== undefined || input.toolCall || opened.waiting?.length || opened.cancelled?.length || opened.runs)
    return false;
  return ending.kind === "answer" && ending.step !== undefined && log.waiting.length === 0 && log.runs.length === 0;
}

function factsAfter({ opened, log }: Turn, ending: Ending, calls: readonly ReleasedCall[]): OpenResult {
  const goesOn = callsComeBack(ending);
  const { stored, members } = opened;
  const extras = calls.flatMap(({ id, extra }) => (extra ? [[id, extra] as const] : []));
  return {
    ...opened,
    fresh: false,
    intents: log.intents,
    undetected: log.undetected,
    endorsed: goesOn ? log.endorsed : [],
    succeeded: [...log.succeeded],
    reminded: log.reminded,
    untrusted: log.untrusted,
    hidden: goesOn ? [...opened.hidden, ...log.exchangesToStore] : opened.hidden.filter(outlastsTask),
    members: extras.length > 0 ? { ...members, ...Object.fromEntries(extras) } : members,
    stored:
      log.written.length > 0
        ? { isFull: false, ...stored, writes: [...(stored?.writes ?? []), ...log.written] }
        : stored,
  };
}
