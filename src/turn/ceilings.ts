/** How many turns and held replies one user may have open at once, and the answer to one more. */
import type { Ending } from "./ending.ts";
import type { Turn } from "./turn.ts";

/** Undefined where the turn was opened: nothing has happened in one that was not. */
export function ceilingEnding({ input, opened }: Turn): Extract<Ending, { kind: "error" }> | undefined {
  const { ceilings } = input;
  if (!ceilings || !opened.over) return undefined;
  const { what, code, setting, seconds } = refusals[opened.over];
  const message = `this user has ${ceilings[opened.over]} ${what} open, the most at once (\`${setting}\`): wait for one to end, then try again`;
  return {
    kind: "error",
    stopReason: "request_refused",
    status: 429,
    headers: new Headers({ "retry-after": String(seconds) }),
    error: { message, type: "rate_limit_error", code, param: null },
  };
}

const refusals = {
  turns: { what: "turns", code: "too_many_turns", setting: "MAX_USER_TURNS", seconds: 1 },
  holds: { what: "held replies", code: "too_many_held_replies", setting: "MAX_USER_HOLDS", seconds: 5 },
} as const;
