/** Compares the expectations of a case for a turn with the turn. Pure. */
import type { AuditRow } from "./case-gateway.ts";
import type { CaseTurn, Expectation } from "./case-schema.ts";
import { ABSENT, equalAsJson, expectedParts } from "./covered.ts";
import type { ObservedTurn } from "./play-case.ts";

export interface Mismatch {
  /** The key of `expect`. */
  readonly what: string;
  /** 1 for the first; absent if it is about the whole turn. */
  readonly step?: number;
  readonly expected: unknown;
  readonly got: unknown;
}

export function judgeTurn({ expect, model }: CaseTurn, seen: ObservedTurn): Mismatch[] {
  const { reply, steps, audit } = seen;
  const found: Mismatch[] = [];
  const compare = (what: string, expected: unknown, got: unknown, step?: number) => {
    if (expected !== undefined && !equalAsJson(expected, got)) found.push({ what, step, expected, got: got ?? ABSENT });
  };
  if (reply.status !== expect.status) {
    found.push({ what: "status", expected: expect.status, got: withMessage(reply) });
  }
  if (expect.error !== undefined) compare("error", expect.error, reply.error?.code ?? null);
  else if (reply.error && reply.status === 200) compare("error", null, withMessage(reply));
  // A script that is not used up, or not long enough, means that the case tests something else than it says.
  compare("model (steps taken)", model.length, steps.length);
  judgeSteps(expect, steps, compare, found);
  if (expect.decisions !== undefined) {
    compare(
      "decisions",
      expect.decisions,
      audit?.decisions.map((row, index) => decisionSummary(row, expect.decisions?.[index])),
    );
  }
  if (expect.released !== undefined) compare("released", expect.released, releasedOf(reply.calls, expect.released));
  judgeRuns(expect.runs, seen, found);
  compare("state", expect.state, reply.note?.state ?? audit?.turn.state_closed);
  compare("intent", expect.intent, reply.note ? reply.note.intent : intentOf(audit?.turn));
  compare("intents", expect.intents, audit?.turn.intents);
  compare("detection", expect.detection, audit && detectedIn(audit.turn, expect.detection));
  judgeText("text", expect.text, reply.text, found);
  compare("approvals", expect.approvals, comparableRows(expect.approvals, reply.note?.approvals ?? [], "tool"));
  compare("stopReason", expect.stopReason, reply.note?.stop_reason ?? audit?.turn.stop_reason);
  judgeAudit(expect.audit, audit, compare);
  return found;
}

/** Each after the one before, so that a text tells what it should in the order that a person reads it. */
function judgeText(
  what: string,
  expected: readonly string[] | undefined,
  text: string,
  found: Mismatch[],
  step?: number,
): void {
  let at = 0;
  for (const part of expected ?? []) {
    const place = text.indexOf(part, at);
    if (place < 0) found.push({ what, step, expected: part, got: text.slice(at) });
    else at = place + part.length;
  }
}

/** With the keys that the case gives, or the name alone if it has no entry at that position. */
function detectedIn({ detection }: AuditRow, expected: Expectation["detection"]): unknown {
  const { intents } = (detection ?? {}) as { intents?: readonly Readonly<Record<string, unknown>>[] };
  return intents ? intents.map((one, index) => expectedParts(expected?.[index] ?? { name: "" }, one)) : null;
}

type Compare = (what: string, expected: unknown, got: unknown, step?: number) => void;

function judgeSteps(
  { steps: expected }: Expectation,
  seen: ObservedTurn["steps"],
  compare: Compare,
  found: Mismatch[],
): void {
  expected?.forEach((step, index) => {
    const got = seen[index];
    compare("offered", step.offered, got?.offered, index + 1);
    compare("withheld", step.withheld, got?.withheld, index + 1);
    judgeText("told", step.told, got?.toolResults.join("\n") ?? "", found, index + 1);
  });
}

function judgeAudit(expected: Expectation["audit"], audit: ObservedTurn["audit"], compare: Compare): void {
  if (expected?.turn) compare("audit.turn", expected.turn, audit && expectedParts(expected.turn, audit.turn));
  compare(
    "audit.decisions",
    expected?.decisions,
    audit && comparableRows(expected?.decisions, audit.decisions, "effect"),
  );
  compare("audit.runs", expected?.runs, audit && comparableRows(expected?.runs, audit.runs, "status"));
  compare(
    "audit.approvals",
    expected?.approvals,
    audit && comparableRows(expected?.approvals, audit.approvals, "event"),
  );
}

/** The members of each entry that the case names; of an unexpected entry, the tool and `also`. */
const comparableRows = (
  expected: readonly Readonly<Record<string, unknown>>[] | undefined,
  got: readonly AuditRow[],
  also: string,
): unknown[] =>
  got.map((row, index) => {
    const wanted = expected?.[index];
    return wanted ? expectedParts(wanted, row) : { tool: row.tool, [also]: row[also] };
  });

/** A decision with the keys that the case gives, or all keys if it has no entry at that position. */
function decisionSummary(row: AuditRow, expected: NonNullable<Expectation["decisions"]>[number] | undefined): unknown {
  const whole = { tool: row.tool, effect: row.effect, reasons: codesOf(row) };
  const { made_by: madeBy } = row;
  if (expected) return expectedParts(expected, { ...whole, madeBy: madeBy ?? "model" });
  return madeBy == null ? whole : { ...whole, madeBy };
}

const codesOf = (row: AuditRow): unknown[] =>
  Array.isArray(row.reasons) ? row.reasons.map((reason: { code?: unknown }) => reason.code) : [];

function releasedOf(calls: ObservedTurn["reply"]["calls"], expected: NonNullable<Expectation["released"]>): unknown[] {
  return calls.map(({ name, arguments: args }, index) => {
    const wanted = expected[index];
    return wanted && wanted.arguments === undefined ? { tool: name } : { tool: name, arguments: JSON.parse(args) };
  });
}

const intentOf = (turn: AuditRow | undefined): unknown => {
  const intents = turn?.intents;
  return Array.isArray(intents) ? (intents[0] ?? null) : undefined;
};

const withMessage = ({ status, error }: ObservedTurn["reply"]): unknown =>
  error ? { status, code: error.code ?? null, message: error.message } : status;

function judgeRuns(expected: Expectation["runs"], { audit, steps }: ObservedTurn, found: Mismatch[]): void {
  if (expected === undefined) return;
  const runs = audit?.runs ?? [];
  const wanted = expected.map(({ text: _, ...one }) => one);
  const got = runs.map(({ tool, status, failure }, index) =>
    wanted[index]?.failure === undefined ? { tool, status } : { tool, status, failure },
  );
  if (!equalAsJson(wanted, got)) found.push({ what: "runs", expected: wanted, got: runs.map(whole) });
  for (const [index, { text }] of expected.entries()) {
    const run = runs[index];
    if (text === undefined || run === undefined) continue;
    const result = steps
      .findLast(({ resultsById }) => resultsById.has(String(run.call_id)))
      ?.resultsById.get(String(run.call_id));
    if (!result?.includes(text))
      found.push({ what: `runs (text ${index + 1})`, expected: text, got: result ?? ABSENT });
  }
}

const whole = ({ tool, status, failure, detail }: AuditRow) => ({ tool, status, failure, detail });
