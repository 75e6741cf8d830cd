import { describe, expect, it } from "vitest";
import { answerInMessage } from "../../../src/approvals/answers/answer-in-message.ts";
import type { ResolveSettings } from "../../../src/approvals/answers/resolve-answers.ts";
import { resolveAnswers } from "../../../src/approvals/answers/resolve-answers.ts";
import type { Approval } from "../../../src/approvals/approval.ts";
import { readCodes } from "../../../src/approvals/codes.ts";
import { approvalOf, DAY } from "../samples.ts";

function resolve(text: string, waiting: readonly Approval[], more: Partial<ResolveSettings> = {}) {
  const said = answerInMessage(text);
  if (!said) throw new Error(`no answer: ${text}`);
  return resolveAnswers(said, waiting, { typedCode: false, language: "en", now: 1_000, grants: true, ...more });
}

function answersTo(text: string, waiting: readonly Approval[], more?: Partial<ResolveSettings>) {
  const resolution = resolve(text, waiting, more);
  if (resolution.kind !== "answers") throw new Error(resolution.text);
  return resolution.answers.map(({ approval, ...answer }) => ({ code: approval.code, ...answer }));
}

function replyTo(text: string, waiting: readonly Approval[], more?: Partial<ResolveSettings>) {
  const resolution = resolve(text, waiting, more);
  if (resolution.kind !== "reply") throw new Error("it was answered");
  return resolution.text;
}

const [one, two] = [approvalOf("K7QF"), approvalOf("3M2P")];
const settled = (code: string, status: Approval["status"]) => approvalOf(code, { over: { status } });

describe("one call that waits", () => {
  it("is answered without its code, or with it", () => {
    for (const text of ["yes", "yes K7QF", "yes all"]) {
      expect(answersTo(text, [one])).toEqual([{ code: "K7QF", action: "approve" }]);
    }
    expect(answersTo("no: too early", [one])).toEqual([{ code: "K7QF", action: "deny", reason: "too early" }]);
  });

  it("is answered by nothing else", () => {
    for (const text of ["yes 3M2P", "K7QF", "continue", "preview", "learn more", "edit", "edit gone=1", "edit {"]) {
      const reply = replyTo(text, [one]);
      expect(readCodes(reply)).toEqual(["K7QF"]);
    }
    expect(replyTo("yes 3M2P", [one])).toMatch(/^No action with the code `3M2P` waits here\./);
  });

  it("wants its code typed where the conversation holds what others wrote", () => {
    const typed = { typedCode: true };
    for (const text of ["yes", "always", "edit title=New", "yes all"]) {
      expect(replyTo(text, [one], typed)).toMatch(/^Type the code/);
    }
    expect(answersTo("yes K7QF", [one], typed)).toHaveLength(1);
    // A refusal can do no harm.
    expect(answersTo("no", [one], typed)).toEqual([{ code: "K7QF", action: "deny" }]);
  });

  it("endorses the result that its question names, and none where it names none", () => {
    const endorsable = { tool: "read_mail", callId: "c1", digest: "d1" };
    const named = approvalOf("K7QF", { over: { endorsable } });
    expect(answersTo("yes, use its values", [named])).toEqual([{ code: "K7QF", action: "approve", endorses: true }]);
    expect(replyTo("yes, use its values", [named], { typedCode: true })).toMatch(/^Type the code/);
    expect(replyTo("yes, use its values", [one])).toMatch(/^Values of other text cannot be allowed/);
    // Of several results each must be named by the code of its call.
    const same = approvalOf("3M2P", { over: { endorsable: { ...endorsable, callId: "c2" } } });
    const other = approvalOf("3M2P", { over: { endorsable: { ...endorsable, digest: "d2" } } });
    expect(answersTo("yes all, use its values", [named, same])).toHaveLength(2);
    expect(replyTo("yes all, use its values", [named, other])).toMatch(
      /^These actions take values from different results/,
    );
    expect(replyTo("yes all, use its values", [named, two])).toMatch(
      /^These actions take values from different results/,
    );
    expect(answersTo("yes K7QF, use its values, yes 3M2P", [named, other])).toEqual([
      { code: "K7QF", action: "approve", endorses: true },
      { code: "3M2P", action: "approve" },
    ]);
  });

  it("is granted for the session, with an end where the policy has one", () => {
    expect(answersTo("always", [one], { longestGrant: 5_000 })).toEqual([
      { code: "K7QF", action: "approve", grant: { session: true, expiresAt: 6_000, arguments: {} } },
    ]);
    expect(replyTo("always", [one], { grants: false })).toMatch(/^This action cannot be allowed for later/);
  });

  it("enables the tool with `always` where its first use is asked about, and with nothing else", () => {
    const first = approvalOf("K7QF", { asks: ["first_use"], over: { grantable: false } });
    for (const text of ["always", "yes always", "always allow"]) {
      expect(answersTo(text, [first], { grants: false })).toEqual([{ code: "K7QF", action: "approve", enables: true }]);
    }
    expect(answersTo("yes", [first])).toEqual([{ code: "K7QF", action: "approve" }]);
    const both = approvalOf("K7QF", { asks: ["first_use", "confirmation_required"] });
    // What asks with each call goes on asking.
    expect(answersTo("always", [both])).toEqual([{ code: "K7QF", action: "approve", enables: true }]);
    expect(replyTo("always", [approvalOf("K7QF", { over: { grantable: false } })])).toMatch(/^This action cannot be/);
  });

  it("is asked again in two lines, the question being above", () => {
    expect(replyTo("yes", [one], { typedCode: true }).split("\n")).toEqual([
      "Type the code with your answer, so that it is certain what you mean.",
      "",
      "**Change `n1`?** ⟦K7QF⟧ · With the code, because the policy asks for it: `yes K7QF` / `no` / `edit K7QF` / `always K7QF` · `/toolgate help`",
    ]);
  });

  it("is not answered where the last message does not hold its code", () => {
    expect(replyTo("yes", [one], { shown: [] })).toBe("Nothing waits for your answer any more.");
    expect(answersTo("yes", [one, two], { shown: ["3M2P"] })).toEqual([{ code: "3M2P", action: "approve" }]);
  });
});

