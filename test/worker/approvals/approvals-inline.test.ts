import { describe, expect, it } from "vitest";
import { call, messagesOf, outlineOf, result, says } from "../support/script.ts";
import { asked, asking, chat, codeIn, done, edits, reasonsOf, says1 } from "./approvals.ts";

for (const stream of [true, false]) {
  describe(`a call that needs a person, asked about in the chat (stream ${stream})`, () => {
    it("ends the turn with the model's words and the question, and hands nothing over", async () => {
      const gate = await asking([says1(edits())]);
      const first = await chat(gate, { stream }).say("please change my note");
      expect([first.finish, first.note.stop_reason, first.calls]).toEqual(["stop", "awaiting_approval", []]);
      const [waiting] = asked(first);
      expect(waiting).toMatchObject({ tool: "edit_note", call_id: "c1", status: "pending", channel: "inline" });
      expect(waiting).toMatchObject({ asks: ["confirmation_required"], editable: true, grantable: true });
      // What the schema fills in is shown, and is what will run.
      expect(waiting?.arguments).toEqual({ title: "Gadamer", private: true });
      expect(first.text).toMatch(/^Let me do that\.\n\n/);
      expect(first.text).toContain(`⟦${waiting?.code}⟧`);
      expect(reasonsOf(first)).toEqual([["confirmation_required"]]);
      expect(await gate.decisions()).toMatchObject([{ effect: "confirm", disposition: "asked" }]);
      expect(await gate.turns()).toMatchObject([{ stop_reason: "awaiting_approval", finish_reason: "stop" }]);
    });

    it("yes releases it without a call of the model, and its result goes on from there", async () => {
      const gate = await asking([says1(edits()), done]);
      const talk = chat(gate, { stream, stream_options: { include_usage: true } });
      const first = await talk.say("please change my note");
      const yes = await talk.say("yes");
      expect(yes.calls).toEqual([{ id: "c1", name: "edit_note", arguments: '{"title":"Gadamer","private":true}' }]);
      expect([yes.finish, gate.sent.length, asked(yes)]).toEqual(["tool_calls", 1, []]);
      expect(yes.usage).toEqual({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 });
      const last = await talk.bring(result("c1"));
      expect([last.text, gate.sent.length]).toEqual(["Done.", 2]);
      expect(outlineOf(gate.sent[1])).toEqual(["user", "assistant", "user", "assistant(c1)", "tool(c1)"]);
      expect(messagesOf(gate.sent[1])[1]?.content).toBe(first.text);
      expect(await gate.decisions()).toMatchObject([
        { effect: "confirm", disposition: "asked" },
        { effect: "allow", disposition: "released" },
      ]);
    });

    it("no tells the model, in the message that asked", async () => {
      const gate = await asking([says1(edits()), done]);
      const talk = chat(gate, { stream });
      await talk.say("please change my note");
      const no = await talk.say("no: the title is wrong");
      expect([no.text, no.calls, gate.sent.length]).toEqual(["Done.", [], 2]);
      expect(outlineOf(gate.sent[1])).toEqual(["user", "assistant(c1)", "tool(c1)", "user"]);
      expect(messagesOf(gate.sent[1])[2]?.content).toContain("refused");
      expect(reasonsOf(no)).toEqual([["approval_denied"]]);
    });

    it("an edit releases what the person made of it", async () => {
      const gate = await asking([says1(edits())]);
      const talk = chat(gate, { stream });
      await talk.say("please change my note");
      const { calls } = await talk.say("edit title=Ricoeur");
      expect(calls).toEqual([{ id: "c1", name: "edit_note", arguments: '{"title":"Ricoeur","private":true}' }]);
      expect(gate.sent.length).toBe(1);
    });

    it("an edit that looks like an attack is told, and the question stands: nobody was asked about such a call", async () => {
      const gate = await asking([says1(edits())]);
      const talk = chat(gate, { stream });
      const code = codeIn(await talk.say("please change my note"));
      const wrong = await talk.say("edit title=../../../etc/passwd");
      expect([wrong.calls, wrong.note.stop_reason, gate.sent.length]).toEqual([[], "awaiting_approval", 1]);
      expect(wrong.text).toContain(`⟦${code}⟧`);
      expect((await talk.say("edit title=Ricoeur")).calls[0]?.arguments).toBe('{"title":"Ricoeur","private":true}');
    });

    it("an edit that the schema refuses is told, and the question stands", async () => {
      const gate = await asking([says1(edits())]);
      const talk = chat(gate, { stream });
      const code = codeIn(await talk.say("please change my note"));
      const wrong = await talk.say("edit count=-3");
      expect([wrong.calls, wrong.note.stop_reason, gate.sent.length]).toEqual([[], "awaiting_approval", 1]);
      expect(wrong.text).toContain(`⟦${code}⟧`);
      expect(wrong.text).toContain("not valid");
      expect((await talk.say("edit count=3")).calls[0]?.arguments).toBe('{"title":"Gadamer","private":true,"count":3}');
    });

    it("a message that is no answer cancels it: the model is told, and so is the user", async () => {
      const gate = await asking([says1(edits()), done]);
      const talk = chat(gate, { stream });
      await talk.say("please change my note");
      const other = await talk.say("what is the weather like in Berlin?");
      const told =
        "Toolgate: not done, because your message did not answer the question: Change a note: `Gadamer`.\n\nDone.";
      expect([other.text, asked(other)]).toEqual([told, []]);
      expect(outlineOf(gate.sent[1])).toEqual(["user", "assistant(c1)", "tool(c1)", "user"]);
      expect(messagesOf(gate.sent[1])[2]?.content).toContain("without confirming");
    });
  });
}

