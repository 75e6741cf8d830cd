/** Why a plan cannot be run, approved or cancelled, for the client. Pure. */
import { missingPlaceholders, valueIssues } from "../../plan/placeholders.ts";
import { textForClient } from "../../policy/reason-texts.ts";
import type { Foreseen } from "../../turn/plan-run/foresee.ts";
import { type KeptPlan, MAX_VALUES_BYTES, type PlanRefusal } from "../../turn/plans-port.ts";
import type { JsonObject } from "../../wire/read-chunk.ts";
import { badRequest, conflict, notFound, type Problem, tooLarge } from "../problem.ts";

export function refusalProblem(refusal: PlanRefusal): Problem {
  switch (refusal) {
    case "unknown":
      return notFound("plan", "id");
    case "running":
      return conflict(
        "plan_running",
        "the plan is being run: wait for it, or cancel it; a run that was cut off lets go within a minute, or the time that its tool has",
      );
    case "ended":
      return conflict("plan_ended", "the plan is finished, cancelled or empty: make another one");
    case "unknown_step":
      return conflict(
        "outcome_unknown",
        "the plan stands at a step that may have been done: look for yourself, then send `repeat_unknown: true` to have it run again, or cancel the plan",
      );
    case "changed":
      return conflict(
        "plan_changed",
        "the plan is not as it was when it was shown: GET it, look at it, and approve that digest",
      );
  }
}

/** @param more what a request fills in, with which nothing that the plan needs may be left open. */
export function valuesProblem({ placeholders, values }: KeptPlan, more: JsonObject): Problem | undefined {
  const joined = { ...values, ...more };
  const size = new TextEncoder().encode(JSON.stringify(joined)).byteLength;
  if (size > MAX_VALUES_BYTES) return tooLarge("what is filled in", MAX_VALUES_BYTES);
  const issues = valueIssues(placeholders, more);
  const missing = missingPlaceholders(placeholders, joined);
  const errors = [
    ...issues.map(({ name, path, message }) => ({ path: `${name}${path}`, message })),
    ...missing.map(({ name }) => ({ path: name, message: "is not filled in" })),
  ];
  if (errors.length === 0) return undefined;
  const told = errors.map(({ path, message }) => `\`${path.slice(0, 128)}\` ${message}`).slice(0, 20);
  const [code, what] =
    issues.length > 0
      ? ["placeholders_invalid", "what is filled in does not fit"]
      : ["placeholders_missing", "the plan needs more to be filled in"];
  return { ...badRequest("placeholders", `${what}: ${told.join("; ")}`, code), errors };
}

/** A person must not be told yes to what would be refused. */
export function foreseenProblem(foreseen: ReadonlyMap<string, Foreseen>): Problem | undefined {
  const refused = [...foreseen].filter(([, { refusal }]) => refusal.length > 0);
  if (refused.length === 0) return undefined;
  const told = refused.flatMap(([step, { refusal }]) =>
    refusal.map((reason) => ({ step, code: reason.code, message: textForClient(reason) })),
  );
  const steps = refused.map(([step]) => `\`${step}\``).join(", ");
  return {
    ...conflict(
      "plan_refused",
      `the rules would refuse ${steps} now: ${told.map(({ message }) => message).join("; ")}`,
    ),
    param: "digest",
    reasons: told,
  };
}
