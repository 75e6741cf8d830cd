/** Messages that answer a question and say more, or say no and more: what runs, what is told, and what the model gets. */
import { describe, expect, it } from "vitest";
import { tool } from "../support/gateway.ts";
import { call, messagesOf, outlineOf, result } from "../support/script.ts";
import { asked, asking, chat, codeIn, done, edits, reasonsOf, says1 } from "./approvals.ts";

const refund = { category: "modification", description: "Refund a booking" };
const shop = {
  handshake: { select: "detected" },
  tools: { refund_payment: refund, send_mail: { category: "modification", description: "Send a mail" } },
  intents: {
    REFUND: { description: "give money back", keywords: ["refund"], tools: ["refund_payment"] },
    MAIL: { description: "write to a customer", keywords: ["confirmation"], tools: ["send_mail"] },
  },
};
const shopTools = [
  tool("refund_payment", { type: "object", properties: { booking: { type: "string" }, amount: { type: "number" } } }),
  tool("send_mail", { type: "object", properties: { to: { type: "string" } } }),
];
const refunds = (id: string, amount: number) => call(id, "refund_payment", { booking: "B-1042", amount });
const names = (sent: Record<string, unknown> | undefined) =>
  ((sent?.tools ?? []) as { function: { name: string } }[]).map(({ function: { name } }) => name);

describe("a yes that wants the call otherwise", () => {
  it.each(["yes, but only 100", "ja, aber nur 100", "sí, pero solo 100", "好的，但是只退100"])(
    "runs nothing, and the model proposes the call anew: %s",
    async (text) => {
      const gate = await asking([says1(refunds("c1", 120)), says1(refunds("c2", 100))], shop);
      const talk = chat(gate, { tools: shopTools });
      const first = await talk.say("please refund 120 for B-1042");
      const second = await talk.say(text);
      expect([second.calls, gate.sent.length]).toEqual([[], 2]);
      expect(second.text).toMatch(/^Toolgate: not done as it was, because you want something different: Refund/);
      expect(messagesOf(gate.sent[1]).at(-1)?.content).toBe(text);
      expect(asked(second)).toMatchObject([{ tool: "refund_payment", arguments: { amount: 100 }, status: "pending" }]);
      expect(codeIn(second)).not.toBe(codeIn(first));
      expect((await talk.say("yes")).calls).toMatchObject([{ id: "c2" }]);
    },
  );
});

describe("a yes with a further wish", () => {
  it("runs the call, and the model goes on with the rest, whose intent is held too", async () => {
    const mail = call("c2", "send_mail", { to: "anna" });
    const gate = await asking([says1(refunds("c1", 120)), says1(mail)], shop);
    const talk = chat(gate, { tools: shopTools });
    await talk.say("please refund 120 for B-1042");
    expect(names(gate.sent[0])).not.toContain("send_mail");
    const text = "Yes please, and send her a confirmation.";
    const yes = await talk.say(text);
    expect([yes.calls, gate.sent.length]).toMatchObject([[{ id: "c1", name: "refund_payment" }], 1]);
    const next = await talk.bring(result("c1"));
    expect(outlineOf(gate.sent[1]).slice(-5)).toEqual(["user", "assistant", "user", "assistant(c1)", "tool(c1)"]);
    expect(messagesOf(gate.sent[1]).at(-3)?.content).toBe(text);
    expect(names(gate.sent[1])).toEqual(expect.arrayContaining(["refund_payment", "send_mail"]));
    // A yes to the call that waited, and to no other.
    expect([next.calls, asked(next)]).toMatchObject([[], [{ tool: "send_mail", status: "pending" }]]);
  });

  it("needs the code where a yes needs it", async () => {
    const gate = await asking([says1(edits())], { confirmation: { typedCode: "always" } });
    const talk = chat(gate);
    const code = codeIn(await talk.say("please change my note"));
    const bare = await talk.say("yes, and tell Anna about it");
    expect([bare.calls, bare.note.stop_reason]).toEqual([[], "awaiting_approval"]);
    expect((await talk.say(`yes ${code}, and tell Anna about it`)).calls).toMatchObject([{ id: "c1" }]);
  });

  it.each(["yes, and no", "yes and make it 3", "> yes and send her a mail", "yes, and don't tell her"])(
    "is none here: %s",
    async (text) => {
      const gate = await asking([says1(edits()), done]);
      const talk = chat(gate);
      await talk.say("please change my note");
      expect((await talk.say(text)).calls).toEqual([]);
    },
  );
});

