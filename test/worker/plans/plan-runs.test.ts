/** Plans as they run: step by step, each call by the rules as they are then. */
import { env, evictDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { putPolicy } from "../../../src/stores/policies/policy-source.ts";
import type { Gateway } from "../support/gateway.ts";
import { runInGuard } from "../support/run-in-guard.ts";
import { captureLog } from "../telemetry/capture-log.ts";
import { together } from "../tools/managed.ts";
import {
  approveCall,
  bodiesOf,
  get,
  make,
  planned,
  policy,
  proposal,
  run,
  salesReport,
  step,
  tools,
} from "./planning.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** The isolate keeps a policy for a while: it is later then. */
async function replaced(gate: Gateway, document: unknown): Promise<void> {
  const start = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: start + 300_000 });
  await putPolicy(env.KV, gate.tenant, document, start);
}

const fetches = (id: string, entityType = "Lead") => step(id, "fetch_entity", { entityType });
const event = (id: string, title: string) => step(id, "create_calendar_event", { title, startTime: "15:00" });

describe("a run", () => {
  it("binds what came, asks a person, and goes on from there after the yes; the trail tells all of it", async () => {
    const { gate, asked } = await planned(proposal);
    const plan = await make(gate, { input: "Send an email to the sales lead about the proposal" });
    const first = await run(gate, plan, { placeholders: { subject: "Proposal", body: "private words" } });
    expect(first.outline).toEqual([
      "plan_generated",
      "step_started find_lead",
      "step_finished find_lead",
      "step_started send_proposal_email",
      "approval_required send_proposal_email",
      "plan_paused",
    ]);
    expect(first.events.map(({ sequence_number: at }) => at)).toEqual([0, 1, 2, 3, 4, 5]);
    expect([first.last?.waits_for, first.done, first.plan.status]).toEqual(["approval", true, "paused"]);
    expect(first.events[2]?.step).toMatchObject({
      result: { data: [{ email: "lead@acme.test" }] },
      status: "succeeded",
    });
    const { approval, step: waiting } = first.events[4] ?? {};
    expect([first.events[1], first.events[3]].map((told) => told?.step?.status)).toEqual(["running", "running"]);
    expect(waiting).toMatchObject({ status: "waiting", asks: ["confirmation_required"] });
    // What is to be put in, and what was: without what the policy redacts.
    const bound = { input: { to: "lead@acme.test", subject: "Proposal", body: "[redacted]", copies: 1 } };
    expect(await get(gate, plan)).toMatchObject({
      waits_for: "approval",
      steps: [
        { bound_arguments: { input: { operation: "fetch", entityType: "Lead", filters: {} } }, asks: [] },
        {
          arguments: { input: { to: "{{find_lead.result.data[0].email}}", body: "{{PLACEHOLDER_body}}" } },
          bound_arguments: bound,
          asks: ["confirmation_required"],
          disclosure: expect.stringContaining("lead@acme.test"),
          tool_call: null,
        },
      ],
    });
    expect(approval).toMatchObject({
      status: "pending",
      channel: "native",
      // The person who is asked sees what records leave out.
      arguments: { to: "lead@acme.test", body: "private words" },
      plan: { id: plan.id, step: "send_proposal_email", step_number: 2, total_steps: 2 },
    });
    expect(waiting).toMatchObject({ status: "waiting", approval_id: approval?.id });
    expect(bodiesOf(asked, "send")).toEqual([]);

    await approveCall(gate, approval?.id ?? "");
    const second = await run(gate, plan);
    expect(second.outline).toEqual([
      "plan_generated",
      "step_started send_proposal_email",
      "step_finished send_proposal_email",
      "plan_finished",
    ]);
    expect(second.plan).toMatchObject({ status: "finished" });
    expect(bodiesOf(asked, "send")).toEqual([
      { to: "lead@acme.test", subject: "Proposal", body: "private words", copies: 1 },
    ]);
    expect((await run(gate, plan)).error?.code).toBe("plan_ended");

    const turns = await gate.turns(`&plan=${plan.id}`);
    expect(turns.map(({ stop_reason, steps, model }) => [stop_reason, steps, model])).toEqual([
      ["awaiting_approval", 0, "test-model"],
      ["completed", 0, "test-model"],
    ]);
    const decisions = await gate.decisions(`&plan=${plan.id}`);
    expect(
      decisions.map(({ tool, disposition, made_by, plan_step }) => [tool, disposition, made_by, plan_step]),
    ).toEqual([
      ["fetch_entity", "run", "plan", "find_lead"],
      ["send_email", "asked", "plan", "send_proposal_email"],
      ["send_email", "run", "plan", "send_proposal_email"],
    ]);
    expect(JSON.stringify([turns, decisions, await gate.approvals(), await gate.runs()])).not.toContain(
      "private words",
    );
    // The model was asked for the plan, and for nothing else.
    expect(gate.sent).toHaveLength(1);
  });

  it("asks for what is not filled in, says what does not fit, and begins nothing", async () => {
    const { gate, asked } = await planned([
      step("meet", "create_calendar_event", {
        title: "{{PLACEHOLDER_title}}",
        startTime: "{{PLACEHOLDER_start}}",
        duration: "{{PLACEHOLDER_minutes}}",
        attendees: ["{{PLACEHOLDER_attendee}}"],
      }),
    ]);
    const plan = await make(gate, { input: "Schedule a meeting" });
    expect(plan.placeholders.map(({ name, required }) => [name, required])).toEqual([
      ["title", true],
      ["start", true],
      ["minutes", false],
      ["attendee", false],
    ]);
    const missing = await run(gate, plan, { placeholders: { title: "Sync" } });
    expect([missing.status, missing.error]).toMatchObject([
      400,
      { code: "placeholders_missing", param: "placeholders" },
    ]);
    expect(missing.error).toMatchObject({ errors: [{ path: "start", message: "is not filled in" }] });
    const wrong = await run(gate, plan, { placeholders: { title: "Sync", start: 15, minutes: 2, nobody: 1 } });
    expect(wrong.error?.code).toBe("placeholders_invalid");
    expect((wrong.error as unknown as { errors: { path: string }[] }).errors.map(({ path }) => path).sort()).toEqual([
      "minutes",
      "nobody",
      "start",
    ]);
    const large = await run(gate, plan, { placeholders: { title: "語".repeat(90_000), start: "15:00" } });
    expect([large.status, large.error?.code]).toEqual([413, "too_large"]);
    expect(await get(gate, plan)).toMatchObject({ status: "ready" });
    const done = await run(gate, plan, { placeholders: { title: "Sync", start: "15:00", minutes: 30 } });
    expect(done.plan.status).toBe("finished");
    expect(bodiesOf(asked, "events")).toEqual([{ title: "Sync", startTime: "15:00", duration: 30 }]);
  });

  it("goes on from the step that failed, and makes no earlier one again", async () => {
    let down = true;
    const { gate, asked } = await planned(
      [event("one", "first"), event("two", "second"), event("three", "third")],
      {},
      ({ body }) =>
        down && (body as { title: string }).title === "second"
          ? Response.json({ why: "down" }, { status: 500 })
          : { ok: 1 },
    );
    const plan = await make(gate);
    const first = await run(gate, plan);
    expect(first.outline.slice(2)).toEqual([
      "step_finished one",
      "step_started two",
      "step_failed two",
      "plan_finished",
    ]);
    expect(first.plan).toMatchObject({ status: "failed" });
    down = false;
    // What is kept survives the object's restart.
    await evictDurableObject(gate.stub);
    const second = await run(gate, plan, { repeat_unknown: true });
    expect(second.outline.slice(1)).toEqual([
      "step_started two",
      "step_finished two",
      "step_started three",
      "step_finished three",
      "plan_finished",
    ]);
    expect(bodiesOf(asked, "events").map((body) => (body as { title: string }).title)).toEqual([
      "first",
      "second",
      "second",
      "third",
    ]);
    expect(second.plan.steps.map(({ tries }) => tries)).toEqual([1, 2, 1]);
  });

  it("stops at a step that may have been done, until it is told to repeat it", async () => {
    let lost = true;
    const { gate, asked } = await planned([event("one", "first")], {}, () => {
      if (!lost) return { ok: 1 };
      throw new Error("the connection was lost");
    });
    const plan = await make(gate);
    const first = await run(gate, plan);
    expect(first.outline.slice(2)).toEqual(["step_failed one", "plan_finished"]);
    expect(first.plan.steps[0]).toMatchObject({ status: "unknown", error: { code: "outcome_unknown" } });
    lost = false;
    const refused = await run(gate, plan);
    expect([refused.status, refused.error?.code, refused.error?.message]).toEqual([
      409,
      "outcome_unknown",
      expect.stringContaining("the step `one`, which may have been done"),
    ]);
    expect(refused.error).toMatchObject({ param: "repeat_unknown", step: "one" });
    expect(bodiesOf(asked, "events")).toHaveLength(1);
    expect((await run(gate, plan, { repeat_unknown: true })).plan.status).toBe("finished");
  });

  it("binds what is longer than an undo would keep, and says so of what is longer than a plan does", async () => {
    const long = (size: number) => ({ data: [{ email: `${"x".repeat(size)}@acme.test` }] });
    const sizes = [20_000, 300_000];
    for (const size of sizes) {
      const own = { send_email: { ...tools.send_email, confirm: "auto" } };
      const { gate, asked } = await planned(salesReport, { policy: policy({}, own) }, ({ path }) =>
        path.endsWith("fetch") ? long(size) : { ok: 1 },
      );
      const plan = await make(gate);
      const ran = await run(gate, plan);
      expect(ran.plan.status).toBe(size === sizes[0] ? "finished" : "failed");
      expect(bodiesOf(asked, "send").length).toBe(size === sizes[0] ? 1 : 0);
    }
  });

  it("belongs to no arm of an experiment: nobody but the plan decides what is called", async () => {
    const intents = {
      MEET: { keywords: ["meeting"], tools: ["create_calendar_event"], primaryTool: "create_calendar_event" },
    };
    const { gate } = await planned([event("one", "first")], {
      policy: policy({ intents, execution: { strategy: "system_first" } }),
    });
    const plan = await make(gate, { input: 'schedule a meeting titled "first" at 15:00' });
    expect((await run(gate, plan)).plan.status).toBe("finished");
    const [turn] = await gate.turns(`&plan=${plan.id}`);
    expect(turn).toMatchObject({ intents: ["MEET"], detection: { intents: [{ name: "MEET" }] } });
    expect(turn?.arm ?? null).toBeNull();
    expect(gate.sent).toHaveLength(1);
  });

  it("says so where a reference leads nowhere", async () => {
    const { gate, asked } = await planned(salesReport, {}, () => ({ data: [] }));
    const plan = await make(gate);
    const ran = await run(gate, plan, { placeholders: { email_body: "x" } });
    expect(ran.outline.at(-2)).toBe("step_failed send_email");
    expect(ran.events.at(-2)?.error).toMatchObject({ code: "reference_unresolved", path: "/to" });
    expect(bodiesOf(asked, "send")).toEqual([]);
  });

  it("is one at a time, and of its own user", async () => {
    const arrived = together(2);
    const { gate } = await planned([event("one", "first")], {}, async () => {
      await arrived();
      return { ok: 1 };
    });
    const plan = await make(gate);
    const running = run(gate, plan);
    await vi.waitUntil(async () => (await get(gate, plan)).status === "running", { timeout: 20_000 });
    const refused = await run(gate, plan);
    expect(refused.error?.code).toBe("plan_running");
    // The time that its tool has, and a little.
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(20);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(45);
    const other = await gate.keyFor("bob", "user");
    expect((await run(gate, plan, {}, { key: other })).status).toBe(404);
    void arrived();
    expect((await running).plan.status).toBe("finished");
  });

  it("is over where the plan is cancelled meanwhile: what runs runs to its end, and nothing more begins", async () => {
    const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { gate, asked } = await planned([event("one", "first"), event("two", "second")], {}, async () => {
      begun.resolve();
      await goOn.promise;
      return { ok: 1 };
    });
    const plan = await make(gate);
    const running = run(gate, plan);
    await begun.promise;
    expect((await gate.fetch(`/v1/plans/${plan.id}/cancel`, { method: "POST" })).status).toBe(200);
    goOn.resolve();
    const { outline, plan: after, done } = await running;
    expect(outline.slice(1)).toEqual(["step_started one", "step_finished one", "plan_finished"]);
    expect([after.status, after.steps.map(({ status }) => status), done]).toEqual([
      "cancelled",
      ["succeeded", "ready"],
      true,
    ]);
    expect(bodiesOf(asked, "events")).toHaveLength(1);
  });

  it("tells all in one JSON where it is asked to", async () => {
    const { gate } = await planned([fetches("one")]);
    const plan = await make(gate);
    const ran = await run(gate, plan, { stream: false });
    expect(ran.headers.get("content-type")).toContain("application/json");
    expect(ran.outline).toEqual(["plan_generated", "step_started one", "step_finished one", "plan_finished"]);
    expect(ran.plan).toMatchObject({ id: plan.id, status: "finished" });
  });

  it("brings what runs to its end where the client goes away, and begins nothing more", async () => {
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const { gate, asked } = await planned([event("one", "first"), event("two", "second")], {}, async () => {
      begun.resolve();
      await goOn.promise;
      return { ok: 1 };
    });
    const plan = await make(gate);
    const response = await gate.fetch(`/v1/plans/${plan.id}/run`, { json: {} });
    await begun.promise;
    await response.body?.cancel();
    goOn.resolve();
    await gate.settle();
    const after = await get(gate, plan);
    expect([after.status, after.steps.map(({ status }) => status)]).toEqual(["paused", ["succeeded", "ready"]]);
    expect(bodiesOf(asked, "events")).toHaveLength(1);
    expect((await gate.turns()).at(-1)).toMatchObject({ stop_reason: "aborted" });
    expect((await run(gate, plan)).plan.status).toBe("finished");
  });
});

