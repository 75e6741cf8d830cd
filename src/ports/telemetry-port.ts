/** The ports of telemetry: the hub that sums the isolates' counts, and the traces of one request. */
import type { RequestFacts } from "../telemetry/request-facts.ts";

/** Counts since the batch before. */
export interface Batch {
  readonly isolate: string;
  /** 1 for an isolate's first batch, without gaps: the next is sent only after the one before has arrived. */
  readonly seq: number;
  readonly increments: Readonly<Record<string, number>>;
}

export interface MetricsHubPort {
  /** Adds a batch to the sums, in one transaction; a batch that it has already changes nothing. */
  add(batch: Batch): Promise<void>;
  /** The sums as text: Prometheus' format, or OpenMetrics. */
  render(openMetrics: boolean): Promise<string>;
}

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
