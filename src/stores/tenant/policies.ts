/**
 * The policy of one tenant, in its TenantLedger. KV cannot compare and swap, so writes are compared here, one at a time. Every
 * isolate reads KV, so no version is in force before KV has taken it.
 *
 * A write checks its condition, puts the document into KV, stores the pointer as unsettled, puts the pointer into KV and stores
 * the version. If KV fails on the pointer, it may have taken it all the same. Then the write is not acknowledged, and the alarm
 * puts the newest acknowledged version again, with a later time, until KV shows it (`policy-reassertion.ts`). If the object dies
 * in between, the stored pointer and the alarm end the same way.
 */

import { type Serial, serial } from "../../lib/concurrency.ts";
import { sha256Hex } from "../../lib/digest.ts";
import type { KvPort } from "../../ports/kv-port.ts";
import type { PolicyCondition, PolicyLedgerPort } from "../../ports/tenant-ledger-port.ts";
import { ledgerKv, observePolicy } from "./observe-policy.ts";
import { documentText, lastVersion, newestOf, versionsAfter } from "./policies-schema.ts";
import { putPolicy, reassertPolicy } from "./put-policy.ts";

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

/** @param inForce digest of the tenant's own policy; null where the embedded one serves, which no tag names. */
function meetsCondition({ match, noneMatch }: PolicyCondition, inForce: string | null): boolean {
  const among = (tags: readonly string[] | "any") => inForce !== null && (tags === "any" || tags.includes(inForce));
  return (match === undefined || among(match)) && (noneMatch === undefined || !among(noneMatch));
}
