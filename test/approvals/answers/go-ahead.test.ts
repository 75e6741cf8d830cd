/** Everyday words that let a call run, and others that begin as they do. */
import { describe, expect, it } from "vitest";
import { answerInMessage } from "../../../src/approvals/answers/answer-in-message.ts";
import { resolveAnswers } from "../../../src/approvals/answers/resolve-answers.ts";
import type { Approval } from "../../../src/approvals/approval.ts";
import type { Language } from "../../../src/approvals/disclosure/disclosed.ts";
import { frameText } from "../../../src/approvals/disclosure/frame.ts";
import { approvalOf } from "../samples.ts";
import goAheads from "./go-aheads.json" with { type: "json" };

const call = (name: string, args: Readonly<Record<string, unknown>>, code = "K7QF"): Approval =>
  approvalOf(code, { traits: { name }, arguments: args });

const calls: Readonly<Record<keyof typeof goAheads, readonly Approval[]>> = {
  del: [call("delete_file", { path: "b.txt" })],
  mail: [call("send_email", { to: "anna@x.example", subject: "Offer" })],
  refund: [call("refund_payment", { booking_id: "B-1042", amount: 120 })],
  push: [call("git_push", { branch: "main" })],
  pay: [call("transfer_money", { amount: 20, to: "Ms Weber" })],
  event: [call("create_event", { title: "Lunch", start: "Tuesday 12:00" })],
  two: [
    call("refund_invoice", { invoice_id: "INV-78", amount: 240 }),
    call("refund_invoice", { invoice_id: "INV-79", amount: 150 }, "3M2P"),
  ],
};

const inLanguage = (language: Language, name: string, args: Readonly<Record<string, unknown>>): readonly Approval[] => [
  approvalOf("K7QF", { traits: { name }, arguments: args, language }),
];

/** `cancels`: another message; `asks`: the question stands. */
function readingOf(text: string, waiting: readonly Approval[]): string {
  const settings = { typedCode: false, now: 1_000 };
  const said = answerInMessage(
    text,
    waiting.map(({ code }) => code),
    frameText(waiting, settings),
  );
  if (said === undefined) return "cancels";
  const resolution = resolveAnswers(said, waiting, { ...settings, language: "en", grants: true });
  return resolution.kind === "reply" ? "asks" : resolution.answers.map(({ action }) => action).join(" ");
}

const rows = Object.entries(goAheads).flatMap(([name, { yes, others }]) => {
  const waiting = calls[name as keyof typeof goAheads];
  return [
    ...yes.map((text) => [text, true, waiting] as const),
    ...others.map((text) => [text, false, waiting] as const),
  ];
});

