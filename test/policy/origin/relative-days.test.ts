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
});
