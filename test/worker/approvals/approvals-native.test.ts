import { describe, expect, it } from "vitest";
import type { Gateway } from "../support/gateway.ts";
import { type Answer, ask, outlineOf, result, says, user } from "../support/script.ts";
import { type AskedView, asked, asking, done, edits, hi, reasonsOf, says1, session, tools } from "./approvals.ts";

const native = { ...session, "x-toolgate-approvals": "native" };
const base = { messages: [hi], tools };
const answers = (...approvals: unknown[]) => ({ ...base, toolgate: { approvals } });
const idIn = (answer: Answer, index = 0): string => (asked(answer)[index] as AskedView).id;
const two = says1(edits("c1"), edits("c2", { title: "Husserl" }));

/** As `POST /v1/approvals/:id` gives it. */
const answerElsewhere = (gate: Gateway, id: string, action: "approve" | "deny") =>
  gate.guard.approvals.answer(id, { action, via: "api", by: "ada", reason: null });

describe("a client that knows approvals", () => {
  for (const stream of [true, false]) {
    it(`gets them as data, without a question in the text (stream ${stream})`, async () => {
      const gate = await asking([says1(edits())]);
      const first = await ask(gate, { ...base, stream }, native);
      expect([first.text, first.finish, first.note.stop_reason]).toEqual([
        "Let me do that.",
        "stop",
        "awaiting_approval",
      ]);
      expect(asked(first)).toMatchObject([{ tool: "edit_note", status: "pending", channel: "native" }]);
      const silent = await asking([says({ calls: [edits()] })]);
      const empty = await ask(silent, { ...base, stream }, native);
      expect([empty.text, empty.refusal, asked(empty).length]).toEqual(["", "", 1]);
    });

    it(`approves in the next request, which the upstream does not hear of (stream ${stream})`, async () => {
      const gate = await asking([says1(edits()), done]);
      const first = await ask(gate, { ...base, stream }, native);
      const body = { ...answers({ id: idIn(first), action: "approve" }), stream };
      const yes = await ask(gate, body, native);
      expect(yes.calls).toMatchObject([{ id: "c1", name: "edit_note" }]);
      expect([gate.sent.length, asked(yes)]).toEqual([1, []]);
      const again = await ask(gate, body, native);
      expect([again.calls, gate.sent.length]).toEqual([yes.calls, 1]);
      const went = await ask(gate, { ...base, messages: [hi, yes.message, result("c1")], stream }, native);
      expect([went.text, gate.sent.length, "toolgate" in (gate.sent[1] ?? {})]).toEqual(["Done.", 2, false]);
    });
  }

  it("denies with a reason, which the model is told; the same again tells it again", async () => {
    const gate = await asking([says1(edits()), done]);
    const first = await ask(gate, base, native);
    const body = answers({ id: idIn(first), action: "deny", reason: "too long" });
    const no = await ask(gate, body, native);
    expect([no.text, reasonsOf(no)]).toEqual(["Done.", [["approval_denied"]]]);
    expect(outlineOf(gate.sent[1])).toEqual(["user", "assistant(c1)", "tool(c1)"]);
    expect(JSON.stringify(gate.sent[1])).toContain("too long");
    expect("toolgate" in (gate.sent[1] ?? {})).toBe(false);
    const again = await ask(gate, body, native);
    expect([again.status, outlineOf(gate.sent[2])]).toEqual([200, outlineOf(gate.sent[1])]);
  });

  it("edits: what the schema refuses is a 400, and nothing has happened", async () => {
    const gate = await asking([says1(edits())]);
    const first = await ask(gate, base, native);
    const edit = (changes: object) => ask(gate, answers({ id: idIn(first), action: "edit", ...changes }), native);
    // What looks like an attack was not asked about, whoever wrote it into the form.
    const attack = await edit({ arguments: { title: "../../../etc/passwd" } });
    expect([attack.status, attack.error?.code]).toEqual([400, "approval_edit_invalid"]);
    const wrong = await edit({ arguments: { count: "many" } });
    expect([wrong.status, wrong.error?.code, wrong.error?.param]).toEqual([
      400,
      "approval_edit_invalid",
      "toolgate.approvals[0]",
    ]);
    const right = await edit({ arguments: { title: "Ricoeur" }, unset: ["private"] });
    // What the schema fills in is filled in, as for a call that nobody edits.
    expect(right.calls).toMatchObject([{ arguments: '{"title":"Ricoeur","private":true}' }]);
    expect(gate.sent.length).toBe(1);
  });

  it("edits and grants: what is granted is the call that runs, not the one that was asked about", async () => {
    const gate = await asking([says1(edits())]);
    const id = idIn(await ask(gate, base, native));
    const edit = (equals: string) => ({
      id,
      action: "edit",
      arguments: { title: "Ricoeur" },
      grant: { until: "session", arguments: { title: { equals } } },
    });
    const wrong = await ask(gate, answers(edit("Gadamer")), native);
    expect([wrong.status, wrong.error?.code]).toEqual([400, "approval_grant_invalid"]);
    const right = await ask(gate, answers(edit("Ricoeur")), native);
    expect(right.calls).toMatchObject([{ arguments: '{"title":"Ricoeur","private":true}' }]);
  });

  it("answers one of two: the other waits on", async () => {
    const gate = await asking([two, done]);
    const first = await ask(gate, base, native);
    const one = await ask(gate, answers({ id: idIn(first, 1), action: "deny" }), native);
    expect([one.note.stop_reason, asked(one).map(({ call_id: id }) => id)]).toEqual(["awaiting_approval", ["c1"]]);
    const other = await ask(gate, answers({ id: idIn(first, 0), action: "approve" }), native);
    expect(other.calls).toMatchObject([{ id: "c1" }]);
    await ask(gate, { ...base, messages: [hi, other.message, result("c1")] }, native);
    expect(outlineOf(gate.sent[1])).toEqual(["user", "assistant(c2)", "tool(c2)", "assistant(c1)", "tool(c1)"]);
  });

  it("collects what was answered elsewhere, by the id alone or by asking again", async () => {
    for (const action of ["approve", "deny"] as const) {
      for (const body of [(id: string) => answers({ id }), () => base]) {
        const gate = await asking([says1(edits()), done]);
        const first = await ask(gate, base, native);
        const waits = await ask(gate, body(idIn(first)), native);
        expect([waits.note.stop_reason, idIn(waits), gate.sent.length]).toEqual(["awaiting_approval", idIn(first), 1]);
        await answerElsewhere(gate, idIn(first), action);
        const collected = await ask(gate, body(idIn(first)), native);
        expect(collected.calls.length).toBe(action === "approve" ? 1 : 0);
        expect(gate.sent.length).toBe(action === "approve" ? 1 : 2);
      }
    }
  });

  it("contradicts nothing that was decided elsewhere", async () => {
    const gate = await asking([says1(edits())]);
    const first = await ask(gate, base, native);
    await answerElsewhere(gate, idIn(first), "approve");
    const late = await ask(gate, answers({ id: idIn(first), action: "deny" }), native);
    expect([late.status, late.error?.code]).toEqual([409, "approval_settled"]);
  });

  it("finds its session by the approval where it names none", async () => {
    const gate = await asking([says1(edits())]);
    const only = { "x-toolgate-approvals": "native" };
    const first = await ask(gate, base, only);
    const yes = await ask(gate, answers({ id: idIn(first), action: "approve" }), only);
    expect([yes.note.session_id, yes.calls.length]).toEqual([first.note.session_id, 1]);
  });

  it("names unknown approvals in vain: 400, and what waits is as it was", async () => {
    const gate = await asking([says1(edits())]);
    const first = await ask(gate, base, native);
    for (const id of ["appr_made_up", "x"]) {
      const refused = await ask(
        gate,
        answers({ id: idIn(first), action: "approve" }, { id, action: "approve" }),
        native,
      );
      expect([refused.status, refused.error?.code]).toEqual([400, "approval_unknown"]);
    }
    const elsewhere = { ...native, "x-toolgate-session": "other" };
    const other = await ask(gate, answers({ id: idIn(first), action: "approve" }), elsewhere);
    expect([other.status, other.error?.code]).toEqual([400, "approval_unknown"]);
    expect((await ask(gate, answers({ id: idIn(first), action: "approve" }), native)).calls.length).toBe(1);
    expect(gate.sent.length).toBe(1);
  });

  it("of another user knows nothing of it", async () => {
    const gate = await asking([says1(edits())]);
    const first = await ask(gate, base, native);
    const authorization = `Bearer ${await gate.keyFor("eve", "user")}`;
    const stolen = await ask(gate, answers({ id: idIn(first), action: "approve" }), { ...native, authorization });
    expect([stolen.status, stolen.error?.code]).toEqual([400, "approval_unknown"]);
  });

  it("gives a grant with its answer, and is then asked no more in that session", async () => {
    const gate = await asking([says1(edits())]);
    const first = await ask(gate, base, native);
    const refused = await ask(
      gate,
      answers({ id: idIn(first), action: "approve", grant: { until: "tomorrow" } }),
      native,
    );
    expect([refused.status, refused.error?.code]).toEqual([400, "approval_grant_invalid"]);
    await ask(gate, answers({ id: idIn(first), action: "approve", grant: { until: "session" } }), native);
    const more = { ...base, messages: [hi, user("and again, please")] };
    expect((await ask(gate, more, native)).calls.length).toBe(1);
    expect((await ask(gate, more, { ...native, "x-toolgate-session": "other" })).calls).toEqual([]);
  });

  it("gives a grant for the call as it edits it, not for the one that was asked about", async () => {
    for (const [title, status] of [
      ["Gadamer", 400],
      ["Ricoeur", 200],
    ] as const) {
      const gate = await asking([says1(edits())]);
      const id = idIn(await ask(gate, base, native));
      const grant = { until: "session", arguments: { title: { equals: title } } };
      const edit = { id, action: "edit", arguments: { title: "Ricoeur" }, grant };
      expect([title, (await ask(gate, answers(edit), native)).status]).toEqual([title, status]);
    }
  });

  it.each([true, false])("may ask in JSON mode (stream %s)", async (stream) => {
    const gate = await asking([says1(edits())]);
    const first = await ask(gate, { ...base, response_format: { type: "json_object" }, stream }, native);
    expect([first.note.stop_reason, first.refusal, asked(first).length]).toEqual(["awaiting_approval", "", 1]);
  });
});

