/** Values that the user takes back: `test/fixtures/origins/corrections.jsonl`, and look-alikes that take nothing back. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sourcesOf } from "../../../src/policy/origin/sources/sources.ts";

interface Trial {
  readonly language: string;
  /** Messages of the user. */
  readonly user: readonly string[];
  /** Absent: nothing is taken back. */
  readonly replaced?: string | number;
  readonly kept: readonly (string | number)[];
}

const trials = readFileSync(`${import.meta.dirname}/../../fixtures/origins/corrections.jsonl`, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Trial);

const grounded = (messages: readonly string[], value: string | number): boolean =>
  sourcesOf(
    messages.map((text) => ({ kind: "user", text })),
    { now: Date.UTC(2026, 5, 15) },
  ).originOf(value) !== undefined;

const words = ({ user }: Trial) => user.join(" | ");

describe.each(["en", "de", "es", "zh", "ja"])("in %s", (language) => {
  const own = trials.filter((one) => one.language === language);

  it("a value that the user takes back is theirs no longer", () => {
    const still = own.filter(({ user, replaced }) => replaced !== undefined && grounded(user, replaced));
    expect(still.map(words)).toEqual([]);
  });

  it("the value in its place is theirs, and so are two values that merely follow one another", () => {
    const lost = own.filter(({ user, kept }) => !kept.every((value) => grounded(user, value)));
    expect(lost.map(words)).toEqual([]);
  });
});

describe("a correction", () => {
  it.each([
    ["of another kind of value", ["book room 12 on 3 March 2027. Sorry, 2 hours"], "2027-03-03"],
    ["that repeats the value", ["refund 80 to order 15. Correction: refund 18 to order 15"], 15],
    [
      "of one of several values",
      ["mail ann@corp.example and bob@corp.example", "I meant carl@corp.example"],
      "ann@corp.example",
    ],
    [
      "that the user takes back again",
      ["send it to ann@corp.example, no, to bob@corp.example. Wait, no: ann@corp.example"],
      "ann@corp.example",
    ],
    [
      "in the message after the next",
      ["mail ann@corp.example", "thanks", "I meant carl@corp.example"],
      "ann@corp.example",
    ],
  ])("leaves the user's word, %s", (_, messages, value) => {
    expect(grounded(messages, value)).toBe(true);
  });

  it("is a later message that rules the value out, until the user names it again", () => {
    const messages = ["share it with ann@corp.example", "not with ann@corp.example, that was a slip"];
    expect(grounded(messages, "ann@corp.example")).toBe(false);
    expect(grounded([...messages, "ok, do share it with ann@corp.example"], "ann@corp.example")).toBe(true);
  });
});