describe("answers that decide nothing", () => {
  it("learn more tells more and asks again", async () => {
    const gate = await asking([says1(call("c1", "send_mail", { to: "bob" }))]);
    const talk = chat(gate);
    const first = await talk.say("mail bob");
    expect(asked(first)).toMatchObject([{ asks: ["first_use"], editable: false, grantable: false }]);
    const more = await talk.say("learn more");
    expect(more.text).toContain("Mails go to ACME.");
    expect(more.text).toContain(`⟦${codeIn(first)}⟧`);
    expect([gate.sent.length, more.note.stop_reason, codeIn(more)]).toEqual([1, "awaiting_approval", codeIn(first)]);
    expect((await talk.say("yes")).calls).toMatchObject([{ id: "c1", name: "send_mail" }]);
  });

  it("an external call takes no edit", async () => {
    const gate = await asking([says1(call("c1", "send_mail", { to: "bob" }))]);
    const talk = chat(gate);
    await talk.say("mail bob");
    const edit = await talk.say("edit to=eve");
    expect([edit.calls, edit.note.stop_reason]).toEqual([[], "awaiting_approval"]);
  });

  it("a first use is for one call with yes, and asked about no more with always", async () => {
    const gate = await asking([says1(call("c1", "send_mail", { to: "bob" }))]);
    const elsewhere = (session: string) => chat(gate, {}, { "x-toolgate-session": session });
    const first = elsewhere("one");
    expect((await first.say("mail bob")).text).toContain("a yes is for this one time.");
    expect((await first.say("yes")).calls).toMatchObject([{ id: "c1" }]);
    expect(await gate.guard.gates.list()).toEqual([]);
    const second = elsewhere("two");
    expect(asked(await second.say("mail bob"))).toMatchObject([
      { asks: ["first_use"], first_use: { enables: "withdrawn" } },
    ]);
    expect((await second.say("yes always")).calls).toMatchObject([{ id: "c1" }]);
    expect(await gate.guard.gates.list()).toMatchObject([{ tool: "send_mail", session: null }]);
    expect((await elsewhere("three").say("mail bob")).calls).toMatchObject([{ name: "send_mail" }]);
  });

  it("a question explains its answers once in a conversation; `/toolgate help` does again", async () => {
    const gate = await asking([says1(edits("c1")), done, says1(edits("c2"))]);
    const talk = chat(gate);
    expect((await talk.say("please change my note")).text).toContain("Reply `yes` / `no` / `edit field=value`.");
    await talk.say("yes");
    await talk.bring(result("c1"));
    const again = await talk.say("please change it again");
    expect(again.text.split("\n").at(-1)).toBe("`yes` / `no` / `edit` / `always` · `/toolgate help`");
    expect((await talk.say("/toolgate help")).text).toContain("Reply `yes` / `no` / `edit field=value`.");
    expect((await talk.say("yes")).calls).toMatchObject([{ id: "c2" }]);
  });
});

