import { describe, expect, it } from "vitest";
import { extractor, pairs } from "./extract.ts";

const find = extractor({});
const values = (name: string, text: string) =>
  pairs(find(text))
    .filter(([found]) => found === name)
    .map(([, value]) => value);

describe("dates", () => {
  it.each([
    ["due 2026-11-22.", "2026-11-22"],
    ["2026/11/2", "2026-11-02"],
    ["at 2026-11-22T10:30Z", "2026-11-22T10:30:00Z"],
    ["at 2026-11-22 10:30:05", "2026-11-22T10:30:05"],
    ["on 22 Nov 2026", "2026-11-22"],
    ["the 22nd of November 2026,", "2026-11-22"],
    ["November 22, 2026", "2026-11-22"],
    ["Nov. 22nd 2026", "2026-11-22"],
    ["November 22", "--11-22"],
    ["may 22nd", "--05-22"],
    ["am 22. November 2026", "2026-11-22"],
    ["le 1er août 2026", "2026-08-01"],
    ["22 de noviembre de 2026", "2026-11-22"],
    ["22.11.2026", "2026-11-22"],
    ["11/22/2026", "2026-11-22"],
    ["22/11/2026", "2026-11-22"],
    ["4/4/2026", "2026-04-04"],
    ["２０２６年１１月２２日に", "2026-11-22"],
    ["締切は11月22日", "--11-22"],
    ["2026년 11월 22일", "2026-11-22"],
  ])("%s", (text, value) => {
    expect(values("date", text)).toEqual([value]);
  });

  it.each([
    "03/04/2026",
    "03.04.2026",
    "2026-02-30",
    "2026-13-01",
    "31 Nov 2026",
    "tomorrow",
    "next Monday",
    "may 5 people come",
    "march 5 miles",
    "Nov 2026",
    "version 1.2026.11.22",
    "12026-11-22",
    "2026-11-22-7",
    "2026-11-22T25:00",
  ])("not %s", (text) => {
    expect(values("date", text)).toEqual([]);
  });
});

describe("e-mail addresses", () => {
  it.each([
    ["to ada.l+x@Sub.Example.COM.", "ada.l+x@sub.example.com"],
    ["メールはada@example.comへ", "ada@example.com"],
    ["<ada@example.com>, ", "ada@example.com"],
    ["'ada@example.com'", "ada@example.com"],
  ])("%s", (text, value) => {
    expect(values("email", text)).toEqual([value]);
  });

  it.each(["ada@", "@ada", "a@b", "ada@example", "a..b@example.com", "ada@-x.com", "ada@example.c0m"])(
    "not %s",
    (text) => {
      expect(values("email", text)).toEqual([]);
    },
  );
});

describe("URLs", () => {
  it.each([
    ["see https://example.com/a?b=c#d.", "https://example.com/a?b=c#d"],
    ["(http://example.com/a_(b))", "http://example.com/a_(b)"],
    ["www.example.com, please", "https://www.example.com"],
    ["https://example.comを見て", "https://example.com"],
    ["https://ja.wikipedia.org/wiki/日本語 です", "https://ja.wikipedia.org/wiki/日本語"],
    ["「https://example.com/x」", "https://example.com/x"],
    ["[x](https://example.com/x)", "https://example.com/x"],
  ])("%s", (text, value) => {
    expect(values("url", text)).toEqual([value]);
  });

  it.each(["http://", "https:///", "ftp://example.com", "javascript://x", "xhttps://e.com"])("not %s", (text) => {
    expect(values("url", text)).toEqual([]);
  });

  it("hold no date, address or quantity of their own", () => {
    expect(pairs(find("https://a.test/2026-11-22?to=ada@example.com&w=5kg"))).toHaveLength(1);
  });
});

describe("quantities", () => {
  it.each([
    ["5 kg of rice", "5 kg"],
    ["1,500.5 km", "1500.5 km"],
    ["1,5 Stunden", "1.5 h"],
    ["$20", "20 USD"],
    ["20€", "20 EUR"],
    ["EUR 20", "20 EUR"],
    ["30分で", "30 min"],
    ["３時間", "3 h"],
    ["15%", "15 %"],
    ["-4°C", "-4 °C"],
    ["for 3 weeks.", "3 week"],
    ["90 km/h", "90 km/h"],
  ])("%s", (text, value) => {
    expect(values("quantity", text)).toEqual([value]);
  });

  it.each(["5", "5 cards", "room B5 m", "5 months2", "5 in the box", "5 t-shirts", "1.2.3 kg"])("not %s", (text) => {
    expect(values("quantity", text)).toEqual([]);
  });
});

describe("quoted text", () => {
  it.each([
    ['call it "my note" now', "my note"],
    ["call it “my note”", "my note"],
    ["nenne es „Notiz“", "Notiz"],
    ["「日本語」と", "日本語"],
    ["le mot « bonjour »", "bonjour"],
    ["»Notiz«", "Notiz"],
    ["named 'the dog's bowl'.", "the dog's bowl"],
    ["『本』", "本"],
  ])("%s", (text, value) => {
    expect(values("quoted", text)).toEqual([value]);
  });

  it.each(["don't and won't", 'a 5" pipe and a 6" one', "rock 'n roll isn't", '""', '"a\nb"', `"${"x".repeat(301)}"`])(
    "not %s",
    (text) => {
      expect(values("quoted", text)).toEqual([]);
    },
  );

  it("is told for what it holds as well, and makes that as private as itself", () => {
    expect(find('write "in 5 days"')).toMatchObject([
      { name: "quoted", value: "in 5 days", redact: true },
      { name: "quantity", value: "5 day", redact: true },
    ]);
  });
});
