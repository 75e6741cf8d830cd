/**
 * `/admin/policies/:tenant/candidate`: a policy beside the one in force. Both judge chats, once their replies have ended; the
 * differences are in the record of the turn, and nothing else changes.
 */
import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { isoTime } from "../../lib/text/iso-time.ts";
import { type ComparedTurn, queryCompared } from "../../stores/audit/d1-candidate.ts";
import { auditActor } from "../admin/admin-params.ts";
import { policyWarnings } from "../admin/admin-policy-replies.ts";
import { readPolicyBody } from "../admin/policy-body.ts";
import { recordChange } from "../admin/record-change.ts";
import type { AppEnv } from "../app-env.ts";
import type { HandlerResult } from "../handler.ts";
import { notFound, type Problem, unavailable } from "../problem.ts";
import { orTrailUnavailable, reach } from "../reach.ts";
import { changeCounter } from "./change-counter.ts";

const tenantOf = (c: Context<AppEnv>): string => c.req.param("tenant") ?? "";

export async function putCandidate(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const tenant = tenantOf(c);
  const policy = await readPolicyBody(c.req.raw);
  if (!policy.ok) return policy;
  const { digest, text } = policy.value;
  const note = { digest, at: deps.now(), by: auditActor(c.var.principal, tenant) };
  const stored = await reachKv(deps.candidates.put(tenant, note, text));
  if (!stored.ok) return stored;
  await recordChange(c, deps, tenant, { event: "candidate_set", subject: digest });
  const warnings = policyWarnings(tenant, policy.value, deps.secrets);
  return ok({ object: "policy.candidate", tenant, version: digest, at: isoTime(note.at), by: note.by, warnings });
}

export async function getCandidate(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const tenant = tenantOf(c);
  const found = await reachKv(deps.candidates.find(tenant));
  if (!found.ok) return found;
  if (found.value === undefined) return err(notFound("candidate"));
  const { digest, at, by, text } = found.value;
  const turns = await orTrailUnavailable(deps.audit(tenant, (db) => queryCompared(db, { tenant, digest, from: at })));
  if (!turns.ok) return turns;
  return ok({
    object: "policy.candidate",
    tenant,
    version: digest,
    at: isoTime(at),
    by,
    document: JSON.parse(text),
    ...comparison(turns.value),
  });
}

export async function deleteCandidate(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const tenant = tenantOf(c);
  const removed = await reachKv(deps.candidates.remove(tenant, deps.now()));
  if (!removed.ok) return removed;
  await recordChange(c, deps, tenant, { event: "candidate_removed", subject: null });
  return ok({ object: "policy.candidate", tenant, deleted: true });
}

/** By tool and reason, the most frequent first, as in `replay`. */
function comparison(turns: readonly ComparedTurn[]) {
  const changes = changeCounter();
  const offers = new Map<string, { readonly tool: string; readonly change: "offered" | "withheld"; turns: number }>();
  for (const { id, at, candidate } of turns) {
    for (const { decision, ...call } of candidate.calls) changes.add(call, { turn: id, decision, at: isoTime(at) });
    for (const change of ["offered", "withheld"] as const)
      for (const tool of candidate[change]) {
        const key = `${change} ${tool}`;
        const offer = offers.get(key) ?? { tool, change, turns: 0 };
        offer.turns += 1;
        offers.set(key, offer);
      }
  }
  const sum = (count: (one: ComparedTurn["candidate"]) => number) =>
    turns.reduce((all, { candidate }) => all + count(candidate), 0);
  return {
    turns: turns.length,
    judged: sum(({ judged }) => judged),
    unjudged: sum(({ unjudged = 0 }) => unjudged),
    changes: changes.byCalls(),
    offers: [...offers.values()].sort((a, b) => b.turns - a.turns),
  };
}

const NO_CANDIDATES = unavailable("policy_unavailable", "the candidate cannot be reached just now; try again later");

const reachKv = <T>(answer: Promise<T>): Promise<Result<T, Problem>> =>
  reach(answer, "candidate_unreachable", NO_CANDIDATES);
