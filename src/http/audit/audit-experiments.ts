/**
 * `GET /v1/audit/experiments`: how the tasks went that the model decided first, and those that the system did. What is measured:
 * a task is a user's message with the turns that continue it; its time is that of its turns together, without what the client or
 * a person did between them. The gateway's question for values and the message that answers it are one task. Where the model
 * asked, nobody can tell what an answer is: it is a task of its own, or of no arm. `tasks_by_outcome` counts
 * each task once, for the last that system-first execution came to in it.
 */
import { err, ok, type Result } from "../../lib/result.ts";
import { type ExperimentFilter, MAX_TURNS, queryExperiments } from "../../stores/audit/d1-experiments.ts";
import { badRequest, type Problem, problemResponse } from "../problem.ts";
import { type Parameter, readParams, text } from "../query-params.ts";
import { reachAudit } from "../reach.ts";
import type { AuditDeps } from "./audit-chain.ts";
import { time } from "./audit-params.ts";
import { experimentsView } from "./experiment-view.ts";

const DAY_MS = 24 * 3600_000;
const DEFAULT_DAYS = 7;
const MAX_DAYS = 90;
const version: Parameter<string> = {
  read: (value) => (/^[0-9a-f]{64}$/.test(value) ? value : undefined),
  accepts: "a policy's whole version, 64 digits of `0` to `9` and `a` to `f`, as `policies` tells it",
};

export async function compareArms(request: Request, tenant: string, { db, now }: AuditDeps): Promise<Response> {
  const filter = readFilter(new URL(request.url).searchParams, now());
  if (!filter.ok) return problemResponse(filter.error);
  const found = await reachAudit(queryExperiments(db, tenant, filter.value));
  if (!found.ok) return problemResponse(found.error);
  if (found.value.ok) return Response.json(experimentsView(found.value.value, tenant, filter.value));
  const message = `the range holds more than ${MAX_TURNS} turns that have an arm, and no more are compared at once; bring \`from\` and \`to\` closer together`;
  return problemResponse(badRequest("from", message, "range_too_wide"));
}

function readFilter(params: URLSearchParams, now: number): Result<ExperimentFilter, Problem> {
  const read = readParams(params, { tenant: text, from: time, to: time, intent: text, policy: version });
  if (!read.ok) return read;
  const { intent, policy, to = now } = read.value;
  const { from = to - DEFAULT_DAYS * DAY_MS } = read.value;
  if (from >= to) return err(badRequest("from", "`from` must be before `to`, which is now unless it is given"));
  if (to - from > MAX_DAYS * DAY_MS) {
    return err(badRequest("from", `\`from\` and \`to\` must be at most ${MAX_DAYS} days apart`, "range_too_wide"));
  }
  return ok({ from, to, intent, policy });
}