describe("the rules as they are when a step runs", () => {
  const refusedBy = async (change: (gate: Gateway) => Promise<string | undefined>, more: object = {}) => {
    const { gate, asked } = await planned([fetches("one"), event("two", "second")], { policy: policy(more) });
    const plan = await make(gate);
    const key = await change(gate);
    const ran = await run(gate, plan, {}, { ...(key ? { key } : {}) });
    const [recorded] = (await gate.decisions(`&plan=${plan.id}`)).slice(-1);
    return { ran, asked, recorded, gate, plan };
  };
  const codes = (reasons: readonly { readonly code: string }[] = []) => reasons.map(({ code }) => code);

  it.each<[string, object, string[]]>([
    [
      "role",
      { tools: { ...tools, create_calendar_event: { ...tools.create_calendar_event, roles: ["admin"] } } },
      ["role_forbids"],
    ],
    ["mode", { modes: { default: { allow: ["*"], deny: ["create_calendar_event"] } } }, ["mode_forbids"]],
    [
      "connection",
      { tools: { ...tools, create_calendar_event: { ...tools.create_calendar_event, connection: "google" } } },
      ["connection_missing"],
    ],
    ["nothing: it is gone", { tools: { fetch_entity: tools.fetch_entity } }, ["unknown_tool"]],
  ])("refuse by %s what the plan was made with, and the record says so", async (_, changed, reasons) => {
    const { ran, asked, recorded, gate, plan } = await refusedBy(async (at) => {
      await replaced(at, policy(changed));
      return undefined;
    });
    expect(ran.outline.slice(3)).toEqual(["step_started two", "step_failed two", "plan_finished"]);
    expect(ran.events.at(-2)?.step).toMatchObject({ status: "failed", error: { code: "refused" } });
    expect(codes(ran.events.at(-2)?.reasons)).toEqual(expect.arrayContaining(reasons));
    expect(recorded).toMatchObject({
      tool: "create_calendar_event",
      effect: "deny",
      disposition: "refused",
      plan_step: "two",
    });
    expect(bodiesOf(asked, "events")).toEqual([]);
    expect((await gate.turns()).at(-1)).toMatchObject({ stop_reason: "tool_policy_blocked", plan: plan.id });
  });

  it.each([
    ["no plan at all", { plans: { enabled: false } }, "plans_disabled"],
    ["not the plan's mode", { modes: { default: { allow: ["*"] } } }, "invalid_value"],
    ["not the plan's mode for this role", { modes: { notes: { allow: ["*"], roles: ["admin"] } } }, "mode_forbidden"],
  ])("permit %s: nothing is begun", async (_, changed, code) => {
    const { gate, asked } = await planned([fetches("one")], { policy: policy({ modes: { notes: { allow: ["*"] } } }) });
    const plan = await make(gate, { mode: "notes" });
    await replaced(gate, policy(changed));
    expect((await run(gate, plan)).error?.code).toBe(code);
    expect(asked).toEqual([]);
    expect((await get(gate, plan)).status).toBe("ready");
    expect((await gate.fetch(`/v1/plans/${plan.id}/cancel`, { method: "POST" })).status).toBe(200);
  });

  it("count its calls: a limit that is used up refuses the step, with when to try again", async () => {
    const { ran } = await refusedBy(async () => undefined, {
      rateLimits: { "category:modification": [{ max: 1, window: "1h" }] },
      tools: { ...tools, fetch_entity: { ...tools.fetch_entity, category: "modification", confirm: "auto" } },
    });
    expect(ran.events.at(-2)?.reasons).toMatchObject([{ code: "rate_limited", retry_after: expect.any(Number) }]);
  });

  it("look at whoever runs it: the same user under a lesser role", async () => {
    const roles = { tools: { ...tools, create_calendar_event: { ...tools.create_calendar_event, roles: ["user"] } } };
    const { ran } = await refusedBy((at) => at.keyFor("ada", "guest"), roles);
    expect(codes(ran.events.at(-2)?.reasons)).toContain("role_forbids");
  });

  it("have the handshake made where an intent must be selected first, and record it as the plan's", async () => {
    const intents = {
      LOOK_UP: { description: "look", tools: ["fetch_entity"] },
      MEET: { description: "meet", tools: ["create_calendar_event"] },
      CHAT: { description: "else", tools: [] },
    };
    const { gate } = await planned([fetches("one"), event("two", "second")], {
      policy: policy({ handshake: { select: "detected", mustMatchDetected: "never" }, intents }),
    });
    const plan = await make(gate);
    const ran = await run(gate, plan);
    expect(ran.plan.status).toBe("finished");
    const decisions = await gate.decisions(`&plan=${plan.id}`);
    expect(decisions.map(({ tool, effect, made_by, intents: held }) => [tool, effect, made_by, held])).toEqual([
      ["fetch_entity", "allow", "plan", []],
      ["select_intent", "allow", "plan", []],
      ["create_calendar_event", "allow", "plan", ["MEET"]],
    ]);
  });
});

