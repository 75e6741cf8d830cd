/**
 * The values of a call that its disclosure tells by their beginnings alone, and all of them: whoever decides must be able to
 * read what will run. Pure. Made of what is recorded of the arguments, which holds nothing that the policy redacts.
 */
import { countCodePoints } from "../lib/code-points.ts";
import { prettyJson } from "../lib/pretty-json.ts";
import type { Approval } from "./approval.ts";
import { beginningOf } from "./beginning-of.ts";
import type { DisclosedArgument } from "./disclosed.ts";
import { MAX_NAME } from "./disclosure.ts";
import { plainLine } from "./plain-line.ts";
import { isRecord } from "./schema-at.ts";

type Cut = Pick<Approval, "disclosure" | "recorded">;

/** How long the whole is, where the value is cut: JSON never ends with the sign of it. */
export function wholeLength(
  { recorded }: Pick<Cut, "recorded">,
  { name, value }: DisclosedArgument,
): number | undefined {
  if (!value.endsWith("…") || !isRecord(recorded)) return undefined;
  const found = Object.entries(recorded).find(([own]) => plainLine(own, MAX_NAME) === name);
  return found && countCodePoints(textOf(found[1]));
}

export const isCut = ({ disclosure, recorded }: Cut): boolean =>
  disclosure.more > 0 || disclosure.arguments.some((one) => wholeLength({ recorded }, one) !== undefined);

export interface WholeValue {
  readonly name: string;
  readonly lines: readonly string[];
}

const MAX_LINE = 1_000;

/**
 * Those that are cut, and those that are not listed at all.
 * @param budget UTF-16 units.
 * @returns `left`: how many are not told.
 */
export function wholeValues(
  { disclosure, recorded }: Cut,
  budget: number,
): { readonly values: readonly WholeValue[]; readonly left: number; readonly used: number } {
  const listed = new Map(disclosure.arguments.map((one) => [one.name, wholeLength({ recorded }, one)]));
  const values: WholeValue[] = [];
  let [left, used] = [0, 0];
  for (const [own, value] of Object.entries(isRecord(recorded) ? recorded : {})) {
    const name = plainLine(own, MAX_NAME);
    if (listed.has(name) && listed.get(name) === undefined) continue;
    const text = textOf(value);
    const told = beginningOf(text, Math.max(0, budget - used));
    left += text.length - told.length;
    used += told.length + name.length;
    if (told !== "" || text === "") values.push({ name, lines: told.split(/\r\n|[\n\r]/).flatMap(inPieces) });
  }
  return { values, left, used };
}

/** A text as it is; all else as JSON. */
const textOf = (value: unknown): string => (typeof value === "string" ? value : (prettyJson(value) ?? ""));

function inPieces(line: string): string[] {
  const pieces: string[] = [];
  for (let rest = line; pieces.length === 0 || rest !== ""; ) {
    const piece = beginningOf(rest, MAX_LINE);
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return pieces;
}
