/**
 * Compares one user's records in D1 with the head and the checkpoint that the user's object keeps: it detects records that were
 * altered, removed, added or cut off, and a database that was restored to an earlier time. By pages, so that a chain of any length
 * can be verified.
 */
import type { ChainLink, SealedRecord, SignedCheckpoint } from "../../ports/audit-record.ts";
import type { ChainState } from "../../ports/chain-port.ts";
import type { Owner } from "../../session/principal.ts";
import { type ChainVerdict, genesis, isSigned, verifyChain } from "./audit-chain.ts";
import type { AuditKeys } from "./audit-keys.ts";
import { firstMisindexed } from "./d1-audit.ts";
import { firstUpTo, readChain } from "./d1-audit-query.ts";
import { readCheckpoint } from "./d1-retention.ts";

/** Records read from D1 at a time, and per answer. */
const PAGE = 100;
const MAX_PAGES = 10;

export interface Verification {
  readonly verdict: ChainVerdict;
  /** The records of this page; `to` is before `from` if there were none. */
  readonly from: number;
  readonly to: number;
  /** The beginning of the next page; undefined at the end of the chain, or if a fault was found. */
  readonly next: number | undefined;
  readonly state: ChainState;
  readonly checkpoint: SignedCheckpoint | undefined;
  /** Why the checkpoint in D1 cannot be relied on. */
  readonly checkpointProblem: "forged" | "missing" | "older" | "contradicts" | undefined;
}

interface ChainToVerify {
  readonly db: D1Database;
  readonly keys: AuditKeys;
  readonly owner: Owner;
  /** The state in the user's object; read before D1, so that records sealed in between are no fault. */
  readonly stateOf: (afterSeq: number) => Promise<ChainState>;
}

/** @param after the end of the page before. Rejects if the object or D1 cannot be reached. */
export async function verifyUser(
  { db, keys, owner, stateOf }: ChainToVerify,
  after: number | undefined,
): Promise<Verification> {
  const state = await stateOf(after ?? 0);
  const checkpoint = await readCheckpoint(db, owner);
  const checkpointProblem = problemOf(keys, state, checkpoint);
  const from = await beginningOf(db, owner, { state, checkpoint: checkpointProblem ? undefined : checkpoint }, after);
  let last: ChainLink | undefined = from;
  const seen = { checkpoint, checkpointProblem, state, from: (from?.seq ?? 0) + 1 };
  if (after !== undefined && from === undefined) {
    return {
      ...seen,
      verdict: { ok: false, at: after, problem: "missing" },
      from: after,
      to: after - 1,
      next: undefined,
    };
  }
  last ??= { seq: 0, hash: genesis(owner.tenant, owner.user) };
  const below = await firstUpTo(db, owner, removedUpTo(state, checkpointProblem ? undefined : checkpoint)?.seq ?? 0);
  if (below !== undefined) {
    const verdict = { ok: false, at: below, problem: "below_checkpoint" } as const;
    return { ...seen, verdict, to: last.seq, next: undefined };
  }
  // The state lists what D1 refused only up to here.
  const bound = state.moreRefused ? (state.refused.at(-1)?.sealed.seq ?? 0) : Number.POSITIVE_INFINITY;
  for (let page = 0; page < MAX_PAGES && last.seq < bound; page++) {
    const read = await readChain(db, owner, { afterSeq: last.seq, limit: PAGE });
    const upTo = read.length < PAGE ? bound : Math.min(bound, read.at(-1)?.seq ?? bound);
    const atEnd = upTo === Number.POSITIVE_INFINITY;
    const found = read.filter(({ seq }) => seq <= upTo);
    const records = withRefused(found, state, { after: last.seq, upTo });
    const verdict = verifyChain(keys, records, { ...owner, from: last, head: atEnd ? state.delivered : undefined });
    if (!verdict.ok) return { ...seen, verdict, to: verdict.at - 1, next: undefined };
    // What D1 refused has no rows there.
    const misindexed = await firstMisindexed(db, found);
    if (misindexed) {
      const verdict = { ok: false, at: misindexed.seq, problem: "misindexed" } as const;
      return { ...seen, verdict, to: misindexed.seq - 1, next: undefined };
    }
    const reached: ChainLink = records.at(-1) ?? last;
    last = { seq: reached.seq, hash: reached.hash };
    if (atEnd) return { ...seen, verdict: await withinHead(last, state, stateOf), to: last.seq, next: undefined };
  }
  return { ...seen, verdict: { ok: true }, to: last.seq, next: last.seq };
}

