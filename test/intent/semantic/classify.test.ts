import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growthOf } from "../../support/cpu-time.ts";
import { assistant, intent, modelOf } from "./policies.ts";

const model = modelOf(assistant);
const best = (text: string, of = model) => of.classify(text)[0];
/** As sure as the gateway wants it by default, `detection.semanticThreshold`. */
const threshold = 0.7;

describe("semantic layer, a policy of five intents", () => {
  it.each([
    ["please take a note of this", "TAKE_NOTE"],
    ["could you look up articles about physics", "SEARCH"],
    ["mail the summary to carol", "SEND_MAIL"],
    ["put a meeting on my calendar", "CALENDAR"],
    ["i want to pay the gas bill", "PAY"],
  ])("finds what `%s` wants", (text, name) => {
    expect(best(text)).toMatchObject({ name, layer: "semantic" });
    expect(best(text)?.confidence).toBeGreaterThan(threshold);
  });

  it("finds what shares no word with any example", () => {
    expect(best("remit cash")?.name).toBe("PAY");
    expect(best("locate publications")?.name).toBe("SEARCH");
  });

  it.each([
    "is it raining in paris",
    "tell me a joke about cats",
    "turn off the kitchen lights",
    "asdf qwerty zxcv",
    "привет как дела",
  ])("is not sure of any for `%s`", (text) => {
    expect(best(text)?.confidence ?? 0).toBeLessThan(threshold);
  });

  it("tells the nearest example as evidence", () => {
    const evidence = best("transfer dollars to my landlord")?.evidence;
    expect(evidence).toEqual([{ layer: "semantic", source: "transfer fifty dollars to my landlord", text: "", at: 0 }]);
  });

  it("tells the best first, each once, with confidences that are probabilities", () => {
    const found = model.classify("write about my bill");
    expect(found.length).toBeGreaterThan(1);
    expect(new Set(found.map(({ name }) => name)).size).toBe(found.length);
    const confidences = found.map(({ confidence }) => confidence);
    expect(confidences).toEqual([...confidences].sort((a, b) => b - a));
  });

  it.each(["", " ", "…", "!?", "\ud800"])("finds none in `%s`", (text) => {
    expect(model.classify(text)).toEqual([]);
  });

  it("takes contractions, typographic apostrophes and case for the same words", () => {
    const plain = best("what is on my calendar")?.confidence ?? 0;
    expect(best("WHAT'S on my calendar")?.confidence).toBeCloseTo(plain, 2);
    expect(best("what’s on my calendar")?.confidence).toBeCloseTo(plain, 2);
  });

  it("survives a typing error", () => {
    expect(best("schedlue a meeitng tomorrow")?.name).toBe("CALENDAR");
  });

  it("reads the beginning of a long text alone", () => {
    const classify = (size: number) => {
      const text = "schedule a meeting tomorrow ".repeat(size);
      return () => model.classify(text);
    };
    expect(growthOf(1_000, classify)).toBeLessThan(2);
  });

  it("never throws, and never leaves the policy's intents", () => {
    const names = new Set(assistant.map(({ name }) => name));
    const anything = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.string({ unit: "grapheme", maxLength: 300 }),
    );
    fc.assert(
      fc.property(anything, (text) => {
        for (const { name, confidence } of model.classify(text)) {
          expect(names.has(name)).toBe(true);
          expect(confidence > 0 && confidence <= 1).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    "Mein Bruder hat ein Tor in der letzten Minute geschossen",
    "Un meeting más y me voy a dormir",
    "昨日の試合は本当に面白かった",
    "我家的猫整天睡觉",
    "je n'ai pas bien dormi cette nuit",
    "min bror har købt et nyt hus",
  ])("does not take `%s` for an intent because it is foreign", (text) => {
    expect(best(text)?.confidence ?? 0).toBeLessThan(0.5);
  });

  it("has a threshold of its own, strict while its examples are few", () => {
    expect(model.selectAt).toBeGreaterThan(0.9);
    expect(model.selectAt).toBeLessThanOrEqual(0.98);
  });

  it("gives the same answer whatever was asked before", () => {
    const first = model.classify("pay the bill");
    model.classify("completely different words here");
    expect(model.classify("pay the bill")).toEqual(first);
  });
});

describe("semantic layer, tiny and foreign policies", () => {
  it("learns from one example and a description", () => {
    const tiny = modelOf([
      intent("TAKE_NOTE", ["jot this down for later"], ["note"], "write something down"),
      intent("CHAT", [], [], "anything else"),
    ]);
    expect(best("please write this down", tiny)?.name).toBe("TAKE_NOTE");
    expect(best("what is the weather in paris", tiny)?.confidence ?? 0).toBeLessThan(threshold);
  });

  it("learns from names alone", () => {
    const named = modelOf([intent("CANCEL_ORDER", []), intent("trackParcel", [])]);
    expect(best("cancel my order", named)?.name).toBe("CANCEL_ORDER");
    expect(best("track the parcel", named)?.name).toBe("trackParcel");
  });

  it("finds nothing where there is nothing to learn from", () => {
    expect(modelOf([]).classify("hello")).toEqual([]);
    expect(best("hello", modelOf([intent("17", [])]))?.confidence ?? 0).toBeLessThan(threshold);
  });

  it("is not sure of the only intent for what is not it", () => {
    const alone = modelOf([intent("BOOK_TABLE", ["book a table for two", "reserve a table tonight"])]);
    expect(best("reserve a table for four", alone)?.confidence).toBeGreaterThan(threshold);
    expect(best("how tall is mount everest", alone)?.confidence ?? 0).toBeLessThan(threshold);
  });

  it.each([
    ["席を予約してください", "BOOK"],
    ["明日は雨が降る？", "WEATHER"],
    ["雨", "WEATHER"],
    ["帮我翻译这段话", "TRANSLATE"],
    ["날씨 알려줘", "KOREAN_WEATHER"],
    ["จองโต๊ะสองที่", "THAI_BOOK"],
    ["покажи последний счёт", "INVOICE"],
    ["zeig mir die letzte Rechnung", "RECHNUNG"],
  ])("knows `%s` by its pieces", (text, name) => {
    const many = modelOf([
      intent("BOOK", ["レストランを予約したい", "明日の席を取って"]),
      intent("WEATHER", ["明日の天気は？", "今日は雨が降りますか"]),
      intent("TRANSLATE", ["把这个翻译成英文", "请帮我翻译"]),
      intent("KOREAN_WEATHER", ["오늘 날씨 어때", "내일 날씨"]),
      intent("THAI_BOOK", ["จองโต๊ะ", "ขอจองโต๊ะคืนนี้"]),
      intent("INVOICE", ["покажи мой счёт", "где мой последний счёт"]),
      intent("RECHNUNG", ["zeige mir die letzte Rechnung", "wo ist meine Rechnung"]),
    ]);
    expect(best(text, many)?.name).toBe(name);
    expect(best("ჩემი კატა ლამაზია", many)?.confidence ?? 0).toBeLessThan(threshold);
  });
});
