/** A call that was approved in the inbox, and what the user writes in the chat after that; and messages that ask about an open question. */
import { describe, expect, it } from "vitest";
import { outlineOf, result } from "../support/script.ts";
import { asked, asking, type Chat, chat, codeIn, done, edits, says1 } from "./approvals.ts";

async function answeredElsewhere(action: "approve" | "deny"): Promise<{ talk: Chat; code: string }> {
  const talk = chat(await asking([says1(edits()), done]));
  const question = await talk.say("please change my note");
  const id = asked(question)[0]?.id ?? "";
  await talk.gate.guard.approvals.answer(id, { action, via: "api", by: "ada", reason: null });
  return { talk, code: codeIn(question) };
}

const approvedElsewhere = () => answeredElsewhere("approve");

const statusOf = async ({ gate }: Chat): Promise<unknown> =>
  (await gate.guard.approvals.list({ limit: 1, order: "asc" })).data[0]?.status;

describe("a call that was approved elsewhere", () => {
  it.each(["is it done?", "ist es erledigt?", "¿ya está hecho?", "完成了吗？"])(
    "goes out with the next message: %s",
    async (text) => {
      const { talk } = await approvedElsewhere();
      const out = await talk.say(text);
      expect(out.calls).toMatchObject([{ id: "c1", name: "edit_note" }]);
      expect(out.text).toBe("Toolgate: approved elsewhere, and so it is done now: Change a note: `Gadamer`.");
      const after = await talk.bring(result("c1"));
      expect([after.text, asked(after)]).toEqual(["Done.", []]);
      expect(outlineOf(talk.gate.sent[1])).toEqual(["user", "assistant", "user", "assistant(c1)", "tool(c1)"]);
    },
  );

  it.each([
    "please do not do that",
    "what is the weather in Berlin?",
    "keep it as it was",
    "I clicked approve by mistake",
    "das war ein Versehen",
    "undo that please",
    "make it 100",
    "change the title to Ricoeur",
    "is it possible to wait until friday?",
    "bitte doch nicht ausführen",
    "mejor cámbialo a Ricoeur",
    "不要改了吧，我再想想看",
  ])("is asked about once more by any other message, which may be against it: %s", async (text) => {
    const { talk } = await approvedElsewhere();
    const again = await talk.say(text);
    expect([again.calls, again.note.stop_reason, talk.gate.sent.length]).toEqual([[], "awaiting_approval", 1]);
    expect(again.text).toMatch(/nothing has run yet|ausgeführt ist noch nichts/i);
    expect(await statusOf(talk)).toBe("approved");
  });

  it.each(["yes", "continue", "ok", "done", "weiter"])("goes out, and the reply says so: %s", async (text) => {
    const { talk } = await approvedElsewhere();
    const out = await talk.say(text);
    expect(out.calls).toMatchObject([{ id: "c1", name: "edit_note" }]);
    expect(out.text).toBe("Toolgate: approved elsewhere, and so it is done now: Change a note: `Gadamer`.");
  });

  it.each(["wait", "why do you ask?", "preview", "always", "what is the weather in Berlin?"])(
    "is not lost by a message that lets nothing run: %s",
    async (text) => {
      const { talk, code } = await approvedElsewhere();
      const told = await talk.say(text);
      expect([told.calls, told.text]).toEqual([[], expect.stringContaining("nothing has run yet")]);
      expect(told.text).toContain(`⟦${code}⟧ **Change a note:`);
      expect(told.text).not.toMatch(/question/i);
      expect((await talk.say("wait")).calls).toEqual([]);
      expect((await talk.say("continue")).calls).toMatchObject([{ id: "c1", name: "edit_note" }]);
    },
  );

  it("is asked about once: a second message about something else ends it, and says so", async () => {
    const { talk } = await approvedElsewhere();
    await talk.say("what is the weather in Berlin?");
    const after = await talk.say("and what is it in Paris?");
    expect(after.text).toBe(
      "Toolgate: not done, because your message did not answer the question: Change a note: `Gadamer`.\n\nDone.",
    );
    expect(await statusOf(talk)).toBe("cancelled");
  });

  it("goes out in a stream too, with the same words before it", async () => {
    const { talk } = await approvedElsewhere();
    const out = await talk.say("is it done?", { stream: true });
    expect(out.calls).toMatchObject([{ id: "c1" }]);
    expect(out.text).toBe("Toolgate: approved elsewhere, and so it is done now: Change a note: `Gadamer`.");
  });

  it("does not run once the user says no", async () => {
    for (const text of ["no", "no, the other note", "yes but with another title"]) {
      const { talk } = await approvedElsewhere();
      expect((await talk.say(text)).calls).toEqual([]);
    }
  });

  it("does not run where the last message of the assistant does not hold its code", async () => {
    const { talk } = await approvedElsewhere();
    talk.history.push({ role: "assistant", content: "Shall I?" });
    expect((await talk.say("is it done?")).calls).toEqual([]);
  });
});

describe("a call that was refused elsewhere", () => {
  it.each(["why do you ask?", "wait"])("is said to be refused, and not asked about: %s", async (text) => {
    const { talk, code } = await answeredElsewhere("deny");
    const told = await talk.say(text);
    expect(told.calls).toEqual([]);
    expect(told.text).toBe(`⟦${code}⟧ **Change a note: \`Gadamer\`?** This was refused elsewhere; nothing was done.`);
  });

  it.each(["yes", "continue"])("does not run, and the reply says why before the model answers: %s", async (text) => {
    const { talk } = await answeredElsewhere("deny");
    const told = await talk.say(text);
    expect(told.calls).toEqual([]);
    expect(told.text).toBe("Toolgate: not done, because it was refused elsewhere: Change a note: `Gadamer`.\n\nDone.");
  });
});

describe("a message that only asks about the question", () => {
  it.each(["hmm which note was it again?", "why do you ask?", "is that the right note?", "was war das nochmal?"])(
    "leaves it open, and shows it whole: %s",
    async (text) => {
      const talk = chat(await asking([says1(edits())]));
      const first = await talk.say("please change my note");
      const again = await talk.say(text);
      expect([again.calls, again.note.stop_reason, talk.gate.sent.length]).toEqual([[], "awaiting_approval", 1]);
      expect(again.text).toMatch(/^Nothing has run\. This is the question:/);
      expect(again.text).toContain("This cannot be undone.");
      expect(codeIn(again)).toBe(codeIn(first));
      expect((await talk.say("yes")).calls).toMatchObject([{ id: "c1" }]);
    },
  );
});
