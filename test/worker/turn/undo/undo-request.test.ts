import { describe, expect, it } from "vitest";
import { runInGuard } from "../../support/run-in-guard.ts";
import { result, says, user } from "../../support/script.ts";
import { list, made, noted, ok, policy, type Told, tools, undo } from "./undo.ts";

const fn = (body: Told) => (body.tool_call as { function: { name: string; arguments: string } }).function;

describe("GET /v1/calls", () => {
  it("tells a user's own calls, the newest first, and whether each can be undone", async () => {
    const { gate, made: id } = await noted();
    const call = {
      object: "call",
      id,
      call_id: "a",
      session_id: "s",
      tool: "create_note",
      arguments: { title: "T", content: "[redacted]" },
      outcome: "succeeded",
      undoes: null,
      undo: { tool: "delete_note", available: true, why_not: null, undone_by: null },
    };
    expect(await list(gate)).toMatchObject({ object: "list", data: [call], has_more: false, first_id: id });
    expect(await (await gate.fetch(`/v1/calls/${id}`)).json()).toMatchObject(call);
    expect(JSON.stringify(await list(gate))).not.toContain("private");
    const [decision] = await gate.decisions("&tool=create_note");
    expect(decision?.id).toBe(id);
  });

  it("tells nobody another's", async () => {
    const { gate, made: id } = await noted();
    const key = await gate.keyFor("bob", "admin");
    expect(await (await gate.fetch("/v1/calls", { key })).json()).toMatchObject({ data: [] });
    expect((await gate.fetch(`/v1/calls/${id}`, { key })).status).toBe(404);
    expect((await gate.fetch(`/v1/calls/${id}/undo`, { key, method: "POST" })).status).toBe(404);
    expect((await undo(gate, id)).status).toBe(200);
  });

  it("refuses a cursor that is no call's, and parameters that it does not know", async () => {
    const { gate } = await noted();
    expect((await gate.fetch("/v1/calls?after=dec_none")).status).toBe(400);
    expect((await gate.fetch("/v1/calls?outcome=failed")).status).toBe(400);
  });
});

