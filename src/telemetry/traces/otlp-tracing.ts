/**
 * Traces by OpenTelemetry's SDK, sent as OTLP/HTTP JSON. Each request has a tracer of its own, so that the spans of
 * requests that share an isolate, or a caller's trace, are never mixed, and are sent by the request that made them.
 */
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  ParentBasedSampler,
  type ReadableSpan,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { describeError, log } from "../../lib/log.ts";
import type { TraceSettings } from "../../settings/telemetry.ts";
import type { RequestFacts, RunFacts, StepFacts, TurnFacts } from "../request-facts.ts";
import { shortName } from "../safe-words.ts";

export interface RequestTrace {
  /** Begins the span of one call of the model. @returns headers that pass it to the upstream. */
  step(at: number, model: string): Readonly<Record<string, string>>;
  /** Makes the other spans, and ends all. */
  end(facts: RequestFacts): void;
  /** Sends the spans to the collector, if this trace is kept. Never rejects: what cannot be sent is logged and lost. */
  send(): Promise<void>;
}

export interface Tracing {
  /** @param headers of the request: a caller's `traceparent` is continued, and its decision whether to keep followed. */
  begin(headers: Headers, method: string, at: number): RequestTrace;
}

/** A collector that hangs must not hold the worker; work after the reply ends after 30 s anyway. */
const SEND_MS = 10_000;

const headersGetter: TextMapGetter<Headers> = {
  get: (headers, name) => headers.get(name) ?? undefined,
  keys: (headers) => [...headers.keys()],
};

export function otlpTracing(settings: TraceSettings, fetcher: typeof fetch): Tracing {
  const resource = resourceFromAttributes({ "service.name": settings.serviceName });
  const sampler = new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.ratio) });
  const propagator = new W3CTraceContextPropagator();
  return {
    begin(headers, method, at): RequestTrace {
      const ended: ReadableSpan[] = [];
      const provider = new TracerProvider({ resource, sampler, spanProcessors: [gathering(ended)] });
      const tracer = provider.getTracer("toolgate");
      const caller = propagator.extract(ROOT_CONTEXT, headers, headersGetter);
      const root = tracer.startSpan(method, { kind: SpanKind.SERVER, startTime: timeOf(at) }, caller);
      const inside: Context = trace.setSpan(ROOT_CONTEXT, root);
      const steps: Span[] = [];
      return {
        step(beganAt, model) {
          const span = tracer.startSpan(`chat ${model}`, { kind: SpanKind.CLIENT, startTime: timeOf(beganAt) }, inside);
          steps.push(span);
          const sent: Record<string, string> = {};
          propagator.inject(trace.setSpan(ROOT_CONTEXT, span), sent, {
            set: (carrier, name, value) => {
              carrier[name] = value;
            },
          });
          return sent;
        },
        end: (facts) => finishSpans({ tracer, inside, root, steps }, facts),
        send: () => sendSpans(settings, fetcher, ended),
      };
    },
  };
}

const gathering = (ended: ReadableSpan[]): SpanProcessor => ({
  onStart() {},
  onEnd(span) {
    ended.push(span);
  },
  forceFlush: async () => {},
  shutdown: async () => {},
});

async function sendSpans(settings: TraceSettings, fetcher: typeof fetch, spans: ReadableSpan[]): Promise<void> {
  if (spans.length === 0) return;
  try {
    const response = await fetcher(settings.url, {
      method: "POST",
      headers: { ...settings.headers, "content-type": "application/json" },
      body: JsonTraceSerializer.serializeRequest(spans.splice(0)),
      signal: AbortSignal.timeout(SEND_MS),
      // A redirect would carry the collector's key to wherever it points.
      redirect: "manual",
    });
    await response.body?.cancel();
    if (!response.ok) log("warn", "trace_export_failed", { status: response.status });
  } catch (error) {
    log("warn", "trace_export_failed", describeError(error));
  }
}

interface OpenSpans {
  readonly tracer: Tracer;
  /** The context whose span is the request's. */
  readonly inside: Context;
  readonly root: Span;
  readonly steps: readonly Span[];
}

