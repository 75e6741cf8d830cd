/** Values that readers wrote who know no code: `test/fixtures/origins`, and in `second` to `fourth` what they wrote later. */
import { readFileSync } from "node:fs";
import { typedWords } from "../../src/intent/user-message/own-words.ts";
import { withoutClientText } from "../../src/intent/user-message/without-client-text.ts";
import { workBudget } from "../../src/lib/work-budget.ts";
import { originOfArgument } from "../../src/policy/origin/argument-origin.ts";
import { callValues, rolesOf } from "../../src/policy/origin/roles/argument-roles.ts";
import { type SourceText, sourcesOf } from "../../src/policy/origin/sources/sources.ts";

/** The folders of the fixtures. */
export const parts = ["", "second/", "third/", "fourth/"] as const;

export interface OriginTrial {
  readonly user: string;
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
  readonly argument: string;
  readonly why: string;
  readonly trusted?: unknown;
  /** The words rule the value out, hold it only as pasted text, or hold it literally: no spelling tells these. */
  readonly negated?: true;
  readonly pasted?: true;
  readonly literal?: true;
}

export const readTrials = <T>(name: string): T[] =>
  readFileSync(`${import.meta.dirname}/../fixtures/origins/${name}.jsonl`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as T);

/** As `call-sources.ts` reads a user's message. */
const ownWords = (message: string): string => typedWords(withoutClientText(message) ?? "");

/** Whether the value of the argument counts as the user's, or a trusted record gives it. */
export function isGrounded({ user, tool, argument, trusted, ...trial }: OriginTrial): boolean {
  const texts: SourceText[] = [{ kind: "user", text: ownWords(user) }];
  const trust = { whole: true, fields: [] };
  if (trusted !== undefined)
    texts.push({ kind: "result", tool: "find", callId: "c", text: JSON.stringify(trusted), trust });
  const all = callValues(rolesOf({ name: tool }, {}, workBudget()), trial.arguments, workBudget());
  const values = all.filter(({ pointer }) => pointer === argument || pointer.startsWith(`${argument}/`));
  const sources = sourcesOf(texts, { now: Date.UTC(2026, 5, 15) });
  return values.length > 0 && values.every((one) => originOfArgument(one, all, sources) !== undefined);
}

/** A value that is not the user's, and that its spelling alone tells from theirs. */
export const isLookAlike = ({ negated, pasted, literal }: OriginTrial): boolean => !negated && !pasted && !literal;
