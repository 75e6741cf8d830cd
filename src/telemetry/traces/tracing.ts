/** The traces of one request: `otlp-tracing.ts` makes them, and is loaded only where they are wanted. */
import type { RequestFacts } from "../request-facts.ts";

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
