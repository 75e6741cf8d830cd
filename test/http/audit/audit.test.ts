import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditRoutes } from "../../../src/http/audit/audit.ts";
import type { AuditDeps } from "../../../src/http/audit/audit-chain.ts";
import type { Principal } from "../../../src/session/principal.ts";
import { approvalIndex } from "../../../src/stores/audit/d1-approvals.ts";
import { deliverRecords } from "../../../src/stores/audit/d1-audit.ts";
import { askOf, openDatabase, type TestDatabase } from "../../stores/audit/d1.ts";
import {
  approvalRecord,
  chainOf,
  decisionRecord,
  keys,
  planRecord,
  runRecord,
  turnRecord,
} from "../../stores/audit/records.ts";

const at = Date.parse("2026-10-01T12:00:00.000Z");
const turn = turnRecord({ at });
const limited = { code: "rate_limited", tool: "rm", max: 1, windowMs: 60_000, retryAfterMs: 5 } as const;
const denied = decisionRecord({ at, turn: turn.id, tool: "rm", effect: "deny", reasons: [limited], retryAfterMs: 5 });
const allowed = decisionRecord({ at: at + 1, turn: turn.id, arguments: { someKey: { innerKey: 1 } } });
const asking = { approval: "appr_7", turn: turn.id, decision: denied.id, tool: "web_get" };
const asked = approvalRecord({ ...asking, at: at + 2 });
const grant = { id: "grant_1", session: null, expiresAt: at + 90_000, arguments: ["to equals `ops`"] };
const approved = approvalRecord({ ...asking, at: at + 3, event: "approved", by: "op", grant });
const acted = { approval: "appr_7", grant: "grant_1", undoes: "dec_0" };
const released = decisionRecord({ ...acted, tenant: "other", tool: "web_get" });
// Noted by another turn, as one does that finds a run without an outcome.
const lost = { turn: "turn_later", decision: allowed.id, status: "unknown", failure: "timeout" } as const;
const run = runRecord({ ...lost, at: at + 4, httpStatus: null, executor: "mcp", suspicious: ["prompt_injection"] });
// Of a plan: the turn that ran it, the call that the system made before it, and what happened to it outside of a turn and in one.
const tried = { arm: "system_first", systemFirst: { outcome: "ran", tool: "rm", missing: [] } } as const;
const planTurn = turnRecord({ tenant: "planned", at, plan: "plan_1", ...tried });
const stepCall = decisionRecord({
  tenant: "planned",
  at,
  turn: planTurn.id,
  madeBy: "plan",
  plan: "plan_1",
  planStep: "one",
});
const ownCall = decisionRecord({ tenant: "planned", at: at + 1, madeBy: "system" });
const made = planRecord({ tenant: "planned", at, usage: { prompt_tokens: 7 } });
const broke = {
  event: "failed",
  status: "failed",
  turn: planTurn.id,
  fault: { code: "tool_failed", step: "one" },
} as const;
const failed = planRecord({ tenant: "planned", at: at + 2, ...broke });
const planned = chainOf([planTurn, stepCall, ownCall, made, failed]);
const chain = chainOf([turn, denied, allowed, asked, approved, run]);
const foreignRun = runRecord({ tenant: "other", at });

/** Lists do not ask the user's object. */
const noObject = () => {
  throw new Error("the object was asked");
};

let store: TestDatabase;
beforeAll(async () => {
  store = await openDatabase();
  await deliverRecords(store.db, chain);
  await deliverRecords(store.db, planned);
  await deliverRecords(store.db, chainOf([decisionRecord({ tenant: "other" }), released, foreignRun]));
});
afterAll(() => store?.dispose());

const deps: AuditDeps = {
  audit: (_tenant, ask) => ask(store.db),
  auditDatabase: async () => store.db,
  auditKeys: keys,
  now: () => at,
  guardOf: noObject,
};

