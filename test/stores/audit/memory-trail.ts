/** A trail in memory, which may be made to fail or to refuse records. */
import { err, ok } from "../../../src/lib/result.ts";
import type { SealedRecord, SignedCheckpoint } from "../../../src/ports/audit-record.ts";
import type { Refusal, TrailPort } from "../../../src/ports/trail-port.ts";

export interface MemoryTrail extends TrailPort {
  readonly records: ReadonlyMap<string, SealedRecord>;
  /** Undefined: it is up. */
  down: Error | undefined;
  /** By the record's id. */
  readonly refuses: Map<string, Refusal>;
}

export function memoryTrail(): MemoryTrail {
  const records = new Map<string, SealedRecord>();
  const checkpoints = new Map<string, SignedCheckpoint>();
  const ownerKey = ({ tenant, user }: { tenant: string; user: string }) => JSON.stringify([tenant, user]);
  const trail: MemoryTrail = {
    records,
    down: undefined,
    refuses: new Map(),
    async deliver(sealed) {
      if (trail.down) throw trail.down;
      const refusal = sealed.map(({ record }) => trail.refuses.get(record.id)).find((one) => one !== undefined);
      if (refusal) return err(refusal);
      for (const one of sealed) if (!records.has(one.record.id)) records.set(one.record.id, one);
      return ok("stored");
    },
    readCheckpoint: async (owner) => checkpoints.get(ownerKey(owner)),
    readChain: async (owner, { afterSeq, limit }) =>
      [...records.values()]
        .filter(({ seq, record }) => ownerKey(record) === ownerKey(owner) && seq > afterSeq)
        .sort((one, other) => one.seq - other.seq)
        .slice(0, limit),
    async moveCheckpoint(checkpoint, before) {
      checkpoints.set(ownerKey(checkpoint), checkpoint);
      for (const [id, { seq, record }] of records)
        if (ownerKey(record) === ownerKey(checkpoint) && seq <= checkpoint.seq && record.at < before)
          records.delete(id);
    },
    removeStray: async () => false,
  };
  return trail;
}
