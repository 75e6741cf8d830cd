import { describe, expect, it } from "vitest";
import type { Approval } from "../../../../src/approvals/approval.ts";
import { call, result, says, user } from "../../support/script.ts";
import { handshake, list, made, noted, ok, policy, type Told } from "./undo.ts";

const undoes = user("/toolgate undo");
const told = (name: string, args: unknown) => ({ name, arguments: JSON.stringify(args) });
const named = (calls: readonly { name: string; arguments: string }[]) =>
  calls.map(({ name, arguments: args }) => ({ name, arguments: args }));

describe("`/toolgate undo`", () => {
  it("releases the call that undoes the last one, with no call of the model, and goes on with its result", async () => {
    const { gate, say, made: id } = await noted({}, made, [ok]);
    const before = gate.sent.length;
    const undone = await say(undoes);
    expect(named(undone.calls)).toEqual([told("delete_note", { note_id: "n1" })]);
    expect([undone.finish, undone.note.stop_reason, gate.sent.length]).toEqual(["tool_calls", "completed", before]);
    await say(result(undone.calls[0]?.id ?? "", "deleted"));
    expect(gate.sent.length).toBe(before + 1);
    const [last, first] = (await list(gate)).data;
    expect(last).toMatchObject({ tool: "delete_note", outcome: "succeeded", undoes: id });
    expect(first).toMatchObject({ id, undo: { undone_by: last?.id } });
    expect(await gate.decisions(`&undoes=${id}`)).toMatchObject([{ disposition: "released" }]);
  });

  it("said again finds nothing more, and sent again gets the same call", async () => {
    const { gate, say, history } = await noted();
    const first = await say(undoes);
    history.pop();
    history.pop();
    const again = await say(undoes);
    expect(again.calls).toEqual(first.calls);
    await say(result(first.calls[0]?.id ?? "", "deleted"));
    const last = await say(undoes);
    expect([last.calls, last.text]).toEqual([[], "Toolgate: there is nothing here to undo."]);
    expect((await gate.decisions("&tool=delete_note")).length).toBe(1);
  });

  it("asks where the policy asks, and `yes` releases it", async () => {
    const { gate, say, made: id } = await noted({ policy: policy({}) });
    const before = gate.sent.length;
    const asked = await say(undoes);
    expect([asked.calls, asked.note.stop_reason]).toEqual([[], "awaiting_approval"]);
    expect(asked.text).toMatch(
      /^\*\*Undo `create_note` \(title `T`\)\?\*\* ⟦\w+⟧\n\nThis uses `delete_note`\.\n\n- note_id: `n1`\n/,
    );
    expect(asked.text).not.toMatch(/always|cannot be undone|changes something/);
    const [approval] = (asked.note as unknown as { approvals: Told[] }).approvals;
    expect(approval).toMatchObject({ tool: "delete_note", undoes: id, editable: false, channel: "inline" });
    const yes = await say(user(`yes ${approval?.code}`));
    expect(named(yes.calls)).toEqual([told("delete_note", { note_id: "n1" })]);
    expect(gate.sent.length).toBe(before);
    expect((await list(gate)).data[1]).toMatchObject({ id, undo: { available: false } });
    expect(await gate.decisions(`&undoes=${id}`)).toMatchObject([
      { disposition: "asked" },
      { disposition: "released" },
    ]);
  });

  it("asks what a result chose to take back, where the tool asks about what nobody named; `auto` runs", async () => {
    const other = '{"note_id":"someone-elses-note"}';
    const asked = await (await noted({ policy: policy({ confirm: "ungrounded" }) }, other)).say(undoes);
    expect([asked.calls, asked.note.stop_reason]).toEqual([[], "awaiting_approval"]);
    expect(asked.note.decisions.at(-1)?.reasons.map(({ code }) => code)).toContain("argument_untrusted");
    const auto = await (await noted({}, other)).say(undoes);
    expect(named(auto.calls)).toEqual([told("delete_note", { note_id: "someone-elses-note" })]);
  });

  it("runs what takes back an argument of the call itself", async () => {
    const own = { undo: { tool: "delete_note", arguments: { note_id: "{{arguments.title}}" } } };
    const { say } = await noted({ policy: policy({ confirm: "ungrounded" }, own) });
    expect(named((await say(undoes)).calls)).toEqual([told("delete_note", { note_id: "T" })]);
  });

  it("asks in the language that the person spoke before", async () => {
    const { say, history } = await noted({ policy: policy({}) });
    history[0] = user("ノートを作って");
    expect((await say(undoes)).text).toMatch(/^\*\*`create_note`（title `T`） を元に戻しますか？\*\* ⟦/);
  });

  it.each(["pending", "approved"])(
    "leaves a call that waits (%s) as it is, and repeats its question first",
    async (is) => {
      const asks = policy({ confirm: "auto" }, {});
      const asking = { ...asks, tools: { ...asks.tools, search: { category: "modification", confirm: "ask" } } };
      const settings = {
        ...asking,
        intents: { NOTE: { description: "take a note", tools: ["create_note", "search"] } },
      };
      const searches = says({ calls: [call("s1", "search", {})] });
      const { gate, say } = await noted({ policy: settings }, made, [handshake, searches, ok]);
      const asked = await say(user("and search"));
      const [open] = (asked.note as unknown as { approvals: Told[] }).approvals;
      const elsewhere = { action: "approve", via: "api", by: "ada", reason: null } as const;
      if (is === "approved") await gate.guard.approvals.answer(String(open?.id), elsewhere);
      const before = gate.sent.length;
      for (let time = 0; time < 2; time++) {
        const held = await say(undoes);
        expect([held.calls, held.note.stop_reason, gate.sent.length]).toEqual([[], "awaiting_approval", before]);
        expect(held.text).toMatch(/^Toolgate: nothing is undone yet, the open question comes first/);
        expect(held.text).toContain(String(open?.code));
      }
      expect((await say(user(`yes ${open?.code}`))).calls).toMatchObject([{ id: "s1", name: "search" }]);
      await say(result("s1", "found"));
      expect(named((await say(undoes)).calls)).toEqual([told("delete_note", { note_id: "n1" })]);
    },
  );

  it("waits where the reply is held, and goes out in it once somebody has said yes", async () => {
    const held = { ...policy({}), confirmation: { channel: "hold" } };
    for (const [action, released, stop] of [
      ["approve", 1, "completed"],
      ["deny", 0, "tool_policy_blocked"],
    ] as const) {
      const { gate, say } = await noted({ policy: held });
      const saying = say(undoes);
      let waiting: readonly Approval[] = [];
      const approvals = gate.guard.approvals;
      for (let version = 0; waiting.length === 0; ) {
        const changes = await approvals.changes(version, 5_000);
        ({ version } = changes);
        waiting = changes.data;
      }
      await approvals.answer(waiting[0]?.id ?? "", { action, via: "api", by: "ada", reason: null });
      const { calls, note } = await saying;
      expect([calls.length, note.stop_reason]).toEqual([released, stop]);
    }
  });

  it("says why where the rules refuse it, and where the client brings no such tool", async () => {
    const { say } = await noted({ policy: policy({ confirm: "auto", roles: ["admin"] }) });
    const refused = await say(undoes);
    expect([refused.calls, refused.note.stop_reason]).toEqual([[], "tool_policy_blocked"]);
    expect(refused.text).toContain("`create_note` is not undone: the role `user` may not use `delete_note`");
    const failed = await noted({}, '{"error":"full"}');
    expect((await failed.say(undoes)).text).toContain("`create_note` cannot be undone: it failed");
  });

  it("keeps the intent of what was done, and is no message to detect in", async () => {
    const { say } = await noted({}, made, [says({ text: "done" })]);
    const undone = await say(undoes);
    expect(undone.note.intent).toBe("NOTE");
  });
});
