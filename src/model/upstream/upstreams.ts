/** The upstreams of a gateway: what each is asked with, and in which order they are tried. */
import { backOffMs } from "../../lib/back-off.ts";
import { log } from "../../lib/log.ts";
import { advise, type Failure, failureRank } from "./retry.ts";
import type { TimeLimits } from "./time-limit.ts";

export interface UpstreamTarget {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  /** Sent in target of the client's `model`. */
  readonly model?: string;
}

/** Time and chance, injected so that tests wait for nothing. */
export interface Pace {
  readonly now: () => number;
  readonly random: () => number;
  /** Resolves after `ms`, or at once when the signal fires. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * The tools of a request that has none, but calls in its messages. `forbidden`: those that the calls name, with `tool_choice: "none"`.
 * `named`: without, for upstreams that do not know that word.
 */
export type ToolForm = "none" | "forbidden" | "named";

export interface KnownForm {
  readonly form: ToolForm;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

export interface Upstreams {
  /** One at least. */
  readonly targets: readonly UpstreamTarget[];
  readonly limits: TimeLimits;
  readonly retries: number;
  /** Injected so that tests stand in for the provider. */
  readonly fetch: typeof fetch;
  readonly pace: Pace;
  /** What is remembered in this isolate of failures, and of what an upstream would not take: by its number and the model. */
  readonly health: { circuit: Circuit; readonly toolForms: Map<string, KnownForm> };
}

export const newHealth = (): Upstreams["health"] => ({ circuit: CLOSED, toolForms: new Map() });

/** One attempt: at which upstream, and how many there were. */
export interface AttemptTarget {
  /** From 0, as in the settings. */
  readonly index: number;
  /** Attempts at any upstream so far, this one included. */
  readonly attempts: number;
}

export type Attempt<T, F> =
  | { readonly kind: "done"; readonly value: T }
  /** @property reply what the client gets if no other attempt succeeds. */
  | { readonly kind: "failed"; readonly failure: Failure; readonly reply: F };

type AttemptResult<T, F> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "failed"; readonly reply: F; readonly target: AttemptTarget }
  | { readonly kind: "aborted" };

/**
 * The order for one request. One that brings the client's own credential stays at the first upstream: no other may see
 * it, and the gateway's own keys are not what the client asked to be served with.
 */
export function orderFor(upstreams: Upstreams, headers: Readonly<Record<string, string>>): readonly number[] {
  if (bringsCredential(headers)) return [0];
  const { order, circuit } = orderOf(upstreams.health.circuit, upstreams.targets.length, upstreams.pace.now());
  upstreams.health.circuit = circuit;
  return order;
}

const bringsCredential = (headers: Readonly<Record<string, string>>): boolean =>
  Object.hasOwn(headers, "authorization");

/** Of a client's headers, what any upstream may see. The others are one vendor's, or name the client's account there. */
const ANYWHERE = new Set(["content-type", "accept", "user-agent", "traceparent", "tracestate"]);

/**
 * They choose whose account pays, and a name that is wrong has the upstream answer 401, as if the gateway's own key were
 * not valid: then it would be left alone for all clients. So they go with the client's own credential alone.
 */
const NAMES_ACCOUNT = /^(openai-organization|openai-project|anthropic-workspace-id|x-goog-user-project)$/;

/** The headers for one upstream: its own key, and of `given` (names in lower case) what may go there. */
export function headersFor(
  { targets }: Upstreams,
  index: number,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const key = targets[index]?.apiKey;
  const own: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  if (index > 0) return { ...only(given, (name) => ANYWHERE.has(name)), ...own };
  return bringsCredential(given) ? { ...given } : { ...only(given, (name) => !NAMES_ACCOUNT.test(name)), ...own };
}

const only = (given: Readonly<Record<string, string>>, may: (name: string) => boolean): Record<string, string> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => may(name)));

/**
 * Attempts until one is done, none is left, or the failure is the request's own. Each upstream in the order is asked
 * `1 + retries` times at most. What was decided or sent must not depend on a failed attempt: the caller sees to it
 * that nothing of one was used.
 */
export async function tryUpstreams<T, F>(
  upstreams: Upstreams,
  order: readonly number[],
  signal: AbortSignal,
  attempt: (target: AttemptTarget) => Promise<Attempt<T, F>>,
): Promise<AttemptResult<T, F>> {
  const { pace, retries, health } = upstreams;
  let attempts = 0;
  let best: { readonly failure: Failure; readonly reply: F; readonly target: AttemptTarget } | undefined;
  for (const index of order) {
    for (let retry = 0; ; retry++) {
      const target = { index, attempts: ++attempts };
      const result = await attempt(target);
      if (result.kind === "done") {
        health.circuit = recover(health.circuit, index);
        return result;
      }
      if (signal.aborted) return { kind: "aborted" };
      const { failure, reply } = result;
      if (!best || target.index === best.target.index || failureRank(failure) > failureRank(best.failure))
        best = { failure, reply, target };
      const { again, next, waitMs, holdMs } = advise(failure, pace.now());
      if (again && retry < retries) {
        await pace.wait(waitMs ?? backOffMs(retry, pace.random()), signal);
        if (signal.aborted) return { kind: "aborted" };
        continue;
      }
      if (!next) return { kind: "failed", reply: best.reply, target: { ...best.target, attempts } };
      // With one upstream, or with the client's own key, there is no other to turn to.
      if (order.length > 1) noteFailure(upstreams, index, failure, holdMs);
      break;
    }
  }
  if (!best) throw new Error("there is no upstream to ask");
  return { kind: "failed", reply: best.reply, target: { ...best.target, attempts } };
}

function noteFailure({ health, pace }: Upstreams, index: number, failure: Failure, holdMs: number): void {
  health.circuit = trip(health.circuit, index, pace.now(), holdMs);
  const status = failure.kind === "answered" ? failure.status : undefined;
  log("warn", "upstream_failed", { upstream: index + 1, failure: failure.kind, status });
}

/** The clock, and chance. */
export const realPace: Pace = {
  now: () => Date.now(),
  random: () => Math.random(),
  wait: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener("abort", done);
    }),
};

/** Upstream (from 0) → until when it is asked last. */
type Circuit = ReadonlyMap<number, number>;

export const CLOSED: Circuit = new Map();

/** How long an upstream that has failed is asked last. */
export const COOL_MS = 30_000;
/** However long an upstream asks to be left alone. */
const LONGEST_MS = 300_000;

/** The order of `count` upstreams for one request, and what others find. */
export function orderOf(circuit: Circuit, count: number, now: number): { order: number[]; circuit: Circuit } {
  const all = Array.from({ length: count }, (_, index) => index);
  if (circuit.size === 0) return { order: all, circuit };
  const failed = all.filter((index) => (circuit.get(index) ?? 0) > now);
  const asked = all.filter((index) => !failed.includes(index));
  const probed = asked.filter((index) => circuit.has(index));
  return {
    order: [...asked, ...failed],
    circuit:
      probed.length === 0 ? circuit : new Map([...circuit, ...probed.map((index) => [index, now + COOL_MS] as const)]),
  };
}

/** @param holdMs how long the upstream asked to be left alone. */
export function trip(circuit: Circuit, index: number, now: number, holdMs: number): Circuit {
  return new Map([...circuit, [index, now + Math.max(COOL_MS, Math.min(holdMs, LONGEST_MS))]]);
}

export function recover(circuit: Circuit, index: number): Circuit {
  return circuit.has(index) ? new Map([...circuit].filter(([other]) => other !== index)) : circuit;
}