async function get(path: string, changes: Partial<Principal> = {}) {
  const principal = { tenant: "acme", user: "root", role: "admin", authenticated: true, connections: [], ...changes };
  const app = new Hono<{ Variables: { principal: Principal } }>();
  app.use(async (c, next) => {
    c.set("principal", principal);
    await next();
  });
  app.route("/v1/audit", auditRoutes(deps));
  const response = await app.request(`/v1/audit${path}`);
  return { status: response.status, body: await response.json<Record<string, unknown>>() };
}

describe("the lists", () => {
  test("turns", async () => {
    const { status, body } = await get("/turns?stop_reason=completed");
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: "list", first_id: turn.id, last_id: turn.id, has_more: false });
    expect(body.data).toEqual([
      {
        object: "audit.turn",
        id: turn.id,
        tenant: "acme",
        user: "ada",
        session: "s1",
        at: "2026-10-01T12:00:00.000Z",
        ended_at: "2026-10-01T12:00:00.040Z",
        detection: null,
        role: "user",
        mode: "default",
        model: "demo",
        policy: "digest-1",
        state_opened: "request",
        state_closed: "action",
        intents: ["TAKE_NOTE"],
        stop_reason: "completed",
        finish_reason: "tool_calls",
        steps: 1,
        offered: ["create_note"],
        withheld: [{ name: "delete_note", reasons: ["mode_forbids"] }],
        tokens_saved: 120,
        usage: { total_tokens: 12.5 },
        settled: [],
        error: null,
        seq: 1,
        previous: chain[0]?.previous,
        hash: chain[0]?.hash,
        key_id: "k1",
      },
    ]);
  });

  test("decisions, page by page, newest first; what a field holds keeps its keys", async () => {
    const first = await get("/decisions?limit=1");
    expect(first.body).toMatchObject({ first_id: allowed.id, has_more: true });
    expect(first.body.data).toMatchObject([
      { object: "audit.decision", call_id: "call_1", arguments: { someKey: { innerKey: 1 } }, disposition: "released" },
    ]);
    const second = await get(`/decisions?limit=1&after=${allowed.id}`);
    expect(second.body).toMatchObject({ last_id: denied.id, has_more: false });
    expect(second.body.data).toMatchObject([
      {
        retry_after_ms: 5,
        reasons: [{ code: "rate_limited", tool: "rm", max: 1, window_ms: 60_000, retry_after_ms: 5 }],
      },
    ]);
    expect((await get("/decisions?order=asc")).body).toMatchObject({ first_id: denied.id, last_id: allowed.id });
  });

  test("what happened to approvals, with who answered, how, and what that allows from now on", async () => {
    const { status, body } = await get("/approvals?approval=appr_7");
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: "list", first_id: approved.id, last_id: asked.id, has_more: false });
    expect((body.data as unknown[])[0]).toEqual({
      object: "audit.approval",
      id: approved.id,
      approval: "appr_7",
      event: "approved",
      turn: turn.id,
      decision: denied.id,
      tenant: "acme",
      user: "ada",
      session: "s1",
      at: "2026-10-01T12:00:00.003Z",
      expires_at: "2026-10-02T12:00:00.003Z",
      tool: "web_get",
      call_id: "call_1",
      channel: "inline",
      asks: ["confirmation_required"],
      arguments: { someKey: { innerKey: "[redacted]" } },
      digest: "digest-2",
      disclosure: null,
      via: "api",
      by: "op",
      reason: null,
      grant: { id: "grant_1", session: null, expires_at: "2026-10-01T12:01:30.000Z", arguments: ["to equals `ops`"] },
      policy: "digest-1",
      seq: 5,
      previous: chain[4]?.previous,
      hash: chain[4]?.hash,
      key_id: "k1",
    });
    const first = await get("/approvals?limit=1&order=asc");
    expect(first.body).toMatchObject({
      first_id: asked.id,
      has_more: true,
      data: [{ disclosure: "Create a note", grant: null }],
    });
    expect((await get(`/approvals?order=asc&after=${asked.id}`)).body).toMatchObject({ first_id: approved.id });
  });

  test.each([
    "event=approved",
    "event=approved&user=ada&session=s1&tool=web_get",
    `turn=${turn.id}&from=${at + 3}`,
    `approval=appr_7&from=${at + 3}&to=${at + 4}`,
  ])("approvals by %s", async (query) => {
    expect((await get(`/approvals?${query}`)).body).toMatchObject({ first_id: approved.id, last_id: approved.id });
  });

  test.each(["approval=appr_7", "grant=grant_1", "undoes=dec_0", "approval=appr_7&tool=web_get&effect=allow"])(
    "decisions under an approval or a grant, or that undo another: by %s",
    async (query) => {
      const { body } = await get(`/decisions?${query}`, { tenant: "other" });
      expect(body).toMatchObject({ first_id: released.id, last_id: released.id, data: [acted] });
      expect((await get(`/decisions?${query}`)).body).toMatchObject({ data: [] });
    },
  );

  test.each([
    "effect=deny",
    "tool=rm",
    "reason=rate_limited",
    `to=${at + 1}`,
    "from=2026-10-01&to=2026-10-01T12:00:00.001Z",
    "from=2026-10-01T14:00:00%2B02:00&to=2026-10-01T12:00:00.001Z",
    `turn=${turn.id}&user=ada&session=s1&effect=deny`,
  ])("decisions by %s", async (query) => {
    expect((await get(`/decisions?${query}`)).body).toMatchObject({ first_id: denied.id, last_id: denied.id });
  });

  test("how managed calls ended, and what came of them; never what they answered", async () => {
    const { status, body } = await get("/runs");
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: "list", first_id: run.id, last_id: run.id, has_more: false });
    expect(body.data).toEqual([
      {
        object: "audit.run",
        id: run.id,
        ...lost,
        tenant: "acme",
        user: "ada",
        session: "s1",
        at: "2026-10-01T12:00:00.004Z",
        ended_at: "2026-10-01T12:00:00.034Z",
        tool: "find_customer",
        call_id: "call_1",
        executor: "mcp",
        target: "crm.example.com",
        detail: null,
        ms: 28,
        bytes: 512,
        cut: false,
        trusted: false,
        suspicious: ["prompt_injection"],
        http_status: null,
        attempts: 1,
        policy: "digest-1",
        seq: 6,
        previous: chain[5]?.previous,
        hash: chain[5]?.hash,
        key_id: "k1",
      },
    ]);
  });

  test.each([
    "tool=find_customer&status=unknown",
    "executor=mcp",
    "turn=turn_later&session=s1&user=ada",
    `decision=${allowed.id}&from=${at + 4}&to=${at + 5}`,
  ])("runs by %s", async (query) => {
    expect((await get(`/runs?${query}`)).body).toMatchObject({ first_id: run.id, last_id: run.id });
    expect((await get(`/runs?${query}`, { tenant: "other" })).body).toMatchObject({ data: [] });
  });

  test.each([
    "tool=x",
    "status=succeeded",
    "executor=http",
    "turn=t",
    "session=t",
    "user=t",
    "decision=t",
    `to=${at + 4}`,
  ])("no runs by %s", async (query) => {
    expect((await get(`/runs?${query}`)).body).toMatchObject({ data: [] });
  });

  test("what happened to plans, and the turn and the decisions that are theirs", async () => {
    const of = async (path: string) => (await get(path, { tenant: "planned" })).body;
    const plans = await of("/plans");
    expect(plans).toMatchObject({ object: "list", first_id: failed.id, last_id: made.id, has_more: false });
    expect((plans.data as unknown[])[0]).toEqual({
      object: "audit.plan",
      id: failed.id,
      plan: "plan_1",
      ...broke,
      tenant: "planned",
      user: "ada",
      session: "s_plan",
      at: "2026-10-01T12:00:00.002Z",
      role: "user",
      tools: ["find_customer", "create_note"],
      digest: null,
      via: null,
      by: null,
      model: "demo",
      model_calls: 1,
      usage: { total_tokens: 300 },
      policy: "digest-1",
      seq: 5,
      previous: planned[4]?.previous,
      hash: planned[4]?.hash,
      key_id: "k1",
    });
    for (const query of [
      "event=failed",
      "status=failed&user=ada",
      `turn=${planTurn.id}`,
      `plan=plan_1&from=${at + 1}`,
      "session=s_plan&event=failed",
    ]) {
      expect(await of(`/plans?${query}`), query).toMatchObject({ first_id: failed.id, last_id: failed.id });
      expect((await get(`/plans?${query}`)).body).toMatchObject({ data: [] });
    }
    for (const query of ["plan=plan_2", "event=approved", "status=ready&event=failed", "user=bob"]) {
      expect(await of(`/plans?${query}`), query).toMatchObject({ data: [] });
    }
    for (const query of ["plan=plan_1", "arm=system_first"]) {
      expect(await of(`/turns?${query}`)).toMatchObject({
        data: [{ id: planTurn.id, arm: "system_first", system_first: tried.systemFirst, plan: "plan_1" }],
      });
    }
    expect(await of("/turns?arm=llm_first")).toMatchObject({ data: [] });
    for (const query of ["plan=plan_1", "made_by=plan"]) {
      expect(await of(`/decisions?${query}`)).toMatchObject({
        data: [{ id: stepCall.id, made_by: "plan", plan: "plan_1", plan_step: "one" }],
      });
    }
    expect(await of("/decisions?made_by=system")).toMatchObject({ data: [{ id: ownCall.id, made_by: "system" }] });
    expect(await of(`/turns/${planTurn.id}`)).toMatchObject({
      turn: { id: planTurn.id },
      decisions: [{ id: stepCall.id }],
      plans: [{ object: "audit.plan", id: failed.id, fault: { code: "tool_failed", step: "one" } }],
    });
  });

  test("all that a turn has in the trail: its decisions, in order, each with its run", async () => {
    const { status, body } = await get(`/turns/${turn.id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: "audit.trail",
      id: turn.id,
      turn: { object: "audit.turn", id: turn.id, seq: 1 },
      decisions: [
        { object: "audit.decision", id: denied.id, reasons: [{ window_ms: 60_000 }], run: null },
        { id: allowed.id, hash: chain[2]?.hash, run: { object: "audit.run", id: run.id, status: "unknown", seq: 6 } },
      ],
      approvals: [{ id: asked.id }, { id: approved.id }],
      plans: [],
      has_more: false,
    });
    const [one, two] = [await get("/turns/turn_x"), await get(`/turns/${turn.id}`, { tenant: "other" })];
    for (const none of [one, two])
      expect([none.status, none.body]).toMatchObject([404, { error: { code: "not_found" } }]);
  });

  test("the trail of a turn that has not ended yet, or has more than is told at once", async () => {
    const decisions = Array.from({ length: 201 }, (_, n) =>
      decisionRecord({ tenant: "long", turn: "turn_l", ordinal: n }),
    );
    await deliverRecords(store.db, chainOf(decisions));
    const { body } = await get("/turns/turn_l", { tenant: "long" });
    expect(body).toMatchObject({ turn: null, has_more: true, approvals: [] });
    expect((body.decisions as { ordinal: number }[]).map(({ ordinal }) => ordinal)).toEqual(
      Array.from({ length: 200 }, (_, n) => n),
    );
  });

  test("an empty list", async () => {
    expect((await get("/turns?user=nobody")).body).toEqual({
      object: "list",
      data: [],
      first_id: null,
      last_id: null,
      has_more: false,
    });
  });
});

describe("records put where no chain holds one", () => {
  test("are in no list, trail or inbox", async () => {
    const tenant = "forged";
    const turn = turnRecord({ tenant });
    const decision = decisionRecord({
      tenant,
      turn: turn.id,
      disposition: "run",
      reasons: [{ code: "auth_required", tool: "t" }],
    });
    const approval = approvalRecord({ tenant, approval: "appr_f", turn: turn.id });
    const run = runRecord({ tenant, turn: turn.id, decision: decision.id });
    const chain = chainOf([turn, decision, approval, run]);
    await deliverRecords(
      store.db,
      chain.map((sealed) => ({ ...sealed, seq: sealed.seq - 4 })),
    );
    for (const list of ["turns", "decisions", "decisions?reason=auth_required", "approvals", "runs"])
      expect((await get(`/${list}`, { tenant })).body).toMatchObject({ data: [] });
    expect((await get(`/turns/${turn.id}`, { tenant })).status).toBe(404);
    const index = approvalIndex(askOf(store.db));
    expect(await index.list(tenant, { now: 0, limit: 10 })).toMatchObject({ value: { data: [] } });
    expect(await index.find(tenant, "appr_f", 0)).toBeUndefined();
  });
});

describe("who may read", () => {
  test("admins, of their own tenant", async () => {
    expect((await get("/turns", { tenant: "other" })).body).toMatchObject({ data: [] });
    expect((await get(`/decisions?turn=${turn.id}`, { tenant: "other" })).body).toMatchObject({ data: [] });
    expect((await get("/approvals?approval=appr_7", { tenant: "other" })).body).toMatchObject({ data: [] });
  });

  test.each(["/turns", "/turns/turn_1", "/decisions", "/approvals", "/runs", "/plans"])(
    "nobody else reads %s",
    async (path) => {
      const { status, body } = await get(path, { role: "premium" });
      expect([status, body]).toMatchObject([403, { error: { type: "permission_error", code: "admin_required" } }]);
    },
  );
});

test.each([
  ["/turns?limit=0", "limit", "1 to 100"],
  ["/turns?limit=101", "limit", "1 to 100"],
  ["/turns?limit=1e1", "limit", "1 to 100"],
  ["/turns?order=newest", "order", "`asc` or `desc`"],
  ["/decisions?effect=block", "effect", "`allow`, `confirm` or `deny`"],
  ["/turns?from=yesterday", "from", "ISO 8601"],
  ["/turns?to=2026-13-01", "to", "ISO 8601"],
  ["/turns?user=", "user", "1 to 256"],
  ["/turns?user=a&user=b", "user", "once"],
  ["/turns?effect=deny", "effect", "accepted are"],
  ["/decisions?stop_reason=completed", "stop_reason", "accepted are"],
  ["/decisions?__proto__=x", "__proto__", "accepted are"],
  ["/approvals?event=answered", "event", "`asked`, `approved`, `edited`, `denied`, `expired` or `cancelled`"],
  ["/approvals?effect=deny", "effect", "accepted are"],
  ["/runs?status=started", "status", "`succeeded`, `failed`, `unknown` or `not_started`"],
  ["/runs?executor=shell", "executor", "`http`, `mcp` or `builtin`"],
  ["/runs?effect=deny", "effect", "accepted are"],
  ["/plans?event=made", "event", "`generated`, `planning_error`, `approved`"],
  ["/plans?status=asked", "status", "`empty`, `ready`, `running`, `paused`, `failed`, `finished` or `cancelled`"],
  ["/turns?arm=both", "arm", "`llm_first` or `system_first`"],
  ["/decisions?made_by=model", "made_by", "`system` or `plan`"],
  ["/turns/turn_1?user=ada", "user", "accepted are tenant"],
  ["/approvals?after=appr_7", "after", "in this list"],
  ["/turns?after=turn_unknown", "after", "in this list"],
])("%s is refused, with what is accepted", async (path, param, accepted) => {
  const { status, body } = await get(path);
  expect(status).toBe(400);
  expect(body).toMatchObject({
    error: { type: "invalid_request_error", param, message: expect.stringContaining(accepted) },
  });
});