describe.each([true, false])("a program that knows nothing of approvals, in JSON mode (stream %s)", (stream) => {
  const json = { ...base, response_format: { type: "json_object" }, stream };
  const edit = says({ calls: [edits()] });
  const answer = says({ text: '{"done":false}' });

  it.each([
    ["names no session", {}],
    ["names a session", session],
  ])("gets the model's own answer and the question as data, and after a yes the call (%s)", async (_, headers) => {
    const gate = await asking([edit, edit, answer, done]);
    const first = await ask(gate, json, headers);
    expect([first.text, first.note.stop_reason]).toEqual(['{"done":false}', "completed"]);
    // The model tries the same call twice: it is asked about once.
    expect(asked(first)).toMatchObject([{ tool: "edit_note", status: "pending", channel: "native" }]);
    expect(reasonsOf(first)).toEqual([["confirmation_required"], ["confirmation_required"]]);
    expect(outlineOf(gate.sent[2])).toEqual(["user", "assistant(c1)", "tool(c1)", "assistant(c1)", "tool(c1)"]);

    const early = await ask(gate, json, headers);
    expect([early.note.stop_reason, early.text, asked(early)]).toEqual(["awaiting_approval", "", asked(first)]);
    expect(early.refusal).toContain("send this request again");

    await answerElsewhere(gate, idIn(first), "approve");
    const again = await ask(gate, json, headers);
    expect(again.calls).toMatchObject([{ id: "c1", name: "edit_note" }]);
    expect(gate.sent).toHaveLength(3);
  });

  it("is told of a no by what the model makes of it", async () => {
    const gate = await asking([edit, answer, says({ text: '{"refused":true}' })]);
    const first = await ask(gate, json);
    await answerElsewhere(gate, idIn(first), "deny");
    expect([(await ask(gate, json)).text, outlineOf(gate.sent[2])]).toEqual([
      '{"refused":true}',
      ["user", "assistant(c1)", "tool(c1)"],
    ]);
  });

  it("goes on without the call, which is then cancelled", async () => {
    const gate = await asking([edit, answer]);
    const first = await ask(gate, json);
    await ask(gate, { ...json, messages: [hi, first.message, user("then do something else")] });
    const info = await gate.fetch(`/v1/approvals/${idIn(first)}`);
    expect(await info.json()).toMatchObject({ status: "cancelled" });
  });
});

