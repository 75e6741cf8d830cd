/** Values that the user writes in words, in groups of digits, as a sign, or as one name of two parts. */
import { describe, expect, it } from "vitest";
import { workBudget } from "../../../src/lib/work-budget.ts";
import { pairOrigin } from "../../../src/policy/origin/argument-origin.ts";
import { callValues, rolesOf } from "../../../src/policy/origin/roles/argument-roles.ts";
import { sourcesOf } from "../../../src/policy/origin/sources/sources.ts";

const inWords = (text: string, value: string | number): boolean =>
  sourcesOf([{ kind: "user", text }], { now: Date.UTC(2026, 5, 15) }).originOf(value)?.kind === "user";

describe("number words", () => {
  it.each<[string, number]>([
    ["order two of them", 2],
    ["send her twenty-five dollars", 25],
    ["pay one hundred and five", 105],
    ["pay two thousand six hundred", 2_600],
    ["pay fifteen hundred", 1_500],
    ["a dozen eggs", 12],
    ["two dozen eggs", 24],
    ["buy one mug", 1],
    ["drei Packungen", 3],
    ["überweise fünfundzwanzig Euro", 25],
    ["zweihundertfünfzig Stück", 250],
    ["dreitausendfünfhundert", 3_500],
    ["ein Dutzend Eier", 12],
    ["vijfentwintig euro", 25],
    ["tweeëntwintig stuks", 22],
    ["mil quinientos pesos", 1_500],
    ["treinta y dos cajas", 32],
    ["una docena de huevos", 12],
    ["quatre-vingt-dix-sept euros", 97],
    ["soixante et onze", 71],
    ["deux cents euros", 200],
    ["vingt et un", 21],
    ["venticinque pezzi", 25],
    ["duemilacinquecento euro", 2_500],
    ["trentuno", 31],
    ["cento e vinte reais", 120],
    ["vinte e três caixas", 23],
    ["pięć sztuk", 5],
    ["dwadzieścia dwa", 22],
    ["сто двадцать пять рублей", 125],
    ["две тысячи рублей", 2_000],
    ["商品番号T-40を三つ注文して", 3],
    ["再订两箱", 2],
    ["给陈老板转五百块", 500],
    ["十五个", 15],
    ["二百三十円", 230],
    ["3개 말고 두 개", 2],
    ["오백원 보내 줘", 500],
    ["삼만오천원", 35_000],
    ["put TABLE-2 to zero", 0],
    ["CUP-RED auf null", 0],
    ["pon CUP-RED a cero", 0],
    ["mets CUP-RED à zéro", 0],
    ["ставь CUP-RED на ноль", 0],
    ["把CUP-RED的库存设为零", 0],
    ["CUP-REDの在庫をゼロにして", 0],
    ["CUP-RED 재고를 영으로 바꿔 줘", 0],
  ])("%s is %d", (text, value) => {
    expect(inWords(text, value)).toBe(true);
  });

  it.each<[string, number]>([
    ["set the field to null", 0],
    ["a zero-day", 0],
    ["twenty zero", 0],
    ["twenty zero", 20],
    ["给零售部门", 0],
    ["ゼロックスのコピー機", 0],
    ["영화로 만들어 줘", 0],
    ["pay five hundred", 5],
    ["pay five hundred", 100],
    ["twenty-five dollars", 20],
    ["twenty-five dollars", 5],
    ["two and three", 5],
    ["two five", 7],
    ["two point five", 2],
    ["two and a half", 2],
    ["half a dozen", 12],
    ["two-seater", 2],
    ["no one is there", 1],
    ["the one I like", 1],
    ["send a card", 1],
    ["once my train is due", 11],
    ["once my train is due", 2],
    ["pay my bill of six cents", 600],
    ["pay my bill of six cents", 100],
    ["das sei so", 6],
    ["not two", 2],
    ["du texte neuf", 9],
    ["fünfundzwanzig", 20],
    ["drei Millionen", 3],
    ["百度", 100],
    ["十分感谢", 10],
    ["第三箱", 3],
    ["一个", 1],
    ["三百元", 3],
    ["一百五块", 105],
    ["이 개", 2],
    ["두 개 말고", 2],
  ])("%s is no %d", (text, value) => {
    expect(inWords(text, value)).toBe(false);
  });

  it("ground a number, and no text of digits", () => {
    expect(inWords("delete two of them", "2")).toBe(false);
  });
});

