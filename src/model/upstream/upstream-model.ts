/** The gateway's upstreams as one model: each step goes to an upstream that serves its model, and to the next if that fails. */
import { isHosted } from "../../policy/hosted.ts";
import type { ModelPort, StepOutcome, StepRequest } from "../../ports/model-port.ts";
import { COMPUTER } from "../../wire/responses/computer.ts";
import { relayAttempts } from "../relay/relay-attempt.ts";
import { sdkAttempts } from "../sdk/sdk-attempt.ts";
import type { StepUnderWay } from "./step-attempt.ts";
import { labelAt, orderFor, tryUpstreams, type Upstreams } from "./upstreams.ts";

export function upstreamModel(upstreams: Upstreams): ModelPort {
  const relayed = relayAttempts(upstreams);
  const converted = sdkAttempts(upstreams);
  const kindAt = (index: number) => upstreams.targets[index]?.provider?.kind ?? "openai";
  const attemptAt = (index: number) => (kindAt(index) === "openai" ? relayed : converted);
  return {
    async step(request, words, onHead) {
      const hops = orderFor(upstreams, request.headers, modelOf(request), request.route);
      if (hops.length === 0) return unserved(upstreams, request);
      const hosted = request.tools.find(
        ({ name }) => isHosted(name) || (request.responses?.computer && name === COMPUTER),
      );
      const order = hosted ? hops.filter(({ index }) => kindAt(index) === "responses") : hops;
      if (hosted && order.length === 0) return notHosted(hosted.name);
      let headTold = false;
      const step: StepUnderWay = {
        request,
        words,
        tellHead(head) {
          if (!headTold) onHead(head);
          headTold = true;
        },
      };
      const tried = await tryUpstreams(upstreams, order, request.signal, (target) =>
        attemptAt(target.index)(step, target),
      );
      if (tried.kind === "aborted") return { kind: "aborted" };
      if (tried.kind === "done") return tried.value;
      const { index, attempts } = tried.target;
      return tried.reply.kind === "refused"
        ? { ...tried.reply, upstream: labelAt(upstreams, index), attempts }
        : tried.reply;
    },
  };
}

const modelOf = ({ body: { model } }: StepRequest): string | undefined =>
  typeof model === "string" ? model : undefined;

function unserved({ targets }: Upstreams, request: StepRequest): StepOutcome {
  const prefixes = targets.flatMap(({ provider }) => (provider ? [`\`${provider.name}/\``] : []));
  const model = (modelOf(request) ?? "").slice(0, 64).toWellFormed();
  const message = `no upstream serves the model \`${model}\`: its name must begin with ${prefixes.join(" or ")}`;
  const error = { message, type: "invalid_request_error", code: "model_not_found", param: "model" };
  return { kind: "refused", status: 404, headers: undefined, body: JSON.stringify({ error }) };
}

/** The policy may offer the tool in this step and not in another, so only the step knows. */
function notHosted(name: string): StepOutcome {
  const message =
    `\`${name}\` is a tool of the Responses API, and no upstream of this model speaks it: leave it out, or name a model of a provider of ` +
    "the kind `responses`";
  const error = { message, type: "invalid_request_error", code: "unsupported_tool", param: "tools" };
  return { kind: "refused", status: 400, headers: undefined, body: JSON.stringify({ error }) };
}