describe("several calls that wait", () => {
  it("are answered by their codes, or all at once", () => {
    expect(answersTo("yes K7QF, no 3M2P", [one, two])).toEqual([
      { code: "K7QF", action: "approve" },
      { code: "3M2P", action: "deny" },
    ]);
    expect(answersTo("yes 3M2P", [one, two])).toEqual([{ code: "3M2P", action: "approve" }]);
    expect(answersTo("yes all", [one, two]).map(({ action }) => action)).toEqual(["approve", "approve"]);
    expect(answersTo("no all", [one, two], { typedCode: true }).map(({ action }) => action)).toEqual(["deny", "deny"]);
  });

  it("are answered and edited in one message", () => {
    expect(answersTo("yes K7QF, edit 3M2P title=New", [one, two])).toEqual([
      { code: "K7QF", action: "approve" },
      { code: "3M2P", action: "edit", changes: { set: { title: "New" }, unset: [] } },
    ]);
  });

  it("are asked about again where an answer was meant that cannot be read", () => {
    for (const text of ["yes K7QF and then the other", "K7QF yes, 3M2P edit title=New", "yes K7QF and edit"]) {
      expect(readCodes(replyTo(text, [one, two]))).toEqual(["K7QF", "3M2P"]);
    }
    expect(replyTo("yes K7QF and then the other", [one, two])).toMatch(/^That could not be read as an answer/);
    expect(replyTo("yes ABCD", [one])).toMatch(/^That could not be read as an answer/);
    expect(replyTo("yes 2BCD", [one], { typedCode: true })).toMatch(/^No action with the code `2BCD` waits here/);
  });

  it("are not answered by a word that does not say which", () => {
    for (const text of ["yes", "no", "always", "edit title=New"]) {
      const reply = replyTo(text, [one, two]);
      expect(reply).toMatch(/^Several actions wait/);
      expect(readCodes(reply)).toEqual(["K7QF", "3M2P"]);
    }
    expect(replyTo("yes all", [one, two], { typedCode: true })).toMatch(/^Type the code/);
    expect(replyTo("yes K7QF, no K7QF", [one, two])).toMatch(/^Several actions wait/);
  });
});