describe("who asks for time", () => {
  it.each(["wait", "Moment mal", "espera", "等一下", "ちょっと待って", "잠깐", "un instant"])(
    "keeps the question: %s",
    async (text) => {
      const gate = await asking([says1(edits())]);
      const talk = chat(gate);
      const code = codeIn(await talk.say("please change my note"));
      const waits = await talk.say(text);
      expect([waits.calls, waits.note.stop_reason, gate.sent.length]).toEqual([[], "awaiting_approval", 1]);
      expect(waits.text).toMatch(/^There is no hurry: the question stays open, and nothing has run\./);
      expect(waits.text).toContain(`⟦${code}⟧`);
      expect((await talk.say("yes")).calls).toMatchObject([{ id: "c1" }]);
    },
  );
});

describe("a no with more", () => {
  it.each(["no, the other booking", "nein, an anna.weber@kunde.de", "いいえ、別の予約です"])(
    "is told as a no, and the message goes to the model: %s",
    async (text) => {
      const gate = await asking([says1(edits()), done]);
      const talk = chat(gate);
      await talk.say("please change my note");
      const no = await talk.say(text);
      expect(no.text).toBe("Toolgate: not done, because you said no: Change a note: `Gadamer`.\n\nDone.");
      expect([reasonsOf(no), messagesOf(gate.sent[1]).at(-1)?.content]).toEqual([[], text]);
    },
  );
});

describe("the language of a question", () => {
  it.each([
    ["Bitte ändere meine Notiz", "Antwort: `ja` / `nein` / ", "ja"],
    ["Por favor, cambia mi nota", "Respuesta: `sí` / `no` / ", "sí"],
    ["Change ma note s'il te plaît", "Réponse\u00a0: `oui` / `non` / ", "oui"],
    ["내 메모를 바꿔 주세요", "`네` / `아니요` / ", "네"],
  ])("is that of the message: %s", async (text, reply, yes) => {
    const gate = await asking([says1(edits())]);
    const talk = chat(gate);
    expect((await talk.say(text)).text).toContain(reply);
    expect((await talk.say(yes)).calls).toMatchObject([{ id: "c1" }]);
  });

  it("is that of an earlier message where the last is too short to tell", async () => {
    const gate = await asking([done, says1(edits())]);
    const talk = chat(gate);
    await talk.say("Was steht in meiner Notiz?");
    expect((await talk.say("Gadamer!")).text).toContain("Antwort: `ja` / `nein` / ");
  });
});

describe("always", () => {
  const condition = { effect: "ask", say: "each change is looked at" };
  const rulesOf = (conditions: readonly unknown[]) => ({
    tools: { edit_note: { category: "modification", description: "Change a note", trusted: true, conditions } },
  });

  it.each([
    [true, []],
    [true, [{ ...condition, if: { properties: { count: { minimum: 9 } }, required: ["count"] } }]],
    [true, [{ ...condition, if: {}, roles: ["guest"] }]],
    [false, [{ ...condition, if: {} }]],
    [false, [{ ...condition, if: { type: "object" } }]],
  ])("is offered (%s) only where it changes something", async (isOffered, conditions) => {
    const gate = await asking([says1(edits())], rulesOf(conditions));
    const talk = chat(gate);
    const first = await talk.say("please change my note");
    expect([first.text.includes("always"), asked(first)[0]?.grantable]).toEqual([isOffered, isOffered]);
    const always = await talk.say("always");
    expect(always.calls.length).toBe(isOffered ? 1 : 0);
  });
});
