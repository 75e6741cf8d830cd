/** The model that makes plans: at the gateway's upstreams, with the same order, retries and circuit as for a chat. */
import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4GenerateResult,
} from "@ai-sdk/provider";
import { HOUR_MS } from "../lib/time.ts";
import { type ModelRequester, modelAt, modelHops } from "./gateway-model.ts";
import { readText } from "./relay/body-reader.ts";
import type { Failure } from "./upstream/retry.ts";
import { startUpstreamDeadline, UpstreamTimeout } from "./upstream/time-limit.ts";
import {
  type Attempt,
  type AttemptTarget,
  type RouteTarget,
  tryUpstreams,
  type Upstreams,
} from "./upstream/upstreams.ts";

/** UTF-16 units of an answer: a few times what a model writes in its granted tokens. The rest is cut off. */
const MAX_ANSWER = 4 * 1024 * 1024;

/** @param chosen the model of the settings, sent in place of the upstream's and of the one that the client named. */
export function plannerModel(upstreams: Upstreams, chosen: string | undefined) {
  const accepted: PlannerFormats = new Map();
  return (asking: ModelRequester | undefined, again: () => void): LanguageModelV4 | undefined => {
    let order = modelHops(upstreams, asking, chosen);
    if (order.length === 0) return undefined;
    return {
      specificationVersion: "v4",
      provider: "planner",
      modelId: chosen ?? "planner",
      supportedUrls: {},
      doStream: () => Promise.reject(new Error("plans are not streamed")),
      async doGenerate(options) {
        let requests = 0;
        const count = () => {
          requests += 1;
          if (requests > 1) again();
        };
        const planning = { upstreams, asking, chosen, accepted, count };
        const signal = options.abortSignal ?? new AbortController().signal;
        const tried = await tryUpstreams(upstreams, order, signal, (target) => attempt(planning, options, target));
        if (tried.kind === "aborted") throw signal.reason;
        if (tried.kind === "failed") throw tried.reply;
        const { hop, result } = tried.value;
        // The upstream that made a plan corrects it.
        order = [hop, ...order.filter((one) => one.index !== hop.index || one.model !== hop.model)];
        return result;
      },
    };
  };
}

interface PlannerCall {
  readonly upstreams: Upstreams;
  readonly asking: ModelRequester | undefined;
  readonly chosen: string | undefined;
  readonly accepted: PlannerFormats;
  /** Called before each request. */
  readonly count: () => void;
}

interface PlanResult {
  readonly hop: RouteTarget;
  readonly result: LanguageModelV4GenerateResult;
}

async function attempt(
  { upstreams, asking, chosen, accepted, count }: PlannerCall,
  options: LanguageModelV4CallOptions,
  { attempts: _attempts, ...hop }: AttemptTarget,
): Promise<Attempt<PlanResult, unknown>> {
  let failure: Failure = { kind: "unreachable" };
  const onFailure = (next: Failure) => {
    failure = next;
  };
  const purpose = { name: "planner", chosen, schemas: true };
  const model = modelAt(upstreams, hop, asking, purpose, (input, init) => ask(upstreams, input, init, onFailure));
  if (!model) throw new Error("the upstream has no model to ask");
  const key = `${hop.index} ${model.modelId}`;
  try {
    const result = await askWithFallbacks(model, options, { accepted, key, now: upstreams.clock.now(), count });
    return { kind: "done", value: { hop, result } };
  } catch (error) {
    return { kind: "failed", failure, reply: error };
  }
}

/** One request, under the time limits of the upstreams. @param report called with the failure, if it fails. */
async function ask(
  { fetch, limits }: Upstreams,
  input: RequestInfo | URL,
  init: RequestInit | undefined,
  report: (failure: Failure) => void,
): Promise<Response> {
  report({ kind: "unreachable" });
  const watch = startUpstreamDeadline(limits, init?.signal ?? new AbortController().signal, false);
  try {
    const asking = fetch(input, { ...init, signal: watch.signal });
    // A late answer is cancelled.
    watch.onEnd(() => asking.then(({ body }) => body?.cancel()).catch(() => {}));
    const response = await watch.race(asking);
    watch.answered("idle");
    const text = await readText(response, MAX_ANSWER, watch);
    report({ kind: "answered", status: response.status, headers: response.headers });
    return new Response(text === "" ? null : text, response);
  } catch (error) {
    if (error instanceof UpstreamTimeout) report({ kind: "timeout" });
    throw error;
  } finally {
    watch.stop();
  }
}

/** The format that was accepted last, by upstream and model, if it was not the first. */
type PlannerFormats = Map<string, { readonly format: number; readonly until: number }>;

/** A refusal may have been for one plan's tools alone: after this time the first format is tried again. */
const REMEMBER_MS = HOUR_MS;
/** Clients may name any model. */
const MAX_REMEMBERED = 100;

type Format = (options: LanguageModelV4CallOptions) => LanguageModelV4CallOptions;

// A strict schema could not hold arguments of any shape.
const loose: Format = (options) => ({ ...options, providerOptions: { openaiCompatible: { strictJsonSchema: false } } });

const FORMATS: readonly Format[] = [
  loose,
  (options) => ({ ...options, ...(options.responseFormat && { responseFormat: { type: "json" } }) }),
  (options) => ({ ...options, responseFormat: undefined }),
  // Reasoning models refuse a temperature, and count their tokens under another name.
  (options) => ({ ...loose(options), temperature: undefined, maxOutputTokens: undefined }),
];

/** @param count called before each request. Rejects with the last refusal if no format is accepted. */
async function askWithFallbacks(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  { accepted, key, now, count }: { accepted: PlannerFormats; key: string; now: number; count: () => void },
): Promise<LanguageModelV4GenerateResult> {
  const known = accepted.get(key);
  const first = known && known.until > now ? known.format : 0;
  let refusal: unknown;
  for (const format of [first, ...[...FORMATS.keys()].filter((one) => one !== first)]) {
    count();
    try {
      const result = await model.doGenerate((FORMATS[format] ?? loose)(options));
      if (format !== first || first === 0) remember(accepted, key, format, now);
      return result;
    } catch (error) {
      if (!refusesRequest(error)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}

const refusesRequest = (error: unknown): boolean =>
  APICallError.isInstance(error) && (error.statusCode === 400 || error.statusCode === 422);

/** The newest entry is last. */
function remember(accepted: PlannerFormats, key: string, format: number, now: number): void {
  accepted.delete(key);
  if (format === 0) return;
  const [oldest] = accepted.keys();
  if (oldest !== undefined && accepted.size >= MAX_REMEMBERED) accepted.delete(oldest);
  accepted.set(key, { format, until: now + REMEMBER_MS });
}
