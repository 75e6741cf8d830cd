/** Plain requests behind the words that people begin with: a word that many refusals begin with too must not turn one into a refusal. */
import { expect, it } from "vitest";
import { wishOf } from "../../../src/intent/wish/wish.ts";

/** The candidate of each request is in brackets. */
const requests = {
  en: {
    openings:
      "|please |Please |Could you please |can you |pls |kindly |I'd like you to |go ahead and |hey, |ok now |now |just ",
    asked: [
      "[note]take a note: buy milk",
      "[note]make a note that the meeting moved",
      "[email]send an email to Ann",
      "[ticket]create a ticket for the broken printer",
      "[quiz]make a quiz about the past tense",
      "[delete]delete the old branch",
      "[refund]refund order 4412",
      "[remind]remind me to call Mum",
      "[cancel]cancel my subscription",
    ],
  },
  de: {
    openings: "|bitte |Könntest du bitte |kannst du |so, jetzt |Hallo, ",
    asked: [
      "[notiere]notiere: Milch kaufen",
      "[Mail]schreib eine Mail an Anna",
      "[lösch]lösch den alten Branch",
      "[Quiz]mach ein Quiz zum Perfekt",
    ],
  },
  es: {
    openings: "|por favor, |¿puedes |Hola, |oye, ",
    asked: ["[apunta]apunta: comprar leche", "[correo]envía un correo a Ana", "[borra]borra la rama vieja"],
  },
  zh: {
    openings: "|请|麻烦你|帮我|你好，|好，",
    asked: ["[记]记一下：买牛奶", "[邮件]给小王发封邮件", "[删]删掉旧分支", "[测验]出一份小测验"],
  },
  ja: {
    openings: "|すみません、|お手数ですが、|じゃあ、",
    asked: [
      "[メモ]メモして：牛乳を買う",
      "[メール]田中さんにメールを送って",
      "[消し]古いブランチを消して",
      "[クイズ]クイズを作ってください",
    ],
  },
};

const all = Object.values(requests).flatMap(({ openings, asked }) =>
  openings.split("|").flatMap((opening) => asked.map((one) => [opening, one] as const)),
);

it.each(all)("%j before %j asks for it", (opening, asked) => {
  const [, candidate = "", request = ""] = /^\[(.+?)\](.+)$/.exec(asked) ?? [];
  const start = opening.length + request.indexOf(candidate);
  const wish = wishOf(opening + request, { start, end: start + candidate.length });
  // From 0.4 on a candidate counts, where no trained layer judges it.
  expect(wish.request + wish.question).toBeGreaterThan(0.4);
});