describe("an intent that a step takes", () => {
  const intents = {
    LOOK_UP: { keywords: ["look"], tools: ["search_web"] },
    MEET: { description: "meet", tools: ["create_calendar_event"] },
  };
  const settings = (mustMatchDetected: string) => ({
    policy: policy({ handshake: { select: "detected", mustMatchDetected }, intents }),
  });
  const steps = [step("one", "search_web", { query: "x" }), event("two", "second")];

  it("is selected after what an untrusted tool brought too: the plan's tools were settled before", async () => {
    const { gate } = await planned(steps, settings("afterUntrusted"));
    expect((await run(gate, await make(gate))).plan.status).toBe("finished");
  });

  it("is not where its tool may have been chosen by what was pasted into the wish", async () => {
    const { policy: base } = settings("afterUntrusted");
    const extract = "(?s)<user>(?P<text>.*?)</user>";
    const { gate, asked } = await planned(steps, { policy: { ...base, detection: { layers: ["keywords"], extract } } });
    const ranFor = async (wish: string) => (await run(gate, await make(gate, { input: wish }))).plan;
    const pasted = await ranFor("<doc>Meet me, second</doc><user>please do it</user>");
    expect(pasted).toMatchObject({ status: "failed", steps: [{ error: null }, { error: { code: "refused" } }] });
    expect(bodiesOf(asked, "events")).toEqual([]);
    expect((await ranFor("please do it")).status).toBe("finished");
  });

  it("is not where the policy has only what the user's own words ask for", async () => {
    const { gate } = await planned(steps, settings("always"));
    const ran = await run(gate, await make(gate));
    expect(ran.plan).toMatchObject({ status: "failed", steps: [{}, { error: { code: "refused" } }] });
  });
});

