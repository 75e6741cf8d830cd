/** One write of a policy, in the ledger's serial section, after its condition was checked: KV first, then the version. */
import { log } from "../../lib/log.ts";
import type { PolicyInForce, PolicyWrite, PolicyWriteResult } from "../../ports/policy-ledger-port.ts";
import type { LedgerContext } from "./observe-policy.ts";
import { addVersion, readPointerNote, savePointer } from "./policies-schema.ts";
import { CHECK_AFTER_MS } from "./policy-reassertion.ts";

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
    log("error", "policy_not_stored", { message: error instanceof Error ? error.message : String(error) });
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
    log("error", "policy_not_in_force", { message: error instanceof Error ? error.message : String(error) });
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
