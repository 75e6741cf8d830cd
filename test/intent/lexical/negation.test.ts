import { describe, expect, it } from "vitest";
import { finder, policyOf } from "./found.ts";

const find = finder(
  policyOf({
    intents: {
      CARDS: {
        keywords: ["flashcards", "Karteikarten", "tarjetas", "単語帳", "단어장", "卡片"],
        patterns: ["make\\s+flashcards"],
      },
      QUIZ: { keywords: ["quiz", "クイズ", "퀴즈", "测验"], patterns: ["quiz\\s+me"] },
      EXAM: { keywords: ["exam"] },
      EXPLAIN: { keywords: ["explain", "説明", "설명", "解释", "erkläre", "explica", "explique", "meaning"] },
    },
  }),
);
const names = (text: string) => find(text).intents.map(({ name }) => name);

describe("what the user says not to do", () => {
  it.each([
    ["do not make flashcards, explain the particle", ["EXPLAIN"]],
    ["Don’t make flashcards; explain it instead", ["EXPLAIN"]],
    ["I don't want flashcards but a quiz", ["QUIZ"]],
    ["You don't need to make flashcards. Quiz me!", ["QUIZ"]],
    ["a quiz instead of flashcards", ["QUIZ"]],
    ["a quiz without flashcards", ["QUIZ"]],
    ["make a quiz, not flashcards", ["QUIZ"]],
    ["not flashcards: a quiz", ["QUIZ"]],
    ["no flashcards, quiz or exam please", []],
    ["no flashcards, make a quiz or an exam", ["QUIZ", "EXAM"]],
    ["no flashcards, please give me a quiz or an exam", ["QUIZ", "EXAM"]],
    ["never mind the exam, make a quiz", ["QUIZ"]],
    ["I'd rather have a quiz than an exam", ["QUIZ"]],
    ["I prefer a quiz rather than flashcards", ["QUIZ"]],
    ["no flashcards, make a quiz, or explain it", ["EXPLAIN", "QUIZ"]],
    ["no flashcards, please explain it or quiz me", ["EXPLAIN", "QUIZ"]],
    ["don't you dare make flashcards", []],
    ["don't make flashcards and explain it", ["EXPLAIN"]],
    ["don't make flashcards and a quiz", []],
    ["flashcards? hard pass", []],
    ["a quiz? not today", []],
    ["the exam stays as it is", []],
    ["die Karteikarten bitte nicht löschen", []],
    ["mach die Karteikarten bitte nicht auf", []],
    ["das Quiz bleibt offen, bitte nicht schließen", []],
    ["ändere nichts an den Karteikarten", []],
    ["an die Karteikarten gehst du mir nicht", []],
    ["den exam halten wir erstmal zurück", []],
    ["erstell mir ein Quiz, der exam hat darin nichts verloren", ["QUIZ"]],
    ["warum kann man Karteikarten nicht löschen", ["CARDS"]],
    ["tarjetas no, por favor", []],
    ["en las tarjetas no te metas", []],
    ["claro que no, un quiz", ["QUIZ"]],
    ["não faça flashcards, explica", ["EXPLAIN"]],
    ["não entendi, faz um quiz", ["QUIZ"]],
    ["explique, mais ne lance surtout rien avec flashcards", ["EXPLAIN"]],
    ["never make a quiz", []],
    ["stop making flashcards", []],
    ["please skip the quiz", []],
    ["forget about the exam and quiz me", ["QUIZ"]],
    ["that's not a quiz", []],
    ["I did not ask for flashcards", []],
    ["Could you not make a quiz", []],
    ["I'm not asking for an exam, explain it", ["EXPLAIN"]],
    ["keine Karteikarten, sondern ein Quiz", ["QUIZ"]],
    ["Mach die Karteikarten nicht, erkläre es", ["EXPLAIN"]],
    ["ein Quiz ohne Karteikarten", ["QUIZ"]],
    ["no hagas tarjetas, explica la regla", ["EXPLAIN"]],
    ["un quiz sin tarjetas", ["QUIZ"]],
    ["Ne fais pas de flashcards, explique la règle", ["EXPLAIN"]],
    ["un quiz au lieu de flashcards", ["QUIZ"]],
    ["不要卡片，给我测验", ["QUIZ"]],
    ["别做卡片，解释一下", ["EXPLAIN"]],
    ["単語帳は作らないで、文法を説明して", ["EXPLAIN"]],
    ["単語帳ではなくクイズを作って", ["QUIZ"]],
    ["クイズはいらない。説明して", ["EXPLAIN"]],
    ["단어장 말고 퀴즈 만들어줘", ["QUIZ"]],
    ["퀴즈는 만들지 마, 설명해줘", ["EXPLAIN"]],
    ["문법을 설명하고 퀴즈는 만들지 마", ["EXPLAIN"]],
    ["hold off on the exam, explain it", ["EXPLAIN"]],
    ["Fine so far. Skip the quiz, just explain it", ["EXPLAIN"]],
    ["I'm tired; forget the exam", []],
    ["nobody wants a quiz", []],
    ["Nobody should make flashcards, quiz me", ["QUIZ"]],
    ["no one needs to know: make a quiz", ["QUIZ"]],
    ["niemand darf Karteikarten löschen", []],
    ["nadie debe borrar tarjetas", []],
    ["anything but an exam", []],
    ["leave the flashcards alone and explain it", ["EXPLAIN"]],
    ["leave the flashcards alone. Explain it", ["EXPLAIN"]],
    ["the exam can wait, quiz me", ["QUIZ"]],
    ["changed my mind about the quiz", []],
    ["I'd rather you didn't make a quiz", []],
    ["no need to explain", []],
    ["lass gut sein mit dem Quiz", []],
    ["Finger weg von den Karteikarten", []],
    ["Das Quiz hat sich erledigt, erkläre es", ["EXPLAIN"]],
    ["auf das Quiz verzichte ich", []],
    ["alles außer einem Quiz", []],
    ["nada de tarjetas, explica la regla", ["EXPLAIN"]],
    ["las tarjetas no las quiero, explica la regla", ["EXPLAIN"]],
    ["cualquier cosa menos un quiz", []],
    ["laisse tomber le quiz", []],
    ["tout sauf un quiz", []],
    ["测验就免了，解释一下", ["EXPLAIN"]],
    ["卡片先别做", []],
    ["用不着测验", []],
    ["クイズはもういいです", []],
    ["クイズは遠慮しときます", []],
    ["퀴즈는 됐어", []],
  ])("%j asks for %j", (text, wanted) => {
    expect(names(text)).toEqual(wanted);
  });

  it.each([
    ["why don't you make flashcards", "CARDS"],
    ["Why not make flashcards?", "CARDS"],
    ["can't you make me a quiz?", "QUIZ"],
    ["Couldn't we do a quiz?", "QUIZ"],
    ["won't you quiz me", "QUIZ"],
    ["not only flashcards", "CARDS"],
    ["don't forget to make flashcards", "CARDS"],
    ["please do not hesitate to quiz me", "QUIZ"],
    ["don't stop: quiz me", "QUIZ"],
    ["no problem, quiz me", "QUIZ"],
    ["no, make flashcards", "CARDS"],
    ["No make a quiz", "QUIZ"],
    ["I don't know the meaning of this", "EXPLAIN"],
    ["I have no flashcards yet", "CARDS"],
    ["I'm not sure about the meaning", "EXPLAIN"],
    ["Kannst du mir nicht ein Quiz machen?", "QUIZ"],
    ["nicht nur ein Quiz", "QUIZ"],
    ["vergiss das Quiz nicht", "QUIZ"],
    ["¿Por qué no haces tarjetas?", "CARDS"],
    ["no olvides las tarjetas", "CARDS"],
    ["no entiendo, explica esto", "EXPLAIN"],
    ["N'oublie pas le quiz", "QUIZ"],
    ["Pourquoi ne pas faire un quiz", "QUIZ"],
    ["要不要做测验", "QUIZ"],
    ["别忘了测验", "QUIZ"],
    ["请特别做一个测验", "QUIZ"],
    ["クイズを作ってくれない？", "QUIZ"],
    ["クイズを忘れないで", "QUIZ"],
    ["クイズを作ってもらえませんか", "QUIZ"],
    ["퀴즈 잊지 마", "QUIZ"],
    ["never mind the cost, make a quiz", "QUIZ"],
    ["I can't wait, quiz me", "QUIZ"],
    ["kannst du das Quiz nicht schwerer machen", "QUIZ"],
    ["给我测验吧，别担心", "QUIZ"],
    ["テストよりクイズがいいです", "QUIZ"],
  ])("%j is a request for %s", (text, wanted) => {
    expect(names(text)).toEqual([wanted]);
  });

  it("is told, and one request beside it is enough", () => {
    const negated = find("do not make flashcards");
    expect(negated.intents).toEqual([]);
    expect(negated.discounted).toMatchObject([{ name: "CARDS", confidence: 1 }]);
    expect(negated.discounted[0]?.evidence.every(({ discounted }) => discounted === "negated")).toBe(true);
    const both = find("No flashcards about verbs. Make flashcards about nouns.");
    expect(both.intents[0]?.evidence.map(({ discounted }) => discounted)).toContain("negated");
    expect(both.intents[0]?.evidence[0]?.discounted).toBeUndefined();
  });

  it("ends with its sentence, also where a pattern begins with that end", () => {
    const intents = { RETURN: { patterns: ["(?:^|[.]\\s+)return\\s+\\S+"] } };
    expect(
      finder(policyOf({ intents }))("Cancel the order because no longer needed. Return #W17 then.").intents,
    ).toHaveLength(1);
  });

  it("may be a keyword of its own", () => {
    const own = finder(policyOf({ intents: { DROP: { keywords: ["never mind", "don't ask"] } } }));
    expect(own("never mind").intents).toHaveLength(1);
    expect(own("please don't ask").intents).toHaveLength(1);
  });
});
