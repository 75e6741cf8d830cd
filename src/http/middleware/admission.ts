/**
 * Whether a credential's rate limit admits the request. The meter is asked at once and decides beside the reading of the
 * body; nothing is done for the request before it has. A meter that cannot be reached, or is silent, admits nothing.
 */

import { within } from "../../lib/deadline.ts";
import { describeError, log } from "../../lib/log.ts";
import type { RateLimit } from "../../settings/json-setting.ts";
import type { UseResult } from "../../stores/objects/meter-window.ts";
import type { Metered } from "../authenticate/identity.ts";
import { type Problem, tooManyRequests, unavailable } from "../problem.ts";

export interface Admission {
  /** Undefined where the request is admitted. */
  readonly problem: Problem | undefined;
  /** For the answer, whatever it is. */
  readonly headers: Readonly<Record<string, string>>;
}

export type AskMeter = (metered: Metered) => Promise<UseResult>;

const ANSWER_MS = 15_000;

export async function admit(metered: Metered, ask: AskMeter): Promise<Admission> {
  try {
    const taken = await within(ANSWER_MS, ask(metered));
    const headers = limitHeaders(metered.limit, taken);
    if (taken.allowed) return { problem: undefined, headers };
    const seconds = Math.max(1, Math.ceil(taken.retryMs / 1000));
    const most = `${metered.limit.max} requests in ${spellDuration(metered.limit.windowMs)}`;
    const message = `this credential may make ${most}; try again in ${seconds} s`;
    return { problem: tooManyRequests("request_rate_limited", message, seconds), headers };
  } catch (error) {
    log("error", "key_meter_unreachable", describeError(error));
    const message = "the requests of this credential cannot be counted just now; try again later";
    return { problem: unavailable("rate_limit_unavailable", message), headers: {} };
  }
}

function limitHeaders({ max }: RateLimit, { remaining, resetMs }: UseResult): Record<string, string> {
  return {
    "x-ratelimit-limit-requests": String(max),
    "x-ratelimit-remaining-requests": String(remaining),
    "x-ratelimit-reset-requests": spellDuration(Math.max(0, resetMs)),
  };
}

/** As OpenAI spells it: `120ms`, `59s`, `6m0s`, `1h0m0s`. */
export function spellDuration(ms: number): string {
  if (ms < 1000) return `${Math.ceil(ms)}ms`;
  const seconds = Math.ceil(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  return `${h > 0 ? `${h}h` : ""}${h > 0 || m > 0 ? `${m}m` : ""}${s}s`;
}
