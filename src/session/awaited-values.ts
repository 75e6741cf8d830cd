/**
 * What the gateway has asked the user for, and which message answers it. Pure.
 *
 * It is asked by one request and answered by the next new message. Either may come again, where its reply was lost: the one
 * that asked asks again, the one that answered finds what it had found.
 */

/** What system-first execution asked the user for. */
export interface AwaitedValues {
  readonly intent: string;
  readonly tool: string;
  /** Arguments that the user's words gave before. */
  readonly filled: Readonly<Record<string, unknown>>;
  /** Names of the arguments that were asked for. */
  readonly missing: readonly string[];
}

/** As a session's standing holds them. */
export interface KeptValues extends AwaitedValues {
  /** Digests of the request that asked, and of the one that has answered. */
  readonly asked: string;
  readonly answered?: string | undefined;
}

export interface ValuesMessage {
  /** Of the request. */
  readonly digest: string;
  /** The intents that the message asks for by its own words; absent: it is no answer to a question for values. */
  readonly givesValues?: readonly string[] | undefined;
}

/** The values as they are once a new message has come that answers them; undefined where it does not. */
export function answeredValues(
  kept: KeptValues | undefined,
  held: readonly string[],
  { digest, givesValues }: ValuesMessage,
): KeptValues | undefined {
  if (!kept || !givesValues || digest === kept.asked) return undefined;
  if (kept.answered !== undefined && kept.answered !== digest) return undefined;
  const isHeld = held.length === 1 && held[0] === kept.intent;
  return isHeld && givesValues.every((name) => name === kept.intent) ? { ...kept, answered: digest } : undefined;
}

/** What is told to the request that answers. */
export function awaitedBy(kept: KeptValues | undefined, digest: string): AwaitedValues | undefined {
  if (kept?.answered !== digest) return undefined;
  const { asked: _, answered: __, ...values } = kept;
  return values;
}
