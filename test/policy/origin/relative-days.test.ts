/** Days, spans and doses as people say them, and beside each a value that is not theirs. */
import { describe, expect, it } from "vitest";
import { originOfArgument } from "../../../src/policy/origin/argument-origin.ts";
import { sourcesOf } from "../../../src/policy/origin/sources/sources.ts";

/** A Saturday. */
const now = Date.UTC(2026, 10, 28, 12);

function isUsers(text: string, name: string, value: string | number): boolean {
  const one = { pointer: `/${name}`, value, role: { role: "amount", because: "", set: true } } as const;
  return originOfArgument(one, [one], sourcesOf([{ kind: "user", text }], { now })) !== undefined;
}

describe("a day that the user names from their own today", () => {
  it.each([
    ["book it tomorrow 9am", "2026-11-29", "2026-11-30"],
    ["book it tomorrow at 9am", "2026-11-29T09:00", "2026-11-29T19:00"],
    ["the day after tomorrow", "2026-11-30", "2026-11-29"],
    ["today at 4 pm, please", "2026-11-28", "2026-11-29"],
    ["trag es morgen um 9 uhr ein", "2026-11-29", "2026-11-30"],
    ["guten morgen, buch es für den 3.12.", "2026-12-03", "2026-11-29"],
    ["nächsten dienstag um halb drei", "2026-12-01", "2026-12-02"],
    ["next tuesday", "2026-12-08", "2026-12-15"],
    ["bring him on mon", "2026-11-30", "2026-12-07"],
    ["do 15 uhr", "2026-12-03", "2026-12-04"],
    ["wed 14:00", "2026-12-02", "2026-12-03"],
    ["on wed, please", "2026-12-02", "2026-12-03"],
    ["sat 3 pm", "2026-12-05", "2026-12-06"],
    ["este domingo", "2026-11-29", "2026-11-30"],
    ["in two weeks", "2026-12-12", "2026-12-11"],
    ["明天下午三点", "2026-11-29", "2026-11-30"],
    ["für morgen", "2026-11-29", "2026-11-30"],
    ["mañana a las 9", "2026-11-29", "2026-11-30"],
    ["do it on friday", "2026-12-04", "2026-12-03"],
    ["in 2 weeks please", "2026-12-12", "2026-11-30"],
    ["in einer woche", "2026-12-05", "2026-11-29"],
    ["el martes por la mañana", "2026-12-01", "2026-11-29"],
    ["pasado mañana", "2026-11-30", "2026-11-29"],
    ["明天三点", "2026-11-29", "2026-11-30"],
    ["下周三", "2026-12-02", "2026-12-01"],
    ["来週の火曜日", "2026-12-01", "2026-12-02"],
    ["nicht morgen, sondern am montag", "2026-11-30", "2026-11-29"],
    ["Tuesday, 8 December", "2026-12-08", "2026-12-01"],
    ["how was last monday? book the 3rd of december", "2026-12-03", "2026-11-30"],
    ["am 3.12. um 14 uhr", "2026-12-03", "2027-12-03"],
  ])("%s: %s, and not %s", (text, right, wrong) => {
    expect([isUsers(text, "date", right), isUsers(text, "date", wrong)]).toEqual([true, false]);
  });

  it.each([
    ["any day but tomorrow", "2026-11-29"],
    ["two days after tomorrow", "2026-11-29"],
    ["a week after tomorrow", "2026-11-29"],
    ["the day after the day after tomorrow", "2026-11-30"],
    ["book it before tomorrow", "2026-11-29"],
    ["anything except friday", "2026-12-04"],
    ["book it friday week", "2026-12-04"],
    ["book it a week from friday", "2026-12-04"],
    ["book it friday next week", "2026-12-04"],
    ["book the day before friday", "2026-12-04"],
    ["book it friday in two weeks", "2026-12-04"],
    ["book it friday in two weeks", "2026-12-12"],
    ["Freitag nächste Woche", "2026-12-04"],
    ["nächste Woche Freitag", "2026-12-04"],
    ["morgen in einer Woche", "2026-11-29"],
    ["el viernes de la próxima semana", "2026-12-04"],
    ["el viernes después del lunes", "2026-12-04"],
    ["vendredi de la semaine prochaine", "2026-12-04"],
    ["la veille, avant vendredi", "2026-12-04"],
    ["Freitag in acht Tagen", "2026-12-04"],
    ["lundi en huit", "2026-11-30"],
    ["下下周五", "2026-12-04"],
    ["下下周五", "2026-12-11"],
    ["再来週の金曜", "2026-12-11"],
    ["大后天", "2026-11-30"],
    ["friday the 11th", "2026-12-04"],
    ["friday the eleventh", "2026-12-04"],
    ["am Freitag den 11.", "2026-12-04"],
    ["el viernes 11", "2026-12-04"],
    ["金曜日12月11日", "2026-12-04"],
    ["11日金曜日", "2026-12-04"],
    ["the sun is out, book it", "2026-11-29"],
    ["Sun Microsystems booking", "2026-11-29"],
    ["she sat at the table", "2026-12-05"],
    ["they wed in May", "2026-12-02"],
    ["mon ami veut un rendez-vous", "2026-11-30"],
    ["Mr Friday wants it", "2026-12-04"],
    ["Good Friday", "2026-12-04"],
    ["la cita del paciente Domingo Perez", "2026-11-29"],
    ["für Christian Morgen buchen", "2026-11-29"],
    ["Morgen zusammen, bitte buchen", "2026-11-29"],
    ["una mañana", "2026-11-29"],
    ["hasta mañana", "2026-11-29"],
  ])("%s: not %s", (text, wrong) => {
    expect(isUsers(text, "date", wrong)).toBe(false);
  });

  it("is nothing where the present day is not known", () => {
    expect(sourcesOf([{ kind: "user", text: "tomorrow" }]).originOf("2026-11-29")).toBeUndefined();
  });
});

