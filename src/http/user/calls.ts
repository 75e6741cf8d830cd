/** `GET /v1/calls`, `GET /v1/calls/:id` and `POST /v1/calls/:id/undo`: a user's own released calls, and undoing one. */

import type { Context } from "hono";
import { approvalView } from "../../approvals/approval-view.ts";
import type { Deps } from "../../deps.ts";
import { sha256Hex } from "../../lib/digest.ts";
import { newId } from "../../lib/ids.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { isoTime } from "../../lib/text/iso-time.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { textForClient } from "../../policy/reason-texts.ts";
import type { Reason } from "../../policy/reasons.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { StoredCall } from "../../ports/calls-port.ts";
import type { Principal } from "../../session/principal.ts";
import type { ManagedTools } from "../../tools/tool-runner.ts";
import { definedByPolicy, undoCallOf, whyRefused } from "../../turn/undo/undo.ts";
import { type UndoOutcome, undoByRequest } from "../../turn/undo/undo-request.ts";
import type { AppEnv } from "../app-env.ts";
import type { HandlerResult } from "../handler.ts";
import { listBody, unknownCursor } from "../list-body.ts";
import { loadPolicy } from "../load-policy.ts";
import { badRequest, conflict, forbidden, notFound, type Problem, tooManyRequests, unavailable } from "../problem.ts";
import { limit, order, readParams, text } from "../query-params.ts";
import { orNotFound, orUnavailable } from "../reach.ts";

export async function listCalls(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const query = readParams(c.req, { limit, order, after: text, session: text });
  if (!query.ok) return query;
  const seen = await policyFor(deps, c.var.principal);
  if (!seen.ok) return seen;
  const { calls } = deps.guardOf(c.var.principal);
  const { after } = query.value;
  if (after !== undefined) {
    const known = await orUnavailable(calls.find(after));
    if (!known.ok) return known;
    if (!known.value) return err(unknownCursor("a call"));
  }
  const page = await orUnavailable(calls.list(query.value));
  if (!page.ok) return page;
  const { data, hasMore } = page.value;
  return ok(
    listBody(
      data.map((call) => present(call, seen.value)),
      hasMore,
    ),
  );
}

export async function getCall(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const seen = await policyFor(deps, c.var.principal);
  if (!seen.ok) return seen;
  const call = await orNotFound(deps.guardOf(c.var.principal).calls.find(c.req.param("id") ?? ""), "call");
  return call.ok ? ok(present(call.value, seen.value)) : call;
}

interface SeenPolicy {
  readonly policy: CompiledPolicy;
  readonly managed: ManagedTools | undefined;
}

async function policyFor(deps: Deps, principal: Principal): Promise<Result<SeenPolicy, Problem>> {
  const policy = await loadPolicy(deps, principal.tenant);
  if (!policy.ok) return policy;
  const managed = await deps.tools?.managed(policy.value, principal);
  return ok({ policy: managed?.policy ?? policy.value, managed });
}

/** Leaves the result out: it may hold more than the record may. */
function present(call: StoredCall, seen: SeenPolicy) {
  return {
    object: "call",
    id: call.id,
    call_id: call.callId,
    session_id: call.session,
    tool: call.tool,
    arguments: call.recorded,
    at: isoTime(call.at),
    outcome: call.outcome,
    undoes: call.undoes,
    undo: undoOf(call, seen),
  };
}

/** Null if the policy names no undo for the tool. */
function undoOf(call: StoredCall, { policy, managed }: SeenPolicy): Readonly<Record<string, unknown>> | null {
  const { undo } = traitsOf(policy, call.tool);
  if (!undo) return null;
  const own = managed?.definitions.find(({ name }) => name === undo.tool);
  const can = undoCallOf(policy, call, [own ?? definedByPolicy(policy, undo.tool)]);
  const why = call.undoneBy === null && !can.ok ? can.error : null;
  return { tool: undo.tool, available: call.undoneBy === null && can.ok, why_not: why, undone_by: call.undoneBy };
}

const MAX_KEY = 256;

export async function undoCall(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const { principal } = c.var;
  const call = c.req.param("id") ?? "";
  const key = c.req.header("idempotency-key");
  if (key !== undefined && (key === "" || key.length > MAX_KEY)) {
    return err(badRequest("idempotency-key", `an idempotency key has 1 to ${MAX_KEY} characters`));
  }
  const seen = await policyFor(deps, principal);
  if (!seen.ok) return seen;
  const { model, detector, tools, now } = deps;
  const outcome = await orUnavailable(
    undoByRequest(
      { guard: deps.guardOf(principal), model, detector, tools, now },
      {
        id: newId("turn", now()),
        principal,
        ...seen.value,
        call,
        key: key === undefined ? undefined : sha256Hex(key),
      },
    ),
  );
  return outcome.ok ? respond(outcome.value, call) : outcome;
}

function respond(outcome: UndoOutcome, call: string): HandlerResult {
  switch (outcome.kind) {
    case "unknown":
      return err(notFound("call"));
    case "not_undoable":
      return err(conflict("not_undoable", whyNot(outcome)));
    case "already_undone":
      return err(conflict("already_undone", `\`${outcome.tool}\` was undone already, by ${outcome.by}`));
    case "asked":
      return ok(Response.json(approvalView(outcome.approval, "whole"), { status: 202 }));
    case "refused":
      return err(refusal(whyRefused(outcome.reasons)));
    case "released": {
      const { id, call: released } = outcome;
      const fn = { name: released.tool, arguments: released.arguments };
      const decision = { effect: "allow", reasons: [] };
      const toolCall = { id: released.id, type: "function", function: fn };
      return ok({ object: "undo", id, undoes: call, decision, tool_call: toolCall });
    }
    case "ran": {
      const { id, run } = outcome;
      const result = { status: run.status, failure: run.outcome?.failure ?? null, detail: run.outcome?.detail ?? null };
      const decision = { effect: "allow", reasons: [] };
      return ok({ object: "undo", id, undoes: call, decision, run: result });
    }
    case "unnoted":
      return err(unavailable("gateway_unavailable", NOT_NOTED));
  }
}

const NOT_NOTED = "the undo was run, and what came of it could not be noted; look at the call before you try again";

/** The tool is named once. */
const whyNot = ({ tool, why }: { readonly tool: string; readonly why: string }): string =>
  why.includes(`\`${tool}\``) ? why : `\`${tool}\` cannot be undone: ${why}`;

/** Only a limit can be waited for. */
function refusal(reasons: readonly Reason[]): Problem {
  const message = `the undo is refused: ${reasons.map(textForClient).join("; ")}`;
  const waits = reasons.flatMap((reason) => (reason.code === "rate_limited" ? [reason.retryAfterMs] : []));
  const problem =
    waits.length === reasons.length
      ? tooManyRequests("rate_limited", message, Math.ceil(Math.max(...waits) / 1000))
      : forbidden("tool_policy_blocked", message);
  return { ...problem, reasons: reasons.map((reason) => ({ code: reason.code, message: textForClient(reason) })) };
}
