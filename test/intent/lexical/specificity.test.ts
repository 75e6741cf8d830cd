import { describe, expect, it } from "vitest";
import { finder, namesFinder, policyOf, shippedPolicy } from "./found.ts";

const find = finder(shippedPolicy("study-agent"));
const names = (text: string) => find(text).intents.map(({ name }) => name);

describe("more specific evidence", () => {
  it.each([
    ["test my knowledge of particles", ["CREATE_QUIZ"], "a longer phrase holds the word"],
    ["explain how to make flashcards", ["EXPLAIN_GRAMMAR"], "what is asked about"],
    ["Explain what a quiz is", ["EXPLAIN_GRAMMAR"], "what is asked about"],
    ["what's the difference between a quiz and an exam?", ["EXPLAIN_GRAMMAR"], "a pattern's open parts"],
    ["quiz me on history", ["CREATE_QUIZ"], "the topic"],
    ["make flashcards for the exam", ["CREATE_FLASHCARDS"], "the topic"],
    ["a plan for my exam", ["CREATE_PLAN"], "the topic"],
    ["how am I doing on my goals", ["CHECK_PROGRESS"], "the topic"],
    ["For the history class, create an exam", ["CREATE_EXAM"], "the topic, said first"],
    ["historyのquizを作って", ["CREATE_QUIZ"], "the topic, said first"],
    ["create a practice exam", ["CREATE_EXAM"], "a compound"],
  ])("%j wants %j: %s", (text, wanted) => {
    expect(names(text)).toEqual(wanted);
    expect(find(text).discounted.flatMap(({ evidence }) => evidence.map(({ discounted }) => discounted))).toContain(
      "overruled",
    );
  });

  it.each([
    ["make me a quiz and an exam", ["CREATE_QUIZ", "CREATE_EXAM"]],
    ["a quiz on history and then some flashcards about goals", ["CREATE_FLASHCARDS", "CREATE_QUIZ"]],
    ["suggest goals", ["GET_SUGGESTIONS", "UPDATE_GOALS"]],
    ["1. make flashcards 2. quiz me about verbs", ["CREATE_FLASHCARDS", "CREATE_QUIZ"]],
    ["- translate this\n- a quiz", ["TRANSLATE", "CREATE_QUIZ"]],
    ["Check my progress; also make a quiz", ["CHECK_PROGRESS", "CREATE_QUIZ"]],
    ["remember to translate this", ["TRANSLATE", "RECALL_PAST"]],
  ])("is not needed where several things are asked for: %j wants %j", (text, wanted) => {
    expect(names(text)).toEqual(wanted);
  });

  it("is the phrase, where a phrase and a word stand side by side", () => {
    const intents = { CARDS: { patterns: ["cards?\\s+for\\s+"] }, EXAM: { keywords: ["exam"] } };
    expect(namesFinder(policyOf({ intents }))("the cards for exam")).toEqual(["CARDS"]);
  });

  it("is no phrase of a request that follows the topic of another", () => {
    const intents = { FIND: { patterns: ["find all \\S+"] }, FILE: { patterns: ["file a (?:new )?ticket"] } };
    const found = namesFinder(policyOf({ intents }));
    expect(found("find all bugs about the login and file a new ticket")).toEqual(["FILE", "FIND"]);
  });

  it("records that CREATE_EXAM was overruled by the quiz", () => {
    const { intents, discounted } = find("please test my knowledge");
    expect(intents).toMatchObject([{ name: "CREATE_QUIZ", confidence: 0.9, layer: "patterns" }]);
    expect(discounted).toEqual([
      {
        name: "CREATE_EXAM",
        confidence: 1,
        layer: "keywords",
        evidence: [{ layer: "keywords", source: "test", text: "test", at: 7, discounted: "overruled" }],
      },
    ]);
  });
});