describe("a go-ahead", () => {
  it.each(rows)("%s: %s", (text, isYes, waiting) => {
    expect(readingOf(text, waiting).includes("approve")).toBe(isYes);
  });

  const file = { path: "alt.txt" };
  const mail = { to: "kim@x.example", subject: "Info" };
  it.each([
    ["zh", "delete_file", file, ["删吧", "删掉", "那就删了吧", "好，删吧"], ["发吧", "别删", "删了", "删掉全部"]],
    ["zh", "send_email", mail, ["好，发出去", "发吧"], ["删吧", "先别发", "发现了"]],
    ["ja", "delete_file", file, ["消して", "削除して"], ["消さないで", "送って", "消した"]],
    [
      "de",
      "delete_file",
      file,
      ["lösch sie", "ja, kann weg", "sicher doch"],
      ["kann weg", "kann das weg", "schick ab", "sicher nicht"],
    ],
    ["de", "send_email", mail, ["schick ab", "ja, raus damit"], ["lösch sie", "schick nichts ab", "ja, kann weg"]],
    ["en", "send_email", mail, ["yes, off it goes"], ["off it goes to Bob"]],
    ["en", "delete_file", file, ["delete it", "ok, delete it"], ["ok delete it", "ok delete the other"]],
    ["zh", "close_ticket", { ticket_id: "T-9" }, ["嗯，关吧", "关吧"], ["嗯，别关", "嗯，发吧"]],
    ["en", "close_ticket", { ticket_id: "T-9" }, ["close it"], ["reopen it"]],
    // The name's first word is the act; a noun behind it is none.
    ["zh", "unpublish_post", { id: "P1" }, [], ["发布吧"]],
    ["de", "payment_cancel", { id: "P1" }, ["ja, storniere das"], ["zahl das", "bezahlen", "stornieren"]],
  ] as const)("in the question's language %s to %s", (language, name, args, yes, others) => {
    const waiting = inLanguage(language, name, args);
    for (const text of yes) expect([text, readingOf(text, waiting)]).toEqual([text, "approve"]);
    for (const text of others) expect([text, readingOf(text, waiting).includes("approve")]).toEqual([text, false]);
  });

  it("with an ok and no comma is asked about again", () => {
    expect(readingOf("ok delete it", calls.del)).toBe("asks");
  });

  it("by place needs no comma", () => {
    for (const text of ["the first yes the second no", "das erste ja das zweite nein", "la primera sí la segunda no"])
      expect([text, readingOf(text, calls.two)]).toEqual([text, "approve deny"]);
  });

  it("to both is one to two calls, and to no other number", () => {
    const three = [...calls.two, call("refund_invoice", { invoice_id: "INV-80", amount: 3 }, "4M2P")];
    for (const text of ["yes to both", "both of those", "ja zu beiden", "yes, the two of them"]) {
      expect([text, readingOf(text, calls.two)]).toEqual([text, "approve approve"]);
      expect([text, readingOf(text, three)]).toEqual([text, "asks"]);
    }
  });

  it("is none to one of several values", () => {
    const files = [call("delete_files", { paths: ["a.txt", "b.txt"] })];
    expect(readingOf("yes, that one", files)).toBe("asks");
    expect(readingOf("yes, those", files)).toBe("approve");
  });

  it("needs a yes before words that also mean no", () => {
    const cancel = [call("cancel_appointment", { date: "2026-12-14" })];
    for (const text of ["cancel it", "absagen", "取消吧"])
      expect([text, readingOf(text, cancel)]).toEqual([text, "asks"]);
    for (const text of ["looks good, cancel it", "passt, sag ab", "好，取消吧"])
      expect([text, readingOf(text, cancel)]).toEqual([text, "approve"]);
  });

  it("is for what the tool does, not for the name of a value or what the tool prevents", () => {
    expect(readingOf("send it", [call("delete_file", { path: "send.txt" })])).toBe("asks");
    expect(readingOf("refund it", [call("reject_refund", { id: "R-1" })])).not.toBe("approve");
    expect(readingOf("yes, refund it", [call("reject_refund", { id: "R-1" })])).toBe("asks");
  });

  it.each([
    ["transfer_reject", "transfer it"],
    ["transfer_reject", "yes, transfer it"],
    ["transfer_reject", "ja, überweise es"],
    ["merge_abort", "merge it"],
    ["merge_abort", "yes, merge it"],
    ["deploy_rollback", "deploy it"],
    ["payment_cancel", "pay it"],
    ["payment_cancel", "yes, pay it"],
    ["copy_delete", "yes, copy it"],
    ["upload_delete", "upload it"],
    ["edit_undo", "yes, change it"],
    ["cancel_and_charge", "yes, charge it"],
    ["create_and_send_invoice", "create it"],
    ["create_and_send_invoice", "yes, send it"],
    ["send_recall", "send it"],
    ["copy_and_delete", "yes, copy it"],
    ["copy_and_delete", "delete it"],
  ])("no order to do what %s takes back, or a part of it: %s", (tool, text) => {
    for (const listed of [true, false])
      expect(
        readingOf(text, [approvalOf("K7QF", { traits: { name: tool, listed }, arguments: { id: "T-1" } })]),
      ).not.toBe("approve");
  });

  it.each([
    ["transfer_cancel", "yes, cancel it"],
    ["transfer_cancel", "yes, cancel the transfer"],
    ["payment_cancel", "yes, cancel the payment"],
    ["transfer_reject", "yes"],
    ["copy_delete", "delete it"],
    ["order_cancel", "yes, cancel it"],
    ["copy_file", "yes, copy it"],
    ["create_hold", "create it"],
  ])("an order to do all that %s does: %s", (tool, text) => {
    expect(readingOf(text, [call(tool, { id: "T-1" })])).toBe("approve");
  });

  it("asks again where a short message has no words of its own, and cancels nothing", () => {
    for (const text of ["maybe", "not sure", "thanks", "hm", "vielleicht", "也许", "たぶん", "quizás"])
      expect([text, readingOf(text, calls.del)]).toEqual([text, "asks"]);
    for (const text of ["the other one", "show me the file first", "das wetter"])
      expect([text, readingOf(text, calls.del)]).toEqual([text, "cancels"]);
  });
});
