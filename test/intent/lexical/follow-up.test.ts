import { describe, expect, it } from "vitest";
import { isFollowUp } from "../../../src/intent/lexical/follow-up.ts";
import { requestsIn } from "../../../src/intent/lexical/requests-in.ts";
import { cpuSince } from "../../support/cpu-time.ts";

describe("a follow-up", () => {
  it.each([
    ..."yes|Yes, please!|ok go on|ok|the second one|and in French?|again|more|make it shorter|why?|no|Sure :)|👍|2|b)".split(
      "|",
    ),
    ..."option 3|another one|two more please|what about N3?|and with kanji?|try again|go ahead and do that|the 2nd one".split(
      "|",
    ),
    ..."はい|続けて|もう一度お願いします|なぜ？|それで？|二番目の|では、次をお願いします|好的|继续|再来一个|为什么？|第二个|嗯".split(
      "|",
    ),
    ..."네|예, 계속해 주세요|다시|두 번째|왜?|sí|Sí, por favor|otra vez|y en francés?|ja|Ja, bitte|noch einmal bitte".split(
      "|",
    ),
    ..."那法语呢？|那第二个呢|フランス語では？|じゃあ中国語版は？".split("|"),
    ..."und auf Deutsch?|oui|Oui, merci|encore une fois|et en anglais ?|in Japanese please|ｙｅｓ".split("|"),
  ])("%j", (text) => {
    expect(isFollowUp(text)).toBe(true);
  });

  it.each([
    ..."hello|what is the weather like|make me a sandwich|I want to learn|why is the sky blue|東京の天気|東京では雨が降りますか|那家店怎么样|你好|안녕하세요".split(
      "|",
    ),
    ..."yes but first find me the cheapest flight from Oslo to Rome for next Monday|who are you|?|...|".split("|"),
    "yes ".repeat(30),
  ])("is not %j", (text) => {
    expect(isFollowUp(text)).toBe(false);
  });
});

it("is told in linear time: 好的 is a follow-up, and so is 好 with 的", () => {
  const began = process.threadCpuUsage();
  expect(isFollowUp(`${"好的".repeat(29)}x`)).toBe(false);
  expect(isFollowUp("好的".repeat(30))).toBe(true);
  // Trying every division takes minutes.
  expect(cpuSince(began)).toBeLessThan(1_000);
});

describe("the parts of a message", () => {
  it.each([
    ["1. make cards 2. quiz me 3) stop", ["make cards", "quiz me", "stop"]],
    ["Please:\n- make cards\n- quiz me", ["Please:", "make cards", "quiz me"]],
    ["make cards and then quiz me", ["make cards", "quiz me"]],
    ["make cards; quiz me", ["make cards", "quiz me"]],
    ["make cards. Also, quiz me", ["make cards", "quiz me"]],
    ["make cards\nquiz me", ["make cards", "quiz me"]],
    ["用这个。然后翻译", ["用这个。", "翻译"]],
    ["version 1.2 and 3. of it", ["version 1.2 and 3. of it"]],
    ["make cards and quiz me", ["make cards and quiz me"]],
    ["", [""]],
  ])("of %j are %j", (text, parts) => {
    expect(requestsIn(text)).toEqual(parts);
  });

  it("are few and short", () => {
    const parts = requestsIn("a word; ".repeat(200));
    expect(parts.length).toBeLessThanOrEqual(16);
    expect(requestsIn("x".repeat(100_000))[0]).toHaveLength(1_000);
  });
});
