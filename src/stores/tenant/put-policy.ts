/** One write of a policy, in the ledger's serial section, after its condition was checked: KV first, then the version. */
import { describeError, log } from "../../lib/log.ts";
import type { PolicyInForce, PolicyWrite, PolicyWriteResult } from "../../ports/tenant-ledger-port.ts";
import { adoptPolicy, type LedgerContext } from "./observe-policy.ts";
import {
  addVersion,
  documentText,
  lastVersion,
  type PointerNote,
  readPointerNote,
  savePointer,
} from "./policies-schema.ts";

/** After this time the alarm repeats a write that never ended. KV has 10 s for each of its two puts. */
const ABANDONED_AFTER_MS = 30_000;

export async function putPolicy(
  context: LedgerContext,
  write: PolicyWrite,
  digest: string | null,
  previous: PolicyInForce,
): Promise<PolicyWriteResult> {
  const { storage, kv, schedule } = context;
  const { tenant, text, action, by } = write;
  try {
    if (digest !== null && text !== null) await kv.putDocument(digest, text);
  } catch (error) {
    log("error", "policy_not_stored", describeError(error));
    return { kind: "unavailable" };
  }
  const now = Date.now();
  const note = readPointerNote(storage.sql);
  const at = Math.max(now, (note?.at ?? -1) + 1);
  // Stored before the put is sent: the runtime holds back what an object sends until its writes are on disk.
  savePointer(storage.sql, { tenant, at, state: "unsettled", due: now + ABANDONED_AFTER_MS });
  schedule(now + ABANDONED_AFTER_MS);
  try {
    await kv.putPointer(tenant, { digest, at });
  } catch (error) {
    log("error", "policy_not_in_force", describeError(error));
    savePointer(storage.sql, { tenant, at, state: "unsettled", due: Date.now() });
    schedule(Date.now());
    return { kind: "unavailable" };
  }
  // An earlier put that failed may still be applied, over this one.
  const settled = note === undefined || note.state === "settled";
  const due = settled ? null : Date.now() + CHECK_AFTER_MS;
  storage.transactionSync(() => {
    const same = digest === (previous.version?.digest ?? null) && previous.text === text;
    if (!same) addVersion(storage.sql, { digest, at, by, action }, text);
    savePointer(storage.sql, { tenant, at, state: settled ? "settled" : "unchecked", due });
  });
  if (due !== null) schedule(due);
  return { kind: "written", digest, at, previous };
}

/** By then KV shows the last put, and a put that failed has been applied or never will be. */
const CHECK_AFTER_MS = 65_000;
const RETRY_AFTER_MS = 30_000;

export async function reassertPolicy(context: LedgerContext, now: number): Promise<void> {
  const { storage, schedule } = context;
  const note = readPointerNote(storage.sql);
  if (!note || note.state === "settled" || note.due === null) return;
  if (now < note.due) return schedule(note.due);
  try {
    await (note.state === "unchecked" ? check(context, note, now) : putAgain(context, note, now));
  } catch (error) {
    log("error", "policy_not_put_right", describeError(error));
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
