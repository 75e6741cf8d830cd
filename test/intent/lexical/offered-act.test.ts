import { expect, it } from "vitest";
import { offeredAct } from "../../../src/intent/lexical/offered-act.ts";

it.each([
  ["I found it. Shall I add it to your calendar?", "add it to your calendar"],
  ["Should I also open a ticket?", "open a ticket"],
  ["Do you want me to lower it to 30 seconds?", "lower it to 30 seconds"],
  ["I can make flashcards of these.", "make flashcards of these"],
  ["Soll ich den Termin eintragen?", "den Termin eintragen"],
  ["¿Quieres que lo añada al calendario?", "lo añada al calendario"],
  ["要我帮你开一个工单吗？", "开一个工单"],
  ["予定に追加しましょうか？", "予定に追加し"],
  ["Shall I book it? It costs 30 euros.", "book it"],
])("%s", (assistant, act) => {
  expect(offeredAct(assistant)).toBe(act);
});

it.each(["Done.", "Which one do you mean?", "Your meeting is at four.", ""])("offers nothing: %s", (assistant) => {
  expect(offeredAct(assistant)).toBeUndefined();
});