describe("what was decided elsewhere", () => {
  it("is acted on with the next yes, or a word that goes on", () => {
    for (const status of ["approved", "denied", "expired", "cancelled"] as const) {
      for (const text of ["yes", "continue", "yes K7QF"]) {
        expect(answersTo(text, [settled("K7QF", status)])).toEqual([{ code: "K7QF", action: undefined }]);
      }
    }
    const expired = approvalOf("K7QF", { over: { expiresAt: 1_000 } });
    expect(answersTo("yes", [expired])).toEqual([{ code: "K7QF", action: undefined }]);
    expect(answersTo("no", [expired])).toEqual([{ code: "K7QF", action: undefined }]);
  });

  it("goes along with an answer to another", () => {
    expect(answersTo("yes", [settled("K7QF", "denied"), two])).toEqual([
      { code: "3M2P", action: "approve" },
      { code: "K7QF", action: undefined },
    ]);
  });

  it("is not edited, nor granted for later: it is told what was decided", () => {
    for (const text of ["always", "edit K7QF title=New", "edit title=New"]) {
      expect(replyTo(text, [settled("K7QF", "approved")])).toMatch(
        /^⟦K7QF⟧ \*\*Change `n1`\?\*\* This was decided elsewhere/,
      );
    }
  });

  it("is the caller's to refuse where it was approved and the user says no here", () => {
    expect(answersTo("no", [settled("K7QF", "approved")])).toEqual([{ code: "K7QF", action: undefined }]);
  });
});