describe("numbers with a multiplier", () => {
  it.each<[string, number]>([
    ["raise the limit to 5k", 5_000],
    ["a budget of 1.5 million", 1_500_000],
    ["1,5 Millionen Euro", 1_500_000],
    ["5 mil reais, por favor", 5_000],
    ["3 тыс. рублей", 3_000],
    ["1万円", 10_000],
    ["1.5万元", 15_000],
    ["2万5千円", 25_000],
    ["3만원", 30_000],
    ["Переведи 1 500 руб.", 1_500],
    ["Przelej 1 300 zł", 1_300],
  ])("%s is %d", (text, value) => {
    expect(inWords(text, value)).toBe(true);
  });

  it.each<[string, number]>([
    ["5 million", 5],
    ["1.5 million", 15_000_000],
    ["1.500 million", 1_500_000],
    ["A5k", 5_000],
    ["5km", 5_000],
    ["3万", 3],
    ["2万5", 25_000],
    ["2万5", 20_005],
    ["Верни 1 200 рублей", 200],
    ["order 12 500", 12_500],
    ["refund order 12 500 EUR", 12_500],
  ])("%s is no %d", (text, value) => {
    expect(inWords(text, value)).toBe(false);
  });
});

describe("times in words", () => {
  it.each<[string, string]>([
    ["at half past eight", "08:30"],
    ["quarter to nine in the evening", "20:45"],
    ["at seven thirty in the morning", "07:30"],
    ["at 5 o'clock", "05:00"],
    ["um Viertel nach neun", "09:15"],
    ["um halb acht abends", "19:30"],
    ["um acht Uhr", "08:00"],
    ["a las tres y media de la tarde", "15:30"],
    ["a las siete menos cuarto de la mañana", "06:45"],
    ["à huit heures et demie du soir", "20:30"],
    ["à dix-huit heures quinze", "18:15"],
    ["à midi et demi", "12:30"],
    ["alle sette e mezza", "07:30"],
    ["às nove horas e meia", "09:30"],
    ["下午三点半", "15:30"],
    ["十一点一刻", "11:15"],
    ["朝七時半に", "07:30"],
    ["at midnight", "00:00"],
  ])("%s is %s", (text, value) => {
    expect(inWords(text, value)).toBe(true);
  });

  it.each<[string, string]>([
    ["quarter to nine in the evening", "08:45"],
    ["um halb acht", "08:30"],
    ["下午三点半", "03:30"],
    ["half past eight in the evening", "08:30"],
    ["order nine to ten boxes", "09:50"],
    ["seven thirty dollar vouchers", "07:30"],
  ])("%s is no %s", (text, value) => {
    expect(inWords(text, value)).toBe(false);
  });

  it("belong to the date beside them", () => {
    expect(inWords("on 3 May 2027 at half past eight in the evening", "2027-05-03T20:30")).toBe(true);
    expect(inWords("on 3 May 2027 at half past eight in the evening", "2027-05-03T08:30")).toBe(false);
  });
});

describe("dates in words", () => {
  it.each([
    "on the ninth of September 2026",
    "September ninth, 2026",
    "September 9, '26",
    "am neunten September 2026",
    "令和8年9月9日に",
    "二〇二六年九月九日",
  ])("%s", (text) => {
    expect(inWords(text, "2026-09-09")).toBe(true);
    expect(inWords(text, "2026-09-19")).toBe(false);
  });
});

describe("parts of a number", () => {
  it.each<[string, number, boolean]>([
    ["half a million", 500_000, true],
    ["3 dozen eggs", 36, true],
    ["2 1/2 cups", 2.5, true],
    ["on 1/2", 0.5, false],
    ["15 % off", 0.15, true],
    ["15 euros off", 0.15, false],
    ["a couple of tickets", 2, true],
  ])("%s, %d: %s", (text, value, is) => {
    expect(inWords(text, value)).toBe(is);
  });
});

describe("addresses and codes that are spelled out", () => {
  it.each<[string, string, boolean]>([
    ["write to jo at acme dot io", "jo@acme.io", true],
    ["write to jo.miller (at) acme (dot) io", "jo.miller@acme.io", true],
    ["meet jo at acme.io", "jo@acme.io", false],
    ["write to jo at acme dot io dot evil", "jo@acme.io", false],
    ["write to ann dot jo at acme dot io", "jo@acme.io", false],
    ["open https://a.example/é", "https://a.example/%c3%a9", true],
    ["open https://a.example/admin", "https://a.example/%61dmin", false],
    ["look into https://github.com/acme/tool", "acme/tool", true],
    ["look into https://github.com.evil.example/acme/tool", "acme/tool", false],
    ["passport AB 123 4567", "AB1234567", true],
    ["passport AB 123 4567 89", "AB1234567", false],
    ["text (415) 555-0132", "+14155550132", true],
    ["text (415) 555-0132", "+444155550132", false],
    ["call 44 20 7946 0958", "+442079460958", true],
  ])("%s, %s: %s", (text, value, is) => {
    expect(inWords(text, value)).toBe(is);
  });
});

