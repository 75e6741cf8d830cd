import { describe, expect, it } from "vitest";
import { asksOnlyToRead } from "../../../src/intent/wish/asks-only-to-read.ts";

describe("a message asks to look at something, and for nothing else", () => {
  it.each([
    "show me sub_44",
    "what's the status of sub_44?",
    "read old/legacy.js on main",
    "can you please look up order 12",
    "is the garage door open?",
    "Welche Pods laufen auf worker-3?",
    "zeig mir mal die offenen Tickets",
    "muéstrame el pedido 12",
    "把 PR 42 给我看看",
    "PR 42 見せて",
    "review auth.ts for bugs",
    "can you check why login fails",
    "ist in auth.ts ein fehler?",
    "il y a un bug dans auth.ts ?",
    "explique-moi ce que fait auth.ts",
    "c'est quoi la différence entre は et が ?",
    "comment on dit « gare » en japonais ?",
    "解释一下 auth.ts",
    "看一下 main.py 的改动",
    "auth.ts 説明して",
    "auth.ts에 버그 있나요?",
    "translate: I want to take a mock exam",
    "帮我翻译：我想做一套模拟考试",
    "don't create a lead, just check whether Karl Otto exists",
    "leg keinen neuen lead an, such nur ob es Karl Otto schon gibt",
    "ne crée pas de lead, vérifie juste si Karl Otto existe",
    "¿x sigue siendo 1 en app.py?",
    "x vaut toujours 1 dans app.py ?",
    "anything from the landlord in my inbox?",
    "app.pyのxはまだ1？",
    "ポートを使ってる箇所、他にもある？",
    "Karl Ottoを検索して",
  ])("%s", (text) => {
    expect(asksOnlyToRead(text)).toBe(true);
  });
});

describe("a message asks for more", () => {
  it.each([
    "cancel sub_44",
    "show me sub_44 and cancel it",
    "check whether sub_44 is active, if not cancel it",
    "look at PR 42. If it's fine merge it",
    "get rid of pod api-1",
    "another quiz about verbs?",
    "puedes poner x a 2 en app.py?",
    "tu peux mettre x à 2 dans app.py ?",
    "what about deleting it?",
    "is it possible to cancel it?",
    "check out the cart",
    "check me in for LH12",
    "review and fix auth.ts",
    "fix the test",
    "make it green",
    "the plumber comes at nine",
    "what does auth.ts do? improve it",
    "summarise a.txt into sum.txt",
    "fass a.txt in sum.txt zusammen",
    "translate docs/intro.md to German",
    "comment on PR 42",
    "mach die tests grün",
    "der handwerker kommt um neun",
    "explique auth.ts et corrige le bug",
    "il faut rendre 8 euros à Luc Morel",
    "你看一下 auth.ts，顺便把错误改了",
    "auth.ts 고쳐줘",
    "show sub_44 & cancel it",
    "do the deploy",
    "den Pod api-1 löschen",
    "删除 PR 42",
    "PR 42 を見せて、マージして",
    "",
  ])("%s", (text) => {
    expect(asksOnlyToRead(text)).toBe(false);
  });
});
