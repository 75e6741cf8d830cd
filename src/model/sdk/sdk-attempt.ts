/**
 * One attempt at a provider that has a protocol of its own, through the AI SDK. The provider always gets a request for a stream, so that
 * one reader judges its end, and a stalled answer is noticed even if the client wants it whole.
 */
import { isObject, type JsonObject, listIn } from "../../lib/json/json-value.ts";
import type { ToolDefinition } from "../../policy/facts.ts";
import { isHosted } from "../../policy/hosted.ts";
import type { StepRequest } from "../../ports/model-port.ts";
import { withComputer } from "../../wire/responses/computer.ts";
import { withCustomTools } from "../../wire/responses/custom-tools.ts";
import { hostedCall, hostedItemTool } from "../../wire/responses/hosted-tools.ts";
import { withSettings, withStrictTools } from "../../wire/responses/upstream-form.ts";
import { inToolForms } from "../history-tools.ts";
import { failedWith } from "../relay/relay-attempt.ts";
import { UpstreamRefusal } from "../relay/upstream-answer.ts";
import { type AttemptStep, onceConfirmed, type StepAttempt, type StepUnderWay } from "../upstream/step-attempt.ts";
import { startUpstreamDeadline, type UpstreamDeadline } from "../upstream/time-limit.ts";
import { type AttemptTarget, headersAnywhere, labelAt, modelSentTo, type Upstreams } from "../upstream/upstreams.ts";
import { boundedBody } from "./bounded-body.ts";
import { sdkRequest } from "./call-options.ts";
import { exactArguments } from "./exact-arguments.ts";
import { offerMiddleware, wrapModel } from "./offer-middleware.ts";
import { loadProvider, providerModel, type SdkKind } from "./provider-sdk.ts";
import { readParts } from "./read-parts.ts";
import { type ResponsesTap, tapResponses } from "./responses-tap.ts";
import { failureOf, NOT_EXPIRED } from "./sdk-failure.ts";
import { disorderOf, outcomeOfParts } from "./sdk-outcome.ts";
import type { SdkReport } from "./sdk-report.ts";
import { summaryParts } from "./summary-parts.ts";
import { streamedResponse } from "./whole-response.ts";

export function sdkAttempts(upstreams: Upstreams): AttemptStep {
  return async (step, target) => {
    const { messages, tools } = step.request;
    const kind = upstreams.targets[target.index]?.provider?.kind as SdkKind;
    try {
      // Before the clock starts: loading is not waiting for the upstream.
      await loadProvider(kind);
    } catch (error) {
      return failedWith(error, NOT_EXPIRED);
    }
    if (tools.length > 0) return attemptOnce(upstreams, step, target, kind);
    const key = `${labelAt(upstreams, target.index)} ${target.model}`.slice(0, MAX_KEY);
    // Only the added tools are read again: they have names only.
    return inToolForms(upstreams, key, JSON.stringify({ messages }), (body) => {
      const request = { ...step.request, ...toolsIn(body) };
      return attemptOnce(upstreams, { ...step, request }, target, kind);
    });
  };
}

/** UTF-16 units of a provider's name and the model, which a client names. */
const MAX_KEY = 200;

interface FormBody {
  readonly tools?: readonly { readonly function: Omit<ToolDefinition, "wire"> }[];
  readonly tool_choice?: unknown;
}

function toolsIn(body: string): Pick<StepRequest, "tools" | "toolChoice"> {
  const { tools = [], tool_choice: toolChoice } = JSON.parse(body) as FormBody;
  return { tools: tools.map((wire) => ({ ...wire.function, wire })), toolChoice };
}

async function attemptOnce(
  upstreams: Upstreams,
  step: StepUnderWay,
  target: AttemptTarget,
  kind: SdkKind,
): Promise<StepAttempt> {
  const { request, words } = step;
  const watch = startUpstreamDeadline(upstreams.limits, request.signal, true);
  try {
    const answer = await startStream(upstreams, step, target, kind, watch);
    const { tellHead, written, tap } = answer;
    const summaries = tap && request.responses ? summaryParts() : undefined;
    const { now } = upstreams.clock;
    const parts = await readParts(answer.stream, { request, words, watch, now, tellHead, written, summaries });
    const report = tap ? withTapped(parts, tap) : parts;
    if (request.signal.aborted) return { kind: "done", value: { kind: "aborted" } };
    if (!report.fault) {
      tellHead();
      const outcome = outcomeOfParts(report, request, { now: now(), summaries: summaries?.texts });
      const items = tap && tap.words.items.length > 0 ? { items: tap.words.items } : {};
      return { kind: "done", value: { ...outcome, ...items, stated: tap?.words.stated } };
    }
    const nothingSent = !report.begun || !request.stream;
    if (!nothingSent || !(report.fault.isTransient || watch.expired))
      return { kind: "done", value: disorderOf(report) };
    if (watch.expired) return failedWith(watch.expired, watch);
    return { kind: "failed", failure: { kind: "unreachable" }, reply: disorderOf(report) };
  } catch (error) {
    return failureOf(error, watch);
  } finally {
    watch.stop();
  }
}

