/**
 * What the gateway has asked the user for, and which message answers it. Pure.
 *
 * It is asked by one request and answered by the next new message. Either may come again, where its reply was lost: the one
 * that asked asks again, the one that answered finds what it had found.
 */
import { sha256Hex } from "../lib/digest.ts";
import { squeeze } from "./pair.ts";

/** What system-first execution asked the user for. */
export interface AwaitedValues {
  readonly intent: string;
  readonly tool: string;
  /** Arguments that the user's words gave before. */
  readonly filled: Readonly<Record<string, unknown>>;
  /** Names of the arguments that were asked for. */
  readonly missing: readonly string[];
  /** Of the words that asked: what follows other words answers those. */
  readonly question: string;
}

export const questionDigest = (text: string): string => sha256Hex(squeeze(text).toWellFormed());

/** As a session's standing holds them. */
export interface KeptValues extends AwaitedValues {
  /** Digests of the request that asked, and of the one that has answered. */
  readonly asked: string;
  readonly answered?: string | undefined;
  /** The task that the last of them is of: code that knows nothing of values may have moved the session on since. */
  readonly task: number;
}

export interface ValuesMessage {
  /** Of the request. */
  readonly digest: string;
  /** The intents that the message asks for by its own words; absent: it is no answer to a question for values. */
  readonly givesValues?: readonly string[] | undefined;
  /** Digest of the words that it follows. */
  readonly follows?: string | undefined;
}

/**
 * The values as they are once a new message has come that answers them; undefined where it does not.
 * @param task the session's, before the message; it begins the next one.
 */
export function answeredValues(
  kept: KeptValues | undefined,
  { intents, task }: { readonly intents: readonly string[]; readonly task: number },
  { digest, givesValues, follows }: ValuesMessage,
): KeptValues | undefined {
  if (!kept || !givesValues || kept.task !== task || digest === kept.asked) return undefined;
  if (follows !== kept.question) return undefined;
  if (kept.answered !== undefined && kept.answered !== digest) return undefined;
  const isHeld = intents.length === 1 && intents[0] === kept.intent;
  if (!isHeld || givesValues.some((name) => name !== kept.intent)) return undefined;
  return { ...kept, answered: digest, task: task + 1 };
}

/** What is told to the request that answers. */
export function awaitedBy(kept: KeptValues | undefined, digest: string): AwaitedValues | undefined {
  if (kept?.answered !== digest) return undefined;
  const { asked: _, answered: __, task: ___, ...values } = kept;
  return values;
}
