import { expect, test } from "vitest";
import { workBudget } from "../../src/lib/work-budget.ts";
import { bindStep } from "../../src/plan/bind.ts";
import { missingPlaceholders, valueIssues } from "../../src/plan/placeholders.ts";
import { type MadePlan, madePlan } from "./made-plan.ts";
import {
  emailJohnTheReport,
  emailsFromJohn,
  emailTheLead,
  referenceTools,
  scheduleMeeting,
} from "./reference-tools.ts";

/** Every step bound in turn, each tool answering with what `results` has for its step. */
function boundInTurn(
  { steps, placeholders }: MadePlan,
  values: Record<string, unknown>,
  results: Record<string, unknown>,
) {
  const told = new Map<string, string>();
  return steps.map((step) => {
    const bound = bindStep(step, { placeholders, values, results: told });
    if (!bound.ok) throw new Error(bound.error.message);
    told.set(step.id, JSON.stringify(results[step.id]));
    return bound.value.arguments;
  });
}

test("show me emails from John: one step, its arguments as they were written", () => {
  const { steps, placeholders } = madePlan(emailsFromJohn, referenceTools);
  expect(steps).toEqual(emailsFromJohn.plan);
  expect(placeholders).toEqual([]);
});

test("send an email to the sales lead: the address is the one that the first step found", () => {
  const made = madePlan(emailTheLead, referenceTools);
  expect(made.placeholders.map(({ name, optional }) => [name, optional])).toEqual([
    ["subject", false],
    ["body", false],
  ]);
  const bound = boundInTurn(
    made,
    { subject: "Our proposal", body: "Dear lead {{PLACEHOLDER_subject}}" },
    { find_lead: { data: [{ email: "lead@example.com" }, { email: "other@example.com" }] } },
  );
  expect(bound[1]).toEqual({
    to: "lead@example.com",
    subject: "Our proposal",
    body: "Dear lead {{PLACEHOLDER_subject}}",
  });
});

test("email John the sales report: the second step waits for the first one's result", () => {
  const made = madePlan(emailJohnTheReport, referenceTools);
  const results = { find_john: { data: [{ email: "john@example.com" }] } };
  expect(boundInTurn(made, { email_body: "Attached." }, results)[1]).toEqual({
    to: "john@example.com",
    subject: "Sales Report",
    body: "Attached.",
  });
  const [, second] = made.steps;
  const early = second && bindStep(second, { placeholders: made.placeholders, values: {}, results: new Map() });
  expect(early).toMatchObject({ ok: false, error: { code: "reference_unresolved", step: "send_email", path: "/to" } });
});

test("schedule a meeting: four placeholders in their order, with what their places take", () => {
  const { steps, placeholders } = madePlan(scheduleMeeting, referenceTools);
  expect(placeholders).toEqual([
    place("meeting_title", { type: "string", minLength: 1 }, "/title", false),
    place("start_time", { type: "string", description: "when it starts" }, "/startTime", false),
    place("duration_minutes", { type: "integer", minimum: 5, description: "minutes" }, "/duration", true),
    place("attendee_email", { type: "string", format: "email" }, "/attendees/0", true),
  ]);
  const values = { meeting_title: "Weekly", start_time: "tomorrow 15:00" };
  expect(missingPlaceholders(placeholders, {}).map(({ name }) => name)).toEqual(["meeting_title", "start_time"]);
  expect(missingPlaceholders(placeholders, values)).toEqual([]);
  const [bound] = boundInTurn({ steps, placeholders }, values, {});
  expect(bound).toEqual({ title: "Weekly", startTime: "tomorrow 15:00" });
  const whole = { ...values, duration_minutes: 30, attendee_email: "sarah@example.com" };
  expect(boundInTurn({ steps, placeholders }, whole, {})[0]).toEqual({
    title: "Weekly",
    startTime: "tomorrow 15:00",
    duration: 30,
    attendees: ["sarah@example.com"],
  });
});

test("values are judged by the schemas of their places, and none is told of", () => {
  const { placeholders } = madePlan(scheduleMeeting, referenceTools);
  const issues = valueIssues(
    placeholders,
    {
      meeting_title: "",
      duration_minutes: "thirty",
      start_time: "x",
      other: 1,
    },
    workBudget(),
  );
  expect(issues.map(({ name }) => name)).toEqual(["meeting_title", "duration_minutes", "other"]);
  expect(JSON.stringify(issues)).not.toContain("thirty");
  expect(
    valueIssues(placeholders, { duration_minutes: 30, attendee_email: "sarah@example.com" }, workBudget()),
  ).toEqual([]);
});

const place = (name: string, schema: unknown, path: string, optional: boolean) => ({
  name,
  schema,
  optional,
  places: [{ step: "create_meeting", path }],
});
