/** Persons who are asked about plans: about the whole of one, and about each call of it. */
import { env } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { putPolicy } from "../../../src/stores/policies/policy-source.ts";
import { type Gateway, tool } from "../support/gateway.ts";
import { runInGuard } from "../support/run-in-guard.ts";
import type { Host } from "../tools/managed.ts";
import {
  approveCall,
  bodiesOf,
  get,
  make,
  planned,
  policy,
  proposal,
  type Ran,
  readRun,
  run,
  salesReport,
  send,
  step,
  type ToldPlan,
  tools,
} from "./planning.ts";

afterEach(() => {
  vi.useRealTimers();
});

const filled = { subject: "Proposal", body: "private words" };
const mail = (id: string, to: string) => step(id, "send_email", { to, subject: "S" });
const asks = ({ outline }: Ran) => outline.filter((line) => line.startsWith("approval_required"));

const approve = async (gate: Gateway, plan: ToldPlan, placeholders: object = {}) => {
  const { digest } = await get(gate, plan);
  return send(gate, `/v1/plans/${plan.id}/approve`, { digest, placeholders });
};

describe("a plan that is approved as a whole", () => {
  it("runs without a question, also where a trusted tool's result is put in", async () => {
    const { parameters, run: http } = tools.send_email;
    // What the gateway fills in is part of what is approved.
    const system = { ...http, system: { sender: "user.id" } };
    const own = { ...parameters, properties: { ...parameters.properties, sender: { type: "string" } } };
    const { gate, asked } = await planned(salesReport, {
      policy: policy({}, { send_email: { ...tools.send_email, parameters: own, run: system } }),
    });
    const plan = await make(gate, { input: "Email John the sales report" });
    const { status, body } = await approve(gate, plan, { email_body: "the report" });
    expect([status, body]).toMatchObject([
      200,
      {
        approved: { by: "ada", via: "api", in_force: true },
        placeholders: [{ name: "email_body", value: "[redacted]" }],
      },
    ]);
    const ran = await run(gate, plan);
    expect([ran.plan.status, asks(ran)]).toEqual(["finished", []]);
    expect(bodiesOf(asked, "send")).toMatchObject([{ to: "lead@acme.test", body: "the report", sender: "ada" }]);
    const decisions = await gate.decisions(`&plan=${plan.id}`);
    expect(decisions.map(({ tool, disposition, grant }) => [tool, disposition, grant])).toEqual([
      ["fetch_entity", "run", undefined],
      ["send_email", "run", plan.id],
    ]);
  });

  it("asks again, with the value, where an untrusted tool's result is put in", async () => {
    const { gate, asked } = await planned([
      step("look", "search_web", { query: "John" }),
      step("mail", "send_email", { to: "{{look.result.hits[0].mail}}", subject: "Hi" }),
    ]);
    const plan = await make(gate);
    await approve(gate, plan);
    const ran = await run(gate, plan);
    expect(asks(ran)).toEqual(["approval_required mail"]);
    expect(ran.events.at(-2)?.approval).toMatchObject({ arguments: { to: "evil@web.test" } });
    expect(bodiesOf(asked, "send")).toEqual([]);
  });

  it("asks about what changes something, though its tool never does, where an untrusted tool's result is put in", async () => {
    const { gate, asked } = await planned([
      step("look", "search_web", { query: "John" }),
      step("copy", "fetch_entity", {
        operation: "fetch",
        entityType: "Lead",
        filters: { name: "{{look.result.hits[0].mail}}" },
      }),
      step("meet", "create_calendar_event", { title: "{{copy.result.data[0].email}}", startTime: "15:00" }),
    ]);
    const ran = await run(gate, await make(gate));
    expect(asks(ran)).toEqual(["approval_required meet"]);
    expect(ran.events.at(-2)?.approval).toMatchObject({ arguments: { title: "lead@acme.test" } });
    expect(bodiesOf(asked, "events")).toEqual([]);
  });

  it.each([
    ["a value that changes", async () => ({ placeholders: { ...filled, subject: "Another" } })],
    [
      "another policy",
      async (gate: Gateway) => {
        const start = Date.now();
        vi.useFakeTimers({ toFake: ["Date"], now: start + 300_000 });
        await putPolicy(env.KV, gate.tenant, policy({ name: "another" }), start);
        return {};
      },
    ],
  ])("is approved no more after %s", async (_, change) => {
    const { gate } = await planned(proposal);
    const plan = await make(gate);
    expect((await approve(gate, plan, filled)).status).toBe(200);
    expect(asks(await run(gate, plan, await change(gate)))).toEqual(["approval_required send_proposal_email"]);
  });

  it("is asked about all the same where its first use needs consent, and where it looks like an attack", async () => {
    const own = {
      call_out: {
        category: "external",
        destination: "ACME",
        parameters: { type: "object" },
        run: tools.search_web.run,
      },
    };
    const { gate } = await planned(
      [step("out", "call_out", { a: "b" }), mail("attack", "a@b.test'; DROP TABLE users; --")],
      {
        policy: policy(
          {},
          { ...own, send_email: { ...tools.send_email, injection: { sets: ["sql"], action: "ask" } } },
        ),
      },
    );
    const plan = await make(gate);
    expect(plan.steps.map(({ asks: codes }) => codes)).toEqual([
      ["first_use"],
      ["confirmation_required", "arguments_suspicious"],
    ]);
    expect((await approve(gate, plan)).status).toBe(200);
    const first = await run(gate, plan);
    expect(first.events.at(-2)?.approval).toMatchObject({ asks: ["first_use"] });
    await approveCall(gate, first.events.at(-2)?.approval?.id ?? "");
    const second = await run(gate, plan);
    expect(second.outline.slice(1)).toEqual([
      "step_started out",
      "step_finished out",
      "step_started attack",
      "approval_required attack",
      "plan_paused",
    ]);
    expect(second.events.at(-2)?.approval).toMatchObject({ asks: expect.arrayContaining(["arguments_suspicious"]) });
  });

  it("tells of a first use only while nobody has consented to it", async () => {
    const own = { call_out: { category: "external", parameters: { type: "object" }, run: tools.search_web.run } };
    const { gate } = await planned([step("out", "call_out", {})], { policy: policy({}, own) });
    const plan = await make(gate);
    expect(plan.steps[0]).toMatchObject({ asks: ["first_use"], disclosure: expect.any(String) });
    expect((await gate.fetch("/v1/gates/call_out", { method: "POST" })).status).toBe(200);
    expect((await get(gate, plan)).steps[0]).toMatchObject({ asks: [], disclosure: null });
    expect((await run(gate, plan)).plan.status).toBe("finished");
  });

  it("must be as it was shown, whole, and nothing that would be refused", async () => {
    const { gate } = await planned(proposal);
    const plan = await make(gate);
    const path = `/v1/plans/${plan.id}/approve`;
    const code = async (body: Record<string, unknown>, key?: string) =>
      (await send(gate, path, body, key)).body.error?.code;
    expect(await code({ digest: "0".repeat(64), placeholders: filled })).toBe("plan_changed");
    expect(await code({ digest: plan.digest })).toBe("placeholders_missing");
    expect(await code({ digest: plan.digest, placeholders: { ...filled, subject: 3 } })).toBe("placeholders_invalid");
    expect(await code({ digest: plan.digest, why: 1 })).toBe("unknown_parameter");
    expect(await code({})).toBe("invalid_value");
    const start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: start + 300_000 });
    const closed = { ...tools, send_email: { ...tools.send_email, roles: ["admin"] } };
    await putPolicy(env.KV, gate.tenant, policy({ tools: closed }), start);
    const refused = await approve(gate, plan, filled);
    expect([refused.status, refused.body.error]).toMatchObject([
      409,
      { code: "plan_refused", reasons: [{ step: "send_proposal_email", code: "role_forbids" }] },
    ]);
    expect(await get(gate, plan)).toMatchObject({ approved: null });
  });

  it("is not, where the policy has each call asked about by itself", async () => {
    const { gate } = await planned(proposal, { policy: policy({ plans: { approveWhole: false } }) });
    const plan = await make(gate);
    const { status, body } = await approve(gate, plan, filled);
    expect([status, body.error?.code]).toEqual([403, "approve_whole_disabled"]);
  });
});

