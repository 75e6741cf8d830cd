/** What to do where a result cannot be put in: what the client has run it can bring anew, and nobody else can. */
import { templatePlaces } from "../../plan/places.ts";
import type { PlanFault } from "../../plan/plan.ts";
import type { KeptStep } from "../../ports/plans-port.ts";
import type { PlanRun } from "./plan-run.ts";

export async function advised({ deps, turn, plan }: PlanRun, step: KeptStep, fault: PlanFault): Promise<PlanFault> {
  const place = templatePlaces(step.arguments.input).find(({ path, key }) => path === fault.path && !key);
  const named = new Set(place?.parts.flatMap((part) => (part.kind === "reference" ? [part.step] : [])));
  if (named.size === 0) return fault;
  const own = plan.steps.filter(({ id, tool }) => named.has(id) && turn.input.managed?.names.has(tool) !== true);
  const calls = await Promise.all(
    own.map(({ decision }) => (decision === null ? undefined : deps.guard.calls.find(decision))),
  );
  const ids = calls.flatMap((call) => (call ? [`\`${call.callId}\``] : []));
  const advice =
    ids.length === 0
      ? "what the tool gave stays as it is: make another plan"
      : `run the plan again with a result that has it, in \`results\`, of the call ${ids.join(" or ")}`;
  return { ...fault, message: `${fault.message}; ${advice}` };
}
