/** Outermost: watches each request, adds its timings if the caller may see them, and sends counts and traces. */
import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import type { Deps } from "../../deps.ts";
import { newId } from "../../lib/ids.ts";
import { describeError, log } from "../../lib/log.ts";
import { isolateMeter, sendLater } from "../../telemetry/metrics/isolate-meter.ts";
import type { DataPoint } from "../../telemetry/metrics/turn-point.ts";
import { serverTiming } from "../../telemetry/request-timings.ts";
import { type RequestWatch, watchRequest } from "../../telemetry/request-watch.ts";
import { safely } from "../../telemetry/safe-words.ts";
import type { AppEnv } from "../app-env.ts";
import { requireAdmin } from "../authenticate/authenticate.ts";
import { isRoute } from "../unknown-route.ts";

export function watchRequests(deps: Deps): MiddlewareHandler<AppEnv> {
  const { telemetry, now, observe, analytics } = deps;
  const point = analytics && ((one: DataPoint) => analytics.writeDataPoint(one));
  return async (c, next) => {
    // There is something to wait for only if traces are on, and only for an isolate's first request.
    const tracing = deps.tracing && (await safely(deps.tracing)?.catch(untraced));
    const trace = tracing && safely(() => tracing.begin(c.req.raw.headers, c.req.method, now()));
    const background = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
    const meter = telemetry.metrics && isolateMeter();
    const done = (): void => {
      if (trace) background(trace.send());
      if (telemetry.metrics) sendLater(deps.metricsHub, { now: now(), ...telemetry.metrics }, background);
    };
    const watch = watchRequest({ now, meter, point, trace, observe, done }, c.req.method);
    c.set("watch", watch);
    await next();
    if (showsTimings(deps, watch)) c.res.headers.set("server-timing", serverTiming(watch.facts));
    const routes = matchedRoutes(c);
    // The last one dispatched: a refusal of ours, before any route, or the route itself.
    const refused = !isRoute(routes[c.req.routeIndex]);
    const route = routes.findLast(isRoute)?.path;
    watch.answered({ id: requestIdOf(c, now()), status: c.res.status, route, refused });
  };
}

function untraced(error: unknown): undefined {
  log("error", "telemetry_failed", describeError(error));
}

/** Not every caller may know how fast a policy loads or an upstream answers. */
function showsTimings({ telemetry }: Deps, { facts }: RequestWatch): boolean {
  if (telemetry.serverTiming) return true;
  return facts.principal !== undefined && requireAdmin(facts.principal) === undefined;
}

/** To be called once there is an answer, which it is attached to. */
function requestIdOf(c: Context<AppEnv>, now: number): string {
  const { headers } = c.res;
  const id = headers.get("x-request-id") ?? headers.get("x-toolgate-turn") ?? newId("req", now);
  headers.set("x-request-id", id);
  return id;
}

export const setRequestId =
  (now: () => number): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    await next();
    requestIdOf(c, now());
  };