async function startStream(
  upstreams: Upstreams,
  { request, words, tellHead }: StepUnderWay,
  target: AttemptTarget,
  kind: SdkKind,
  watch: UpstreamDeadline,
) {
  const at = upstreams.targets[target.index];
  if (!at) throw new Error("there is no such upstream");
  const hosted = hostedParts(request);
  const { options, tools } = sdkRequest(hosted.length > 0 ? withoutHosted(request) : request, kind);
  const written = kind === "google" ? exactArguments() : undefined;
  let head: Response | undefined;
  const tell = () => {
    const { status, headers } = head as Response;
    tellHead({ status, headers, upstream: labelAt(upstreams, target.index), attempts: target.attempts });
  };
  const tap = kind === "responses" ? tapOf({ request, words, tellHead }, hosted, watch, () => tell()) : undefined;
  const ask = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    // A redirect would carry the key to wherever it points.
    const body = kind === "responses" ? inResponsesForm(init?.body, request, hosted) : init?.body;
    const asking = upstreams.fetch(input, { ...init, body, signal: watch.signal, redirect: "manual" });
    words.prepare?.();
    // A late answer is cancelled.
    watch.onEnd(() => asking.then(({ body }) => body?.cancel()).catch(() => {}));
    const answer = await watch.race(onceConfirmed(asking, request));
    watch.answered(answer.ok ? "first_byte" : "idle");
    const response = kind === "responses" ? await streamedResponse(answer, watch) : answer;
    const refusal = await UpstreamRefusal.ofStream(response, watch);
    if (refusal) throw refusal;
    head = response;
    if (request.stream) watch.ifSlow(tell);
    return boundedBody(response, watch, tap?.read ?? written?.read, tap && words);
  };
  const settings = { baseURL: at.baseUrl, apiKey: at.apiKey ?? "none", fetch: ask };
  const model = providerModel(kind, settings, modelSentTo(upstreams, target) ?? "");
  const headers = headersAnywhere(request.headers, kind === "anthropic" ? "anthropic-beta" : undefined);
  const answer = wrapModel(model, offerMiddleware(tools)).doStream({ ...options, headers });
  const { stream } = await watch.race(Promise.resolve(answer));
  return { stream, tellHead: tell, written, tap };
}

/** Adds what only the Responses API has a form for, to the body that the SDK wrote. */
function inResponsesForm(
  written: BodyInit | null | undefined,
  request: StepRequest,
  hosted: readonly ToolDefinition[],
): string {
  const { responses: form, tools, messages } = request;
  const strict = withStrictTools(JSON.parse(String(written)) as JsonObject, tools);
  const body = withHostedTools(strict, request, hosted);
  if (!form) return JSON.stringify(body);
  const custom = withCustomTools(withSettings(body, form), form.custom);
  return JSON.stringify(form.computer ? withComputer(custom, messages) : custom);
}

function tapOf(
  { request, words }: StepUnderWay,
  hosted: readonly ToolDefinition[],
  watch: UpstreamDeadline,
  tell: () => void,
): ResponsesTap {
  const { responses, stream, links } = request;
  const names = new Set(hosted.map(({ name }) => name));
  return tapResponses({
    // Links are filtered only in a chat's text.
    relaysWords: responses !== undefined && links === undefined,
    keepsItems: !stream,
    takesComputer: responses?.computer === true,
    takesCustom: (responses?.custom.size ?? 0) > 0,
    hostedTool(item) {
      const name = hostedItemTool(item, hosted);
      return name !== undefined && names.has(name) ? name : undefined;
    },
    onHosted: (item, name) => responses?.onHosted(hostedCall(item, name)),
    onBegun() {
      watch.begun();
      if (stream) tell();
    },
    write: (events) => words.write(events),
  });
}

/** The text that went past the SDK belongs to the answer too. */
function withTapped(report: SdkReport, { words }: ResponsesTap): SdkReport {
  return {
    ...report,
    begun: report.begun || words.begun,
    text: report.text + words.text,
    reasoning: report.reasoning + words.reasoning,
  };
}

const withoutHosted = (request: StepRequest): StepRequest => ({
  ...request,
  tools: request.tools.filter(({ name }) => !isHosted(name)),
});

/** The hosted tools of the step that may be called: the client's choice may name a subset of its tools. */
function hostedParts({ tools, toolChoice }: StepRequest): readonly ToolDefinition[] {
  const subset =
    isObject(toolChoice) && isObject(toolChoice.allowed_tools) ? toolChoice.allowed_tools.tools : undefined;
  const named = Array.isArray(subset) ? new Set(subset.map(functionName)) : undefined;
  return tools.filter(({ name }) => isHosted(name) && named?.has(name) !== false);
}

const functionName = (choice: unknown): unknown =>
  isObject(choice) && isObject(choice.function) ? choice.function.name : undefined;

/**
 * Adds hosted tools as the client wrote them, after those that the SDK has written.
 * @param body as the SDK wrote it.
 */
function withHostedTools(body: JsonObject, { toolChoice }: StepRequest, hosted: readonly ToolDefinition[]): JsonObject {
  if (hosted.length === 0) return body;
  const tools = [...listIn(body.tools), ...hosted.map(({ wire }) => wire)];
  const choice = choiceOf(toolChoice, hosted) ?? body.tool_choice;
  return { ...body, tools, ...(choice === undefined ? {} : { tool_choice: choice }) };
}

/** Undefined if the SDK has written it, or if it is empty. */
function choiceOf(choice: unknown, hosted: readonly ToolDefinition[]): unknown {
  if (typeof choice === "string") return choice;
  if (!isObject(choice)) return undefined;
  if (isObject(choice.allowed_tools)) return choice.allowed_tools.mode === "required" ? "required" : "auto";
  const tool = hosted.find(({ name }) => name === functionName(choice));
  const { type, server_label: label } = isObject(tool?.wire) ? tool.wire : {};
  if (type === undefined) return undefined;
  return label === undefined ? { type } : { type, server_label: label };
}
