/** The retention of what is left of erased records. No object has their chain, so the nightly check removes its beginning itself. */
import type { TrailPort } from "../../../ports/trail-port.ts";
import type { Owner } from "../../../session/principal.ts";
import { genesis, isSigned, joinGaps, nextCheckpoint, removableLink, signCheckpoint } from "../audit-chain.ts";
import type { AuditKeys } from "../audit-keys.ts";

/** Records per removal, and removals per night. */
const PAGE = 100;
const MAX_PAGES = 10;

export interface ErasedChains {
  readonly trail: Pick<TrailPort, "readCheckpoint" | "readChain" | "moveCheckpoint">;
  readonly keys: AuditKeys;
}

export interface ExpiryTimes {
  /** Older records are removed, as those of other users are. */
  readonly before: number;
  readonly now: number;
}

/** @param owner named by the erasure. Rejects if the trail fails, or the tenant is being moved. */
export async function expireErased(
  { trail, keys }: ErasedChains,
  owner: Owner,
  { before, now }: ExpiryTimes,
): Promise<void> {
  for (let page = 0; page < MAX_PAGES; page++) {
    const stored = await trail.readCheckpoint(owner);
    const signed = stored && isSigned(keys, stored) ? stored : undefined;
    const last = signed ?? { seq: 0, hash: genesis(owner.tenant, owner.user) };
    const records = await trail.readChain(owner, { afterSeq: last.seq, limit: PAGE });
    const links = records.map((sealed) => removableLink(keys, owner, sealed));
    const next = nextCheckpoint(last, links, before);
    if (!next) return;
    const gaps = joinGaps(signed?.gaps ?? [], next.gaps);
    await trail.moveCheckpoint(
      signCheckpoint(keys, { ...owner, seq: next.seq, hash: next.hash, gaps, at: now }),
      before,
    );
    if (records.length < PAGE) return;
  }
}
