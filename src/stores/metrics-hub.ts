/** MetricsHub: one Durable Object in all. It sums what the isolates counted, so that a scrape sees the whole gateway. */
import { DurableObject } from "cloudflare:workers";

export class MetricsHub extends DurableObject {}
