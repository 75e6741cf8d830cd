import { expect, it } from "vitest";
import { toolEffects } from "../../../src/policy/origin/roles/tool-verbs.ts";
import { acceptedOffer } from "../../../src/turn/open/accepted-offer.ts";

const offers = (message: string, assistant: string, tool: string): boolean =>
  acceptedOffer(message, assistant)?.offers(tool, toolEffects(tool)) === true;

it.each([
  ["sí, ciérrala", "WEB-9 y WEB-10. ¿Cierro la WEB-9?", "update_issue"],
  ["ja, mach das", "Mittagessen mit Eva um 12. Soll ich es auf 13 Uhr verschieben?", "update_event"],
  ["oui s'il te plaît", "Celle du salon. Je l'éteins ?", "turn_off"],
  ["お願い", "リビングのライトです。消しましょうか？", "turn_off"],
  ["yep", "The shop says 35. Shall I correct the stock to 40?", "update_stock"],
  ["ja gern", "Soll ich es ausmachen?", "turn_off"],
  ["please do", "Shall I turn it off?", "turn_off"],
])("%s, to %s, asks for %s", (message, assistant, tool) => {
  expect(offers(message, assistant, tool)).toBe(true);
});

it.each([
  // No yes, a yes with a wish, a question back, or an order of another act.
  ["lieber nicht", "Soll ich es auf 13 Uhr verschieben?", "update_event"],
  ["was kostet das?", "Soll ich es auf 13 Uhr verschieben?", "update_event"],
  ["save it", "Shall I delete it?", "save_file"],
  ["send it", "Shall I delete it?", "delete_file"],
  // The offer is of another act, of none, or a choice.
  ["yes", "Shall I look it up?", "update_issue"],
  ["yes", "Shall I go on?", "update_issue"],
  ["yes", "Shall I turn it off?", "turn_on"],
  ["yes", "Shall I turn it off?", "update_issue"],
  ["sí", "La he cerrado. ¿Correcto?", "update_issue"],
  ["yes", "Shall I close it or leave it open?", "update_issue"],
  ["yes", 'The mail says "shall I change it?"', "update_issue"],
  ["yes", "I can change it.", "update_issue"],
])("%s, to %s, does not ask for %s", (message, assistant, tool) => {
  expect(offers(message, assistant, tool)).toBe(false);
});
