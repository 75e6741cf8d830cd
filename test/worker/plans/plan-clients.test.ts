/** Steps that the client runs: handed to it, and brought back with the next run. */
import { evictDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { tool } from "../support/gateway.ts";
import { approveCall, bodiesOf, get, make, planned, policy, run, send, step, tools } from "./planning.ts";

afterEach(() => {
  vi.useRealTimers();
});

const clipboard = tool("read_clipboard", tools.read_clipboard.parameters);
const steps = [
  step("copy", "read_clipboard", { format: "{{PLACEHOLDER_format}}" }),
  step("save", "create_calendar_event", {
    title: "{{copy.result.text}}",
    startTime: "15:00",
    duration: "{{copy.result.minutes}}",
  }),
];

async function released(more: object = {}) {
  const believed = { read_clipboard: { ...tools.read_clipboard, trusted: true } };
  const { gate, asked } = await planned(steps, { policy: policy({}, { ...believed, ...more }) });
  const plan = await make(gate, { tools: [clipboard] });
  const first = await run(gate, plan, { placeholders: { format: "text" } });
  return { gate, asked, plan, first, id: first.events.at(-2)?.tool_call?.id ?? "" };
}

describe("a step of a client's tool", () => {
  it("is released as a call, and its result is what the next steps refer to", async () => {
    const { gate, asked, plan, first, id } = await released();
    expect(first.outline).toEqual(["plan_generated", "step_started copy", "call_released copy", "plan_paused"]);
    expect(first.events[2]?.tool_call).toEqual({
      id,
      type: "function",
      function: { name: "read_clipboard", arguments: '{"format":"text"}' },
    });
    expect(first.last).toMatchObject({ waits_for: "client", plan: { status: "paused" } });
    expect(first.events[2]?.step).toMatchObject({ tool_call: first.events[2]?.tool_call });
    expect(plan.steps).toMatchObject([{ managed: false }, { managed: true }]);
    const open = await get(gate, plan);
    expect(open).toMatchObject({
      waits_for: "client",
      steps: [{ bound_arguments: { input: { format: "text" } } }, {}],
    });
    expect(open.steps.map((one) => one.tool_call)).toEqual([first.events[2]?.tool_call, null]);
    await evictDurableObject(gate.stub);
    // The reply may have been lost: the call is told again.
    const again = await run(gate, plan);
    expect(again.events.at(-2)?.tool_call).toEqual(first.events[2]?.tool_call);
    const content = { text: "Lunch", minutes: 45 };
    const second = await run(gate, plan, {
      results: [{ role: "tool", tool_call_id: id, content: JSON.stringify(content) }],
    });
    expect(second.outline).toEqual([
      "plan_generated",
      "step_finished copy",
      "step_started save",
      "step_finished save",
      "plan_finished",
    ]);
    expect(second.events[1]?.step).toMatchObject({ result: content });
    expect(bodiesOf(asked, "events")).toEqual([{ title: "Lunch", startTime: "15:00", duration: 45 }]);
    const [turn] = (await gate.turns(`&plan=${plan.id}`)).slice(-1);
    const [decision] = await gate.decisions(`&plan=${plan.id}`);
    expect(decision).toMatchObject({ tool: "read_clipboard", disposition: "released", made_by: "plan", call_id: id });
    expect(turn).toMatchObject({ settled: [{ decision: decision?.id, outcome: "succeeded" }] });
  });

  it.each([
    ["that says it is an error", { content: "no", is_error: true }],
    ["that looks like one", { content: '{"error":"no clipboard"}' }],
  ])("fails with a result %s, and is handed out anew", async (_, result) => {
    const { gate, plan, id } = await released();
    const ran = await run(gate, plan, { results: [{ tool_call_id: id, ...result }] });
    expect(ran.outline).toEqual(["plan_generated", "step_failed copy", "plan_finished"]);
    expect(ran.plan).toMatchObject({
      status: "failed",
      steps: [{ error: { code: "client_failed" } }, { status: "ready" }],
    });
    const next = await run(gate, plan);
    expect(next.outline.at(-2)).toBe("call_released copy");
    expect(next.events.at(-2)?.tool_call?.id).not.toBe(id);
  });

  it.each([
    ["of no call", (_: string) => [{ tool_call_id: "call_made_up", content: "x" }], "call_unknown"],
    [
      "twice",
      (id: string) => [
        { tool_call_id: id, content: "x" },
        { tool_call_id: id, content: "y" },
      ],
      "invalid_value",
    ],
    ["without content", (id: string) => [{ tool_call_id: id }], "invalid_value"],
    ["with more", (id: string) => [{ tool_call_id: id, content: "x", trusted: true }], "unknown_parameter"],
  ])("takes no result %s", async (_, results, code) => {
    const { gate, plan, id } = await released();
    const ran = await run(gate, plan, { results: results(id) });
    expect([ran.status, ran.error?.code]).toEqual([400, code]);
    expect(await get(gate, plan)).toMatchObject({ status: "paused", steps: [{ status: "released" }, {}] });
  });

  it("takes a result anew while no step has begun with it, and says so where it cannot be used", async () => {
    const { gate, asked, plan, id } = await released();
    const first = await run(gate, plan, { results: [{ tool_call_id: id, content: "no json" }] });
    expect(first.outline.at(-2)).toBe("step_failed save");
    expect(first.plan.steps[1]?.error).toMatchObject({
      code: "reference_unresolved",
      message: expect.stringMatching(
        new RegExp(`; run the plan again with a result that has it, .* of the call .${id}.$`),
      ),
    });
    const failing = await run(gate, plan, { results: [{ tool_call_id: id, content: "no", is_error: true }] });
    expect([failing.status, failing.error?.param]).toEqual([400, "results[0].is_error"]);
    const content = JSON.stringify({ text: "Lunch", minutes: 45 });
    const next = await run(gate, plan, { results: [{ tool_call_id: id, content }] });
    expect([next.plan.status, next.plan.steps[0]?.tries]).toEqual(["finished", 1]);
    expect(next.plan.steps[0]).toMatchObject({ result: { text: "Lunch", minutes: 45 } });
    expect(bodiesOf(asked, "events")).toEqual([{ title: "Lunch", startTime: "15:00", duration: 45 }]);
  });

  it("keeps the result that a step has begun with, though that step has failed", async () => {
    const { gate, asked, plan, id } = await released({
      create_calendar_event: { ...tools.create_calendar_event, confirm: "ask" },
    });
    const results = [{ tool_call_id: id, content: JSON.stringify({ text: "Lunch", minutes: 45 }) }];
    const waits = await run(gate, plan, { results });
    expect(waits.outline.at(-2)).toBe("approval_required save");
    const other = [{ tool_call_id: id, content: JSON.stringify({ text: "Party", minutes: 5 }) }];
    const refused = await run(gate, plan, { results: other });
    expect([refused.status, refused.error?.code, refused.error?.param]).toEqual([409, "result_used", "results"]);
    await approveCall(gate, waits.events.at(-2)?.approval?.id ?? "");
    // Its reply may have been lost: the same once more says nothing new.
    expect((await run(gate, plan, { results })).plan.status).toBe("finished");
    expect(bodiesOf(asked, "events")).toEqual([{ title: "Lunch", startTime: "15:00", duration: 45 }]);
  });

  it("is asked about where its tool asks, and released as it was edited", async () => {
    const { gate, plan, first } = await released({ read_clipboard: { category: "modification" } });
    expect(first.outline.at(-2)).toBe("approval_required copy");
    await approveCall(gate, first.events.at(-2)?.approval?.id ?? "", { action: "edit", arguments: { format: "html" } });
    const next = await run(gate, plan);
    expect(next.events.at(-2)?.tool_call?.function.arguments).toBe('{"format":"html"}');
    expect((await run(gate, plan)).events.at(-2)?.tool_call).toEqual(next.events.at(-2)?.tool_call);
    const [copy] = (await get(gate, plan)).steps;
    expect(copy).toMatchObject({
      arguments: { input: { format: "{{PLACEHOLDER_format}}" } },
      bound_arguments: { input: { format: "html" } },
      tool_call: { function: { arguments: '{"format":"html"}' } },
    });
  });

  it("is shown to nobody who may not call it now", async () => {
    const { gate, plan } = await released({ read_clipboard: { ...tools.read_clipboard, roles: ["user"] } });
    const guest = await gate.keyFor(gate.user, "guest");
    const told = (await (await gate.fetch(`/v1/plans/${plan.id}`, { key: guest })).json()) as typeof plan;
    expect(told.steps[0]).toMatchObject({ status: "released", tool_call: null });
    expect((await get(gate, plan)).steps[0]?.tool_call).not.toBeNull();
  });

  it("is not known of where nobody came back to its session, and handed out anew only where the run says so", async () => {
    const { gate, asked, plan, id } = await released();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 25 * 3600_000 });
    // What it brings now is told to a session that knows nothing of it.
    const late = await run(gate, plan, { results: [{ tool_call_id: id, content: "late" }] });
    expect(late.outline).toEqual(["plan_generated", "step_failed copy", "plan_finished"]);
    expect(late.plan).toMatchObject({ steps: [{ status: "unknown", error: { code: "abandoned" } }, {}] });
    expect(await run(gate, plan)).toMatchObject({ status: 409 });
    const next = await run(gate, plan, { repeat_unknown: true });
    expect(next.outline.at(-2)).toBe("call_released copy");
    const call = next.events.at(-2)?.tool_call?.id;
    const done = await run(gate, plan, { results: [{ tool_call_id: call, content: '{"text":"Tea","minutes":15}' }] });
    expect([done.plan.status, bodiesOf(asked, "events").length]).toEqual(["finished", 1]);
  });

  it("goes with its plan where the user deletes the session that it is made in", async () => {
    const { gate, plan } = await released();
    expect((await gate.fetch(`/v1/sessions/${plan.id}`, { method: "DELETE" })).status).toBe(200);
    expect((await gate.fetch(`/v1/plans/${plan.id}`)).status).toBe(404);
  });

  it("is the one that the plan was made with: a run brings no tools", async () => {
    const { gate, plan } = await released();
    expect((await send(gate, `/v1/plans/${plan.id}/run`, { tools: [] })).body.error?.code).toBe("unknown_parameter");
  });
});