describe("how much, how often and how long", () => {
  it.each([
    ["metacam 0.5 ml for P-1042", "dose", "0.5 ml", "5 ml"],
    ["half a ml for P-1042, three days", "dose", "0.5 ml", "50 ml"],
    ["half a ml for P-1042, three days", "days", 3, 30],
    ["metacam 0,5 ml 1x tgl 3 tage", "dose", "0.5 ml 1x täglich", "5 ml 1x täglich"],
    ["metacam 0,5 ml 2x tgl eine woche", "dose", "0,5 ml 2x täglich", "0,5 ml 3x täglich"],
    ["metacam 0,5 ml 2x tgl eine woche", "days", 7, 14],
    ["5 mg for two weeks", "days", 14, 15],
    ["5 mg twice daily", "dose", "5 mg twice a day", "5 mg once a day"],
    ["for a week, please", "days", 7, 1],
    ["um halb drei", "time", "14:30", "04:30"],
  ] as const)("%s: %s %s, and not %s", (text, name, right, wrong) => {
    expect([isUsers(text, name, right), isUsers(text, name, wrong)]).toEqual([true, false]);
  });

  it.each([
    ["0.5 ml weekly", "dose", "0.5 ml daily"],
    ["0.5 ml 2x daily", "dose", "0.5 ml daily"],
    ["0.5 ml twice daily", "dose", "0.5 ml twice weekly"],
    ["0.5 ml", "dose", "0.5 ml five times a day"],
    ["0.5 ml", "dose", "0.5 ml q.i.d."],
    ["0.5 ml", "dose", "0.5 ml each hour"],
    ["0.5 ml", "dose", "0.5 ml 每小时"],
    ["0.5 ml", "dose", "0.5 ml fünfmal täglich"],
    ["0.5 ml", "dose", "0.5 ml matin et soir"],
    ["0.5 ml 3 times a day", "dose", "3 ml"],
    ["50 euros", "amount", "50 euros monthly"],
    ["50 euros", "amount", "50 euros each, to all"],
    ["50 euros", "amount", "minus 50 euros"],
    ["50 euros", "amount", "five hundred thousand euros, 50 euros"],
    ["2 of the 5 boxes", "amount", "5 boxes of 2"],
    ["0.5 ml twice a week", "days", 7],
    ["5 euros a week", "days", 7],
    ["3x a week", "days", 7],
    ["a week ago", "days", 7],
    ["week 14", "days", 98],
    ["2 weeks ago", "days", 14],
    ["vor 2 wochen", "days", 14],
    ["an hour and a half", "minutes", 60],
    ["eine stunde und eine halbe", "minutes", 60],
    ["a quarter of an hour", "minutes", 60],
    ["a day and a half", "hours", 24],
    ["1 hour and 30 minutes", "minutes", 60],
    ["2 weeks and 3 days", "days", 14],
    ["zweimal in einer woche", "days", 7],
    ["2 days", "nights", 2],
    ["2 weeks", "days", 2],
  ] as const)("%s: not %s %s", (text, name, wrong) => {
    expect(isUsers(text, name, wrong)).toBe(false);
  });

  it.each([
    ["0,5 ml 1x/d", "dose", "0.5 ml 1x daily"],
    ["0.5 ml once a day", "dose", "0.5 milliliter 1x/day"],
    ["0.5 ml daily", "dose", "0.5 ml täglich"],
    ["0,5 ml", "dose", "0.5 ml"],
    ["50 euros", "amount", "50 EUR"],
    ["eine Woche", "days", 7],
    ["stay 2 nights", "nights", 2],
    ["one hour", "minutes", 60],
  ] as const)("%s: %s %s", (text, name, right) => {
    expect(isUsers(text, name, right)).toBe(true);
  });
});
