/**
 * The gateway's own state: `GET /health` for probes, without a key (what is degraded, and nothing about the tenants or users
 * concerned); `GET /metrics` for operators, in Prometheus' text or OpenMetrics; `GET /openapi.json`, the description of the API.
 */

import type { Context } from "hono";
import type { Deps } from "../deps.ts";
import { withTimeout } from "../lib/deadline.ts";
import { describeError, log } from "../lib/log.ts";
import { err, ok } from "../lib/result.ts";
import type { MetricsHubPort } from "../ports/telemetry-port.ts";
import { isolateMeter } from "../telemetry/metrics/isolate-meter.ts";
import type { AppEnv } from "./app-env.ts";
import { requireOperator } from "./authenticate/authenticate.ts";
import type { HandlerResult } from "./handler.ts";
import { notFound, unavailable } from "./problem.ts";

/**
 * 200 also if it is degraded: turns continue, and a probe that took the gateway away would stop them.
 * @param strict 503 instead, for a monitor that reads only the status.
 */
export async function getHealth({ policies, trailHealth, misconfigured }: Deps, strict: boolean): Promise<Response> {
  const audit = await trailHealth();
  if (misconfigured !== undefined) return Response.json({ status: "misconfigured", audit }, { status: 503 });
  const status = policies.degraded() || audit !== "ok" ? "degraded" : "ok";
  return Response.json({ status, audit }, { status: strict && status !== "ok" ? 503 : 200 });
}

const OPEN_METRICS = "application/openmetrics-text";
const ANSWER_MS = 15_000;

export async function getMetrics(c: Context<AppEnv>, { telemetry, metricsHub }: Deps): Promise<HandlerResult> {
  if (!telemetry.metrics) return err(notFound("route: GET /metrics"));
  const problem = requireOperator(c.var.principal);
  if (problem) return err(problem);
  const open = c.req.header("accept")?.includes(OPEN_METRICS) === true;
  const type = open ? `${OPEN_METRICS}; version=1.0.0; charset=utf-8` : "text/plain; version=0.0.4; charset=utf-8";
  try {
    return ok(
      new Response(await withTimeout(ANSWER_MS, sums(metricsHub(), open)), { headers: { "content-type": type } }),
    );
  } catch (error) {
    log("error", "metrics_unreadable", describeError(error));
    return err(unavailable("metrics_unavailable", "the counts cannot be read just now; try again later"));
  }
}

/** This isolate's own counts are included at once; those of others are at most an interval old. */
async function sums(hub: MetricsHubPort, open: boolean): Promise<string> {
  await isolateMeter().flush(hub);
  return hub.render(open);
}

export async function getOpenApi(_c: Context<AppEnv>, { assets }: Deps): Promise<HandlerResult> {
  // The binding reads only the path.
  const found = await assets?.fetch("https://assets.invalid/openapi.json");
  if (!found?.ok) return err(unavailable("openapi_missing", "this deployment has no description of its API", 60));
  return ok(new Response(found.body, { headers: { "content-type": "application/json", "cache-control": "no-cache" } }));
}
