/**
 * Traces by OpenTelemetry's SDK, sent as OTLP/HTTP JSON. Each request has a tracer of its own, so that the spans of
 * requests that share an isolate, or a caller's trace, are never mixed, and are sent by the request that made them.
 */
import { type Context, ROOT_CONTEXT, type Span, SpanKind, type TextMapGetter, trace } from "@opentelemetry/api";
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
import type { RequestFacts } from "../request-facts.ts";
import { finishSpans, timeOf } from "./finish-spans.ts";

export interface RequestTrace {
  /** Begins the span of one call of the model; the headers tell the upstream of it. */
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
