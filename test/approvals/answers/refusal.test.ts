import { describe, expect, it } from "vitest";
import { refusalIn, refusesTool } from "../../../src/approvals/answers/refusal.ts";

const ASSISTANT = "It gets dearer. Do you really want to cancel sub_44?";

function holds(text: string, tool: string): boolean {
  const refusal = refusalIn(text, ASSISTANT);
  return refusal !== undefined && refusesTool(refusal, text, tool);
}

describe("a message refuses every change", () => {
  it.each(
    `no|nope|nein|non merci|아니요|いいえ|不要|no thanks|stop|wait|hold on|not now|never mind|better not|I changed my mind
    keep it|no, keep it|I want to keep it|leave it as it is|nevermind, it can stay|cancel? no!|who said cancel? keep it
    behalte es|nein, ich will es behalten|lass es|déjalo|quiero conservarlo|garde-le|je veux le garder|保留|そのままにして|그대로 두세요
    do not cancel it|please do not cancel it|don't cancel sub_44|no, don't cancel it|under no circumstances cancel it
    nicht kündigen|kündige es nicht|no lo canceles|ne l'annule pas|je ne veux pas l'annuler|不取消|取消しないで|취소하지 마
    ehrlich gesagt nein|finalement non|not a chance|취소 안 할래|yes, don't cancel it
    no: too expensive|doch nicht|lieber nicht|plutôt pas|算了|やめて|그만`.split(/\||\n\s*/),
  )("%s", (text) => {
    expect(holds(text, "cancel_subscription")).toBe(true);
  });
});

describe("a message goes on", () => {
  it.each(
    `yes|yes please|go ahead|cancel it|cancel|annule-le|取消吧|キャンセルして|no problem|no worries, do it|no rush
    no, the blue one|no, cancel sub_45|no: cancel sub_45|don't cancel it, pause it|keep it short|keep it and send me the invoice|keep going
    leave it to me|not on Monday|nicht so laut|nicht vor 9|no onions|without olives|kein Fleisch bitte|no preference|nothing else
    don't forget the drinks|don't worry|keep the red one|I don't know|any time|add Anna as well|keep me posted|leave a note for Anna
    Order the W77 once more because it is no longer in stock|yes, I don't need it any more|why not|stop the music|I still need a taxi, book one`.split(
      /\||\n\s*/,
    ),
  )("%s", (text) => {
    const isOrder = /cancel|annule|取消|キャンセル/.test(text);
    expect(holds(text, isOrder ? "cancel_subscription" : "place_order")).toBe(false);
  });
});

it("what a word orders and refuses is refused but for the act that it orders", () => {
  expect(holds("cancel it", "cancel_subscription")).toBe(false);
  expect(holds("cancel it", "send_money")).toBe(true);
  expect(holds("stop", "send_money")).toBe(true);
});

it("what is ruled out is refused where the tool does it", () => {
  expect(refusalIn("no onions", "With onions?")).toBe("named");
  expect(refusesTool("named", "no vouchers please", "create_voucher")).toBe(true);
  expect(refusesTool("named", "no vouchers please", "place_order")).toBe(false);
  expect(holds("I still need it", "delete_account")).toBe(true);
  expect(holds("I still need it", "place_order")).toBe(false);
});
