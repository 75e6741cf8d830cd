/** What the user has filled in, as it is joined. Part of a transaction. */
import { canonicalJson } from "../../../lib/json/canonical-json.ts";
import { utf8Bytes } from "../../../lib/text/characters.ts";
import { MAX_VALUES_BYTES } from "../../../ports/plans-port.ts";
import { cancelApproval } from "../approvals/end-approvals.ts";
import { findApproval } from "../approvals/rows.ts";
import type { Transaction } from "../transaction.ts";
import { recordPlan } from "./change.ts";
import { approvedOf, bodyOf, changeStep, filledIn, type PlanRow, stepsOf } from "./rows.ts";

type Values = Readonly<Record<string, unknown>>;

/** Later ones stand for earlier ones. */
export const joined = (row: PlanRow, values: Values): Values => ({ ...filledIn(row), ...values });

/**
 * Whoever approved it has seen other values: the approval is withdrawn, and what a person is asked about a step that holds one
 * of them is cancelled, the step ready again. Changes `row`; throws where they are too large.
 * @param turn that brings them; null where it is none.
 */
export function fillIn(stores: Transaction, row: PlanRow, values: Values, turn: string | null = null): void {
  const before = filledIn(row);
  const changed = Object.keys(values).filter(
    (name) => !Object.hasOwn(before, name) || canonicalJson(before[name]) !== canonicalJson(values[name]),
  );
  if (changed.length === 0) return;
  row.filled = JSON.stringify(joined(row, values));
  // One that was silent for longer than its lease has read the earlier ones, and reads them once.
  if (row.turn !== turn) row.turn = null;
  if (utf8Bytes(row.filled) > MAX_VALUES_BYTES) throw new Error("what was filled in is too large to keep");
  const withdrawn = approvedOf(row);
  row.approved = null;
  if (withdrawn) recordPlan(stores, row, "approval_withdrawn", { turn, withdrawn, changed });
  const places = bodyOf(stores.sql, row).placeholders.filter(({ name }) => changed.includes(name));
  askAnew(stores, row, new Set(places.flatMap((one) => one.places.map(({ step }) => step))));
}

function askAnew({ sql, keys, now }: Transaction, row: PlanRow, steps: ReadonlySet<string>): void {
  for (const step of stepsOf(sql, row.id)) {
    if (step.status !== "waiting" || !steps.has(step.id)) continue;
    const asked = step.approval === null ? undefined : findApproval(sql, step.approval);
    changeStep(sql, Object.assign(step, { status: "ready", approval: null }));
    if (asked?.open === 1) cancelApproval(sql, keys, asked, { turn: null, now });
  }
}
