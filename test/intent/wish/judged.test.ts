import { describe, expect, it } from "vitest";
import { continuationOf } from "../../../src/intent/wish/continues.ts";
import type { Wish } from "../../../src/intent/wish/judge-wish.ts";
import { wishOf } from "../../../src/intent/wish/wish.ts";

const judge = (text: string, candidate: string): Wish => {
  const start = text.indexOf(candidate);
  return wishOf(text, { start, end: start + candidate.length });
};

const likeliest = (wish: Wish): string | undefined =>
  Object.entries(wish).sort(([, one], [, other]) => other - one)[0]?.[0];

describe("a word in a message", () => {
  it.each([
    ["could you order new gloves for the team", "gloves", "request"],
    ["Bitte bestell mir neue Handschuhe", "Handschuhe", "request"],
    ["¿me puedes pedir unos guantes?", "guantes", "request"],
    ["帮我订一副手套", "手套", "request"],
    ["手袋を注文してください", "手袋", "request"],
    ["my gloves smelled of petrol all winter", "gloves", "statement"],
    ["我昨天把手套落在车上了", "手套", "statement"],
    ["昨日手袋を電車に忘れてしまった", "手袋", "statement"],
    ["Warum trägt man in der Oper Handschuhe?", "Handschuhe", "question"],
    ["为什么大家看歌剧要戴手套", "手套", "question"],
    ["どうしてオペラでは手袋をするのですか", "手袋", "question"],
    ["no need to order gloves, I found mine", "gloves", "refusal"],
    ["Handschuhe brauchst du nicht bestellen", "Handschuhe", "refusal"],
    ["手套先别订", "手套", "refusal"],
    ["手袋はもういりません", "手袋", "refusal"],
  ])("in %j, %s is a %s", (text, candidate, kind) => {
    expect(likeliest(judge(text, candidate))).toBe(kind);
  });

  it.each([
    [
      "Please create a 2 hour event 'Roof survey' on 2027-03-14 at 15:30 or 16:30. The description should be 'Roof survey with Jan.'.",
      "event",
    ],
    ["For #R4410-7, swap Garden Hose (length: 25ft, material: vinyl) to (length: 50ft); via voucher_2290.", "swap"],
    [
      "My name is Dora Finch and my mail is d.finch8@mill.example. Cancel booking #B2207 because no longer needed.",
      "booking",
    ],
    ["In Auftrag 7781 die Lampe {'Farbe': 'rot'} gegen {'Farbe': 'blau'} tauschen bitte.", "tauschen"],
    ["把订单#B2207的地址改成（街道：柳树路4号，城市：苏州）。", "地址"],
  ])("values beside it do not make %j a quotation", (text, candidate) => {
    expect(likeliest(judge(text, candidate))).not.toBe("quotation");
  });

  it.each([
    ['my coach wrote "order gloves", is he serious', "order"],
    ["mein Trainer schrieb: „bestell Handschuhe“, meint der das ernst?", "Handschuhe"],
    ["el entrenador dice: «pide guantes»", "guantes"],
    ["教练发来一句“订手套”，他认真的吗", "手套"],
    ["監督から「手袋を買え」と言われた", "手袋"],
    ["the note says 'order gloves', what now", "gloves"],
    ["translate into Welsh: please order the gloves", "gloves"],
    ["翻译成英文：请订手套", "手套"],
    ["```\norder gloves\n```\nwhat is this", "gloves"],
    ["> please order gloves\n\nhe means me", "gloves"],
    ["Fwd: kit\nplease order gloves\n\nhe means me", "gloves"],
  ])("in others' words asks for nothing: %j", (text, candidate) => {
    const wish = judge(text, candidate);
    expect(likeliest(wish)).toBe("quotation");
    expect(wish.request).toBeLessThan(0.05);
  });

  it("beside a quotation may be asked for", () => {
    expect(judge('order the gloves that say "left"', "gloves").quotation).toBeLessThan(0.5);
    expect(judge("it's Ben's turn, don't order the dog's gloves, order mine", "mine").quotation).toBeLessThan(0.5);
  });

  it("is asked for more where another sentence asks", () => {
    const alone = judge("The gloves are full of holes.", "gloves").request;
    expect(judge("The gloves are full of holes. Please order new ones for me.", "gloves").request).toBeGreaterThan(
      alone,
    );
  });
});

describe("a message", () => {
  it("is judged by its most wishful sentence", () => {
    const text = "We lost again on Sunday. The coach was furious. Could you send the team a new plan?";
    expect(likeliest(wishOf(text))).toBe("request");
  });

  it("asks for nothing where all of it is quoted, or nothing is said", () => {
    expect(wishOf('"please order the gloves"').request).toBeLessThan(0.05);
    expect(wishOf("").request).toBeLessThan(0.05);
    expect(wishOf("…").request).toBeLessThan(0.05);
  });
});

describe("a message behind the assistant's", () => {
  it.each([
    ["Shall I order the gloves?", "yes, two pairs please"],
    ["Shall I order the gloves?", "make it the red ones"],
    ["I've ordered gloves in size M.", "and socks too"],
    ["Which colour?", "dark green"],
    ["Soll ich die Handschuhe bestellen?", "ja, mach das"],
    ["手套要现在下单吗？", "行，下单吧"],
    ["手袋を注文しますか？", "はい、お願いします"],
    ["¿Pido los guantes?", "sí, dos pares"],
  ])("%j: %j goes on", (assistant, text) => {
    expect(continuationOf({ assistant, text }).continues).toBeGreaterThan(0.6);
  });

  it.each([
    ["I have compared the first ten gloves.", "continue"],
    ["I have compared the first ten gloves.", "keep going"],
    ["The shop did not answer.", "try again"],
    ["Zehn Handschuhe sind verglichen.", "weiter"],
    ["Die Seite war leer.", "nochmal"],
    ["前十副手套比较完了。", "继续"],
    ["手袋を10組比べました。", "続けて"],
    ["He comparado diez guantes.", "sigue"],
  ])("%j: %j goes on, though nothing was asked", (assistant, text) => {
    expect(continuationOf({ assistant, text }).continues).toBeGreaterThan(0.5);
  });

  it.each([
    ["He pedido los guantes.", "busca un vuelo a Lima para mayo"],
    ["I've ordered the gloves.", "could you look up the train times to Leeds for tomorrow"],
    ["I stopped after 20 of the 50 gloves.", "stop"],
    ["I've ordered the gloves.", "thanks"],
    ["Ich habe die Handschuhe bestellt.", "danke"],
    ["手袋を注文しました。", "ありがとう"],
    ["手套已经订好了。", "谢谢"],
  ])("%j: %j does not", (assistant, text) => {
    expect(continuationOf({ assistant, text }).continues).toBeLessThan(0.5);
  });
});
