/** The end of an answer decides whether its calls count. Pure. */

/** Providers send either with calls, some twice. */
const ORDERLY: ReadonlySet<string> = new Set(["tool_calls", "stop"]);
/** The answer was cut off: its content counts, but none of its calls, not one that seems whole either. */
const CUT: ReadonlySet<string> = new Set(["length", "content_filter"]);

export const isCut = (reason: unknown): boolean => typeof reason === "string" && CUT.has(reason);

/**
 * @param reasons all that the answer sent, in order; none if it ended without one.
 * @returns the reason why no call of the answer counts, and whether it was cut off; undefined if the end is orderly.
 */
export function oddEnd(reasons: readonly string[]): { readonly reason: string; readonly cut: boolean } | undefined {
  const odd = reasons.filter((reason) => !ORDERLY.has(reason));
  const reason = odd.find((one) => !CUT.has(one)) ?? odd.at(-1);
  return reason === undefined ? undefined : { reason, cut: CUT.has(reason) };
}

export const notComplete = (reason: string): string => `the calls are not complete: the finish reason is \`${reason}\``;