/**
 * The state of a chain whose user was erased, which no object has: it ends with a record that closes it; if that record has left the
 * database, with the last one of a checkpoint. It has at least one record.
 */
export async function erasedState(db: D1Database, keys: AuditKeys, owner: Owner): Promise<ChainState> {
  const end = await db
    .prepare(
      `SELECT seq, hash FROM changes INDEXED BY changes_by_user
       WHERE tenant = ? AND user = ? AND event = 'chain_closed' ORDER BY at DESC LIMIT 1`,
    )
    .bind(owner.tenant, owner.user)
    .first<ChainLink>();
  const checkpoint = end ? undefined : await readCheckpoint(db, owner);
  const head = end ?? (checkpoint && isSigned(keys, checkpoint) ? checkpoint : { seq: 1, hash: "" });
  return { head, delivered: head, checkpoint: undefined, waiting: 0, refused: [], moreRefused: false };
}

/**
 * Records in D1 beyond the head were sealed after the state was read. If the object does not know them now, it has lost its
 * storage or got an older one back, and the chain's end is unknown.
 */
async function withinHead(
  last: ChainLink,
  { head }: ChainState,
  stateOf: ChainToVerify["stateOf"],
): Promise<ChainVerdict> {
  if (last.seq <= (head?.seq ?? 0)) return { ok: true };
  const known = (await stateOf(last.seq)).head?.seq ?? 0;
  return last.seq <= known ? { ok: true } : { ok: false, at: known + 1, problem: "beyond_head" };
}

/** The link before the page; undefined for the first record, or if that link is missing. */
async function beginningOf(
  db: D1Database,
  owner: ChainToVerify["owner"],
  known: { readonly state: ChainState; readonly checkpoint: SignedCheckpoint | undefined },
  after: number | undefined,
): Promise<ChainLink | undefined> {
  const checkpoint = removedUpTo(known.state, known.checkpoint);
  if (after === undefined || (checkpoint && checkpoint.seq >= after)) return checkpoint;
  const refused = known.state.refused.find(({ sealed }) => sealed.seq === after)?.sealed;
  const [record] = refused ? [refused] : await readChain(db, owner, { afterSeq: after - 1, limit: 1 });
  return record?.seq === after ? { seq: record.seq, hash: record.hash } : undefined;
}

/** The last record that retention removed, by the object's checkpoint or the one in D1. */
function removedUpTo(state: ChainState, inD1: ChainLink | undefined): ChainLink | undefined {
  const own = state.checkpoint;
  return own && inD1 ? (own.seq >= inD1.seq ? own : inD1) : (own ?? inD1);
}

function problemOf(
  keys: AuditKeys,
  { checkpoint: own, head }: ChainState,
  inD1: SignedCheckpoint | undefined,
): Verification["checkpointProblem"] {
  if (inD1 === undefined) return own === undefined ? undefined : "missing";
  if (!isSigned(keys, inD1)) return "forged";
  if (own && inD1.seq < own.seq) return "older";
  if (own?.seq === inD1.seq && own.hash !== inD1.hash) return "contradicts";
  // Beyond the end of the chain: the object is not the one that made it.
  return inD1.seq > (head?.seq ?? 0) ? "contradicts" : undefined;
}

/** With the records that D1 refused, which the object has. */
function withRefused(
  records: readonly SealedRecord[],
  { refused }: ChainState,
  between: { readonly after: number; readonly upTo: number },
): readonly SealedRecord[] {
  const there = new Set(records.map(({ seq }) => seq));
  const missing = refused
    .map(({ sealed }) => sealed)
    .filter(({ seq }) => seq > between.after && seq <= between.upTo && !there.has(seq));
  return missing.length === 0 ? records : [...records, ...missing].sort((a, b) => a.seq - b.seq);
}