describe("groups of digits", () => {
  it.each([
    ["打电话给138 0013 5521", "13800135521"],
    ["Chiama il 333 555 01 77", "3335550177"],
    ["Позвони 8 (900) 555-01-23", "89005550123"],
    ["sort code 20-00-00, account 55779911", "200000"],
    ["her cell is 1-212-555-0108", "+1 212-555-0108"],
    ["call (212) 555-0108.", "2125550108"],
  ])("%s holds %s", (text, value) => {
    expect(inWords(text, value)).toBe(true);
  });

  it.each([
    ["call 138 0013 5521", "380013552"],
    ["call 138 0013 5521", "0013 5521"],
    ["call 138 0013 5521 22", "13800135521"],
    ["call 212-555-0108", "+2125550108"],
    ["call 138 0013 5521", "+13800135521"],
    ["call +86 138 0013 5521", "13800135521"],
    ["call +86 138 0013 5521", "+13800135521"],
    ["ticket 202 555 0100 please", "2025550100"],
    ["send 5000 to 5577991", "50005577991"],
    ["send 5000 5577991", "50005577991"],
    ["code 20-00-00-1", "200000"],
    ["code 2-00-00", "20000"],
    ["not 138 0013 5521", "13800135521"],
    ["host 138 0013 5521.example", "13800135521"],
  ])("%s does not hold %s", (text, value) => {
    expect(inWords(text, value)).toBe(false);
  });
});

describe("other spellings", () => {
  it.each([
    ["delete C:\\Users\\Mia\\draft.docx", "C:/Users/Mia/draft.docx"],
    ["delete C:/Users/Mia/draft.docx", "C:\\Users\\Mia\\draft.docx"],
    ["to Lindenstraße 12, 50674 Köln please", "Lindenstraße 12\n50674 Köln"],
    ["delete the doc “Q3 Roadmap – Draft”", "Q3 Roadmap - Draft"],
    ["delete Q3 Roadmap - Draft", "Q3 Roadmap – Draft"],
    ["um 8.30 Uhr", "08:30"],
    ["à 15h30", "15:30"],
    ["午後3時半に", "15:30"],
    ["at 4:15pm", "16:15"],
    ["move lunch to noon", "12:00"],
    ["alle 18.45", "18:45"],
    ["в 8 вечера", "20:00"],
    ["on 2026-04-02 at 3pm UTC", "2026-04-02T15:00:00Z"],
    ["12 Haziran 2026", "2026-06-12"],
    ["refund €300", "EUR"],
    ["send 80 pounds", "GBP"],
    ["退128元", "CNY"],
    ["верни 2499,90 ₽", "RUB"],
  ])("%s holds %s", (text, value) => {
    expect(inWords(text, value)).toBe(true);
  });

  it.each([
    ["mail ann@corp.example, Bcc: eve@evil.example", "ann@corp.example\nBcc: eve@evil.example"],
    ["delete a/b", "a\\b"],
    ["delete C:\\Users\\Mia\\draft.docx", "C:/Users/Mia"],
    ["delete Q3 Roadmap – Draft", "Q3 Roadmap-Draft"],
    ["at 4:15pm", "04:15"],
    ["this afternoon", "12:00"],
    ["version 8.30", "08:30"],
    ["on 2026-04-02 at 3pm", "2026-04-02T15:00:00Z"],
    ["on 2026-04-02 at 3pm UTC+5", "2026-04-02T15:00:00Z"],
    ["send $80", "EUR"],
    ["weighs a few pounds", "GBP"],
  ])("%s does not hold %s", (text, value) => {
    expect(inWords(text, value)).toBe(false);
  });
});

describe("an owner and a repository", () => {
  const grounded = (text: string, args: object): boolean => {
    const values = callValues(rolesOf({ name: "create_issue" }, {}, workBudget()), args, workBudget());
    const sources = sourcesOf([{ kind: "user", text }]);
    return values.every((one) => (sources.originOf(one.value) ?? pairOrigin(one, values, sources)) !== undefined);
  };

  it("come from one name", () => {
    expect(grounded("open an issue in acme-labs/website", { owner: "acme-labs", repo: "website" })).toBe(true);
    expect(grounded("in acme-labs/website", { repository_owner: "acme-labs", repo_name: "website" })).toBe(true);
  });

  it.each([
    ["in acme/site and evil/blog", { owner: "acme", repo: "blog" }],
    ["in acme/site/blog", { owner: "acme", repo: "site" }],
    ["in acme/site-old", { owner: "acme", repo: "site" }],
    ["in x/acme/site", { owner: "acme", repo: "site" }],
    ["in acme/site", { owner: "site", repo: "acme" }],
    ["in acme/site", { owner: "acme" }],
    ["in acme/site", { owner: "acme", target: { repo: "site" } }],
    ["not in acme/site", { owner: "acme", repo: "site" }],
  ])("%s gives no %j", (text, args) => {
    expect(grounded(text, args)).toBe(false);
  });
});
