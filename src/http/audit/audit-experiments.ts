/** `GET /v1/audit/experiments`: for each intent, how turns ended where the model decides first and where the system does. */

import { err, ok, type Result } from "../../lib/result.ts";
import { type ExperimentFilter, MAX_ROWS, MAX_TURNS, queryExperiments } from "../../stores/audit/d1-experiments.ts";
import type { HandlerResult } from "../handler.ts";
import { badRequest, type Problem } from "../problem.ts";
import { type Parameter, readParams, text } from "../query-params.ts";
import { reachAudit } from "../reach.ts";
import type { AuditDeps } from "./audit-chain.ts";
import { time } from "./audit-params.ts";

const DAY_MS = 24 * 3600_000;
const DEFAULT_DAYS = 7;
const MAX_DAYS = 90;
const version: Parameter<string> = {
  read: (value) => (/^[0-9a-f]{64}$/.test(value) ? value : undefined),
  accepts: "a policy's version, 64 digits of `0` to `9` and `a` to `f`",
};

export async function compareVariants(
  request: Request,
  tenant: string,
  { db, now }: AuditDeps,
): Promise<HandlerResult> {
  const filter = readFilter(new URL(request.url).searchParams, now());
  if (!filter.ok) return filter;
  const found = await reachAudit(queryExperiments(db, tenant, filter.value));
  if (!found.ok) return found;
  if (!found.value.ok) {
    const message = `the range holds more than ${MAX_TURNS} turns that have an arm; bring \`from\` and \`to\` closer together`;
    return err(badRequest("from", message, "range_too_wide"));
  }
  const rows = found.value.value;
  return ok({
    object: "list",
    data: rows.slice(0, MAX_ROWS).map((row) => ({
      object: "experiment",
      ...row,
      mean_steps: rounded(row.mean_steps),
      mean_tokens: row.mean_tokens === null ? null : rounded(row.mean_tokens),
      mean_ms: rounded(row.mean_ms),
    })),
    has_more: rows.length > MAX_ROWS,
  });
}

function readFilter(params: URLSearchParams, now: number): Result<ExperimentFilter, Problem> {
  const read = readParams(params, { tenant: text, from: time, to: time, intent: text, policy: version });
  if (!read.ok) return read;
  const { intent, policy, to = now } = read.value;
  const { from = to - DEFAULT_DAYS * DAY_MS } = read.value;
  if (from >= to) return err(badRequest("from", "`from` must be before `to`, which is now unless it is given"));
  if (to - from > MAX_DAYS * DAY_MS)
    return err(badRequest("from", `\`from\` and \`to\` must be at most ${MAX_DAYS} days apart`, "range_too_wide"));
  return ok({ from, to, intent, policy });
}

const rounded = (mean: number): number => Math.round(mean * 1000) / 1000;