describe("POST /v1/calls/:id/undo", () => {
  it("hands the call that undoes to the client, under the rules and without a model, and the audit joins them", async () => {
    const { gate, made: id, history } = await noted();
    const asked = gate.sent.length;
    const { status, body } = await undo(gate, id);
    expect([status, body.object, body.undoes, gate.sent.length]).toEqual([200, "undo", id, asked]);
    expect(fn(body)).toEqual({ name: "delete_note", arguments: '{"note_id":"n1"}' });
    const [joined] = await gate.decisions(`&undoes=${id}`);
    expect(joined).toMatchObject({
      id: body.id,
      tool: "delete_note",
      effect: "allow",
      disposition: "released",
      undoes: id,
    });
    expect((await gate.turns()).at(-1)).toMatchObject({ stop_reason: "completed", steps: 0, model: null });
    const [undone, before] = (await list(gate)).data;
    expect(undone).toMatchObject({ id: body.id, tool: "delete_note", outcome: null, undoes: id });
    expect(before).toMatchObject({ id, undo: { available: false, undone_by: body.id } });
    // How it ended comes back with a later request of the session.
    const toolCall = body.tool_call as { id: string };
    history.push({ role: "assistant", content: null, tool_calls: [body.tool_call] }, result(toolCall.id, "deleted"));
    await gate.chat({ messages: history, tools }, { "x-toolgate-session": "s" });
    await gate.settle();
    expect((await list(gate)).data[0]).toMatchObject({ id: body.id, outcome: "succeeded" });
  });

  it("leaves the session as it is: its intent, its task, and what the client says of its tools", async () => {
    const { gate, made: id, say } = await noted({}, made, [says({ calls: [] }), ok]);
    const before = await (await gate.fetch("/v1/sessions/s")).json();
    await undo(gate, id);
    const {
      last_seen_at: _,
      pending_calls: __,
      ...after
    } = (await (await gate.fetch("/v1/sessions/s")).json()) as Told;
    expect(before).toMatchObject(after);
    const next = await say(user("and note another"));
    expect(next.note.withheld).not.toContainEqual({ name: "delete_note", reasons: ["definition_changed"] });
  });

  it("undoes once: a second request is told by whom, and the same one gets the same answer", async () => {
    const { gate, made: id } = await noted();
    const key = { "idempotency-key": "k1" };
    const first = await undo(gate, id, key);
    expect(await undo(gate, id, key)).toEqual(first);
    const others = [await undo(gate, id), await undo(gate, id, { "idempotency-key": "k2" })];
    for (const { status, body } of others) {
      expect([status, body.error?.code]).toEqual([409, "already_undone"]);
      expect(body.error?.message).toContain(String(first.body.id));
    }
    expect(await gate.decisions("&tool=delete_note")).toHaveLength(1);
  });

  it("undoes once from many windows at the same time", async () => {
    const { gate, made: id } = await noted();
    const answers = await Promise.all(Array.from({ length: 20 }, () => undo(gate, id)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(19).fill(409)]);
    const released = (await gate.decisions("&tool=delete_note")).filter(
      ({ disposition }) => disposition === "released",
    );
    expect(released).toHaveLength(1);
    const same = { "idempotency-key": "k" };
    const other = await noted();
    const again = await Promise.all(Array.from({ length: 20 }, () => undo(other.gate, other.made, same)));
    expect(new Set(again.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(again[0]?.status).toBe(200);
  });

  it("may be tried again where it failed", async () => {
    const { gate, made: id, history } = await noted();
    const { body } = await undo(gate, id);
    const toolCall = body.tool_call as { id: string };
    history.push(
      { role: "assistant", content: null, tool_calls: [body.tool_call] },
      result(toolCall.id, '{"error":"locked"}'),
    );
    await gate.chat({ messages: history, tools }, { "x-toolgate-session": "s" });
    await gate.settle();
    expect((await undo(gate, id)).status).toBe(200);
  });

  const refusals: readonly (readonly [string, Told | undefined, Told | undefined, string])[] = [
    ["a role", { confirm: "auto", roles: ["admin"] }, undefined, "role_forbids"],
    ["a connection", { confirm: "auto", connection: "crm" }, undefined, "connection_missing"],
    [
      "the schema",
      { confirm: "auto" },
      { undo: { tool: "delete_note", arguments: { id: "{{result.note_id}}" } } },
      "arguments_invalid",
    ],
  ];
  it.each(refusals)("is refused by %s as any call is, and is recorded", async (_, deleting, creating, code) => {
    const { gate, made: id } = await noted({ policy: policy(deleting, creating) });
    const { status, body } = await undo(gate, id);
    expect([status, body.error?.code, body.error?.reasons?.map((reason) => reason.code)]).toEqual([
      403,
      "tool_policy_blocked",
      [code],
    ]);
    expect(await gate.decisions(`&undoes=${id}`)).toMatchObject([{ effect: "deny", disposition: "refused" }]);
    expect((await list(gate)).data[0]).toMatchObject({ undo: { undone_by: null } });
  });

  it("is refused by the session's mode, and by a limit that is spent", async () => {
    const { gate, made: id } = await noted();
    await gate.fetch("/v1/sessions/s", { method: "PATCH", json: { mode: "quiet" } });
    expect((await undo(gate, id)).body.error?.reasons).toMatchObject([{ code: "mode_forbids" }]);
    const limited = await noted({ policy: policy({ confirm: "auto", rateLimits: [{ max: 0, window: "1h" }] }) });
    const { status, body } = await undo(limited.gate, limited.made);
    expect([status, body.error?.code]).toEqual([429, "rate_limited"]);
  });

  const not: readonly (readonly [string, unknown, Told | undefined, string])[] = [
    ["no result came", null, undefined, "has not come back"],
    ["it failed", '{"error":"full"}', undefined, "it failed"],
    ["the result does not say what to undo", '{"id":1}', undefined, "`note_id`"],
    [
      "a template finds nothing",
      made,
      { undo: { tool: "delete_note", arguments: { note_id: "{{result.id}}" } } },
      "`result.id`",
    ],
    ["the policy names no undo", made, { undo: undefined }, "names no undo"],
  ];
  it.each(not)("is none where %s", async (_, brought, creating, why) => {
    const { gate, made: id } = await noted({ policy: policy(undefined, creating) }, brought);
    const { status, body } = await undo(gate, id);
    expect([status, body.error?.code]).toEqual([409, "not_undoable"]);
    expect(body.error?.message).toContain(why);
    expect(body.error?.message.match(/`create_note`/g)).toHaveLength(1);
  });

  it("is none where nothing is found of what the undo tool may be told", async () => {
    const parameters = { type: "object", properties: { note_id: { type: "string" } } };
    const { gate, made: id } = await noted({ policy: policy({ confirm: "auto", parameters }) }, '{"ok":true}');
    const { status, body } = await undo(gate, id);
    expect([status, body.error?.code]).toEqual([409, "not_undoable"]);
    expect(body.error?.message).toBe("neither the result nor the arguments of `create_note` have `note_id`");
  });

  it("knows no call that there is not", async () => {
    const { gate } = await noted();
    expect((await undo(gate, "dec_none")).status).toBe(404);
    expect((await undo(gate, "dec_none", { "idempotency-key": "x".repeat(257) })).status).toBe(400);
  });

  it("works after the session has idled out, and not after the user has deleted it", async () => {
    const { gate, made: id } = await noted();
    await runInGuard(gate.stub, async (instance, { storage }) => {
      storage.sql.exec("UPDATE sessions SET seen = 0");
      await instance.alarm();
    });
    expect((await gate.fetch("/v1/sessions/s")).status).toBe(404);
    expect((await undo(gate, id)).status).toBe(200);
    const other = await noted();
    await other.gate.fetch("/v1/sessions/s", { method: "DELETE" });
    expect((await undo(other.gate, other.made)).status).toBe(404);
  });
});

describe("an undo that needs a person", () => {
  const asking = { policy: policy({}) };
  const answer = (gate: Awaited<ReturnType<typeof noted>>["gate"], id: unknown, action: string) =>
    gate.guard.approvals.answer(String(id), { action: action as "approve", via: "api", by: "ada", reason: null });

  it("waits for the answer, is asked about once, and is released by the same request after it", async () => {
    const { gate, made: id } = await noted(asking);
    const first = await undo(gate, id);
    expect([first.status, first.body.object, first.body.status]).toEqual([202, "approval", "pending"]);
    expect(first.body).toMatchObject({
      tool: "delete_note",
      undoes: id,
      editable: false,
      arguments: { note_id: "n1" },
    });
    expect((await undo(gate, id)).body.id).toBe(first.body.id);
    await answer(gate, first.body.id, "approve");
    const { status, body } = await undo(gate, id, { "idempotency-key": "k" });
    expect([status, fn(body)]).toEqual([200, { name: "delete_note", arguments: '{"note_id":"n1"}' }]);
    expect(await undo(gate, id, { "idempotency-key": "k" })).toEqual({ status, body });
    expect((await undo(gate, id)).status).toBe(409);
    expect(await gate.decisions(`&undoes=${id}`)).toMatchObject([
      { effect: "confirm", disposition: "asked", approval: first.body.id },
      { effect: "allow", disposition: "released", approval: first.body.id },
    ]);
  });

  it("that is refused undoes nothing, and may be asked for again", async () => {
    const { gate, made: id } = await noted(asking);
    const first = await undo(gate, id);
    await answer(gate, first.body.id, "deny");
    const { status, body } = await undo(gate, id);
    expect([status, body.error?.reasons?.map(({ code }) => code)]).toEqual([403, ["approval_denied"]]);
    const next = await undo(gate, id);
    expect([next.status, next.body.id === first.body.id]).toEqual([202, false]);
  });

  it("is not released into the chat of its session", async () => {
    const { gate, made: id, say } = await noted(asking, made, [ok]);
    const first = await undo(gate, id);
    await answer(gate, first.body.id, "approve");
    const { calls } = await say(result("none", "nothing"));
    expect(calls).toEqual([]);
    expect((await undo(gate, id)).status).toBe(200);
  });
});
