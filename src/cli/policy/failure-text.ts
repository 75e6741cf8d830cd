/** A failed case in words: file, case, turn, step, what was expected and what was there. Pure. */
import { diff } from "node:util";
import type { Mismatch } from "./judge-turn.ts";

export type Failure = Mismatch & { readonly turn: number };

/** Longer values are told line by line. */
const ONE_LINE = 90;

export function failureText({ turn, step, what, expected, got }: Failure): string {
  const place = step === undefined ? `turn ${turn}` : `turn ${turn}, step ${step}`;
  return [`${place}: ${what}`, ...differences(expected, got).map((line) => `  ${line}`)].join("\n");
}

function differences(expected: unknown, got: unknown): string[] {
  const [wanted, found] = [JSON.stringify(expected), JSON.stringify(got)];
  if (wanted.length <= ONE_LINE && found.length <= ONE_LINE) return [`expected  ${wanted}`, `got       ${found}`];
  return ["- expected", "+ got", ...lineDifferences(expected, got)];
}

/** Every line of both as JSON, marked where it stands in one of them alone. */
export function lineDifferences(before: unknown, after: unknown): string[] {
  const marks = { "-1": "-", "0": " ", "1": "+" } as const;
  return diff(linesOf(after), linesOf(before)).map(
    ([operation, line]) => `${marks[String(operation) as keyof typeof marks]} ${line}`,
  );
}

const linesOf = (value: unknown): string[] => JSON.stringify(value, null, 2).split("\n");
