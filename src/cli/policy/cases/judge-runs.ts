/** Compares what a case expects of the runs of managed calls with their records, and with what the model was told. Pure. */
import type { AuditRow } from "./case-gateway.ts";
import type { Expectation } from "./case-schema.ts";
import { ABSENT, same } from "./covered.ts";
import type { Mismatch } from "./judge-turn.ts";
import type { SeenTurn } from "./play-case.ts";

export function judgeRuns(expected: Expectation["runs"], { audit, steps }: SeenTurn, found: Mismatch[]): void {
  if (expected === undefined) return;
  const runs = audit?.runs ?? [];
  const wanted = expected.map(({ text: _, ...one }) => one);
  const got = runs.map(({ tool, status, failure }, index) =>
    wanted[index]?.failure === undefined ? { tool, status } : { tool, status, failure },
  );
  if (!same(wanted, got)) found.push({ what: "runs", expected: wanted, got: runs.map(whole) });
  for (const [index, { text }] of expected.entries()) {
    const run = runs[index];
    if (text === undefined || run === undefined) continue;
    const told = steps.findLast(({ results }) => results.has(String(run.call_id)))?.results.get(String(run.call_id));
    if (!told?.includes(text)) found.push({ what: `runs (text ${index + 1})`, expected: text, got: told ?? ABSENT });
  }
}

const whole = ({ tool, status, failure, detail }: AuditRow) => ({ tool, status, failure, detail });