/** Makes the spans of what was gathered of a request. Attributes are names, numbers and codes, as in the log. */
function finishSpans(spans: OpenSpans, facts: RequestFacts): void {
  const { policy, turn } = facts;
  const add = (name: string, from: number | undefined, to: number | undefined, attributes: Attributes = {}) => {
    if (from === undefined || to === undefined) return;
    spans.tracer.startSpan(name, { startTime: timeOf(from), attributes }, spans.inside).end(timeOf(to));
  };
  add("authenticate", facts.beganAt, facts.authenticatedAt);
  if (policy) {
    const { version, stale, askedAt, loadedAt } = policy;
    add("policy", askedAt, loadedAt, { "toolgate.policy": version.slice(0, 12), "toolgate.policy.stale": stale });
  }
  add("open", policy?.loadedAt, turn?.openedAt);
  for (const [index, step] of (turn?.steps ?? []).entries()) {
    const span = spans.steps[index];
    if (span) finishStep(span, step, turn);
    add("decide", step.endedAt, step.decidedAt, { "toolgate.step": index + 1 });
  }
  for (const run of turn?.runs ?? []) addRunSpan(spans, run, turn?.repliedAt);
  for (const { beganAt, endedAt } of turn?.holds ?? []) add("hold", beganAt, endedAt ?? turn?.repliedAt);
  add("close", turn?.repliedAt, turn?.endedAt);
  finishRoot(spans.root, facts);
}

function finishStep(span: Span, step: StepFacts, turn: TurnFacts | undefined): void {
  const { status, outcome, finishReason, usage } = step;
  span.setAttributes({
    "gen_ai.operation.name": "chat",
    // The format that is spoken; which provider answers is the upstream's own matter.
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": shortName(turn?.model ?? ""),
    "gen_ai.response.finish_reasons": finishReason === undefined ? undefined : [finishReason],
    "gen_ai.usage.input_tokens": usage?.input,
    "gen_ai.usage.output_tokens": usage?.output,
    "http.response.status_code": status,
    "toolgate.upstream": step.upstream,
    "toolgate.upstream.attempts": step.attempts,
  });
  if (step.headAt !== undefined) span.addEvent("head", timeOf(step.headAt));
  if (outcome !== "ended") {
    span.setAttribute("error.type", outcome === "refused" ? String(status) : (outcome ?? "gateway_error"));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end(timeOf(step.endedAt ?? turn?.repliedAt ?? step.beganAt));
}

function finishRoot(root: Span, facts: RequestFacts): void {
  const { principal, turn, status = 0 } = facts;
  const summary = turn?.summary;
  root.updateName(facts.route === undefined ? facts.method : `${facts.method} ${facts.route}`);
  root.setAttributes({
    "http.request.method": facts.method,
    "http.route": facts.route,
    "http.response.status_code": status,
    "toolgate.tenant": principal?.tenant,
    "toolgate.key": principal?.keyId,
    "toolgate.role": principal?.role,
    "toolgate.turn": turn?.id,
    "toolgate.session": summary?.session,
    "toolgate.mode": summary?.mode,
    "toolgate.intents": summary && [...summary.intents],
    "toolgate.arm": summary?.variant,
    "toolgate.system_first": summary?.systemFirst,
    "toolgate.plan": summary?.plan,
    "toolgate.stop_reason": turn?.ending?.stopReason,
    "toolgate.offered": summary?.offered,
    "toolgate.tokens_saved": summary?.tokensSaved,
  });
  const failed = turn?.ending?.stopReason === "gateway_error" || status >= 500;
  if (failed) root.setStatus({ code: SpanStatusCode.ERROR });
  root.end(timeOf(turn?.repliedAt ?? facts.answeredAt ?? facts.beganAt));
}

/** @param until when the reply ended: a run that the client did not wait for may go on behind it. */
function addRunSpan(
  { tracer, inside }: { readonly tracer: Tracer; readonly inside: Context },
  run: RunFacts,
  until: number | undefined,
): void {
  const { beganAt, endedAt = Math.max(beganAt, until ?? 0), status, failure } = run;
  const tool = shortName(run.tool);
  const attributes = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": tool,
    "gen_ai.tool.type": "function",
    // The host alone for `http`: its URL may hold arguments.
    "server.address": run.kind === "http" ? run.target : undefined,
    "http.response.status_code": run.httpStatus,
    "error.type": failure ?? (status === "unknown" ? "unknown" : undefined),
    "toolgate.decision": run.id,
    "toolgate.run.kind": run.kind,
    "toolgate.run.target": run.target,
    "toolgate.run.status": status,
    "toolgate.run.attempts": run.attempts,
    "toolgate.run.awaited": run.awaited || undefined,
  };
  const kind = run.kind === "builtin" ? SpanKind.INTERNAL : SpanKind.CLIENT;
  const span = tracer.startSpan(`execute_tool ${tool}`, { kind, startTime: timeOf(beganAt), attributes }, inside);
  if (status !== "succeeded" && status !== "started") span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(timeOf(endedAt));
}

/** A time as the SDK takes it without guessing: a plain number may be read as one since the isolate's start. */
const timeOf = (ms: number): [seconds: number, nanoseconds: number] => [
  Math.floor(ms / 1000),
  Math.round((ms % 1000) * 1e6),
];
