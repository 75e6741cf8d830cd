/** Why a plan cannot be run, approved or cancelled, for the client. Pure. */

import type { JsonObject } from "../../lib/json/json-value.ts";
import { utf8Bytes } from "../../lib/text/characters.ts";
import type { WorkBudget } from "../../lib/work-budget.ts";
import { missingPlaceholders, valueIssues } from "../../plan/placeholders.ts";
import { textForClient } from "../../policy/reason-texts.ts";
import { MAX_PLANS, MAX_VALUES_BYTES, type PlanRefusal, type StoredPlan } from "../../ports/plans-port.ts";
import type { StepPreview } from "../../turn/plan-run/preview-steps.ts";
import { badRequest, conflict, notFound, type Problem, tooLarge } from "../problem.ts";

/** Seconds after which a held plan may be tried again, if it is not known how long it is held. */
const RETRY_SECONDS = 5;

/** @param plan the current one, if there is one. @param now milliseconds since the epoch. */
export function refusalProblem(refusal: PlanRefusal, plan: StoredPlan | undefined, now: number): Problem {
  switch (refusal) {
    case "full":
      return conflict("too_many_plans", `${MAX_PLANS} plans of yours have not ended: cancel some, or run them`);
    case "unknown":
      return notFound("plan", "id");
    case "running":
      return running(plan, now);
    case "ended":
      return conflict("plan_ended", `the plan is ${plan?.status ?? "over"}: make another one`);
    case "unknown_step":
      return outcomeUnknown(plan);
    case "changed":
      return conflict(
        "plan_changed",
        "the plan is not as it was when it was shown: GET it, look at it, and approve that digest",
      );
  }
}

function running(plan: StoredPlan | undefined, now: number): Problem {
  const left = plan?.heldUntil ? Math.max(1, Math.ceil((plan.heldUntil - now) / 1000)) : RETRY_SECONDS;
  const message = `the plan is being run: wait for it, or cancel it; a run that was cut off lets go within ${left} s`;
  return { ...conflict("plan_running", message), headers: { "retry-after": String(left) } };
}

function outcomeUnknown(plan: StoredPlan | undefined): Problem {
  const step = plan?.steps.find(({ status }) => status === "unknown")?.id;
  const at = step === undefined ? "a step" : `the step \`${step}\``;
  const message = `the plan stands at ${at}, which may have been done: look for yourself, then send \`repeat_unknown: true\` to have it run again, or cancel the plan`;
  return { ...conflict("outcome_unknown", message), param: "repeat_unknown", ...(step === undefined ? {} : { step }) };
}

/** @param more what a request fills in; with it nothing that the plan needs may be left open. */
export function valuesProblem(
  { placeholders, values }: StoredPlan,
  more: JsonObject,
  work: WorkBudget,
): Problem | undefined {
  const joined = { ...values, ...more };
  const size = utf8Bytes(JSON.stringify(joined));
  if (size > MAX_VALUES_BYTES) return tooLarge("what is filled in", MAX_VALUES_BYTES);
  const issues = valueIssues(placeholders, more, work);
  const missing = missingPlaceholders(placeholders, joined);
  const errors = [
    ...issues.map(({ name, path, message }) => ({ path: `${name}${path}`, message })),
    ...missing.map(({ name }) => ({ path: name, message: "is not filled in" })),
  ];
  if (errors.length === 0) return undefined;
  const texts = errors.map(({ path, message }) => `\`${path.slice(0, 128)}\` ${message}`).slice(0, 20);
  const [code, what] =
    issues.length > 0
      ? ["placeholders_invalid", "what is filled in does not fit"]
      : ["placeholders_missing", "the plan needs more to be filled in"];
  return { ...badRequest("placeholders", `${what}: ${texts.join("; ")}`, code), errors };
}

/** A person must not approve what would be refused. */
export function previewProblem(previews: ReadonlyMap<string, StepPreview>): Problem | undefined {
  const refused = [...previews].filter(([, { refusal }]) => refusal.length > 0);
  if (refused.length === 0) return undefined;
  const reasons = refused.flatMap(([step, { refusal }]) =>
    refusal.map((reason) => ({ step, code: reason.code, message: textForClient(reason) })),
  );
  const steps = refused.map(([step]) => `\`${step}\``).join(", ");
  return {
    ...conflict(
      "plan_refused",
      `the rules would refuse ${steps} now: ${reasons.map(({ message }) => message).join("; ")}`,
    ),
    param: "digest",
    reasons,
  };
}