describe("an edit in the chat", () => {
  const schema = {
    type: "object",
    properties: {
      title: { type: "string" },
      count: { type: "integer" },
      tags: { type: "array", items: { type: "string" } },
      kind: { $ref: "#/$defs/kind" },
      secret: { type: "string" },
    },
    $defs: { kind: { enum: ["draft", "final"] } },
  };
  const note = approvalOf("K7QF", {
    arguments: { title: "Old", count: 1, secret: "s3cret" },
    traits: { redact: ["secret"] },
    over: { schema },
  });
  const setBy = (text: string) => {
    const [answer] = answersTo(text, [note]);
    expect(answer).toMatchObject({ action: "edit" });
    return answer?.changes?.set;
  };

  it("takes fields with the types that the schema wants", () => {
    expect(setBy("edit title=New title, count=2")).toEqual({ title: "New title", count: 2 });
    expect(setBy('edit title="a, count=3" count=2')).toEqual({ title: "a, count=3", count: 2 });
    expect(setBy("edit tags=a, b，c kind=Final")).toEqual({ tags: ["a", "b", "c"], kind: "final" });
    expect(setBy('edit tags=["a b"]')).toEqual({ tags: ["a b"] });
    expect(setBy("edit title=x = y\n\nand z")).toEqual({ title: "x = y\n\nand z" });
    expect(setBy('edit count=2 title="x = y\n\nand z=1, w = 2"')).toEqual({
      count: 2,
      title: "x = y\n\nand z=1, w = 2",
    });
    expect(setBy("edit title=http://a.example/?x=1&y=2")).toEqual({ title: "http://a.example/?x=1&y=2" });
    expect(setBy('edit {"title": "a contnet=b"}')).toEqual({ title: "a contnet=b" });
    expect(setBy("edit title=“curly”")).toEqual({ title: "curly" });
    expect(setBy('edit {"count": 5}')).toEqual({ count: 5 });
    expect(setBy("edit title＝全角")).toEqual({ title: "全角" });
  });

  it("says which fields there are, and what does not fit, and what their values are", () => {
    for (const [text, message] of [
      ["edit", "To change a value"],
      ["edit titel=x", "There is no field `titel`"],
      ["edit __proto__=x", "There is no field `__proto__`"],
      ["edit count=many", "The value of `count` does not fit: it must be a whole number."],
      ["edit kind=gone", "does not fit: it must be one of `"],
      ['edit {"titel": 1}', "There is no field `titel`"],
      ['edit {"title": 1, "title": 2}', "The JSON cannot be read"],
      ["edit {nonsense", "The JSON cannot be read"],
    ] as const) {
      const reply = replyTo(text, [note]);
      expect(reply).toContain(message);
      expect(readCodes(reply)).toEqual(["K7QF"]);
    }
    // The person is asked, and sees it; not where the policy hides it from them too.
    expect(replyTo("edit", [note])).toContain("\nsecret = s3cret\n");
    const hidden = approvalOf("K7QF", { arguments: { secret: "s3cret" }, traits: { hideFromApprover: ["secret"] } });
    expect(replyTo("edit", [hidden])).toMatch(/\nsecret = "?\[redacted\]"?\n/);
    expect(replyTo("edit title=x", [approvalOf("K7QF", { over: { editable: false } })])).toMatch(/^This action cannot/);
  });

  it("takes a field without its mark where its value is one word, and else tells how to write it", () => {
    expect(setBy("edit count 95")).toEqual({ count: 95 });
    for (const text of ["edit count to 95", "edit count: 95", "please edit count 95", "bearbeiten count auf 95"])
      expect([text, setBy(text)]).toEqual([text, { count: 95 }]);
    for (const text of ["edit titel 95", "edit title New title", "edit betrag 95"]) {
      const reply = replyTo(text, [note]);
      expect(reply).toMatch(/^To change a value, write `edit field=value`/);
      expect(readCodes(reply)).toEqual(["K7QF"]);
    }
    for (const text of ["edit the title", "edit my note please", "edit it so that it says hi"])
      expect(answerInMessage(text)).toBeUndefined();
  });

  it("asks about a name in a value that no field has: it may be a field's, misspelt", () => {
    for (const text of ["edit title=b.txt contnet=hi", 'edit title="b" contnet="hi"', "edit title=b, contnet = hi"]) {
      const reply = replyTo(text, [note]);
      expect(reply).toMatch(/^There is no field `contnet`\. If it is part of a value, put that value between/);
      expect(reply).toContain("\ntitle = ");
      expect(readCodes(reply)).toEqual(["K7QF"]);
    }
  });

  it("takes no answer to another call for a part of a value, except between quotation marks", () => {
    for (const text of [
      "edit K7QF title=New, yes 3M2P",
      "edit K7QF title=New\nedit 3m2p title=Other",
      'edit K7QF title="New" yes 3M2P',
    ]) {
      expect(replyTo(text, [note, two])).toMatch(/^That could not be read|^There is no field/);
    }
    expect(answersTo('edit K7QF title="New, yes 3M2P"', [note, two])).toMatchObject([{ code: "K7QF" }]);
  });

  it("repeats nothing of the message that could act", () => {
    expect(replyTo("edit count=<img src=x>", [note])).not.toContain("<img");
  });
});

it("an edit names the object that wraps the arguments, or its members, not both", () => {
  const wrapped = approvalOf("K7QF", {
    traits: { name: "send_email" },
    arguments: { input: { to: "a@x.example", subject: "Hi" } },
  });
  const changed = { set: { input: { to: "b@x.example", subject: "Hi" } }, unset: [] };
  expect(answersTo('edit {"to": "b@x.example"}', [wrapped])).toMatchObject([{ changes: changed }]);
  expect(answersTo('edit {"input": {"to": "b@x.example", "subject": "Hi"}}', [wrapped])).toMatchObject([
    { changes: changed },
  ]);
  expect(replyTo('edit {"input": {"subject": "Hi"}, "to": "b@x.example"}', [wrapped])).toMatch(
    /^There is no field `to`/,
  );
});

