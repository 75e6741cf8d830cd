/**
 * The part of the tenant's ledger that keeps its policy. KV cannot compare and swap, so writes are compared here, one at
 * a time; and KV is what every isolate reads, so nothing counts as in force before KV took it.
 *
 * A write: condition, document into KV, pointer noted as unsettled, pointer into KV, version noted. Where KV fails on the
 * pointer it may have taken it all the same: the write is not acknowledged, and the alarm puts the newest acknowledged
 * version again, with a later time, until KV is seen to agree (`policy-reassertion.ts`). Where the object dies in between,
 * the note is there and the alarm is set: it ends the same way.
 */
import { sha256Hex } from "../../lib/digest.ts";
import { type Serial, serial } from "../../lib/serial.ts";
import type { KvPort } from "../kv-port.ts";
import { observePolicy } from "./observe-policy.ts";
import {
  addVersion,
  createPolicyTables,
  documentText,
  lastVersion,
  newestOf,
  notePointer,
  readPointerNote,
  versionsAfter,
} from "./policies-schema.ts";
import { meetsCondition } from "./policy-condition.ts";
import { ledgerKv } from "./policy-kv.ts";
import type { PolicyInForce, PolicyLedgerPort, PolicyWrite, PolicyWritten } from "./policy-ledger-port.ts";
import { CHECK_AFTER_MS, reassertPolicy } from "./policy-reassertion.ts";

export interface PolicyLedgerDeps {
  readonly storage: DurableObjectStorage;
  /** Asked for at each use. */
  readonly kv: () => Pick<KvPort, "get" | "put">;
  /** Makes sure that the object's alarm rings at that time or before. */
  readonly arm: (at: number) => void;
}

export interface PolicyLedger extends PolicyLedgerPort {
  /** What the object's alarm does for policies: puts and checks what is due. Never throws; arms the next. */
  settle(): Promise<void>;
}

/** When a write that never came back is looked after. KV is given 10 s for each of its two puts. */
const ABANDONED_AFTER_MS = 30_000;

export function policyLedger({ storage, kv, arm }: PolicyLedgerDeps): PolicyLedger {
  createPolicyTables(storage.sql);
  const oneByOne: Serial = serial();
  const context = { storage, kv: ledgerKv(kv), arm };
  const observe = (tenant: string) => observePolicy(context, tenant, Date.now());

  return {
    policyInForce: (tenant) =>
      oneByOne(async () => {
        const seen = await observe(tenant);
        return seen === "broken" ? "unavailable" : seen;
      }),

    policyVersions: (tenant, limit, after) =>
      oneByOne(async () => {
        if ((await observe(tenant)) === "unavailable") return "unavailable";
        const found = versionsAfter(storage.sql, after, limit + 1);
        if (!found) return "unknown_cursor";
        const inForce = lastVersion(storage.sql)?.id ?? null;
        return { versions: found.slice(0, limit), hasMore: found.length > limit, inForce };
      }),

    policyVersion: (tenant, digest) =>
      oneByOne(async () => {
        if ((await observe(tenant)) === "unavailable") return "unavailable";
        const version = newestOf(storage.sql, digest);
        return version && { version, text: documentText(storage.sql, digest) };
      }),

    writePolicy: (write) =>
      oneByOne(async () => {
        const seen = await observe(write.tenant);
        if (seen === "unavailable") return { kind: "unavailable" };
        // A pointer that cannot be read is repaired by putting another.
        const previous = seen === "broken" ? { version: null, text: null } : seen;
        const inForce = previous.version?.digest ?? null;
        if (!meetsCondition(write.condition, inForce)) return { kind: "changed", digest: inForce };
        const digest = write.text === null ? null : sha256Hex(write.text);
        if (write.dryRun) return { kind: "written", digest, at: Date.now(), previous };
        return put(write, digest, previous);
      }),

    settle: () => oneByOne(() => reassertPolicy(context, Date.now())),
  };

  async function put(write: PolicyWrite, digest: string | null, previous: PolicyInForce): Promise<PolicyWritten> {
    const { tenant, text, action, by } = write;
    try {
      if (digest !== null && text !== null) await context.kv.putDocument(digest, text);
    } catch (error) {
      console.error("a policy could not be written into KV:", error instanceof Error ? error.message : error);
      return { kind: "unavailable" };
    }
    const now = Date.now();
    const note = readPointerNote(storage.sql);
    const at = Math.max(now, (note?.at ?? -1) + 1);
    notePointer(storage.sql, { tenant, at, state: "unsettled", due: now + ABANDONED_AFTER_MS });
    arm(now + ABANDONED_AFTER_MS);
    try {
      await context.kv.putPointer(tenant, { digest, at });
    } catch (error) {
      console.error("a policy's pointer could not be put into KV:", error instanceof Error ? error.message : error);
      notePointer(storage.sql, { tenant, at, state: "unsettled", due: Date.now() });
      arm(Date.now());
      return { kind: "unavailable" };
    }
    // An earlier put that was reported as failed may still be applied, over this one.
    const checked = note === undefined || note.state === "settled";
    const due = checked ? null : Date.now() + CHECK_AFTER_MS;
    storage.transactionSync(() => {
      if (digest !== (previous.version?.digest ?? null) || previous.text !== text)
        addVersion(storage.sql, { digest, at, by, action }, text);
      notePointer(storage.sql, { tenant, at, state: checked ? "settled" : "unchecked", due });
    });
    if (due !== null) arm(due);
    return { kind: "written", digest, at, previous };
  }
}
