/** Answers to several questions at once, by what the calls hold: "a.txt yes, b.txt no", "all but k-12". */
import { describe, expect, it } from "vitest";
import { answerInMessage } from "../../../src/approvals/answers/answer-in-message.ts";
import { resolveAnswers } from "../../../src/approvals/answers/resolve-answers.ts";
import type { Approval } from "../../../src/approvals/approval.ts";
import { frameText } from "../../../src/approvals/disclosure/frame.ts";
import { approvalOf } from "../samples.ts";

const call = (code: string, name: string, args: Readonly<Record<string, unknown>>): Approval =>
  approvalOf(code, { traits: { name }, arguments: args });

const files = [call("K7QF", "delete_file", { path: "a.txt" }), call("3M2P", "delete_file", { path: "notes/b.txt" })];
const mails = [
  call("K7QF", "send_email", { input: { to: "eva@x.example", subject: "Hi" } }),
  call("3M2P", "send_email", { input: { to: "pau@x.example", subject: "Hi" } }),
];
const records = [
  call("K7QF", "delete_record", { id: "k-11" }),
  call("3M2P", "delete_record", { id: "k-12" }),
  call("9H4R", "delete_record", { id: "k-13" }),
];

/** For each call `approve`, `deny` or `-`; `asks`: none is answered; `cancels`: another message. */
function readingOf(text: string, calls: readonly Approval[]): string {
  const settings = { typedCode: false, now: 1_000 };
  const said = answerInMessage(
    text,
    calls.map(({ code }) => code),
    frameText(calls, settings),
  );
  if (said === undefined) return "cancels";
  const resolution = resolveAnswers(said, calls, { ...settings, language: "en", grants: true });
  if (resolution.kind === "reply") return "asks";
  return calls
    .map(({ code }) => resolution.answers.find(({ approval }) => approval.code === code)?.action ?? "-")
    .join(" ");
}

describe("an answer to several calls", () => {
  it.each([
    "a.txt yes, b.txt no",
    "yes to a.txt, not b.txt",
    "only a.txt",
    "only delete a.txt",
    "all but b.txt",
    "everything except notes/b.txt",
    "the first one, not the second",
    "a.txt, not b.txt",
    "a.txt ja, b.txt lass",
    "nur a.txt",
    "alles außer b.txt",
    "a.txt sí, b.txt no",
    "a a.txt sí, a b.txt no",
    "todo menos b.txt",
    "a.txt oui, b.txt non",
    "juste a.txt",
    "tout sauf b.txt",
    "a.txtはOK、b.txtはだめ",
    "a.txtだけ",
    "a.txt可以，b.txt不要",
    "只删 a.txt",
    "除了b.txt都删",
  ])("names files: %s", (text) => expect(readingOf(text, files)).toBe("approve deny"));

  it.each(["yes to a.txt and b.txt", "yup both", "delete both", "beide löschen", "borra los dos", "两个都删", "両方"])(
    "is for both: %s",
    (text) => expect(readingOf(text, files)).toBe("approve approve"),
  );

  it.each(["a eva sí, a pau no", "eva yes, pau no", "only eva", "eva@x.example ja, pau@x.example nein"])(
    "names people by their addresses: %s",
    (text) => expect(readingOf(text, mails)).toBe("approve deny"),
  );

  it.each(["yes to k-11 and k-13, not k-12!", "all but k-12", "alle außer k-12", "everything except the second"])(
    "names records: %s",
    (text) => expect(readingOf(text, records)).toBe("approve deny approve"),
  );

  it.each([
    "only a.txt, and rename b.txt",
    "a.txt and b.txt",
    "yes a.txt.bak",
    "everything except a.txt and b.txt",
    "all but c.txt",
    "only delete a.txt tomorrow",
    "delete only a.txt, but rename it first",
    "a.txt yes if b.txt no",
    "a.txt yes, c.txt no",
    "copy only a.txt",
    "the first, no, the second",
    "nur a.txt umbenennen",
    "只看 a.txt",
    "除了a.txt都看",
    "delete both folders",
    "lösch beide ordner",
    "both are old",
    "keep a.txt, delete b.txt",
    "no, a.txt",
    "a.txt not ok, b.txt ok",
    "the first is not ok, the second is ok",
    "yes to a.txt, b.txt is not ok",
    "ok a.txt, not sure b.txt",
    "sure not a.txt, yes b.txt",
    "ok keep a.txt, b.txt yes",
    "a.txt nicht ok, b.txt ok",
    "a.txt不可以，b.txt可以",
    "a.txt可以不删，b.txt可以删",
  ])("is none, and runs nothing: %s", (text) => expect(readingOf(text, files)).not.toContain("approve"));

  const texts = [
    call("K7QF", "send_email", { to: "eva@x.example", body: "See you tomorrow" }),
    call("3M2P", "send_email", { to: "pau@x.example", body: "Hi" }),
  ];
  it.each(["yes to pau, eva tomorrow", "eva tomorrow, pau yes", "only tomorrow"])(
    "is not named by a word of a text: %s",
    (text) => expect(readingOf(text, texts)).not.toContain("approve"),
  );

  const states = [
    call("K7QF", "update_ticket", { ticket_id: "T-101", status: "closed" }),
    call("3M2P", "update_ticket", { ticket_id: "T-102", status: "open" }),
  ];
  it.each(["T-101 closed, T-102 yes", "only open"])(
    "is not named by a value that the question does not say: %s",
    (text) => expect(readingOf(text, states)).not.toContain("approve"),
  );

  const orders = [
    call("K7QF", "cancel_order", { order_id: "A-101" }),
    call("3M2P", "cancel_order", { order_id: "A-102" }),
  ];
  it.each(["cancel only the first", "only cancel A-101", "yes to A-101, cancel A-102", "只取消A-101"])(
    "is no yes where the act may be a no: %s",
    (text) => expect(readingOf(text, orders)).not.toContain("approve"),
  );

  it("has no places where a call of the question is gone", () => {
    const [first, , third] = records as [Approval, Approval, Approval];
    const shown = records.map(({ code }) => code);
    for (const text of ["only the second", "all but the first"]) {
      const said = answerInMessage(text, shown, frameText(records, { typedCode: false, now: 1_000 })) ?? [];
      const settings = { typedCode: false, now: 1_000, language: "en", grants: true, shown } as const;
      expect(resolveAnswers(said as never, [first, third], settings).kind).toBe("reply");
    }
  });

  it.each(["eva yes, pau tomorrow", "only eva knows", "only eva@x.example.com"])(
    "is none where a word is left: %s",
    (text) => expect(readingOf(text, mails)).not.toContain("approve"),
  );
});
