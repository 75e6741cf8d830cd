/** `GET /metrics`: what the whole gateway counted, for operators; not there unless `METRICS` is set. */
import type { Context } from "hono";
import type { Deps } from "../deps.ts";
import { isolateMeter } from "../telemetry/metrics/isolate-meter.ts";
import type { AppEnv } from "./app-env.ts";
import { requireOperator } from "./authenticate.ts";
import { notFound, problemResponse } from "./problem.ts";

const OPEN_METRICS = "application/openmetrics-text";

export async function getMetrics(c: Context<AppEnv>, { telemetry, metricsHub }: Deps): Promise<Response> {
  if (!telemetry.metrics) return problemResponse(notFound("route: GET /metrics"));
  const problem = requireOperator(c.var.principal);
  if (problem) return problemResponse(problem);
  const hub = metricsHub();
  // This isolate's own at once; the others' are at most an interval old.
  await isolateMeter().flush(hub);
  const open = c.req.header("accept")?.includes(OPEN_METRICS) === true;
  const type = open ? `${OPEN_METRICS}; version=1.0.0; charset=utf-8` : "text/plain; version=0.0.4; charset=utf-8";
  return new Response(await hub.render(open), { headers: { "content-type": type } });
}
