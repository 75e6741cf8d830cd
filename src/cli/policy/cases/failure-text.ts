/** A failed case in words: file, case, turn, step, what was expected and what was there. Pure. */

import { lineDifferences } from "../line-differences.ts";
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
