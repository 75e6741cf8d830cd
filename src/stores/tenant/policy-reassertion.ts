/**
 * Puts the newest acknowledged version into KV again where KV may hold another: after a put that failed or never ended. Its time
 * is later than that of any pointer before, so isolates that read the other one replace it.
 */
import { log } from "../../lib/log.ts";
import { adoptPolicy, type LedgerContext } from "./observe-policy.ts";
import { documentText, lastVersion, type PointerNote, readPointerNote, savePointer } from "./policies-schema.ts";

/** By then KV shows the last put, and a put that failed has been applied or never will be. */
export const CHECK_AFTER_MS = 65_000;
const RETRY_AFTER_MS = 30_000;

export async function reassertPolicy(context: LedgerContext, now: number): Promise<void> {
  const { storage, schedule } = context;
  const note = readPointerNote(storage.sql);
  if (!note || note.state === "settled" || note.due === null) return;
  if (now < note.due) return schedule(note.due);
  try {
    await (note.state === "unchecked" ? check(context, note, now) : putAgain(context, note, now));
  } catch (error) {
    log("error", "policy_not_put_right", { message: error instanceof Error ? error.message : String(error) });
    retryLater(context, now);
  }
}

async function putAgain({ storage, kv, schedule }: LedgerContext, { tenant, at: before }: PointerNote, now: number) {
  const digest = lastVersion(storage.sql)?.digest ?? null;
  const at = Math.max(now, before + 1);
  // Stored first: the put may be applied even if it fails.
  savePointer(storage.sql, { tenant, at, state: "unsettled", due: now });
  const text = digest === null ? null : documentText(storage.sql, digest);
  if (digest !== null && text !== null) await kv.putDocument(digest, text);
  await kv.putPointer(tenant, { digest, at });
  savePointer(storage.sql, { tenant, at, state: "unchecked", due: now + CHECK_AFTER_MS });
  schedule(now + CHECK_AFTER_MS);
}

async function check(context: LedgerContext, note: PointerNote, now: number): Promise<void> {
  const { storage, kv, schedule } = context;
  const shown = await kv.pointer(note.tenant);
  if (shown !== null && shown !== "broken" && shown.at >= note.at) {
    if (shown.at === note.at) savePointer(storage.sql, { ...note, state: "settled", due: null });
    else if (!(await adoptPolicy(context, note.tenant, shown))) retryLater(context, now);
    return;
  }
  savePointer(storage.sql, { ...note, state: "unsettled", due: now });
  schedule(now);
}

function retryLater({ storage, schedule }: LedgerContext, now: number): void {
  const note = readPointerNote(storage.sql);
  if (!note) return;
  savePointer(storage.sql, { ...note, due: now + RETRY_AFTER_MS });
  schedule(now + RETRY_AFTER_MS);
}
