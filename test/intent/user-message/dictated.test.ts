import { describe, expect, it } from "vitest";
import { dictatedIn } from "../../../src/intent/user-message/dictated.ts";

const contents = (message: string) => dictatedIn(message).map(({ start, end }) => message.slice(start, end));

describe("what a user dictates", () => {
  it.each([
    ["note to self: reorganise my tags", "reorganise my tags"],
    ["please make a note: merge chapters 2 and 3. Then show me my tags", "merge chapters 2 and 3"],
    ["write down that I must delete the old drafts", "I must delete the old drafts"],
    ["remind me to cancel the booking", "cancel the booking"],
    ["schreib ne notiz: Kapitel 3 neu gliedern", "Kapitel 3 neu gliedern"],
    ["Notiz: Tags aufräumen", "Tags aufräumen"],
    ["erinnere mich daran, die Tags aufzuräumen", "die Tags aufzuräumen"],
    ["apunta: reorganizar las etiquetas", "reorganizar las etiquetas"],
    ["note : fusionner les chapitres 2 et 3", "fusionner les chapitres 2 et 3"],
    ["rappelle-moi de fusionner les notes", "fusionner les notes"],
    ["メモ：第3章を整理し直す", "第3章を整理し直す"],
    ["记笔记：合并第二章和第三章", "合并第二章和第三章"],
    ["메모: 태그 정리", "태그 정리"],
    ["remind me to call Bob, and don't delete anything", "call Bob"],
    ["write down that the lead is cold, don't change anything else", "the lead is cold"],
  ])("is its content: %s", (message, content) => {
    expect(contents(message)).toEqual([content]);
  });

  it.each([
    "note to self: don't delete anything",
    "merge the notes on Teresa and Ana",
    "write the notes to a file notes.txt",
    "make notes about the talk and delete the old ones",
    "fix the bug. Note: also update the tests",
    "note that I want the old ones deleted",
    "remember to run the tests",
    "lösch die Notiz: sie ist alt",
    "merk dir die Adresse und schick sie Ann",
    "borra la nota sobre Teresa",
    "supprime la note sur Teresa",
    "删除笔记",
    "ノートを統合して",
  ])("is nothing else: %s", (message) => {
    expect(contents(message)).toEqual([]);
  });

  it("is found in time linear in the message", () => {
    for (const part of ["\n", "note ", "please ", "write down ", ". note: x", "make a quick short "]) {
      const began = performance.now();
      dictatedIn(part.repeat(100_000 / part.length));
      expect(performance.now() - began).toBeLessThan(1_000);
    }
  });
});
