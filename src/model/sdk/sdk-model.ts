/**
 * Any AI SDK `LanguageModelV4` as the gateway's model: no tap, its parts are encoded one by one. For providers that
 * do not speak OpenAI's format.
 */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import type { ModelCall, ModelPort, StepOutcome, StepRequest, UpstreamHead } from "../../ports/model-port.ts";
import {
  type ChunkHead,
  createWordEncoder,
  encodeWordMessage,
  finishReasonToOpenAi,
  usageToOpenAi,
} from "../../wire/encode-parts.ts";
import { noteHead } from "../../wire/envelope.ts";
import { eventJson, isObject, type JsonObject } from "../../wire/read-chunk.ts";
import type { ReplyWords } from "../../wire/reply-words.ts";
import { governBody } from "../relay/relay-model.ts";
import { MAX_ARGUMENT_UNITS } from "../relay/relay-stream.ts";
import { refusalOf, refusedRequest, timedOut } from "../relay/upstream-answer.ts";
import { DEFAULT_LIMITS, startUpstreamDeadline, type UpstreamDeadline } from "../upstream/time-limit.ts";
import { offerMiddleware, wrapModel } from "./offer-middleware.ts";
import { toCallOptions } from "./to-call-options.ts";
import { toPrompt } from "./to-prompt.ts";

export function sdkModel(model: LanguageModelV4, now: () => number, limits = DEFAULT_LIMITS): ModelPort {
  return {
    async step(request, words, onHead) {
      const watch = startUpstreamDeadline(limits, request.signal, request.stream);
      const options = callOptions(request, watch.signal);
      if (!options.ok) {
        watch.stop();
        return refusedRequest(options.error.message, options.error.path);
      }
      const offered = wrapModel(model, offerMiddleware(request.tools));
      const head = { id: `chatcmpl-${crypto.randomUUID()}`, created: Math.floor(now() / 1000), model: model.modelId };
      try {
        return request.stream
          ? await stream(offered, options.value, request, head, words, onHead, watch)
          : await generate(offered, options.value, head, onHead, watch);
      } catch (error) {
        if (request.signal.aborted) return { kind: "aborted" };
        return watch.expired ? timedOut(watch.expired) : refusalOf(error);
      } finally {
        watch.stop();
      }
    },
  };
}

function callOptions(request: StepRequest, abortSignal: AbortSignal) {
  const prompt = toPrompt(request.messages as readonly JsonObject[]);
  if (!prompt.ok) return prompt;
  const names = request.tools.map(({ name }) => ({ function: { name } }));
  const body = governBody(request, { tools: names }, undefined);
  return toCallOptions(body, { prompt: prompt.value, tools: request.tools, abortSignal });
}

async function stream(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  request: StepRequest,
  head: ChunkHead,
  words: ReplyWords,
  onHead: (head: UpstreamHead) => void,
  watch: UpstreamDeadline,
): Promise<StepOutcome> {
  const parts = (await watch.race(Promise.resolve(model.doStream(options)))).stream.getReader();
  watch.onEnd((reason) => parts.cancel(reason).catch(() => {}));
  watch.answered("first_byte");
  try {
    onHead({ status: 200, headers: new Headers() });
    return await readParts(parts, request, head, words, watch);
  } finally {
    parts.cancel().catch(() => {});
  }
}

