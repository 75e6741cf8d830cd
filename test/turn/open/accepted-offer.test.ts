import { expect, it } from "vitest";
import { toolEffects } from "../../../src/policy/origin/roles/tool-verbs.ts";
import { acceptedOffer } from "../../../src/turn/open/accepted-offer.ts";

type Arguments = Readonly<Record<string, string | number>>;

const offers = (message: string, assistant: string, name: string, args: readonly (string | number)[] | Arguments) =>
  acceptedOffer(message, assistant)?.offers({
    traits: { name, category: "modification", listed: true },
    effects: toolEffects(name),
    arguments: Object.fromEntries(Object.entries(args)),
    values: Object.values(args),
  }) === true;

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
  ["yes", "Shall I rename `a.txt` to `b.txt`?", "rename_file", ["a.txt", "b.txt"]],
  ["yes", "Shall I move WEB-9 to Done?", "update_issue", ["WEB-9"]],
  ["oui", "Dois-je déplacer la réunion à 15h ?", "update_event", ["e5", "15:00"]],
  ["yes", "Shall I turn off light 2?", "turn_off", ["light.2"]],
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

it.each([
  ["Shall I close WEB-9 in main?", "update_branch_protection", { branch: "main", state: "off" }],
  ["Shall I set the status of Kim's task to done?", "update_role", { user: "kim", role: "admin" }],
  ["Shall I set the status of Kim's task to done?", "update_user", { user: "kim", group: "admin" }],
  ["Shall I move WEB-9 to Done?", "update_issue", { id: "WEB-10", status: "Done" }],
  ["Shall I move WEB-9 to SPRINT-3?", "update_issue", { id: "WEB-10", sprint: "SPRINT-3" }],
  ["Shall I move WEB-9 to Done?", "update_issue", { id: "WEB-10", project: "WEB", status: "Done" }],
  ["Shall I rename `a.txt` to `b.txt`?", "rename_file", { from: "c.txt", to: "b.txt" }],
  ["Shall I move 77 to column 5?", "update_card", { id: 78, column: 5 }],
  ["Shall I update `main` to Done?", "update_issue", { id: "WEB-10", status: "Done" }],
  ["Shall I lower it to 5?", "update_stock", { id: "e5", stock: 90 }],
  ["Shall I set the volume to 20?", "set_volume", { player: "volume", level: 90 }],
  ["Shall I turn it off?", "turn_off", { entity: "alarm.house" }],
] as const)("one yes to %s unlocks no other object and nothing that is guarded: %s of %j", (assistant, tool, args) => {
  expect(offers("yes", assistant, tool, args)).toBe(false);
});

it.each(["yes", "yes, close it", "close it", "yes, close WEB-9 please", "sure", "ok, go ahead"])(
  "%s agrees to all of what is offered",
  (message) => {
    expect(offers(message, "Shall I close WEB-9?", "update_issue", ["WEB-9"])).toBe(true);
  },
);

it("agrees to each object of a list", () => {
  const offer = "Shall I close WEB-9 and WEB-10?";
  expect(["WEB-9", "WEB-10", "WEB-11"].map((id) => offers("yes", offer, "update_issue", [id]))).toEqual([
    true,
    true,
    false,
  ]);
});

it.each([
  ["yes, tomorrow", "Shall I close WEB-9?"],
  ["sure, tomorrow", "Shall I close WEB-9?"],
  ["yes, once Kim has seen it", "Shall I close WEB-9?"],
  ["yes, close it tonight", "Shall I close WEB-9?"],
  ["yes, WEB-9", "Shall I close WEB-9 and WEB-10?"],
  ["sí, mañana", "¿Cierro la WEB-9?"],
  ["sí, pero déjame leerla antes", "¿Cierro la WEB-9?"],
  ["ja, morgen", "Soll ich WEB-9 schließen?"],
  ["oui, demain", "Je ferme WEB-9 ?"],
  ["好，明天吧", "要我关闭WEB-9吗？"],
  ["はい、あとで", "WEB-9を閉じましょうか？"],
  ["はい、でも先に見せて", "WEB-9を閉じましょうか？"],
])("a yes that waits for something is none: %s, to %s", (message, assistant) => {
  expect(offers("yes", assistant, "update_issue", ["WEB-9"])).toBe(true);
  expect(offers(message, assistant, "update_issue", ["WEB-9"])).toBe(false);
});

it.each([
  "Shall I cancel the change of WEB-9?",
  "Shall I suggest a change to WEB-9?",
  "Shall I keep WEB-9 closed?",
  "Shall I leave WEB-9 closed?",
  "Should I have closed WEB-9?",
  "Should I be worried that someone changed WEB-9?",
  "Soll ich dir die Änderung von WEB-9 zeigen?",
  "Soll ich WEB-9 geschlossen lassen?",
  "¿Quieres que te muestre el cambio de WEB-9?",
  "Dois-je vérifier la modification de WEB-9 ?",
  "Je ferme souvent WEB-9 le soir, non ?",
  "要我把WEB-9的修改给你看吗？",
  "要我建议修改WEB-9吗？",
  "WEB-9の変更を提案しましょうか？",
  "WEB-9 변경을 보여 드릴까요?",
])("offers no act that only a noun or a participle names: %s", (assistant) => {
  expect(offers("yes", assistant, "update_issue", ["WEB-9"])).toBe(false);
});

it.each([
  "WEB-9を閉じましょうか？",
  "要我把WEB-9关闭吗？",
  "Soll ich WEB-9 schließen?",
  "Dois-je fermer WEB-9 ?",
  "WEB-9를 수정할까요?",
])("finds the verb first or last: %s", (assistant) => {
  expect(offers("yes", assistant, "update_issue", ["WEB-9"])).toBe(true);
});

it.each([
  ["Shall I rename it to Report 2024?", "rename it to Report 2024"],
  ["Shall I rename it to report 2024?", "rename it to report 2024"],
  ["Shall I move it to Review?", "move it to Review"],
  ["Shall I add it to Archive?", "add it to Archive"],
  ["Shall I add a note to remind Kim?", "add a note"],
])("cuts off no value: %s", (assistant, text) => {
  expect(acceptedOffer("yes", assistant)?.text).toBe(text);
});

it("keeps the words of an offer with a verb that no table has", () => {
  expect(acceptedOffer("好的", "要我帮你开一个工单吗？")?.text).toBe("开一个工单");
  expect(offers("好的", "要我帮你开一个工单吗？", "create_ticket", ["工单"])).toBe(false);
  expect(acceptedOffer("好的", "要我建议修改WEB-9吗？")).toBeUndefined();
});

it("reads no long list of acts", () => {
  expect(acceptedOffer("yes", `Shall I close ${"a ".repeat(700)}?`)).toBeUndefined();
});
