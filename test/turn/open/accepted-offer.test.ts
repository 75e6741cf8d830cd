import { expect, it } from "vitest";
import { toolEffects } from "../../../src/policy/origin/roles/tool-verbs.ts";
import { acceptedOffer } from "../../../src/turn/open/accepted-offer.ts";

const offers = (message: string, assistant: string, tool: string, values: readonly (string | number)[]): boolean =>
  acceptedOffer(message, assistant)?.offers(tool, toolEffects(tool), values) === true;

it.each([
  ["sí, ciérrala", "WEB-9 y WEB-10. ¿Cierro la WEB-9?", "update_issue", ["WEB-9", "closed"]],
  ["ja, mach das", "Mittagessen mit Eva um 12. Soll ich es auf 13 Uhr verschieben?", "update_event", ["e5", "13:00"]],
  ["oui s'il te plaît", "Celle du salon. Je l'éteins ?", "turn_off", ["light.salon"]],
  ["お願い", "リビングのライトです。消しましょうか？", "turn_off", ["light.living"]],
  ["yep", "The shop says 35. Shall I correct the stock to 40?", "update_stock", ["MUG-1", 40]],
  ["ja gern", "Soll ich es ausmachen?", "turn_off", []],
  ["please do", "Shall I turn it off?", "turn_off", []],
  ["yes", "Shall I turn off the hall light?", "turn_off", ["light.hall"]],
  ["yes", "Shall I rename the folder?", "rename_folder", ["f1", "New"]],
  ["yes", "Shall I rename `a.txt` to `b.txt`?", "update_file", ["a.txt"]],
  ["yes", "Shall I move WEB-9 to Done?", "update_issue", ["WEB-9"]],
])("%s, to %s, asks for %s of %j", (message, assistant, tool, values) => {
  expect(offers(message, assistant, tool, values)).toBe(true);
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
  expect(offers(message, assistant, tool, ["WEB-9"])).toBe(false);
});

it.each([
  ["Shall I close WEB-9?", "update_branch_protection", ["main", "off"]],
  ["Shall I close WEB-9?", "update_settings", ["close"]],
  ["Shall I close WEB-9?", "edit_file", ["a.txt", "text"]],
  ["Shall I close WEB-9?", "update_price", ["MUG-1", 9]],
  ["Shall I close WEB-9?", "update_issue", ["WEB-90"]],
  ["Shall I add a note?", "edit_file", ["a.txt", "a note"]],
  ["Shall I turn off the hall light?", "turn_off", ["alarm.house"]],
  ["Shall I turn off the hall light?", "turn_off", []],
  ["Shall I stop here?", "update_issue", ["WEB-9"]],
  ["Shall I stop here?", "stop_server", ["s1"]],
])("one yes to %s unlocks no other change: %s of %j", (assistant, tool, values) => {
  expect(offers("yes", assistant, tool, values)).toBe(false);
});

it.each([
  "Shall I explain how to close WEB-9?",
  "Shall I show you how to change WEB-9?",
  "Shall I look up who changed WEB-9?",
  "Shall I check whether WEB-9 should be closed?",
  "Shall I check the change of WEB-9?",
  "Shall I draft a mail to close WEB-9?",
  "Shall I draft a note about closing WEB-9?",
  "Shall I wait until you close WEB-9?",
  "Soll ich dir erklären, wie man WEB-9 schließt?",
  "Soll ich nachsehen, ob WEB-9 geändert ist?",
  "Soll ich warten, bis du WEB-9 änderst?",
  "¿Quieres que te explique cómo cambiar WEB-9?",
  "¿Quieres que espere para cambiar WEB-9?",
  "Tu veux que j'explique comment fermer WEB-9 ?",
  "要我解释怎么关闭WEB-9吗？",
  "WEB-9を閉じる方法を説明しましょうか？",
  "WEB-9 변경 방법을 설명해 드릴까요?",
])("offers no change of what it is about: %s", (assistant) => {
  expect(offers("yes", assistant, "update_issue", ["WEB-9"])).toBe(false);
});
