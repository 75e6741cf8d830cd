import { describe, expect, it } from "vitest";
import { namedActs } from "../../../src/intent/wish/named-acts.ts";
import type { ToolEffect } from "../../../src/policy/origin/roles/tool-verbs.ts";
import { cpuTime } from "../../support/cpu-time.ts";

const named = (text: string) => {
  const { wanted, refused } = namedActs(text);
  return { wanted: [...wanted], refused: [...refused] };
};

describe("an act is named", () => {
  it.each<[ToolEffect, string[]]>([
    [
      "destroy",
      [
        "clean up notes/",
        "get rid of the old drafts",
        "räum notes/ auf",
        "limpia la carpeta",
        "supprime les deux premiers",
        "notes/ を片付けて",
        "把 notes/ 清理一下",
        "a.txt 지워줘",
      ],
    ],
    [
      "pay",
      [
        "order two pizzas",
        "zahl Luc 8 Euro zurück",
        "rembourse 8 € à Luc",
        "给 Luc 退8欧元",
        "Lucさんに8ユーロ返金して",
      ],
    ],
    ["access", ["share the doc with Ann", "lad Ann ein", "invita a Ann", "把文档分享给 Ann"]],
    ["commit", ["commit it", "book a table", "veröffentliche den Text", "publie l'article", "提交代码", "公開して"]],
  ])("%s", (act, texts) => {
    for (const text of texts) expect([text, named(text).wanted.includes(act)]).toEqual([text, true]);
  });

  it.each([
    "read notes/a.txt and put a summary into notes/sum.txt",
    "lies notes/a.txt und schreib eine zusammenfassung nach notes/sum.txt",
    "lee notes/a.txt y escribe un resumen en notes/sum.txt",
    "lis notes/a.txt et écris un résumé dans notes/sum.txt",
    "notes/a.txt を読んで notes/sum.txt に要約を書いて",
    "读 notes/a.txt，把摘要写到 notes/sum.txt",
    "where is order 12?",
    "which book is good?",
    "is the release out?",
    "zeig mir delete-user.ts",
  ])("not by a noun, or the name of a file: %s", (text) => {
    const grave = named(text).wanted.filter((act) => ["destroy", "pay", "access", "commit"].includes(act));
    expect(grave).toEqual([]);
  });
});

describe("an act is refused", () => {
  it.each([
    ["don't create a lead, just check whether Karl Otto exists", "create"],
    ["leg keinen neuen lead an, such nur ob es Karl Otto schon gibt", "create"],
    ["no crees ningún lead, solo mira si existe Karl Otto", "create"],
    ["ne crée pas de lead, vérifie juste si Karl Otto existe", "create"],
    ["リードは作らないで、Karl Otto がいるかだけ見て", "create"],
    ["不要新建线索，只查一下有没有 Karl Otto", "create"],
    ["리드는 만들지 말고 Karl Otto 있는지 확인만 해줘", "create"],
    ["schick keine mail, zeig nur den entwurf", "send"],
    ["update the lead instead of creating a new one", "create"],
  ])("%s", (text, act) => {
    expect(named(text).refused).toContain(act);
    expect(named(text).wanted).not.toContain(act);
  });

  it.each([
    "delete a.txt, not b.txt",
    "delete everything except b.txt",
    "lösch alles ohne Besitzer",
    "don't forget to send it",
    "why don't you delete it",
    "never push without running the tests; push this",
  ])("not where it is wanted for something else: %s", (text) => {
    expect(named(text).refused).toEqual([]);
  });
});

it.each(["a-b-", "不要删", "don't "])("is found in linear time: %s", (part) => {
  const [short, long] = [1_000, 4_000].map((size) => {
    const text = part.repeat(size / part.length);
    return cpuTime(() => namedActs(text));
  }) as [number, number];
  expect(long).toBeLessThan(10 * short + 1);
});