async function readParts(
  parts: ReadableStreamDefaultReader<LanguageModelV4StreamPart>,
  { adopt, envelope, signal, body }: StepRequest,
  head: ChunkHead,
  words: ReplyWords,
  watch: UpstreamDeadline,
): Promise<StepOutcome> {
  if (!envelope.head) noteHead(envelope, { ...head, object: "chat.completion.chunk" });
  const shared =
    adopt && envelope.head ? { ...head, id: String(envelope.head.id), created: Number(envelope.head.created) } : head;
  const encode = createWordEncoder(shared, { role: !envelope.roleSent });
  const calls: ModelCall[] = [];
  let text = "";
  let failure: unknown;
  for (;;) {
    const { done, value: part } = await parts.read();
    if (signal.aborted) return { kind: "aborted" };
    if (done)
      return {
        kind: "disorderly",
        detail: watch.expired?.message ?? "the stream broke off before its end",
        error: watch.expired?.error,
        begun: calls.map(({ name }) => name),
      };
    watch.begun();
    const chunk = encode(part);
    if (chunk) {
      envelope.roleSent = true;
      words.write(`data: ${eventJson(chunk)}\n\n`);
      watch.pause();
      await words.ready();
      watch.resume();
    }
    if (part.type === "text-delta") text += part.delta;
    if (part.type === "error") failure ??= part.error;
    calls.push(...callsOf(part));
    if (part.type !== "finish") continue;
    const finishReason = finishReasonToOpenAi(part.finishReason.unified);
    const finish = {
      ...shared,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta: {}, finish_reason: finishReason }],
    };
    const usage = usageOf(part.usage);
    const asked = isObject(body.stream_options) && body.stream_options.include_usage === true;
    return checked(calls, failure, part.finishReason.unified, {
      kind: "ended",
      calls,
      finish: [finish],
      closing: asked ? { ...shared, object: "chat.completion.chunk", choices: [], usage } : undefined,
      body: undefined,
      finishReason,
      usage,
      text,
      reasoning: "",
    });
  }
}

async function generate(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  head: ChunkHead,
  onHead: (head: UpstreamHead) => void,
  watch: UpstreamDeadline,
): Promise<StepOutcome> {
  const { content, finishReason, usage: used } = await watch.race(Promise.resolve(model.doGenerate(options)));
  onHead({ status: 200, headers: new Headers() });
  const calls = content.flatMap(callsOf);
  const message: JsonObject = { ...encodeWordMessage(content) };
  if (calls.length > 0) message.tool_calls = [];
  const reason = finishReasonToOpenAi(finishReason.unified);
  const usage = usageOf(used);
  const body = {
    ...head,
    object: "chat.completion",
    choices: [{ index: 0, message, finish_reason: reason, logprobs: null }],
    usage,
  };
  const text = typeof message.content === "string" ? message.content : "";
  return checked(calls, undefined, finishReason.unified, {
    kind: "ended",
    calls,
    finish: [],
    closing: undefined,
    body,
    finishReason: reason,
    usage,
    text,
    reasoning: "",
  });
}

/** The same demands as on a relayed stream: an orderly end, no error seen, arguments within bounds. */
function checked(
  calls: readonly ModelCall[],
  failure: unknown,
  reason: LanguageModelV4FinishReason["unified"],
  ended: Extract<StepOutcome, { kind: "ended" }>,
): StepOutcome {
  const begun = calls.map(({ name }) => name);
  const disorderly = (detail: string): StepOutcome => ({ kind: "disorderly", detail, error: undefined, begun });
  if (failure !== undefined || reason === "error") return disorderly("the model reported an error");
  if (calls.length === 0) return ended;
  if (reason !== "stop" && reason !== "tool-calls") {
    return disorderly(`the calls are not complete: the finish reason is \`${reason}\``);
  }
  const units = calls.reduce((sum, call) => sum + call.arguments.length, 0);
  return units > MAX_ARGUMENT_UNITS ? disorderly("the arguments of the step's calls are too large") : ended;
}

function callsOf(part: { readonly type: string }): ModelCall[] {
  if (part.type !== "tool-call") return [];
  const { toolCallId, toolName, input } = part as Extract<LanguageModelV4Content, { type: "tool-call" }>;
  return [{ id: toolCallId, name: toolName, arguments: input, extra: undefined }];
}

const usageOf = (usage: LanguageModelV4Usage): JsonObject => ({ ...usageToOpenAi(usage) });
