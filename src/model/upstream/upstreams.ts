/** The upstreams of a gateway: what each is called with, and in which order they are tried. */
import { backOffMs } from "../../lib/back-off.ts";
import { wait } from "../../lib/deadline.ts";
import { log } from "../../lib/log.ts";
import type { TimeLimits, UpstreamTarget } from "../../settings/upstream-target.ts";
import { type AttemptOutcome, advise, type Failure, failureRank, isAboutAccount, outcomeOf } from "./retry.ts";

/** An upstream and a model, where a step may be called. */
export interface RouteTarget {
  /** From 0, as in `Upstreams.targets`. */
  readonly index: number;
  /** The model's name there; absent: as the client wrote it. */
  readonly model?: string;
  /** It is called with the client's own credential. */
  readonly isClients?: boolean;
}

/** Time and chance, injected so that tests need not wait. */
export interface Clock {
  readonly now: () => number;
  readonly random: () => number;
  /** Resolves after `ms`, or at once when the signal fires. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Tools for a request that has calls in its messages, but no tools. `forbidden`: those that the calls name, with `tool_choice: "none"`.
 * `named`: without that choice, for upstreams that do not know the word.
 */
export type ToolForm = "none" | "forbidden" | "named";

export interface KnownForm {
  readonly form: ToolForm;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

export interface Upstreams {
  /** One at least. The numbered upstreams, then the providers. */
  readonly targets: readonly UpstreamTarget[];
  /** By a model's name: the models that are tried in its place, in order. */
  readonly routes?: ReadonlyMap<string, readonly string[]>;
  readonly limits: TimeLimits;
  readonly retries: number;
  /** Injected so that tests can replace the provider. */
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  /** Counts each attempt that uses the gateway's own key. */
  readonly noteAttempt?: (upstream: UpstreamLabel, outcome: AttemptOutcome) => void;
  /** This isolate's memory of failures, and of forms that an upstream refused, by its name and the model. */
  readonly health: { circuit: Circuit; readonly toolForms: Map<string, KnownForm> };
}

export const newHealth = (): Upstreams["health"] => ({ circuit: CLOSED, toolForms: new Map() });

/** One attempt: at which upstream, and its number. */
export interface AttemptTarget extends RouteTarget {
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
 * The order for one request; empty if no upstream serves the model. A request with the client's own credential stays at the first upstream:
 * no other may see the credential, and the client did not ask to be served with the gateway's own keys.
 * @param model as the client names it; absent: a request that names none, which only the numbered upstreams get.
 * @param route the policy's, in place of the settings' own.
 */
export function orderFor(
  upstreams: Upstreams,
  headers: Readonly<Record<string, string>>,
  model?: string,
  route?: readonly string[],
): readonly RouteTarget[] {
  if (bringsCredential(headers))
    return numberedOf(upstreams)
      .slice(0, 1)
      .map((hop) => ({ ...hop, isClients: true }));
  const hops = targetsFor(upstreams, model, route);
  const { order, circuit } = orderOf(upstreams.health.circuit, hops, upstreams.clock.now());
  upstreams.health.circuit = circuit;
  return order;
}

const numberedOf = ({ targets }: Upstreams): RouteTarget[] =>
  targets.flatMap(({ provider }, index): RouteTarget[] => (provider ? [] : [{ index }]));

/** The targets for a model, in the order of the settings. */
function targetsFor(
  upstreams: Upstreams,
  model: string | undefined,
  route?: readonly string[],
): readonly RouteTarget[] {
  // The policy may name one of the settings' routes.
  if (route) return route.flatMap((name) => targetsFor(upstreams, name).map((hop) => ({ model: name, ...hop })));
  const numbered = numberedOf(upstreams);
  if (model === undefined) return numbered;
  const names = upstreams.routes?.get(model);
  if (!names) return atProvider(upstreams, model) ?? numbered;
  return names.flatMap((name) => atProvider(upstreams, name) ?? numbered.map(({ index }) => ({ index, model: name })));
}

/** The name under which the model answers, as far as it is known before the answer. */
export function answeringName(upstreams: Upstreams, model: string, route?: readonly string[]): string {
  const [first] = targetsFor(upstreams, model, route);
  // A provider's answers have the name that the client knows.
  return (first && upstreams.targets[first.index]?.model) ?? model;
}

/** Undefined if the name begins with no provider's. */
function atProvider({ targets }: Upstreams, model: string): RouteTarget[] | undefined {
  const slash = model.indexOf("/");
  const name = model.slice(0, Math.max(slash, 0));
  const index = targets.findIndex(({ provider }) => provider !== undefined && provider.name === name);
  return index < 0 ? undefined : [{ index, model: model.slice(slash + 1) }];
}

export const isOfProvider = (upstreams: Upstreams, model: string): boolean =>
  atProvider(upstreams, model) !== undefined;

/** The name that the upstream gets for the model; undefined: as the client wrote it. */
export const modelSentTo = ({ targets }: Upstreams, { index, model }: RouteTarget): string | undefined =>
  targets[index]?.model ?? model;

/** The name of an upstream for clients, logs and traces: a provider's name, or the number in the settings. */
export const labelAt = ({ targets }: Upstreams, index: number): UpstreamLabel =>
  targets[index]?.provider?.name ?? index + 1;

type UpstreamLabel = string | number;

const bringsCredential = (headers: Readonly<Record<string, string>>): boolean =>
  Object.hasOwn(headers, "authorization");

/** The client headers that any upstream may see. The others are for one vendor, or name the client's account there. */
const ANYWHERE = new Set(["content-type", "accept", "user-agent", "traceparent", "tracestate"]);

/**
 * These choose the account that pays. A wrong name has the upstream answer 401, as if the gateway's own key were not valid: then the
 * upstream would be avoided for all clients. So they go only with the client's own credential.
 */
const NAMES_ACCOUNT = /^(openai-organization|openai-project|anthropic-workspace-id|x-goog-user-project)$/;

/** The headers for one upstream: its own key, and the allowed part of `given` (names in lower case). */
export function headersFor(
  { targets }: Upstreams,
  index: number,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const key = targets[index]?.apiKey;
  const own: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  if (index > 0) return { ...headersThat(given, (name) => ANYWHERE.has(name)), ...own };
  return bringsCredential(given)
    ? { ...given }
    : { ...headersThat(given, (name) => !NAMES_ACCOUNT.test(name)), ...own };
}

/** The client headers for a provider whose own headers the AI SDK writes. @param also a header of that provider's protocol. */
export const headersAnywhere = (given: Readonly<Record<string, string>>, also?: string): Record<string, string> =>
  headersThat(given, (name) => name === also || (ANYWHERE.has(name) && name !== "content-type" && name !== "accept"));

const headersThat = (given: Readonly<Record<string, string>>, may: (name: string) => boolean): Record<string, string> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => may(name)));

/**
 * Tries until one attempt is done, none is left, or the failure is the request's own. Each upstream in the order is tried `1 + retries`
 * times at most. A failed attempt must not influence what was decided or sent: the caller makes sure that nothing of it was used.
 */
export async function tryUpstreams<T, F>(
  upstreams: Upstreams,
  order: readonly RouteTarget[],
  signal: AbortSignal,
  attempt: (target: AttemptTarget) => Promise<Attempt<T, F>>,
): Promise<AttemptResult<T, F>> {
  const { clock, retries, health } = upstreams;
  let attempts = 0;
  let best: { readonly failure: Failure; readonly reply: F; readonly target: AttemptTarget } | undefined;
  for (const hop of order) {
    const { index } = hop;
    for (let retry = 0; ; retry++) {
      const target = { ...hop, attempts: ++attempts };
      const result = await attempt(target);
      const note = (outcome: AttemptOutcome) =>
        hop.isClients || upstreams.noteAttempt?.(labelAt(upstreams, index), outcome);
      if (result.kind === "done") {
        note("ok");
        health.circuit = recover(health.circuit, index);
        return result;
      }
      if (signal.aborted) return { kind: "aborted" };
      const { failure, reply } = result;
      note(outcomeOf(failure));
      if (!best || target.index === best.target.index || failureRank(failure) > failureRank(best.failure))
        best = { failure, reply, target };
      const { again, next, waitMs, holdMs } = advise(failure, clock.now());
      if (again && retry < retries) {
        await clock.wait(waitMs ?? backOffMs(retry, clock.random()), signal);
        if (signal.aborted) return { kind: "aborted" };
        continue;
      }
      if (!next) return { kind: "failed", reply: best.reply, target: { ...best.target, attempts } };
      // With one upstream, or with the client's own key, there is no other to try.
      if (order.length > 1) noteFailure(upstreams, index, failure, holdMs);
      break;
    }
  }
  if (!best) throw new Error("there is no upstream to ask");
  return { kind: "failed", reply: best.reply, target: { ...best.target, attempts } };
}

function noteFailure(upstreams: Upstreams, index: number, failure: Failure, holdMs: number): void {
  const { health, clock } = upstreams;
  health.circuit = trip(health.circuit, index, clock.now(), holdMs);
  const status = failure.kind === "answered" ? failure.status : undefined;
  const facts = { upstream: labelAt(upstreams, index), failure: failure.kind, status };
  // The next upstream answers, so no client complains: only this line informs the operator.
  if (isAboutAccount(failure)) log("error", "upstream_key_refused", facts);
  else log("warn", "upstream_failed", facts);
}

/** The clock, and chance. */
export const realClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  wait,
};

