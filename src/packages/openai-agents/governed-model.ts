/** A governed model of the Agents SDK: answers in one piece, or streams words as they come and the rest once it is decided. */
import type { Model, ModelRequest, ModelResponse, StreamEvent } from "@openai/agents";
import { Usage } from "@openai/agents";
import { valueAt } from "../../lib/json/json-value.ts";
import type { StepRequest } from "../../ports/model-port.ts";
import { ToolgateError } from "../kernel/toolgate-error.ts";
import { wholeReply } from "../kernel/whole-reply.ts";
import { assistantItem } from "./chat-messages.ts";
import { type GovernedCalls, runModel } from "./govern-model.ts";

export function governedModel(calls: GovernedCalls, model: Model): Model {
  const advice = model.getRetryAdvice?.bind(model);
  return {
    getResponse: (request) => {
      const reply = wholeReply("model", request.signal);
      return runModel(calls, request, (own) => model.getResponse(own), { reply, stream: false });
    },
    getStreamedResponse: (request) => streamed(calls, request, model),
    ...(advice ? { getRetryAdvice: advice } : {}),
  };
}

/** The words of the turn, each answer's a paragraph of its own. */
function spokenWords(say: (words: string) => void) {
  let spoken = false;
  return {
    paragraph(words: string): void {
      say(spoken ? `\n\n${words}` : words);
      spoken = true;
    },
    /** @param first whether the answer begins with it. */
    go(words: string, first: boolean): void {
      if (first) this.paragraph(words);
      else say(words);
    },
  };
}

async function* streamed(calls: GovernedCalls, request: ModelRequest, model: Model): AsyncGenerator<StreamEvent> {
  const gone = new AbortController();
  const signal = request.signal ? AbortSignal.any([request.signal, gone.signal]) : gone.signal;
  let controller: ReadableStreamDefaultController<StreamEvent> | undefined;
  const events = new ReadableStream<StreamEvent>({
    start(own) {
      controller = own;
    },
    cancel: () => gone.abort(),
  });
  const words = spokenWords((delta) => {
    if (!gone.signal.aborted) controller?.enqueue({ type: "output_text_delta", delta });
  });
  const plain = wholeReply("model", signal);
  const say = (own: string): void => {
    if (own.trim() === "") return;
    plain.say(own);
    words.paragraph(own);
  };
  const ask = (own: ModelRequest, { links }: StepRequest) => askStreamed(model, own, links, words);
  const running = runModel(calls, { ...request, signal }, ask, { reply: { ...plain, say }, stream: true });
  const ended = running.finally(() => {
    if (!gone.signal.aborted) controller?.close();
  });
  // Awaited below, once all words are out.
  ended.catch(() => {});
  yield { type: "response_started" };
  try {
    for await (const event of events) yield event;
    yield endOf(await ended);
  } finally {
    gone.abort();
  }
}

async function askStreamed(
  model: Model,
  request: ModelRequest,
  links: StepRequest["links"],
  words: ReturnType<typeof spokenWords>,
): Promise<ModelResponse> {
  let done: Extract<StreamEvent, { type: "response_done" }>["response"] | undefined;
  let text = "";
  let finish: unknown;
  const pass = (kept: string): void => {
    if (kept === "") return;
    words.go(kept, text === "");
    text += kept;
  };
  // The provider's own events are not passed on: they hold calls that are not vetted.
  for await (const event of model.getStreamedResponse(request)) {
    if (event.type === "model") finish = valueAt(event.event, ["choices", 0, "finish_reason"]) ?? finish;
    if (event.type === "output_text_delta") pass(links ? links.push(0, "content", event.delta) : event.delta);
    if (event.type === "response_done") done = event.response;
  }
  for (const { member, text: held } of links?.end() ?? []) if (member === "content") pass(held);
  if (!done) throw new ToolgateError("the answer broke off before its end", "upstream_stream_disorderly", 502);
  // The answer's words are those that were streamed.
  const others = done.output.filter(({ type }) => type !== "message" && type !== undefined);
  const output = [...(text === "" ? [] : [assistantItem(text)]), ...others] as ModelResponse["output"];
  return {
    usage: new Usage(done.usage),
    output,
    responseId: done.id,
    providerData: { choices: [{ finish_reason: finish }] },
  };
}

function endOf({ usage, output, responseId, providerData }: ModelResponse): StreamEvent {
  const { requests, inputTokens, outputTokens, totalTokens } = usage;
  return {
    type: "response_done",
    response: {
      id: responseId ?? "toolgate",
      usage: { requests, inputTokens, outputTokens, totalTokens },
      // Only items of the model: words, thoughts and calls.
      output: output as never,
      ...(providerData ? { providerData } : {}),
    },
  };
}
