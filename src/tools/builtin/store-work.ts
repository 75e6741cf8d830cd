/** Work on a store that may fail half way. */
import { describeError } from "../../lib/describe-error.ts";
import { log } from "../../lib/log.ts";
import { type BuiltinOutcome, failed, notStarted } from "./outcome.ts";

/**
 * A change whose answer was lost is asked for once more: it is made by its decision, so it is not made twice. Where the store
 * fails again it is not known whether it was made.
 */
export async function writing(work: () => Promise<BuiltinOutcome>): Promise<BuiltinOutcome> {
  const first = await attempt(work);
  if (first.ok) return first.outcome;
  if (first.missing) return noStore();
  const second = await attempt(work);
  if (second.ok) return second.outcome;
  const detail = "the store failed, and it is not known whether this was done";
  return { status: "unknown", failure: "tool_failed", detail, value: { error: detail } };
}

export async function reading(work: () => Promise<BuiltinOutcome>): Promise<BuiltinOutcome> {
  const read = await attempt(work);
  if (read.ok) return read.outcome;
  return read.missing ? noStore() : failed("the store could not be read; try again later");
}

export const noStore = (): BuiltinOutcome => notStarted("unavailable", "this deployment has no store for this tool");

type Attempt =
  | { readonly ok: true; readonly outcome: BuiltinOutcome }
  | { readonly ok: false; readonly missing: boolean };

async function attempt(work: () => Promise<BuiltinOutcome>): Promise<Attempt> {
  try {
    return { ok: true, outcome: await work() };
  } catch (error) {
    log("error", "tools_store_failed", describeError(error));
    // A database that was bound and never migrated.
    return { ok: false, missing: /no such table/.test(String(error)) };
  }
}
