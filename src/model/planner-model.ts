/** The model that makes plans: at the gateway's upstreams, in their order, with their retries and their circuit, as a chat's. */
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from "@ai-sdk/provider";
import { askedModel, type ModelAsking, modelNameAt } from "./asked-model.ts";
import { askInWays, type TakenWays } from "./planner-ways.ts";
import { readText } from "./relay/upstream-answer.ts";
import type { Failure } from "./upstream/retry.ts";
import { startWatch, UpstreamTimeout } from "./upstream/time-limit.ts";
import { type Attempt, orderFor, type Place, tryUpstreams, type Upstreams } from "./upstream/upstreams.ts";

/** UTF-16 units of an answer: some times what a model writes in the tokens that it is granted. What is longer is cut. */
const MAX_ANSWER = 4 * 1024 * 1024;

/** @param chosen the model of the settings, sent in place of the upstream's and of the one that the client named. */
export function plannerModel(upstreams: Upstreams, chosen: string | undefined) {
  const taken: TakenWays = new Map();
  return (asking: ModelAsking | undefined, again: () => void): LanguageModelV4 | undefined => {
    let order = orderFor(upstreams, asking?.headers ?? {}).filter(
      (index) => modelNameAt(upstreams, index, asking, chosen) !== undefined,
    );
    if (order.length === 0) return undefined;
    return {
      specificationVersion: "v4",
      provider: "planner",
      modelId: chosen ?? "planner",
      supportedUrls: {},
      doStream: () => Promise.reject(new Error("plans are not streamed")),
      async doGenerate(options) {
        let asked = 0;
        const count = () => {
          asked += 1;
          if (asked > 1) again();
        };
        const planning = { upstreams, asking, chosen, taken, count };
        const signal = options.abortSignal ?? new AbortController().signal;
        const tried = await tryUpstreams(upstreams, order, signal, (place) => attempt(planning, options, place));
        if (tried.kind === "aborted") throw signal.reason;
        if (tried.kind === "failed") throw tried.told;
        const { index, result } = tried.value;
        // A plan that is to be corrected is its own.
        order = [index, ...order.filter((one) => one !== index)];
        return result;
      },
    };
  };
}

interface Planning {
  readonly upstreams: Upstreams;
  readonly asking: ModelAsking | undefined;
  readonly chosen: string | undefined;
  readonly taken: TakenWays;
  /** Called before each request. */
  readonly count: () => void;
}

interface Planned {
  readonly index: number;
  readonly result: LanguageModelV4GenerateResult;
}

async function attempt(
  { upstreams, asking, chosen, taken, count }: Planning,
  options: LanguageModelV4CallOptions,
  { index }: Place,
): Promise<Attempt<Planned, unknown>> {
  let failure: Failure = { kind: "unreachable" };
  const told = (next: Failure) => {
    failure = next;
  };
  const asked = { name: "planner", chosen, schemas: true };
  const model = askedModel(upstreams, index, asking, asked, (input, init) => ask(upstreams, input, init, told));
  if (!model) throw new Error("the upstream has no model to ask");
  const key = `${index} ${model.modelId}`;
  try {
    const result = await askInWays(model, options, { taken, key, now: upstreams.pace.now(), count });
    return { kind: "done", value: { index, result } };
  } catch (error) {
    return { kind: "failed", failure, told: error };
  }
}

/** One request, under the time limits of the upstreams. @param tell told how it failed, if it did. */
async function ask(
  { fetch, limits }: Upstreams,
  input: RequestInfo | URL,
  init: RequestInit | undefined,
  tell: (failure: Failure) => void,
): Promise<Response> {
  tell({ kind: "unreachable" });
  const watch = startWatch(limits, init?.signal ?? new AbortController().signal, false);
  try {
    const asking = fetch(input, { ...init, signal: watch.signal });
    // An answer that comes too late is not left open.
    watch.onEnd(() => asking.then(({ body }) => body?.cancel()).catch(() => {}));
    const response = await watch.race(asking);
    watch.answered("idle");
    const text = await readText(response, MAX_ANSWER, watch);
    tell({ kind: "answered", status: response.status, headers: response.headers });
    return new Response(text === "" ? null : text, response);
  } catch (error) {
    if (error instanceof UpstreamTimeout) tell({ kind: "timeout" });
    throw error;
  } finally {
    watch.stop();
  }
}