describe("the channel", () => {
  it("is the policy's, or one that the policy permits the request", async () => {
    const gate = await asking([says1(edits())], { confirmation: { channel: "native", channels: ["inline"] } });
    expect(asked(await ask(gate, base, session))).toMatchObject([{ channel: "native" }]);
    const inline = { "x-toolgate-session": "t", "x-toolgate-approvals": "inline" };
    expect((await ask(gate, base, inline)).text).toContain("⟦");
    for (const wrong of ["hold", "mail", ""]) {
      const refused = await ask(gate, base, { ...inline, "x-toolgate-approvals": wrong });
      expect([refused.status, refused.error?.param]).toEqual([400, "x-toolgate-approvals"]);
    }
  });
});

describe("the body's field `toolgate`", () => {
  const wrong: readonly (readonly [unknown, string])[] = [
    ["yes", "toolgate"],
    [{ approval: [] }, "toolgate.approval"],
    [{ approvals: {} }, "toolgate.approvals"],
    [{ approvals: Array.from({ length: 51 }, (_, n) => ({ id: `a${n}` })) }, "toolgate.approvals"],
    [{ approvals: ["a"] }, "toolgate.approvals[0]"],
    [{ approvals: [{ id: "a" }, {}] }, "toolgate.approvals[1].id"],
    [{ approvals: [{ id: "a", action: "allow" }] }, "toolgate.approvals[0].action"],
    [{ approvals: [{ id: "a", actoin: "approve" }] }, "toolgate.approvals[0].actoin"],
    [{ approvals: [{ id: "a", action: "approve", arguments: {} }] }, "toolgate.approvals[0].arguments"],
    [{ approvals: [{ id: "a", action: "edit" }] }, "toolgate.approvals[0].arguments"],
    [{ approvals: [{ id: "a", action: "edit", unset: Array(201).fill("x") }] }, "toolgate.approvals[0].unset[0]"],
    [{ approvals: [{ id: "a", action: "deny", reason: " " }] }, "toolgate.approvals[0].reason"],
    [{ approvals: [{ id: "a", action: "deny", reason: "x".repeat(1001) }] }, "toolgate.approvals[0].reason"],
    [{ approvals: [{ id: "a", action: "edit", arguments: [] }] }, "toolgate.approvals[0].arguments"],
    [{ approvals: [{ id: "a", action: "edit", unset: [1] }] }, "toolgate.approvals[0].unset[0]"],
    [{ approvals: [{ id: "a", action: "deny", reason: 1 }] }, "toolgate.approvals[0].reason"],
    [{ approvals: [{ id: "a", action: "approve", reason: "x" }] }, "toolgate.approvals[0].reason"],
    [{ approvals: [{ id: "a", action: "deny", grant: {} }] }, "toolgate.approvals[0].grant"],
    [{ approvals: [{ id: "a" }, { id: "a" }] }, "toolgate.approvals[1].id"],
  ];
  it("is refused with the place where it is wrong", async () => {
    const gate = await asking([done]);
    for (const [toolgate, param] of wrong) {
      const { status, error } = await ask(gate, { ...base, toolgate });
      expect([status, error?.param]).toEqual([400, param]);
    }
    for (const toolgate of [null, {}, { approvals: [] }, { approvals: null }]) {
      expect((await ask(gate, { ...base, toolgate })).status).toBe(200);
    }
    expect(gate.sent.every((body) => !("toolgate" in body))).toBe(true);
  });
});