describe("a failure of the gateway's own", () => {
  const change = (gate: Gateway, statement: string) =>
    runInGuard(gate.stub, (_, { storage }) => {
      // Makes the table.
      storage.sql.exec("INSERT INTO runs SELECT * FROM runs");
      storage.sql.exec(statement);
    });

  it.each([true, false])("ends the run with an error (streamed: %s), and lets go of the plan", async (stream) => {
    const { gate, asked } = await planned([event("one", "first"), event("two", "second")]);
    const plan = await make(gate);
    const log = captureLog();
    await change(gate, "CREATE TRIGGER fails BEFORE INSERT ON runs BEGIN SELECT RAISE(ABORT, 'full'); END");
    const ran = await run(gate, plan, { stream });
    await change(gate, "DROP TRIGGER fails");
    expect([ran.error?.code, ran.done, log.lines("turn_failed").length]).toEqual(["gateway_unavailable", false, 1]);
    expect(stream ? ran.outline : ran.status).toEqual(stream ? ["plan_generated", "step_started one", "error"] : 503);
    expect((await get(gate, plan)).steps.map(({ status }) => status)).toEqual(["ready", "ready"]);
    const again = await run(gate, plan);
    expect([again.plan.status, bodiesOf(asked, "events").length]).toEqual(["finished", 2]);
  });
});
