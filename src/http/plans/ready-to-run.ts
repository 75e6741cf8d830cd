/** What can be told to be wrong with a run before anything of it is begun. */
import type { Deps } from "../../deps.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { ToolDefinition } from "../../policy/facts.ts";
import type { KeptPlan } from "../../ports/plans-port.ts";
import type { ClientResult } from "../../turn/plan-run/open-run.ts";
import { checkMode, readChannel } from "../chat/turn-headers.ts";
import { upstreamHeaders } from "../chat/upstream-headers.ts";
import { clientUpstreamKey } from "../chat/upstream-key.ts";
import { badRequest, conflict, type Problem } from "../problem.ts";
import { reachGuard } from "../reach.ts";
import { readTools } from "./plan-asked.ts";
import { refusalProblem, valuesProblem } from "./plan-problems.ts";
import { type PlanWorld, plansForbidden } from "./plan-world.ts";
import type { RunAsked } from "./run-asked.ts";

export interface ReadyToRun {
  readonly results: readonly ClientResult[];
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
    results: results.value,
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

/** Results of calls that the plan has released. One that is brought again, because a reply was lost, changes nothing. */
async function matchResults(
  deps: Deps,
  { principal, managed }: PlanWorld,
  plan: KeptPlan,
  { results }: RunAsked,
): Promise<Result<readonly ClientResult[], Problem>> {
  if (results.length === 0) return ok([]);
  const guard = deps.guardOf(principal);
  const steps = plan.steps.filter(
    ({ status, tool }) => status === "released" || (status === "succeeded" && !managed.names.has(tool)),
  );
  const calls = await reachGuard(
    Promise.all(steps.map(({ decision }) => (decision === null ? undefined : guard.calls.find(decision)))),
  );
  if (!calls.ok) return calls;
  const matched: ClientResult[] = [];
  for (const [index, { callId, text, isError }] of results.entries()) {
    const place = calls.value.findIndex((one) => one?.callId === callId);
    const [call, step] = [calls.value[place], steps[place]];
    const shown = `\`${callId.slice(0, 64)}\``;
    if (!call || !step) {
      const message = `${shown} is not a call of this plan that was released and has not failed: send results of the calls in \`call_released\` only`;
      return err(badRequest(`results[${index}]`, message, "call_unknown"));
    }
    if (step.status === "released") matched.push({ callId, tool: call.tool, text, isError });
    else if (isError || step.result !== text) {
      const message = `${shown} has succeeded, and its result stays as it is: run the plan without another, or make another plan`;
      return err({ ...conflict("result_used", message), param: `results[${index}]` });
    }
  }
  return ok(matched);
}
