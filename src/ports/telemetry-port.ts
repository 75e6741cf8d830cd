/** The port to the hub that sums the isolates' counts. */

/** Counts since the batch before. */
export interface Batch {
  readonly isolate: string;
  /** 1 for an isolate's first batch, without gaps: the next is sent only after the one before has arrived. */
  readonly seq: number;
  readonly increments: Readonly<Record<string, number>>;
}

export interface MetricsHubPort {
  /** Adds a batch to the sums, in one transaction; a batch that was already added changes nothing. */
  add(batch: Batch): Promise<void>;
  /** The sums as text, in Prometheus' format or OpenMetrics. */
  render(openMetrics: boolean): Promise<string>;
}
