/**
 * Checks whether an archive is complete, with the audit keys alone: its manifests, the files that they name, every record in them,
 * and each user's chain up to the last record that a manifest has of the user. Needs no gateway.
 */
import { sha256Hex } from "../../lib/digest.ts";
import { isErasure } from "../../lib/names.ts";
import type { ChainLink, SealedRecord } from "../../ports/audit-record.ts";
import { genesis, isSealed } from "../audit/audit-chain.ts";
import type { AuditKeys } from "../audit/audit-keys.ts";
import { INCOMING, MANIFESTS, manifestKey, RECORDS } from "./archive-files.ts";
import { digestOf, type Manifest, readManifest } from "./manifest.ts";
import { readParquet } from "./parquet-records.ts";

export interface ArchiveReader {
  /** Keys with this prefix, sorted. */
  list(prefix: string): Promise<readonly string[]>;
  /** Undefined if there is no such file. */
  read(key: string): Promise<Uint8Array | undefined>;
}

interface ArchiveVerdict {
  readonly problems: readonly string[];
  readonly users: number;
  readonly records: number;
  /** Not compacted yet: no manifest has them. */
  readonly incoming: number;
  /** The newest manifest, by its number and the digest of its text: whoever knows them can detect that later ones were removed. */
  readonly last: { readonly number: number; readonly digest: string } | undefined;
}

interface Link extends ChainLink {
  readonly previous: string;
  /** It closes a chain whose user was erased. */
  readonly ends: boolean;
}

/** Further ones are not listed. */
const MAX_PROBLEMS = 100;

/**
 * @param from `2026-11-27`: files of earlier days may have been removed, and chains begin anywhere.
 */
export async function verifyArchive(reader: ArchiveReader, keys: AuditKeys, from?: string): Promise<ArchiveVerdict> {
  const problems: string[] = [];
  const problem = (text: string) => {
    if (problems.length < MAX_PROBLEMS) problems.push(text);
  };
  const chains = new Map<string, Link[]>();
  const ids = new Set<string>();
  const add = (key: string, records: readonly SealedRecord[], once: boolean) => {
    for (const sealed of records) {
      const { record, seq, previous, hash } = sealed;
      if (!isSealed(keys, record, sealed)) problem(`${key}: record ${record.id} is not as it was sealed`);
      // A repeated batch is in two small files until they are compacted.
      if (ids.has(record.id)) {
        if (once) problem(`${key}: record ${record.id} is there twice`);
        continue;
      }
      ids.add(record.id);
      const owner = JSON.stringify([record.tenant, record.user]);
      const links = chains.get(owner) ?? [];
      const ends = record.kind === "change" && record.event === "chain_closed";
      links.push({ seq, previous, hash, ends });
      chains.set(owner, links);
    }
  };

  const { manifests, last } = await readManifests(reader, keys, problem);
  for (const { files } of manifests)
    for (const { key, sha256 } of files) {
      if (from !== undefined && dayOf(key) < from) continue;
      const bytes = await reader.read(key);
      if (!bytes) problem(`${key} is missing`);
      else if (sha256Hex(bytes) !== sha256) problem(`${key} is not the file that its manifest names`);
      else add(key, await readParquet(bytes), true);
    }
  const compacted = ids.size;
  for (const key of await reader.list(INCOMING)) {
    const bytes = await reader.read(key);
    if (bytes) add(key, await readParquet(bytes), false);
  }
  const incoming = ids.size - compacted;
  // Otherwise an archive whose manifests were removed would count as complete.
  if (!last && (await reader.list(RECORDS)).length > 0) problem("the files of records are in no manifest");
  checkChains(chains, headsIn(manifests), { mayBegin: from !== undefined, problem });
  return { problems, users: chains.size, records: ids.size, incoming, last };
}

const dayOf = (key: string): string => /day=([\d-]+)/.exec(key)?.[1] ?? "";

async function readManifests(reader: ArchiveReader, keys: AuditKeys, problem: (text: string) => void) {
  const manifests: Manifest[] = [];
  let last: { number: number; digest: string } | undefined;
  for (const key of await reader.list(MANIFESTS)) {
    const bytes = await reader.read(key);
    const text = new TextDecoder().decode(bytes ?? new Uint8Array());
    const manifest = readManifest(keys, text);
    if (!manifest || manifestKey(manifest.number) !== key) {
      problem(`${key} is not as it was signed`);
      continue;
    }
    const expected = (last?.number ?? 0) + 1;
    if (manifest.number !== expected) problem(`${manifestKey(expected)} is missing`);
    else if (manifest.previous !== (last?.digest ?? null)) problem(`${key} does not follow the manifest before it`);
    last = { number: manifest.number, digest: digestOf(manifest, text) };
    manifests.push(manifest);
  }
  return { manifests, last };
}

/** The last record of each user that a manifest names. */
function headsIn(manifests: readonly Manifest[]): ReadonlyMap<string, ChainLink> {
  const heads = new Map<string, ChainLink>();
  for (const { heads: named } of manifests)
    for (const [tenant, user, seq, hash] of named) {
      const owner = JSON.stringify([tenant, user]);
      if ((heads.get(owner)?.seq ?? 0) < seq) heads.set(owner, { seq, hash });
    }
  return heads;
}

interface ChainCheck {
  readonly mayBegin: boolean;
  readonly problem: (text: string) => void;
}

function checkChains(
  chains: Map<string, Link[]>,
  heads: ReadonlyMap<string, ChainLink>,
  { mayBegin, problem }: ChainCheck,
): void {
  for (const owner of heads.keys()) if (!chains.has(owner) && !mayBegin) problem(`${owner}: no record is there`);
  for (const [owner, links] of chains) {
    links.sort((one, other) => one.seq - other.seq);
    const [first] = links;
    const [tenant = "", user = ""] = JSON.parse(owner) as string[];
    let last: ChainLink =
      mayBegin && first ? { seq: first.seq - 1, hash: first.previous } : { seq: 0, hash: genesis(tenant, user) };
    const head = heads.get(owner);
    for (const link of links) {
      const hole = holeBefore(link, last);
      if (hole) problem(`${owner}: ${hole}`);
      if (head?.seq === link.seq && head.hash !== link.hash)
        problem(`${owner}: record ${link.seq} is not the one that the manifest names`);
      last = link;
    }
    if (isErasure(user) && !links.at(-1)?.ends) problem(`${owner}: the record that closes it is missing`);
    if (head && head.seq > last.seq) problem(`${owner}: the records from ${last.seq + 1} to ${head.seq} are missing`);
  }
}

function holeBefore(link: Link, last: ChainLink): string | undefined {
  if (link.seq > last.seq + 1) return `the records from ${last.seq + 1} to ${link.seq - 1} are missing`;
  if (link.seq !== last.seq + 1 || link.previous !== last.hash)
    return `record ${link.seq} does not follow the one before`;
  return undefined;
}
