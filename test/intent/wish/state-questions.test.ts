/** Questions about how things stand, and requests that look like them. */
import { expect, it } from "vitest";
import { asksHowThingsStand } from "../../../src/intent/wish/state-questions.ts";

it.each([
  "Who cancelled today?",
  "Did we already text Mrs Keller?",
  "Was Mr Ott refunded last week?",
  "and has the invoice gone out?",
  "how many tickets were closed yesterday",
  "Can Mr Ott still cancel without a fee?",
  "Wer hat heute abgesagt?",
  "Wurde Frau Stein das Geld schon erstattet?",
  "Hat Tom eine SMS bekommen?",
  "Wie viele Termine wurden diese Woche abgesagt?",
  "¿Ya se canceló la cita de las nueve?",
  "¿Quién borró las notas?",
  "田中さんの予約はキャンセルされましたか",
  "预约取消了吗？",
  "Frau Weber fragt, ob sie B-1042 auf den 21. umbuchen kann",
  "Mrs Weber wants to know if we can refund her",
  "the guest in 12 is asking whether breakfast can be cancelled",
  "El cliente quiere saber si le devuelven el dinero",
])("asks how things stand: %s", (text) => expect(asksHowThingsStand(text)).toBe(true));

it.each([
  "Can you cancel Tom's appointment?",
  "Can we cancel it?",
  "Would you text Mrs Keller?",
  "Did it arrive? Then close the ticket.",
  "cancel whoever has not paid",
  "Kannst du Herrn Ott verschieben?",
  "Können Sie bitte Frau Braun absagen?",
  "Was heißt das auf Japanisch?",
  "¿Puedes cancelar la cita?",
  "予約をキャンセルしてもらえますか",
  "能帮我取消预约吗？",
  "给它补几个单元测试",
  "I want to know if the build passes, run it",
  "My boss asks if you can summarise the report",
  "Frau Weber fragt, ob sie umbuchen kann. Buch sie bitte auf den 21. um.",
])("does not: %s", (text) => expect(asksHowThingsStand(text)).toBe(false));