describe("a step that waits for a person", () => {
  const waiting = async (more: object = {}) => {
    const { gate, asked } = await planned([mail("one", "a@b.test"), mail("two", "c@d.test")], { policy: policy(more) });
    const plan = await make(gate);
    const first = await run(gate, plan);
    return { gate, asked, plan, id: first.events.at(-2)?.approval?.id ?? "" };
  };

  it("is told again while nobody has answered", async () => {
    const { gate, plan, id } = await waiting();
    const again = await run(gate, plan);
    expect(again.outline).toEqual(["plan_generated", "step_started one", "approval_required one", "plan_paused"]);
    expect(again.events[2]?.approval?.id).toBe(id);
  });

  it("runs as it was edited", async () => {
    const { gate, asked, plan, id } = await waiting();
    expect((await approveCall(gate, id, { action: "edit", arguments: { subject: "Edited" } })).status).toBe(200);
    const ran = await run(gate, plan);
    expect(ran.outline.slice(1)).toEqual([
      "step_started one",
      "step_finished one",
      "step_started two",
      "approval_required two",
      "plan_paused",
    ]);
    expect(bodiesOf(asked, "send")).toMatchObject([{ to: "a@b.test", subject: "Edited" }]);
  });

  it("fails where it is denied, and is asked about anew in the next run", async () => {
    const { gate, asked, plan, id } = await waiting();
    await approveCall(gate, id, { action: "deny", reason: "not now" });
    const ran = await run(gate, plan);
    expect(ran.outline.slice(1)).toEqual(["step_started one", "step_failed one", "plan_finished"]);
    expect(ran.events[2]?.step).toMatchObject({ error: { code: "approval_denied" } });
    expect(ran.events[2]?.reasons).toMatchObject([{ code: "approval_denied" }]);
    const next = await run(gate, plan);
    expect(next.events[2]?.approval?.id).not.toBe(id);
    expect(bodiesOf(asked, "send")).toEqual([]);
  });

  it("fails where nobody answers in time", async () => {
    const { gate, plan } = await waiting({ confirmation: { inlineExpiresAfter: "1m" } });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 120_000 });
    const after = await get(gate, plan);
    expect([after.status, after.steps[0]?.error?.code]).toEqual(["failed", "approval_expired"]);
    expect((await run(gate, plan)).outline.at(-2)).toBe("approval_required one");
  });

  it("is cancelled with its plan: the question is taken back, and nothing runs", async () => {
    const { gate, asked, plan, id } = await waiting();
    const { status, body } = await send(gate, `/v1/plans/${plan.id}/cancel`);
    expect([status, body.status]).toEqual([200, "cancelled"]);
    expect((await approveCall(gate, id)).body.error).toMatchObject({
      code: "approval_cancelled",
      message: expect.stringContaining(`the plan \`${plan.id}\` was cancelled`),
    });
    expect((await run(gate, plan)).error?.code).toBe("plan_ended");
    expect((await approve(gate, plan)).body.error?.code).toBe("plan_ended");
    expect(bodiesOf(asked, "send")).toEqual([]);
  });

  it("is judged by the rules of the day of the answer's run", async () => {
    const { gate, asked, plan, id } = await waiting();
    await approveCall(gate, id);
    const ran = await run(gate, plan, {}, { key: await gate.keyFor("ada", "guest") });
    expect(ran.outline.at(-1)).toBe("plan_paused");
    expect(bodiesOf(asked, "send")).toHaveLength(1);
  });
});

