/** The span of one managed call, as OpenTelemetry names those that execute a tool. */
import { type Context, SpanKind, SpanStatusCode, type Tracer } from "@opentelemetry/api";
import type { RunFacts } from "../request-facts.ts";
import { shortName } from "../safe-words.ts";
import { timeOf } from "./time-of.ts";

/** @param until when the reply ended: a run that the client did not wait for may go on behind it. */
export function addRunSpan(
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
    // A host for `http`: nothing of its URL, which may hold arguments.
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
