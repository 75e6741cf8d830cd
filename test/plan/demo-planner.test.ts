import { expect, test } from "vitest";
import appOrchestrator from "../../policies/app-orchestrator.json" with { type: "json" };
import { demoModel } from "../../src/model/demo-model.ts";
import { toolsOf } from "./reference-tools.ts";
import { planWith } from "./scripted-planner.ts";

/** The policy's tools as the reference's planner is offered them. */
const ofPolicy = toolsOf(
  ...Object.entries(appOrchestrator.tools).map(([name, settings]) => ({
    name,
    ...settings,
    connections: [settings.connection],
  })),
);

async function planned(input: string, tools = ofPolicy) {
  const { steps, fault, modelCalls, placeholders } = await planWith(demoModel, { input, tools });
  expect(fault).toBeNull();
  expect(modelCalls).toBe(1);
  const calls = steps.map(({ tool, arguments: { input } }) => [tool, tools === ofPolicy ? input.input : input]);
  return { steps, calls, names: placeholders.map(({ name }) => name) };
}

for (const tools of [ofPolicy, undefined]) {
  const { referenceTools } = await import("./reference-tools.ts");
  const given = tools ?? referenceTools;
  const whose = tools ? "the policy's tools" : "the reference's tools";

  test(`show my emails from today, with ${whose}`, async () => {
    const { calls, names } = await planned("Show my emails from today", given);
    const filters = tools ? {} : { filters: { date: "today" } };
    expect(calls).toEqual([["fetch_emails", { operation: "fetch", ...filters }]]);
    expect(names).toEqual([]);
  });

  test(`create a meeting with Sarah tomorrow at 3pm, with ${whose}`, async () => {
    const { calls } = await planned("Create a meeting with Sarah tomorrow at 3pm", given);
    expect(calls).toEqual([["create_calendar_event", { title: "Meeting with Sarah", startTime: "tomorrow at 3pm" }]]);
  });

  test(`send John the quarterly report and schedule a follow-up, with ${whose}`, async () => {
    const { steps, calls, names } = await planned("Send John the quarterly report and schedule a follow-up", given);
    expect(steps.map(({ intent }) => intent)).toEqual([
      "Find John",
      "Send John the quarterly report",
      "Schedule a follow-up",
    ]);
    expect(calls).toEqual([
      ["fetch_entity", { operation: "fetch", entityType: "Contact", filters: { name: "John" } }],
      [
        "send_email",
        { to: "{{find_john.result.data[0].email}}", subject: "Quarterly report", body: "{{PLACEHOLDER_body}}" },
      ],
      ["create_calendar_event", { title: "Follow-up", startTime: "{{PLACEHOLDER_start_time}}" }],
    ]);
    expect(names).toEqual(["body", "start_time"]);
  });

  test(`send an email to the sales lead about the proposal, with ${whose}`, async () => {
    const { calls } = await planned("Send an email to the sales lead about the proposal", given);
    expect(calls.map(([tool]) => tool)).toEqual(["fetch_entity", "send_email"]);
    expect(calls[0]?.[1]).toMatchObject({ entityType: "Lead" });
    expect(calls[1]?.[1]).toMatchObject({ to: "{{find_lead.result.data[0].email}}", subject: "Proposal" });
  });

  test(`email John the sales report, show me emails from John, schedule a meeting, with ${whose}`, async () => {
    const report = await planned("Email John the sales report", given);
    expect(report.calls[1]).toEqual([
      "send_email",
      { to: "{{find_john.result.data[0].email}}", subject: "Sales report", body: "{{PLACEHOLDER_body}}" },
    ]);
    const mails = await planned("Show me emails from John", given);
    expect(mails.calls).toEqual([["fetch_emails", { operation: "fetch", filters: { sender: "John" } }]]);
    expect((await planned("Schedule a meeting", given)).names).toEqual(["title", "start_time"]);
  });
}

test("where nothing fits there is nothing to do, and nothing is made up", async () => {
  const tools = toolsOf({ name: "delete_note", parameters: { type: "object" } });
  const { fault } = await planWith(demoModel, { input: "What is the weather in Paris?", tools });
  expect(fault?.code).toBe("nothing_to_do");
});

test("it does what the message dictates, an invented tool included", async () => {
  const dictated = await planned('`demo: call fetch_emails {"input":{"operation":"fetch"}}`');
  expect(dictated.calls).toEqual([["fetch_emails", { operation: "fetch" }]]);
  const invented = await planWith(demoModel, { input: "`demo: call get_emails {}`" });
  expect(invented).toMatchObject({ steps: [], fault: { code: "tool_unknown" }, modelCalls: 2 });
  expect(await planWith(demoModel, { input: "demo: say no plan" })).toMatchObject({
    fault: { code: "not_understood" },
  });
});