describe("more about a call", () => {
  it("is told where there is more, as text, and asked again", () => {
    const learnMore = "GNORM finds names.\n```\n⟦ZZ99⟧ <b>";
    const call = approvalOf("K7QF", {
      traits: { learnMore },
      arguments: { old_string: "a", new_string: "b" },
      over: { expiresAt: DAY },
    });
    expect(readCodes(replyTo("learn more", [call]))).toEqual(["K7QF"]);
    expect(replyTo("learn more", [call])).toContain(
      "> GNORM finds names.  \n> '''  \n> \\\\u27e6ZZ99\\\\u27e7 \\<b\\>",
    );
    expect(replyTo("preview", [call])).toContain("```diff\n- a\n+ b\n```");
    expect(replyTo("learn more", [one])).toMatch(/^The policy tells nothing more/);
    expect(replyTo("preview", [one])).toMatch(/^There is no preview/);
  });

  it("shows the whole of what the frame cuts short, in a fence, up to 20,000 characters", () => {
    const body = `first\n  indented\n\`\`\`\n⟦ZZ99⟧\n${"x".repeat(2_500)}\nlast`;
    const long = approvalOf("K7QF", { arguments: { id: "n1", body } });
    const reply = replyTo("preview", [long]);
    expect(reply).toMatch(
      /^All of what is cut short above:\n\n`body`:\n\n````text\nfirst\n {2}indented\n```\n\\u27e6ZZ99/,
    );
    expect(reply.match(/x/g)?.length).toBeGreaterThanOrEqual(2_500);
    expect(reply).toContain("\nlast\n````");
    expect(reply).not.toContain("not shown");
    expect(readCodes(reply)).toEqual(["K7QF"]);
    const many = Object.fromEntries(Array.from({ length: 23 }, (_, at) => [`a${at}`, { at }]));
    expect(replyTo("preview", [approvalOf("K7QF", { arguments: many })])).toContain(
      '`a22`:\n\n```json\n{\n  "at": 22\n}\n```',
    );
    const two = [
      approvalOf("K7QF", { arguments: { body: "y".repeat(15_000) } }),
      approvalOf("3M2P", { arguments: { body: "y".repeat(15_000) } }),
    ];
    const bounded = replyTo("preview", two);
    expect(bounded.length).toBeLessThan(27_000);
    expect(bounded).toMatch(/… 100\d\d more characters are not shown/);
    expect(readCodes(bounded)).toEqual(["K7QF", "3M2P"]);
  });

  it("is told in the language that is asked for", () => {
    expect(replyTo("yes", [one, two], { language: "ja" })).toMatch(/^複数の操作/);
    expect(replyTo("yes", [one, two], { language: "zh" })).toMatch(/^有多项操作/);
  });
});

describe("a yes with words behind it", () => {
  const cancel = approvalOf("K7QF", { traits: { name: "cancel_appointment" }, arguments: { appointment_id: "a_501" } });
  const refund = approvalOf("K7QF", {
    traits: { name: "refund_payment" },
    arguments: { invoice_id: "2231", amount: 40 },
  });
  const remove = approvalOf("K7QF", { traits: { name: "delete_file" }, arguments: { path: "b.txt" } });

  it.each([
    ["yes, cancel it", cancel],
    ["Yes, please cancel", cancel],
    ["yes, go ahead and cancel it", cancel],
    ["yes, cancel a_501 please", cancel],
    ["ja, bitte absagen", cancel],
    ["ja, sag ab", cancel],
    ["yes, call it off", cancel],
    ["sí, cancélala", cancel],
    ["oui, annule", cancel],
    ["はい、キャンセルして", cancel],
    ["好的，取消吧", cancel],
    ["네 취소해 주세요", cancel],
    ["yes, refund 40", refund],
    ["yes please pay it back", refund],
    ["ja zahl es zurück", refund],
    ["yes delete b.txt", remove],
    ["yes, delete the email", approvalOf("K7QF", { traits: { name: "delete_email" }, arguments: { id: "m1" } })],
    ["ja weg damit", remove],
    ["はい、消してください", remove],
  ])("is a yes where they repeat the question: %s", (text, approval) => {
    expect(answersTo(text, [approval])).toEqual([{ code: "K7QF", action: "approve" }]);
  });

  it.each([
    ["yes, email it", approvalOf("K7QF", { traits: { name: "delete_email" }, arguments: { id: "m1" } })],
    ["yes, cancel a_502", cancel],
    ["yes, don't cancel it", cancel],
    ["yes, delete it", cancel],
    ["yes, cancel it and refund them", cancel],
    ["yes, cancel all of them", cancel],
    ["ja, nicht absagen", cancel],
    ["yes, refund 400", refund],
    ["yes, cancel", remove],
    ["yes, call him", cancel],
    ["ja, sag ihm", cancel],
    ["yes, pay him", refund],
  ])("is none where they say more: %s", (text, approval) => {
    expect(replyTo(text, [approval])).toMatch(/^That could not be read as an answer/);
  });

  const pay = approvalOf("K7QF", { traits: { name: "pay_invoice" }, arguments: { amount: "1,000.50", to: "Bob" } });
  const move = approvalOf("K7QF", { traits: { name: "move_event" }, arguments: { to: "2026-11-12T14:30" } });
  const sent = { to: ["bob@x.example", "eve@y.example"], subject: "Hi" };
  const mail = approvalOf("K7QF", { traits: { name: "send_mail", category: "external" }, arguments: sent });
  const both = approvalOf("K7QF", { traits: { name: "delete_files" }, arguments: { paths: ["a.txt", "b.txt"] } });
  const named = approvalOf("K7QF", { traits: { name: "delete_file" }, arguments: { path: "if not important.txt" } });

  it.each([
    ["yes, pay 1", pay],
    ["yes, pay 50", pay],
    ["yes, to 11:30", move],
    ["yes, send it to bob", mail],
    ["yes, just bob", mail],
    ["yes, delete a.txt", both],
    ["yes, delete it if not important", named],
  ])("is none where they say a part of what is asked: %s", (text, approval) => {
    expect(replyTo(text, [approval])).toMatch(/^That could not be read as an answer/);
  });

  it.each([
    ["yes, pay 1,000.50", pay],
    ["yes, send it to bob and eve", mail],
    ["yes, send the mail", mail],
    ["yes, delete the files", both],
  ])("is one where they say all of it, or none: %s", (text, approval) => {
    expect(answersTo(text, [approval])).toEqual([{ code: "K7QF", action: "approve" }]);
  });

  it("is asked again where the words for yes are another act", () => {
    for (const text of [
      "send it",
      "save it",
      "ok, send it",
      "sende es",
      "speichern",
      "envíalo",
      "送って",
      "发送",
      "보내줘",
    ])
      expect([text, replyTo(text, [remove])]).toEqual([text, expect.stringMatching(/^That could not be read/)]);
    for (const text of ["yes", "do it", "make it so", "leg los", "hazlo", "ejecutar", "apply", "send it K7QF"])
      expect([text, answersTo(text, [remove])]).toEqual([text, [{ code: "K7QF", action: "approve" }]]);
    expect(replyTo("save it", [mail])).toMatch(/^That could not be read/);
    expect(answersTo("send it", [mail])).toHaveLength(1);
    expect(answersTo("save it", [one])).toHaveLength(1);
  });

  it("goes on with what was decided elsewhere", () => {
    const elsewhere = approvalOf("K7QF", {
      traits: { name: "cancel_appointment" },
      arguments: { appointment_id: "a_501" },
      over: { status: "approved" },
    });
    expect(answersTo("yes, cancel it", [elsewhere])).toEqual([{ code: "K7QF" }]);
    expect(replyTo("yes, delete it", [elsewhere])).toMatch(/^That could not be read as an answer/);
  });

  it("needs its code as any yes does", () => {
    expect(replyTo("yes, cancel it", [cancel], { typedCode: true })).toMatch(/^Type the code/);
    expect(replyTo("yes, cancel it", [cancel, approvalOf("3M2P", { traits: { name: "cancel_order" } })])).toMatch(
      /which/i,
    );
  });

  it("is asked again where the words for no are what the question asks", () => {
    expect(replyTo("cancel it", [cancel])).toMatch(/^That could not be read as an answer/);
    expect(replyTo("stornieren", [cancel])).toMatch(/^That could not be read as an answer/);
    expect(answersTo("cancel it", [remove])).toEqual([{ code: "K7QF", action: "deny" }]);
    expect(answersTo("no", [cancel])).toEqual([{ code: "K7QF", action: "deny" }]);
  });
});

it.each([
  "ok, what's next?",
  "sure, what does it cost",
  "si puedes, dime la hora",
  "yesterday it rained",
  "ok, write a poem",
])("another message is no agreement: %s", (text) => expect(answerInMessage(text)).toBeUndefined());
