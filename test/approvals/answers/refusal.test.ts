import { describe, expect, it } from "vitest";
import { refusalIn, refusesTool } from "../../../src/approvals/answers/refusal.ts";
import { isHeardAsRefusal, readProposals } from "../../bench/intents/judged-messages.ts";

const ASSISTANT = "It gets dearer. Do you really want to cancel sub_44?";

function holds(text: string, tool: string, assistant = ASSISTANT): boolean {
  const refusal = refusalIn(text, assistant);
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
    No: Never|Non: Jamais|No: Wrong|No: Privacy|No: Absolutely Not|Nein: Nie|no: Ben
    no: too expensive|no: Bob is ill|doch nicht|lieber nicht|plutôt pas|算了|やめて|그만`.split(/\||\n\s*/),
  )("%s", (text) => {
    expect(holds(text, "cancel_subscription")).toBe(true);
  });
});

describe("a message goes on", () => {
  it.each(
    `yes|yes please|go ahead|cancel it|cancel|annule-le|取消吧|キャンセルして|no problem|no worries, do it|no rush
    no, the blue one|no, cancel sub_45|no: cancel sub_45|don't cancel it, pause it|keep it and send me the invoice|keep going
    nein, Ben|no: b.txt|no - main.py|no: anna@x.example
    nothing else|I don't know|any time|add Anna as well|why not|stop the music|yes, I don't need it any more
    Order the W77 once more because it is no longer in stock|I still need a taxi, book one`.split(/\||\n\s*/),
  )("%s", (text) => {
    const isOrder = /cancel|annule|取消|キャンセル/.test(text);
    expect(holds(text, isOrder ? "cancel_subscription" : "place_order")).toBe(false);
  });

  it("as an answer to the gateway's own question, whatever its help says", () => {
    const asked = "**Write `b.txt`?** ⟦K7QF⟧\n\nReply `yes` / `no`. Anything else cancels this.";
    for (const answer of ["always", "yes", "immer", "yes K7QF", "always 8EXS, no 78W6", "KWT4", "9B7D"])
      expect(holds(answer, "write", asked)).toBe(false);
  });

  it.each([
    ["I'll write the summary now.", "keep it short"],
    ["Shall I book the table for Monday?", "not on Monday"],
    ["Ich spiele jetzt deine Musik.", "nicht so laut"],
    ["Ich buche den Tisch für acht.", "nicht vor 9"],
    ["Shall I order the pizza?", "no onions"],
    ["Shall I order the salad?", "without olives"],
    ["Soll ich das Menü bestellen?", "kein Fleisch bitte"],
    ["Window or aisle?", "no preference"],
    ["Shall I write the shopping list?", "don't forget the drinks"],
    ["It may take an hour.", "don't worry"],
    ["Which one shall I keep?", "keep the red one"],
    ["The price is 40 today.", "keep me posted"],
    ["Anna is out today.", "leave a note for Anna"],
    ["Done: Anna is invited.", "no, Ben"],
  ])("%s %s", (assistant, text) => {
    expect(holds(text, "place_order", assistant)).toBe(false);
  });
});

it("what a word orders and refuses is refused but for the act that it orders", () => {
  expect(holds("cancel it", "cancel_subscription")).toBe(false);
  expect(holds("cancel it", "send_money")).toBe(true);
  expect(holds("stop", "send_money")).toBe(true);
});

it("what is ruled out is refused where the tool does it", () => {
  const assistant = "Shall I order the pizza?";
  expect(refusalIn("no onions", assistant)).toBe("named");
  expect(refusesTool("named", "no vouchers please", "create_voucher")).toBe(true);
  expect(refusesTool("named", "no vouchers please", "place_order")).toBe(false);
});

it("who still needs a thing refuses to lose it", () => {
  expect(holds("I still need it", "delete_account", "Shall I delete the account?")).toBe(true);
});

describe("messages behind a proposal, as people write them", () => {
  const heard = (refuses: boolean) =>
    readProposals("open").filter((one) => one.refuses === refuses && isHeardAsRefusal(one));

  it("hears 49 of 70 refusals", () => {
    expect(heard(true).length).toBeGreaterThanOrEqual(49);
  });

  it("takes at most 7 of 70 others for one", () => {
    expect(heard(false).length).toBeLessThanOrEqual(7);
  });
});