/** What was read when the words came. */
async function textUntil(body: ReadableStream<Uint8Array> | undefined, words: string): Promise<string> {
  let text = "";
  if (!body) return text;
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    if (text.includes(words)) break;
  }
  return text;
}

/** Of all decisions that were recorded and wait for delivery. */
const reasonsIn = (gate: Gateway): Promise<string> =>
  runInGuard(gate.stub, (_, { storage }) =>
    storage.sql
      .exec<{ sealed: string }>("SELECT sealed FROM outbox")
      .toArray()
      .map(({ sealed }) => sealed)
      .join(),
  );

describe("a run that is held", () => {
  const hold = { headers: { "x-toolgate-approvals": "hold" } };
  /** Begins a held run, and resolves with its approval once somebody is asked. */
  async function held(steps: readonly object[], more: object = {}, host?: Host, wish: object = {}) {
    const { gate, asked } = await planned(steps, { policy: policy(more), pace: { keepAliveMs: 20 } }, host);
    const plan = await make(gate, { ...wish });
    const response = await gate.fetch(`/v1/plans/${plan.id}/run`, { json: {}, ...hold });
    const waits = async () => {
      const { data } = (await (await gate.fetch("/v1/approvals?status=pending")).json()) as { data: { id: string }[] };
      return data[0]?.id;
    };
    await vi.waitUntil(waits, { timeout: 20_000 });
    const id = (await waits()) ?? "";
    return { gate, asked, plan, id, response, leave: async () => response.body?.cancel() };
  }

  it("goes on by itself once somebody has said yes, and is kept alive until then", async () => {
    const { gate, asked, plan, id, response } = await held([mail("one", "a@b.test")]);
    expect((await run(gate, plan)).error?.code).toBe("plan_running");
    const [told, body] = response.body?.tee() ?? [];
    const text = textUntil(told, ": keep-alive");
    expect(await text).toMatch(/^event: plan_generated\ndata: \{"type":"plan_generated","sequence_number":0/);
    await approveCall(gate, id);
    const { outline, plan: after } = await readRun(new Response(body, response));
    expect(outline).toEqual([
      "plan_generated",
      "step_started one",
      "approval_required one",
      "step_finished one",
      "plan_finished",
    ]);
    expect([after.status, bodiesOf(asked, "send").length]).toEqual(["finished", 1]);
  });

  it("fails the step on a no, and where the time is over", async () => {
    const { gate, id, response } = await held([mail("one", "a@b.test")]);
    await approveCall(gate, id, { action: "deny" });
    expect((await readRun(response)).outline.slice(-2)).toEqual(["step_failed one", "plan_finished"]);
    const late = await held([mail("one", "a@b.test")], { confirmation: { timeoutSeconds: 1 } });
    expect((await readRun(late.response)).events.at(-2)).toMatchObject({
      type: "step_failed",
      step: { error: { code: "approval_expired" } },
    });
  });

  it("ends where the plan is cancelled meanwhile", async () => {
    const { gate, asked, plan, response } = await held([mail("one", "a@b.test")]);
    await send(gate, `/v1/plans/${plan.id}/cancel`);
    const { outline, plan: after } = await readRun(response);
    expect([outline.at(-1), after.status]).toEqual(["plan_finished", "cancelled"]);
    expect(bodiesOf(asked, "send")).toEqual([]);
  });

  describe("and whose question a chat in the plan's own session takes up", () => {
    const inPlan = ({ id }: ToldPlan) => ({ "x-toolgate-session": id, "x-toolgate-approvals": "native" });
    const chat = (gate: Gateway, plan: ToldPlan, more: object) =>
      gate.chat({ messages: [{ role: "user", content: "and this" }], ...more }, inPlan(plan));
    const two = [mail("one", "a@b.test"), step("two", "fetch_entity", { entityType: "Lead" })];

    it("goes on from what came of it, once that is known", async () => {
      const { promise, resolve } = Promise.withResolvers<object>();
      const { gate, asked, plan, id, response } = await held(two, {}, ({ path }) =>
        path === "crm.test/send" ? promise : { data: [] },
      );
      const settling = chat(gate, plan, { toolgate: { approvals: [{ id, action: "approve" }] } });
      // The run has been told of the answer, and comes second to it.
      await vi.waitUntil(async () => (await reasonsIn(gate)).includes("approval_mismatch"), { timeout: 20_000 });
      resolve({ done: true });
      expect((await readRun(response)).outline.slice(2)).toEqual([
        "approval_required one",
        "step_finished one",
        "step_started two",
        "step_finished two",
        "plan_finished",
      ]);
      expect([(await settling).status, bodiesOf(asked, "send").length]).toEqual([200, 1]);
      const decisions = await gate.decisions(`&plan=${plan.id}`);
      expect(decisions.map((one) => [one.plan_step, one.disposition])).toEqual([
        ["one", "asked"],
        ["one", "run"],
        ["one", "refused"],
        ["two", "run"],
      ]);
    });

    it("fails the step after a no", async () => {
      const { gate, asked, plan, id, response } = await held(two);
      const no = { toolgate: { approvals: [{ id, action: "deny" }] } };
      expect((await chat(gate, plan, no)).status).toBe(200);
      const { outline, events, plan: after } = await readRun(response);
      expect(outline.slice(-2)).toEqual(["step_failed one", "plan_finished"]);
      expect([events.at(-2)?.step?.error?.code, after.status, asked]).toEqual(["approval_denied", "failed", []]);
    });

    it("waits on after another wish, and fails the step where the time is over", async () => {
      const { gate, asked, plan, id, response } = await held(two);
      expect((await chat(gate, plan, {})).status).toBe(200);
      const question = async () => (await gate.fetch(`/v1/approvals/${id}`)).json() as Promise<{ status: string }>;
      expect(await question()).toMatchObject({ status: "pending" });
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31_000 });
      // Who looks at it finds that its time is over, and the run hears of that.
      expect(await question()).toMatchObject({ status: "expired" });
      const { outline, events, plan: after } = await readRun(response);
      expect(outline.slice(-2)).toEqual(["step_failed one", "plan_finished"]);
      expect([events.at(-2)?.step?.error?.code, after.status, asked]).toEqual(["approval_expired", "failed", []]);
    });

    it("leaves a call that the chat released to the chat's client", async () => {
      const format = tools.read_clipboard.parameters;
      const { gate, plan, id, response } = await held(
        [step("copy", "read_clipboard", { format: "text" })],
        { tools: { ...tools, read_clipboard: { category: "modification" } } },
        undefined,
        { tools: [tool("read_clipboard", format)] },
      );
      const own = { tools: [tool("read_clipboard", format)], toolgate: { approvals: [{ id, action: "approve" }] } };
      const { choices } = (await (await chat(gate, plan, own)).json()) as {
        choices: readonly { message: { tool_calls?: readonly unknown[] } }[];
      };
      expect(choices[0]?.message.tool_calls).toHaveLength(1);
      const { outline, last } = await readRun(response);
      expect([outline.slice(-2), last?.waits_for]).toEqual([["approval_required copy", "plan_paused"], "client"]);
    });
  });

  it("leaves the question open where the client goes away", async () => {
    const { gate, asked, plan, id, leave } = await held([mail("one", "a@b.test")]);
    await leave();
    await gate.settle();
    expect(await get(gate, plan)).toMatchObject({ status: "paused", steps: [{ status: "waiting", approval_id: id }] });
    await approveCall(gate, id);
    expect(bodiesOf(asked, "send")).toEqual([]);
    expect((await run(gate, plan)).plan.status).toBe("finished");
    expect(bodiesOf(asked, "send")).toHaveLength(1);
  });
});
