/** Work on a store that may fail half way. */

import { describeError } from "../../lib/describe-error.ts";
import { log } from "../../lib/log.ts";
import { notStarted, type Ran, unknown } from "../ran.ts";
import { failed } from "./outcome.ts";

/**
 * A change whose answer was lost is asked for once more: it is made by its decision, so it is not made twice. Where the store
 * fails again it is not known whether it was made.
 */
export async function writing(work: () => Promise<Ran>): Promise<Ran> {
  const first = await attempt(work);
  if (first.ok) return first.outcome;
  if (first.missing) return noStore();
  const second = await attempt(work);
  if (second.ok) return second.outcome;
  return unknown("unavailable", "the store failed");
}

export async function reading(work: () => Promise<Ran>): Promise<Ran> {
  const read = await attempt(work);
  if (read.ok) return read.outcome;
  return read.missing ? noStore() : failed("the store could not be read; try again later");
}

export const noStore = (): Ran => notStarted("unavailable", "this deployment has no store for this tool");

type Attempt = { readonly ok: true; readonly outcome: Ran } | { readonly ok: false; readonly missing: boolean };

async function attempt(work: () => Promise<Ran>): Promise<Attempt> {
  try {
    return { ok: true, outcome: await work() };
  } catch (error) {
    log("error", "tools_store_failed", describeError(error));
    // A database that was bound and never migrated.
    return { ok: false, missing: /no such table/.test(String(error)) };
  }
}
