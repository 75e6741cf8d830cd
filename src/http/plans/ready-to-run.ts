/** What can be told to be wrong with a run before anything of it is begun. */
import type { Deps } from "../../deps.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { ToolDefinition } from "../../policy/facts.ts";
import type { KeptPlan, ReplacedResult } from "../../ports/plans-port.ts";
import type { ClientResult } from "../../turn/plan-run/open-run.ts";
import { checkMode, readChannel } from "../chat/turn-headers.ts";
import { upstreamHeaders } from "../chat/upstream-headers.ts";
import { clientUpstreamKey } from "../chat/upstream-key.ts";
import { badRequest, type Problem } from "../problem.ts";
import { reachGuard } from "../reach.ts";
import { readTools } from "./plan-asked.ts";
import { refusalProblem, valuesProblem } from "./plan-problems.ts";
import { type PlanWorld, plansForbidden } from "./plan-world.ts";
import type { RunAsked } from "./run-asked.ts";

export interface ReadyToRun {
  readonly results: readonly ClientResult[];
  /** In place of those that were brought before. */
  readonly replaced: readonly ReplacedResult[];
  readonly channel: "hold" | "native";
  /** The client's, as they were sent with the wish. */
  readonly tools: readonly ToolDefinition[];
  readonly headers: Readonly<Record<string, string>>;
}

export async function readyToRun(
  { headers }: Request,
  deps: Deps,
  world: PlanWorld,
  plan: KeptPlan,
  asked: RunAsked,
): Promise<Result<ReadyToRun, Problem>> {
  const { policy, principal } = world;
  const over = plan.status === "finished" || plan.status === "cancelled" || plan.status === "empty";
  const problem =
    plansForbidden(world) ??
    (over ? refusalProblem("ended", plan, deps.now()) : undefined) ??
    (plan.mode === undefined ? undefined : checkMode(plan.mode, policy, principal)) ??
    otherMode(headers.get("x-toolgate-mode"), plan) ??
    valuesProblem(plan, asked.values, world.work);
  if (problem) return err(problem);
  const channel = readChannel(headers.get("x-toolgate-approvals"), policy);
  if (!channel.ok) return channel;
  const key = clientUpstreamKey(headers, deps.access.clientUpstreamKeys);
  if (!key.ok) return key;
  const results = await matchResults(deps, world, plan, asked);
  if (!results.ok) return results;
  return ok({
    ...results.value,
    tools: readTools(plan.tools),
    // There is no chat to answer in.
    channel: channel.value === "hold" ? "hold" : "native",
    headers: { ...upstreamHeaders(headers, deps.passHeaders), ...key.value },
  });
}

function otherMode(asked: string | null, { mode = "default" }: KeptPlan): Problem | undefined {
  if (asked === null || asked === mode) return undefined;
  return badRequest(
    "x-toolgate-mode",
    `the plan was made in the mode \`${mode}\`, and runs in it: leave the header out`,
  );
}

interface Matched {
  readonly results: readonly ClientResult[];
  readonly replaced: readonly ReplacedResult[];
}

/** Only of calls that the plan has released: those that wait for a result, and those whose result is brought once more. */
async function matchResults(
  deps: Deps,
  { principal, managed }: PlanWorld,
  plan: KeptPlan,
  { results }: RunAsked,
): Promise<Result<Matched, Problem>> {
  if (results.length === 0) return ok({ results: [], replaced: [] });
  const guard = deps.guardOf(principal);
  const released = plan.steps.flatMap(({ tool, status, decision }) => {
    const own = status === "released" || (status === "succeeded" && !managed.names.has(tool));
    return own && decision ? [{ decision, status }] : [];
  });
  const calls = await reachGuard(Promise.all(released.map(({ decision }) => guard.calls.find(decision))));
  if (!calls.ok) return calls;
  const [matched, replaced]: [ClientResult[], ReplacedResult[]] = [[], []];
  for (const [index, { callId, text, isError }] of results.entries()) {
    const place = calls.value.findIndex((one) => one?.callId === callId);
    const [call, step] = [calls.value[place], released[place]];
    if (!call || !step) {
      const message = `\`${callId.slice(0, 64)}\` is no call of this plan that was released and has not failed; run without it, and bring those that \`call_released\` tells`;
      return err(badRequest(`results[${index}]`, message, "call_unknown"));
    }
    if (step.status === "released") matched.push({ callId, tool: call.tool, text, isError });
    else if (!isError) replaced.push({ decision: step.decision, text });
    else {
      const message = `\`${callId.slice(0, 64)}\` has succeeded, as its first result said: bring what it gave, or cancel the plan`;
      return err(badRequest(`results[${index}].is_error`, message));
    }
  }
  return ok({ results: matched, replaced });
}
