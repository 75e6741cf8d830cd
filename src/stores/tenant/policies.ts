/**
 * The part of the tenant's ledger that keeps its policy. KV cannot compare and swap, so writes are compared here, one at
 * a time; and KV is what every isolate reads, so nothing counts as in force before KV took it.
 *
 * A write: condition, document into KV, pointer noted as unsettled, pointer into KV, version noted. Where KV fails on the
 * pointer it may have taken it all the same: the write is not acknowledged, and the alarm puts the newest acknowledged
 * version again, with a later time, until KV is seen to agree (`policy-reassertion.ts`). Where the object dies in between,
 * the note is there and the alarm is set: it ends the same way.
 */

import { type Serial, serial } from "../../lib/concurrency.ts";
import { sha256Hex } from "../../lib/digest.ts";
import type { KvPort } from "../../ports/kv-port.ts";
import type { PolicyLedgerPort } from "../../ports/policy-ledger-port.ts";
import { observePolicy } from "./observe-policy.ts";
import { documentText, lastVersion, newestOf, versionsAfter } from "./policies-schema.ts";
import { meetsCondition } from "./policy-condition.ts";
import { ledgerKv } from "./policy-kv.ts";
import { reassertPolicy } from "./policy-reassertion.ts";
import { putPolicy } from "./put-policy.ts";

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

export function policyLedger({ storage, kv, arm }: PolicyLedgerDeps): PolicyLedger {
  const oneByOne: Serial = serial();
  const context = { storage, kv: ledgerKv(kv), arm };
  const observe = (tenant: string) => observePolicy(context, tenant, Date.now());
  /** A pointer that cannot be read says nothing of what is in force, and the ledger knows of no version either. */
  const read = async (tenant: string) => {
    const seen = await observe(tenant);
    return seen === "broken" ? "unavailable" : seen;
  };

  return {
    policyInForce: (tenant) => oneByOne(() => read(tenant)),

    policyVersions: (tenant, limit, after) =>
      oneByOne(async () => {
        if ((await read(tenant)) === "unavailable") return "unavailable";
        const found = versionsAfter(storage.sql, after, limit + 1);
        if (!found) return "unknown_cursor";
        const inForce = lastVersion(storage.sql)?.id ?? null;
        return { versions: found.slice(0, limit), hasMore: found.length > limit, inForce };
      }),

    policyVersion: (tenant, digest) =>
      oneByOne(async () => {
        if ((await read(tenant)) === "unavailable") return "unavailable";
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
        return putPolicy(context, write, digest, previous);
      }),

    settle: () => oneByOne(() => reassertPolicy(context, Date.now())),
  };
}