/** Upstream (from 0) → until when it is tried last. */
type Circuit = ReadonlyMap<number, number>;

export const CLOSED: Circuit = new Map();

/** How long an upstream that has failed is tried last. */
export const COOL_MS = 30_000;
/** The longest pause that an upstream can request. */
const LONGEST_MS = 300_000;

/** The order of `hops` for one request, and the circuit that other requests find. */
export function orderOf(
  circuit: Circuit,
  hops: readonly RouteTarget[],
  now: number,
): { order: readonly RouteTarget[]; circuit: Circuit } {
  if (circuit.size === 0) return { order: hops, circuit };
  const failed = hops.filter(({ index }) => (circuit.get(index) ?? 0) > now);
  const working = hops.filter((hop) => !failed.includes(hop));
  const probed = working.filter(({ index }) => circuit.has(index));
  return {
    order: [...working, ...failed],
    circuit:
      probed.length === 0
        ? circuit
        : new Map([...circuit, ...probed.map(({ index }) => [index, now + COOL_MS] as const)]),
  };
}

/** @param holdMs the pause that the upstream requested. */
export function trip(circuit: Circuit, index: number, now: number, holdMs: number): Circuit {
  return new Map([...circuit, [index, now + Math.max(COOL_MS, Math.min(holdMs, LONGEST_MS))]]);
}

export function recover(circuit: Circuit, index: number): Circuit {
  return circuit.has(index) ? new Map([...circuit].filter(([other]) => other !== index)) : circuit;
}