describe("several calls of one step", () => {
  const two = says1(edits("c1"), edits("c2", { title: "Husserl" }));

  it("one yes and one no: each for its own call", async () => {
    const gate = await asking([two, done]);
    const talk = chat(gate);
    const first = await talk.say("change both");
    expect(asked(first).length).toBe(2);
    const answer = await talk.say(`yes ${codeIn(first, 0)}, no ${codeIn(first, 1)}`);
    expect(answer.calls).toMatchObject([{ id: "c1" }]);
    await talk.bring(result("c1"));
    expect(outlineOf(gate.sent[1])).toEqual(["user", "assistant(c2)", "tool(c2)", "user", "assistant(c1)", "tool(c1)"]);
  });

  it("one yes and one edit in one message", async () => {
    const gate = await asking([two]);
    const talk = chat(gate);
    const first = await talk.say("change both");
    const { calls } = await talk.say(`yes ${codeIn(first, 0)}, edit ${codeIn(first, 1)} title=Ricoeur`);
    expect(calls.map(({ arguments: args }) => JSON.parse(args).title)).toEqual(["Gadamer", "Ricoeur"]);
  });

  it("what was meant as an answer and cannot be read is asked again, and cancels nothing", async () => {
    const gate = await asking([two]);
    const talk = chat(gate);
    const first = await talk.say("change both");
    for (const text of ["yes ABCD", `yes ${codeIn(first, 0)} and the other one with another title`]) {
      const again = await talk.say(text);
      expect([again.calls, again.note.stop_reason, gate.sent.length]).toEqual([[], "awaiting_approval", 1]);
      expect([codeIn(again, 0), codeIn(again, 1)]).toEqual([codeIn(first, 0), codeIn(first, 1)]);
    }
    expect((await talk.say("yes all")).calls).toHaveLength(2);
  });

  it("one yes leaves the other waiting: it is asked again when the result comes", async () => {
    const gate = await asking([two, done]);
    const talk = chat(gate);
    const first = await talk.say("change both");
    const one = await talk.say(`yes ${codeIn(first, 0)}`);
    expect([one.calls.map(({ id }) => id), asked(one).map(({ call_id }) => call_id)]).toEqual([["c1"], ["c2"]]);
    const again = await talk.bring(result("c1"));
    expect([again.note.stop_reason, gate.sent.length]).toEqual(["awaiting_approval", 1]);
    expect(again.text).toContain(`⟦${codeIn(first, 1)}⟧`);
    expect((await talk.say("yes")).calls).toMatchObject([{ id: "c2" }]);
    await talk.bring(result("c2"));
    expect(outlineOf(gate.sent[1]).slice(-5)).toEqual(
      ["assistant(c1)", "tool(c1)", "assistant", "user", "assistant(c2)", "tool(c2)"].slice(-5),
    );
  });

  it("one no leaves the other waiting, and the model hears of it in the end", async () => {
    const gate = await asking([two, done]);
    const talk = chat(gate);
    const first = await talk.say("change both");
    const one = await talk.say(`no ${codeIn(first, 0)}`);
    expect([one.note.stop_reason, asked(one).map(({ call_id }) => call_id)]).toEqual(["awaiting_approval", ["c2"]]);
    await talk.say("yes");
    await talk.bring(result("c2"));
    expect(outlineOf(gate.sent[1])).toEqual([
      "user",
      "assistant(c1)",
      "tool(c1)",
      "user",
      "assistant",
      "user",
      "assistant(c2)",
      "tool(c2)",
    ]);
  });

  it("yes without a code, where it must name one, asks which", async () => {
    const gate = await asking([two]);
    const talk = chat(gate);
    await talk.say("change both");
    const which = await talk.say("yes");
    expect([which.calls, which.note.stop_reason, asked(which).length]).toEqual([[], "awaiting_approval", 2]);
  });

  it("what needs nobody is released at once, and what was refused is told with it", async () => {
    const gate = await asking([says1(call("r", "read_note"), edits("c1"), call("x", "unheard_of")), done]);
    const talk = chat(gate);
    const first = await talk.say("change it");
    expect([first.calls.map(({ id }) => id), first.finish]).toEqual([["r"], "tool_calls"]);
    expect(asked(first).map(({ call_id }) => call_id)).toEqual(["c1"]);
    const second = await talk.bring(result("r"));
    expect([second.note.stop_reason, gate.sent.length]).toEqual(["awaiting_approval", 1]);
    expect((await talk.say("yes")).calls).toMatchObject([{ id: "c1" }]);
    await talk.bring(result("c1"));
    expect(outlineOf(gate.sent[1])).toEqual([
      "user",
      "assistant(x)",
      "tool(x)",
      "assistant(r)",
      "tool(r)",
      "assistant",
      "user",
      "assistant(c1)",
      "tool(c1)",
    ]);
  });

  it("a refused sibling of an asked call stands before the question", async () => {
    const gate = await asking([says1(edits("c1"), call("x", "unheard_of")), done]);
    const talk = chat(gate);
    await talk.say("change it");
    await talk.say("yes");
    await talk.bring(result("c1"));
    expect(outlineOf(gate.sent[1])).toEqual([
      "user",
      "assistant(x)",
      "tool(x)",
      "assistant",
      "user",
      "assistant(c1)",
      "tool(c1)",
    ]);
  });
});

describe("a task with several questions", () => {
  it("keeps its intent and its hidden exchanges from answer to answer", async () => {
    const gate = await asking(
      [
        says({ calls: [call("hs", "select_intent", { intent: "general" })] }),
        says1(edits("c1")),
        says({ calls: [edits("c2", { title: "Two" })] }),
        done,
      ],
      { handshake: { select: "model" } },
    );
    const talk = chat(gate);
    await talk.say("change it");
    const yes = await talk.say("yes");
    expect([yes.note.intent, yes.calls.map(({ id }) => id)]).toEqual(["general", ["c1"]]);
    const second = await talk.bring(result("c1"));
    expect(second.note.stop_reason).toBe("awaiting_approval");
    const hidden = ["user", "assistant(hs)", "tool(hs)", "assistant", "user", "assistant(c1)", "tool(c1)"];
    expect(outlineOf(gate.sent[2])).toEqual(hidden);
    expect((await talk.say("yes")).calls).toMatchObject([{ id: "c2" }]);
    await talk.bring(result("c2"));
    expect(outlineOf(gate.sent[3])).toEqual([...hidden, "assistant", "user", "assistant(c2)", "tool(c2)"]);
  });
});
