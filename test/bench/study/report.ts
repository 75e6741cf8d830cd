/** The study agent's before-and-after table, as Markdown. Pure. */
import { markdownTable, show } from "../report/table.ts";
import type { Comparison } from "./experiments.ts";
import { type Column, type Counts, columns } from "./figures.ts";
import type { Rollout } from "./rollout.ts";

/** Milliseconds a request, first word and whole answer, where the model takes `thinkMs` before its first token. */
export interface Times {
  readonly thinkMs: number;
  readonly by: Readonly<Record<Column, { readonly firstWord: number; readonly total: number }>>;
}

const each = (total: number, { requests }: Pick<Counts, "requests">, digits = 2) => show(total / requests, digits);

const percent = (part: number, of: number) => (of === 0 ? "-" : `${show((100 * part) / of, 0)} %`);

type Cell = (counts: Counts, column: Column) => string;

const governed =
  (cell: (counts: Counts) => string): Cell =>
  (counts, column) =>
    column === "no gateway" ? "none" : cell(counts);

const rows: readonly (readonly [name: string, cell: Cell])[] = [
  ["calls of the model a request", (one) => each(one.modelCalls, one)],
  ["the same, of requests that say all the tool needs", ({ whole }) => each(whole.modelCalls, whole)],
  ["of these, done by exactly one permitted call", (one) => `${one.wholeDone} of ${one.whole.requests}`],
  ["prompt tokens a request", (one) => each(one.promptTokens, one, 0)],
  ["completion tokens a request", (one) => each(one.completionTokens, one, 0)],
  ["tool calls that ran", ({ ran }) => String(ran)],
  ["calls refused (of them the system's own)", governed((one) => `${one.refused} (${one.refusedOfSystem})`)],
  ["bad calls that the model made", ({ bad }) => String(bad)],
  ["calls that reached a tool against a rule", ({ badRan }) => String(badRan)],
  ["… above the user's role", ({ breaches }) => String(breaches.role)],
  ["… over the hour's limit", ({ breaches }) => String(breaches.limit)],
  ["… with invalid arguments", ({ breaches }) => String(breaches.arguments)],
  ["calls with a decision in the audit trail", governed((one) => percent(one.audited, one.calls))],
  ["redacted values and secrets in it", governed(({ leaked }) => String(leaked))],
];

export function studyTable(counts: Readonly<Record<Column, Counts>>, times: readonly Times[]): string {
  const header = ["", "no gateway", "Toolgate, llm_first", "Toolgate, system_first"];
  const counted = rows.map(([name, cell]) => [name, ...columns.map((column) => cell(counts[column], column))]);
  const timed = times.map(({ thinkMs, by }) => [
    `ms to the first word / the end, model ${thinkMs === 0 ? "at once" : `after ${thinkMs} ms`}`,
    ...columns.map((column) => `${show(by[column].firstWord, 1)} / ${show(by[column].total, 1)}`),
  ]);
  return markdownTable([header, ...counted, ...timed]);
}

/**
 * What the gateway's own comparison tells, each arm in the column that is for it.
 * @param leftToModel intents for which the policy of the last column has the model decide first.
 */
export function describeTold(
  told: Readonly<Record<Exclude<Column, "no gateway">, Comparison>>,
  leftToModel: readonly string[],
): string {
  const parts = (["llm_first", "system_first"] as const).map((arm) => {
    const { turns, modelCalls, tokens, refused } = told[arm].variants[arm];
    const calls = show(modelCalls / turns);
    return `${arm} ${turns} turns, ${calls} calls of the model and ${show(tokens / turns, 0)} tokens each, ${refused} with a refused call`;
  });
  const { turns: left } = told.system_first.variants.llm_first;
  const names = leftToModel.map((name) => `\`${name}\``).join(", ");
  const why =
    left === 0
      ? ""
      : ` In the column system_first ${left} more are of the arm llm_first, where the policy leaves ${names}.`;
  return `\`GET /v1/audit/experiments\`, of turns that had an arm, with those that prepared the round: ${parts.join("; ")}.${why}`;
}

export const describeRollout = ({ share, users, systemFirst, changed }: Rollout): string =>
  `With \`systemFirstShare: ${share}\` the system was first for ${systemFirst} of ${users} users; asked again, ${changed} went another way.`;

export const caveat = `The model is a script: by rules that are the same in all columns it decides from the messages and the tools it is sent
(test/bench/study/scripted-model.ts), and in five of the twenty requests it makes a call that it should not, whatever it was
sent. How often it is called, what it is sent, and what its calls come to is measured; how often a real model would slip, how
well it would word its answers, and how long it would take is not. Tokens are those of o200k_base, of the messages and tools as
they reached the provider. The tools are an HTTP server that does whatever it is asked.`;
