/** `GET /v1/audit/experiments`: for each intent, how turns ended in which the model decides first, and in which the system does. */

import type { Context } from "hono";
import { err, ok, type Result } from "../../lib/result.ts";
import { DAY_MS } from "../../lib/time.ts";
import { type ExperimentFilter, MAX_ROWS, MAX_TURNS, queryExperiments } from "../../stores/audit/d1-experiments.ts";
import type { HandlerResult } from "../handler.ts";
import { listBody } from "../list-body.ts";
import { badRequest, type Problem } from "../problem.ts";
import { type Parameter, readParams, text } from "../query-params.ts";
import { orTrailUnavailable } from "../reach.ts";
import type { AuditDeps, AuditEnv } from "./audit-chain.ts";
import { time } from "./audit-params.ts";

const DEFAULT_DAYS = 7;
const MAX_DAYS = 90;
const version: Parameter<string> = {
  read: (value) => (/^[0-9a-f]{64}$/.test(value) ? value : undefined),
  accepts: "a policy's version, 64 digits of `0` to `9` and `a` to `f`",
};

export async function compareVariants(c: Context<AuditEnv>, { audit, now }: AuditDeps): Promise<HandlerResult> {
  const filter = readFilter(c.req, now());
  if (!filter.ok) return filter;
  const found = await orTrailUnavailable(audit(c.var.tenant, (db) => queryExperiments(db, c.var.tenant, filter.value)));
  if (!found.ok) return found;
  if (!found.value.ok) {
    const message = `the range holds more than ${MAX_TURNS} turns that have an arm; bring \`from\` and \`to\` closer together`;
    return err(badRequest("from", message, "range_too_wide"));
  }
  const rows = found.value.value;
  const data = rows.slice(0, MAX_ROWS).map((row) => ({
    object: "experiment",
    ...row,
    mean_steps: rounded(row.mean_steps),
    mean_tokens: row.mean_tokens === null ? null : rounded(row.mean_tokens),
    mean_ms: rounded(row.mean_ms),
  }));
  return ok(listBody(data, rows.length > MAX_ROWS));
}

function readFilter(request: Pick<Request, "url">, now: number): Result<ExperimentFilter, Problem> {
  const read = readParams(request, { tenant: text, from: time, to: time, intent: text, policy: version });
  if (!read.ok) return read;
  const { intent, policy, to = now } = read.value;
  const { from = to - DEFAULT_DAYS * DAY_MS } = read.value;
  if (from >= to) return err(badRequest("from", "`from` must be before `to`, which is now unless it is given"));
  if (to - from > MAX_DAYS * DAY_MS)
    return err(badRequest("from", `\`from\` and \`to\` must be at most ${MAX_DAYS} days apart`, "range_too_wide"));
  return ok({ from, to, intent, policy });
}

const rounded = (mean: number): number => Math.round(mean * 1000) / 1000;
