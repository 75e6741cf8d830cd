/**
 * Which of the databases has the hot index of a tenant. A single database needs no answer. If there are several, the tenant's ledger
 * says where the tenant's records are, since a tenant may be pinned, or on the move from one to another. Its answer is valid for a
 * minute.
 */
import { boundedCache } from "../../../lib/bounded-cache.ts";
import { withTimeout } from "../../../lib/deadline.ts";
import { lengthPrefixed, sha256Hex } from "../../../lib/digest.ts";
import type { TenantLedgerPort, TrailPlace } from "../../../ports/tenant-ledger-port.ts";
import { readTrail, type TrailVariables } from "../../../settings/trail.ts";
import { type ObjectCall, portsOver } from "../../objects/object-ports.ts";

export interface ShardsEnv extends TrailVariables {
  /** The others, `AUDIT_DB_2` and so on, are found by their names in TRAIL_SHARDS. */
  readonly AUDIT_DB: D1Database;
}

export interface PlacesEnv extends ShardsEnv {
  /** Not used if there is one database. */
  readonly TENANT_LEDGER?: {
    idFromName(name: string): DurableObjectId;
    get(id: DurableObjectId): { readonly call: ObjectCall<TenantLedgerPort> };
  };
}

/** What reads of the trail need of a database, or of a session with it. */
export type AuditReader = Pick<D1Database, "prepare" | "batch">;

/** Rejects if the database, or the ledger that knows it, cannot be reached. */
export type AskAudit = <T>(tenant: string, ask: (db: AuditReader) => Promise<T>) => Promise<T>;

export interface TrailShards {
  /** By their bindings. */
  readonly all: ReadonlyMap<string, D1Database>;
  /** Rejects if the ledger cannot be reached. */
  placeOf(tenant: string): Promise<TrailPlace>;
}

/** How long an isolate uses the ledger's answer. */
export const PLACE_HOLDS_MS = 60_000;
const ANSWER_MS = 15_000;
const CACHE_BYTES = 1024 * 1024;

interface KnownPlace {
  readonly place: TrailPlace;
  readonly askedAt: number;
}

/** The objects of an isolate share this cache. */
const known = new WeakMap<object, ReturnType<typeof boundedCache<KnownPlace>>>();

/** Throws if the settings are wrong. */
export function shardsOf(env: ShardsEnv): ReadonlyMap<string, D1Database> {
  const settings = readTrail(env);
  if (!settings.ok) throw new Error(settings.error.join("; "));
  return new Map(settings.value.shards.map((name) => [name, databaseOf(env, name)]));
}

/** Throws if the settings are wrong: the records wait for better ones. */
export function trailShards(env: PlacesEnv): TrailShards {
  const all = shardsOf(env);
  const [only = "AUDIT_DB"] = all.keys();
  if (all.size === 1) {
    const place: TrailPlace = { read: only, write: [only], isMoving: false };
    return { all, placeOf: async () => place };
  }
  const { TENANT_LEDGER: ledgers } = env;
  if (!ledgers) throw new Error("the Worker has no TENANT_LEDGER");
  const cache = known.get(ledgers) ?? boundedCache<KnownPlace>({ maxBytes: CACHE_BYTES });
  known.set(ledgers, cache);
  return {
    all,
    async placeOf(tenant) {
      // The answer is valid from the time of the request on: the ledger waits that long before it continues.
      const askedAt = Date.now();
      const last = cache.get(tenant);
      if (last && askedAt - last.askedAt < PLACE_HOLDS_MS) return last.place;
      const stub = ledgers.get(ledgers.idFromName(tenant));
      const ledger = portsOver<TenantLedgerPort>((...named) => stub.call(...named));
      const place = await withTimeout(ANSWER_MS, ledger.trail.place(tenant));
      cache.set(tenant, { place, askedAt }, 300 + 2 * tenant.length);
      return place;
    },
  };
}

function databaseOf(env: ShardsEnv, name: string): D1Database {
  const database = (env as unknown as Readonly<Record<string, D1Database | undefined>>)[name];
  if (!database) throw new Error(`the Worker has no ${name}`);
  return database;
}

/**
 * The database of a tenant that is not pinned: an added shard takes its share of tenants from each of the others, and moves no other
 * tenant.
 */
export function homeOf(tenant: string, shards: readonly string[]): string {
  const ranked = shards.map((shard) => ({ shard, rank: sha256Hex(lengthPrefixed("trail shard", shard, tenant)) }));
  return ranked.reduce((best, one) => (one.rank > best.rank ? one : best)).shard;
}

/**
 * Reads from the tenant's database; from a replica of it if D1 has a nearer one.
 * @param ask gets the database.
 */
export async function readShard<T>(
  shards: () => TrailShards,
  tenant: string,
  ask: (db: AuditReader) => Promise<T>,
): Promise<T> {
  const database = await databaseFor(shards(), tenant);
  // Node's SQLite has no sessions.
  return ask("withSession" in database ? database.withSession("first-unconstrained") : database);
}

/** The database that the tenant's records are read from. */
export async function databaseFor({ all, placeOf }: TrailShards, tenant: string): Promise<D1Database> {
  const { read } = await placeOf(tenant);
  return shardNamed(all, read);
}

export function shardNamed(all: ReadonlyMap<string, D1Database>, name: string): D1Database {
  const database = all.get(name);
  if (!database) throw new Error(`the records of a tenant are in ${name}, which TRAIL_SHARDS does not name`);
  return database;
}
