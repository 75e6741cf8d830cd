import { describe, expect, it } from "vitest";
import { finder, namesFinder, policyOf } from "./found.ts";

const one = (keyword: string) => {
  const names = namesFinder(policyOf({ intents: { A: { keywords: [keyword] } } }));
  return (text: string) => names(text).length > 0;
};

describe("a keyword", () => {
  it.each([
    ["test", "a test", true],
    ["test", "TEST!", true],
    ["test", "the latest contest, testing", false],
    ["test", "test_case and my_test", false],
    ["test", "ｔｅｓｔ", true],
    ["test", "te\u00adst, with a soft hyphen", true],
    ["test", "a test-driven one", true],
    ["test", "1test", false],
    ["write down", "write  \n down this", true],
    ["write down", "write it down", false],
    ["let's talk", "Let’s talk", true],
    ["ÜBUNG", "eine U\u0308bung bitte", true],
    ["resume", "my résumé", true],
    ["résumé", "my résumé", true],
    ["résumé", "please resume", false],
    ["ΟΔΟΣ", "η οδός", true],
    ["élan", "ÉLAN", true],
    ["c++", "I write C++ code", true],
    ["🃏", "give me 🃏🃏", true],
    ["мой", "мои", false],
  ])("%j in %j: %s", (keyword, text, met) => {
    expect(one(keyword)(text)).toBe(met);
  });

  it.each([
    ["exam", "two exams", true],
    ["search", "searches", true],
    ["quiz", "quizzes", true],
    ["new", "the news", false],
    ["progress", "progresss", false],
    ["practice exam", "practice exams", true],
    ["exam", "examss", false],
    ["exam", "examined", false],
  ])("%j may be in the plural in %j: %s", (keyword, text, met) => {
    expect(one(keyword)(text)).toBe(met);
  });

  it.each([
    ["テスト", "コンテスト", false],
    ["テスト", "テストを作って", true],
    ["ﾃｽﾄ", "テスト", true],
    ["ガイド", "ｶﾞｲﾄﾞ", true],
    ["単語", "英単語帳", true],
    ["quiz", "quizを作って", true],
    ["がくしゅう", "かくしゅう", false],
    ["文件", "删除这个文件吧", true],
    ["แบบทดสอบ", "ทำแบบทดสอบให้หน่อย", true],
    ["퀴즈", "퀴즈를 만들어줘", true],
    ["퀴즈", "영어퀴즈 만들어줘", true],
    ["퀴즈", "퀴즈만들어줘", true],
    ["시험", "시험관 아기", false],
    ["시험", "시험은 언제", true],
    ["번역", "번역해줘", true],
    ["책", "산책 가자", false],
    ["책", "책을 추천해줘", true],
    ["퀴즈", "퀴즈".normalize("NFD"), true],
  ])("where words are not set apart: %j in %j: %s", (keyword, text, met) => {
    expect(one(keyword)(text)).toBe(met);
  });

  it("inside of an address is a part of a name", () => {
    const met = one("test");
    expect(met("see https://example.com/test/1")).toBe(false);
    expect(met("mail test@example.com and me@test.org")).toBe(false);
    expect(met("mail me@test.org a test")).toBe(true);
    expect(one("https://")("see https://example.com")).toBe(true);
  });

  it.each(["read test.txt", "what is in ./src/test/a.ts?", "run my-test.py, please", "それはtest.jsonです"])(
    "inside of a file's name is a part of that name: `%s`",
    (text) => {
      expect(one("test")(text)).toBe(false);
    },
  );

  it.each(["run the test.Then go on", "test. md", "test.", "read a.txt and test it", "a.txt: test", "test.thanks"])(
    "beside a point or a file is a word all the same: `%s`",
    (text) => {
      expect(one("test")(text)).toBe(true);
    },
  );

  it("may itself be a file's name", () => {
    expect(one("test.txt")("read test.txt")).toBe(true);
  });

  it("is told as the policy writes it and as the user did", () => {
    const found = finder(policyOf({ intents: { A: { keywords: ["Flash Card"] } } }))("😀 é: ＦＬＡＳＨ\tcards?");
    expect(found.intents).toEqual([
      {
        name: "A",
        confidence: 1,
        layer: "keywords",
        evidence: [{ layer: "keywords", source: "Flash Card", text: "ＦＬＡＳＨ\tcards", at: 6 }],
      },
    ]);
  });

  it("inside of a longer one does not count", () => {
    const find = finder(policyOf({ intents: { PAGE: { keywords: ["page"] }, WEB: { keywords: ["web page"] } } }));
    expect(find("a web page").intents.map(({ name }) => name)).toEqual(["WEB"]);
    expect(find("a web page").discounted).toMatchObject([{ name: "PAGE", evidence: [{ discounted: "overruled" }] }]);
    expect(find("a web page, and a page").intents.map(({ name }) => name)).toEqual(["WEB", "PAGE"]);
  });

  it("that two intents share finds both, the policy's first one first", () => {
    const names = namesFinder(policyOf({ intents: { B: { keywords: ["note"] }, A: { keywords: ["Note"] } } }));
    expect(names("a note")).toEqual(["B", "A"]);
  });

  it("found a hundred times is told of some times", () => {
    const { intents } = finder(policyOf({ intents: { A: { keywords: ["note"] } } }))("note ".repeat(300));
    expect(intents[0]?.evidence).toHaveLength(8);
  });
});
