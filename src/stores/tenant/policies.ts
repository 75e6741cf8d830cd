/**
 * The policy of one tenant, in its TenantLedger. KV cannot compare and swap, so writes are compared here, one at a time. Every
 * isolate reads KV, so no version is in force before KV has taken it.
 *
 * A write checks its condition, puts the document into KV, stores the pointer as unsettled, puts the pointer into KV and stores the
 * version. If KV fails on the pointer, it may still have taken it. Then the write is not acknowledged, and the alarm puts the newest
 * acknowledged version again, with a later time, until KV shows it (`reassertPolicy`). If the object dies in between, the stored
 * pointer and the alarm end the same way.
 */
import { type Serial, serial } from "../../lib/concurrency.ts";
import { sha256Hex } from "../../lib/digest.ts";
import { describeError, log } from "../../lib/log.ts";
import type { KvPort } from "../../ports/kv-port.ts";
import type { PolicyCondition } from "../../ports/tenant-directory-port.ts";
import type {
  PolicyInForce,
  PolicyLedgerPort,
  PolicyWrite,
  PolicyWriteResult,
} from "../../ports/tenant-ledger-port.ts";
import { adoptPolicy, type LedgerContext, ledgerKv, observePolicy } from "./observe-policy.ts";
import {
  addVersion,
  documentText,
  lastVersion,
  newestOf,
  type PointerNote,
  readPointerNote,
  savePointer,
  versionsAfter,
} from "./policies-schema.ts";

interface PolicyLedgerDeps {
  readonly storage: DurableObjectStorage;
  /** Read at each use: tests replace the binding. */
  readonly kv: () => Pick<KvPort, "get" | "put">;
  /** Makes sure that the object's alarm rings at that time or before. */
  readonly schedule: (at: number) => void;
}

export interface PolicyLedger extends PolicyLedgerPort {
  /** The alarm's work for policies: puts and checks what is due, and schedules the next. Never throws. */
  settle(): Promise<void>;
}

export function policyLedger({ storage, kv, schedule }: PolicyLedgerDeps): PolicyLedger {
  const oneByOne: Serial = serial();
  const context = { storage, kv: ledgerKv(kv), schedule };
  const observe = (tenant: string) => observePolicy(context, tenant, Date.now());
  /** With an unreadable pointer and no version of its own, the ledger does not know what is in force. */
  const read = async (tenant: string) => {
    const seen = await observe(tenant);
    return seen === "broken" ? "unavailable" : seen;
  };

  return {
    inForce: (tenant) => oneByOne(() => read(tenant)),

    versions: (tenant, limit, after) =>
      oneByOne(async () => {
        if ((await read(tenant)) === "unavailable") return "unavailable";
        const found = versionsAfter(storage.sql, after, limit + 1);
        if (!found) return "unknown_cursor";
        const inForce = lastVersion(storage.sql)?.id ?? null;
        return { versions: found.slice(0, limit), hasMore: found.length > limit, inForce };
      }),

    version: (tenant, digest) =>
      oneByOne(async () => {
        if ((await read(tenant)) === "unavailable") return "unavailable";
        const version = newestOf(storage.sql, digest);
        return version && { version, text: documentText(storage.sql, digest) };
      }),

    write: (write) =>
      oneByOne(async () => {
        const seen = await observe(write.tenant);
        if (seen === "unavailable") return { kind: "unavailable" };
        // A new pointer repairs one that cannot be read.
        const previous = seen === "broken" ? { version: null, text: null } : seen;
        const inForce = previous.version?.digest ?? null;
        if (!meetsCondition(write.condition, inForce)) return { kind: "changed", digest: inForce };
        const digest = write.text === null ? null : sha256Hex(write.text);
        if (write.dryRun) return { kind: "written", digest, at: Date.now(), previous };
        return putPolicy(context, write, digest, previous);
      }),

    settle: () => oneByOne(() => reassertPolicy(context, Date.now())),
  };
}

/** @param inForce digest of the tenant's own policy; null if the embedded one is in force, which no tag names. */
function meetsCondition({ match, noneMatch }: PolicyCondition, inForce: string | null): boolean {
  const among = (tags: readonly string[] | "any") => inForce !== null && (tags === "any" || tags.includes(inForce));
  return (match === undefined || among(match)) && (noneMatch === undefined || !among(noneMatch));
}

/** After this time the alarm repeats a write that never ended. KV has 10 s for each of its two puts. */
const ABANDONED_AFTER_MS = 30_000;

async function putPolicy(
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

async function reassertPolicy(context: LedgerContext, now: number): Promise<void> {
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
