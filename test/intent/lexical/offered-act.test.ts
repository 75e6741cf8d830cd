import { expect, it } from "vitest";
import { offeredAct } from "../../../src/intent/lexical/offered-act.ts";

it.each([
  ["I found it. Shall I add it to your calendar?", "add it to your calendar"],
  ["Should I also open a ticket?", "open a ticket"],
  ["Do you want me to lower it to 30 seconds?", "lower it to 30 seconds"],
  ["Soll ich den Termin eintragen?", "den Termin eintragen"],
  ["¿Quieres que lo añada al calendario?", "lo añada al calendario"],
  ["要我帮你开一个工单吗？", "开一个工单"],
  ["予定に追加しましょうか？", "予定に追加し"],
  ["WEB-9 y WEB-10. ¿Cierro la WEB-9?", "Cierro la WEB-9"],
  ["Está abierta. ¿La cierro?", "La cierro"],
  ["Celle du salon. Je l'éteins ?", "l'éteins"],
  ["Tu veux que je ferme le ticket ?", "ferme le ticket"],
  ["Faut-il y déplacer WEB-40 ?", "y déplacer WEB-40"],
  ["客厅的灯开着。要关掉吗？", "关掉"],
  ["Encontré el pedido. ¿Cancelo el pedido 77?", "Cancelo el pedido 77"],
  ["Entonces, ¿muevo la reunión al viernes?", "muevo la reunión al viernes"],
  ["Je peux fermer le ticket ?", "peux fermer le ticket"],
  ["Je supprime le fichier, ça te va ?", "supprime le fichier, ça te va"],
  ["Shall I book it? It costs 30 euros.", "book it"],
])("%s", (assistant, act) => {
  expect(offeredAct(assistant)).toBe(act);
});

it.each([
  "Done.",
  "Which one do you mean?",
  "",
  "I can also email it to the board.",
  "I can't delete the backups. Shall we leave them?",
  "Shall I not delete it?",
  "Shall I delete it or keep it?",
  "¿Quieres que lo borre o lo guarde?",
  "Shall I send it? Or which one do you mean?",
  "La he cerrado. ¿Correcto?",
  "¿Cómo lo cierro?",
  "¿Cuánto cuesta?",
  "¿Todo bien?",
  "Je n'y touche pas ?",
  // They tell or ask what happened.
  "¿Pago realizado correctamente?",
  "¿Archivo borrado ayer por ti?",
  "¿Cambio ya guardado?",
  "¿Veo bien?",
  "¿Correcto así?",
  "J'ai supprimé le fichier, ça te va ?",
  "Je l'ai supprimé, ça te va ?",
  "J'avais fermé le ticket ?",
  "Je vois que le prix a changé, c'est toi ?",
  "Je comprends bien que le prix change ?",
  "Je pense que c'est bon ?",
  "Mario moved the meeting to 13:00?",
  "Hello again, did you change the price?",
  "需要修改过的价格吗？",
  "要改了的那个吗？",
  'The mail asks: "Shall I refund it?"',
  "> Shall I refund it?",
])("offers nothing, or nothing certain: %s", (assistant) => {
  expect(offeredAct(assistant)).toBeUndefined();
});
