/** Users' objects, the queue, its consumer, the index and the archive in one process: the Worker's own code over Node's SQLite. */
import { DatabaseSync } from "node:sqlite";
import { sqliteD1 } from "../../../src/packages/stores/sqlite-d1.ts";
import { sqliteStorage } from "../../../src/packages/stores/sqlite-storage.ts";
import type { AuditRecord, SealedRecord } from "../../../src/ports/audit-record.ts";
import type { TenantLedgerPort } from "../../../src/ports/tenant-ledger-port.ts";
import type { Owner } from "../../../src/session/principal.ts";
import { archiveBatch } from "../../../src/stores/archive/parquet-records.ts";
import { erasedBefore } from "../../../src/stores/audit/erasure/erased-users.ts";
import { shardedTrail } from "../../../src/stores/audit/shards/sharded-trail.ts";
import { trailShards } from "../../../src/stores/audit/shards/shards.ts";
import { consumeDeadLetters, consumeTrail, type TrailSinks } from "../../../src/stores/audit/trail-consumer.ts";
import type { TrailMessage } from "../../../src/stores/audit/trail-message.ts";
import type { GuardEnv } from "../../../src/stores/guard/alarm/alarm-work.ts";
import type { UserGuardApis } from "../../../src/stores/guard/guard-apis.ts";
import { guardApis } from "../../../src/stores/guard/guard-apis.ts";
import { lazyTables } from "../../../src/stores/guard/lazy-tables.ts";
import { ObjectContext } from "../../../src/stores/guard/object-context.ts";
import { appendRecord } from "../../../src/stores/guard/outbox/record-chain.ts";
import { guardSchema } from "../../../src/stores/guard/schema/guard-schema.ts";
import { guardTables } from "../../../src/stores/guard/tables.ts";
import { noteOwner } from "../../../src/stores/guard/transaction.ts";
import { callApi } from "../../../src/stores/objects/object-ports.ts";
import { homeTables, type TrailHome, trailHome } from "../../../src/stores/tenant/trail-home.ts";
import { memoryBucket } from "../archive/memory-bucket.ts";
import { AUDIT_KEY, keys } from "./records.ts";

export type Phase = "index" | "archive" | "settle" | "ack";

interface Sent {
  readonly id: string;
  readonly body: TrailMessage;
  attempts: number;
}

/** Tries of a message before it is given up. */
const MAX_ATTEMPTS = 10;

const SHARDS = ["AUDIT_DB", "AUDIT_DB_2", "AUDIT_DB_3"] as const;

/**
 * @param shards databases that there are; the setting names the first alone until `listed` has more.
 * @param more variables.
 */
export function queuedWorld(begin: number, shards: 1 | 3 = 1, more: Partial<GuardEnv> = {}) {
  const names = SHARDS.slice(0, shards);
  const files = names.map(() => new DatabaseSync(":memory:"));
  const [sqlite = new DatabaseSync(":memory:")] = files;
  const world = {
    now: begin,
    sqlite,
    sqlites: files,
    /** What built-in tools store. */
    tools: new DatabaseSync(":memory:"),
    listed: 1,
    /** Deliveries go to the databases without the queue. */
    direct: false,
    /** The database that fails; undefined: all, where `indexFails`. */
    failing: undefined as string | undefined,
    queue: [] as Sent[],
    dead: [] as Sent[],
    reports: [] as boolean[],
    /** When it was told that a receiver of records fails. */
    failedExports: [] as number[],
    /** The databases answer after it. */
    held: undefined as Promise<void> | undefined,
    /** The index fails with it. */
    indexFails: undefined as string | undefined,
    queueIsDown: false,
    sends: 0,
  };
  const store = memoryBucket(() => world.now);
  const databases = files.map(
    (file, index) =>
      new Proxy(sqliteD1(file, "src/stores/migrations"), {
        get: (of, name) => {
          const fails = world.indexFails !== undefined && (world.failing ?? names[index]) === names[index];
          if (fails && (name === "batch" || name === "prepare"))
            return () => {
              throw new Error(world.indexFails);
            };
          const { held } = world;
          if (held && name === "batch")
            return async (statements: D1PreparedStatement[]) => {
              await held;
              return of.batch(statements);
            };
          return Reflect.get(of, name);
        },
      }),
  );
  const toolsDb = sqliteD1(world.tools, "src/stores/migrations/tools");
  const [db] = databases;
  if (!db) throw new Error("there is no database");
  const sendBatch = async (messages: readonly { readonly body: TrailMessage }[]) => {
    if (world.queueIsDown) throw new Error("the queue is down");
    for (const { body } of messages) {
      const id = `message-${++world.sends}`;
      world.queue.push({ id, body: structuredClone(body), attempts: 0 });
    }
  };
  const hub = {
    idFromName: (name: string) => name,
    get: () => ({ deliveryFailed: async () => {}, exportFailed: async () => void world.failedExports.push(world.now) }),
  };
  /** Each isolate asks the ledgers for itself. */
  const newEnv = (): GuardEnv => ({
    AUDIT_DB: db,
    ...Object.fromEntries(names.map((name, index) => [name, databases[index]])),
    get TRAIL_SHARDS() {
      return names.slice(0, world.listed).join(",");
    },
    TENANT_LEDGER: {
      idFromName: (name) => name as unknown as DurableObjectId,
      get: (id) => ({
        call: (...named) => callApi({ trail: homeFor(String(id)) } as unknown as TenantLedgerPort, ...named),
      }),
    },
    AUDIT_KEY,
    KV: { get: async () => null, put: async () => {}, delete: async () => {} },
    METRICS_HUB: hub as unknown as GuardEnv["METRICS_HUB"],
    get TRAIL() {
      return world.direct ? "direct" : "queued";
    },
    TRAIL_QUEUE: { sendBatch } as unknown as Queue<TrailMessage>,
    ARCHIVE: store.bucket,
    ARCHIVE_GROUPS: "2",
    TOOLS_DB: toolsDb,
    ...more,
  });
  const env = newEnv();
  const isolates = [env, newEnv(), newEnv()];
  const homes = new Map<string, TrailHome>();
  const homeFor = (tenant: string): TrailHome => {
    const known = homes.get(tenant);
    if (known) return known;
    const { sql } = sqliteStorage(new DatabaseSync(":memory:")).storage;
    sql.exec(homeTables);
    const home = trailHome({ sql, env: () => env, now: () => world.now, schedule: () => {} });
    homes.set(tenant, home);
    return home;
  };
  const users = new Map<string, ReturnType<typeof openUser>>();

  function openUser(owner: Owner) {
    const { storage: whole, stop } = sqliteStorage(new DatabaseSync(":memory:"));
    const own = isolates[users.size % isolates.length] ?? env;
    const { storage, tidy, tryReading } = lazyTables(whole, guardSchema, guardTables);
    noteOwner(storage.sql, owner);
    const waking = () => {
      const ctx = { storage, waitUntil: () => {} };
      return new ObjectContext({ ctx, tidy, tryReading, env: own, now: () => world.now, keys, refusal: undefined });
    };
    let context = waking();
    return {
      owner,
      sql: storage.sql,
      stop,
      get chain(): UserGuardApis["chain"] {
        return guardApis(context).chain;
      },
      get erasure(): UserGuardApis["erasure"] {
        return guardApis(context).erasure;
      },
      append: (record: AuditRecord) =>
        storage.transactionSync(() => appendRecord({ sql: storage.sql, keys, now: world.now }, record)),
      ring: () => context.ring(),
      /** What is in memory is gone. */
      evict: () => {
        context = waking();
      },
    };
  }
  const userOf = (owner: Owner) => {
    const name = JSON.stringify([owner.tenant, owner.user]);
    const known = users.get(name) ?? openUser(owner);
    users.set(name, known);
    return known;
  };

  const messageOf = (sent: Sent, over: (how: "ack" | "retry") => void): Message<unknown> =>
    ({
      id: sent.id,
      body: sent.body,
      attempts: sent.attempts,
      ack: () => over("ack"),
      retry: () => over("retry"),
    }) as unknown as Message<unknown>;

  /** @param dies after this phase. */
  function sinksOf(dies: Phase | undefined, untold: boolean): TrailSinks {
    const dead = (phase: Phase) => {
      if (phase === dies) throw new Error(`the consumer died after ${phase}`);
    };
    const shards = trailShards(isolates[2] ?? env);
    const index = shardedTrail(shards);
    return {
      erasedBefore: erasedBefore(shards, keys),
      index: {
        async deliver(records) {
          const taken = await index.deliver(records);
          dead("index");
          return taken;
        },
      },
      archive: async (records: readonly SealedRecord[]) => {
        await archiveBatch(store.bucket, records, { groups: 2, name: `batch-${++world.sends}` });
        dead("archive");
      },
      bucket: store.bucket,
      guardOf: (owner) => ({
        chain: {
          async settle(outcome) {
            if (untold) throw new Error("the object cannot be reached");
            await userOf(owner).chain.settle(outcome);
          },
        },
        erasure: { before: () => userOf(owner).erasure.before() },
      }),
      report: async ({ full }) => void world.reports.push(full),
    };
  }

  return {
    bucket: store.bucket,
    files: store.files,
    /** Calls of the bucket that fail. */
    bucketFails: (calls: RegExp | undefined) => {
      store.failing = calls;
    },
    world,
    db,
    homeFor,
    homes: () => [...homes.values()],
    databases: () => new Map(names.map((name, index) => [name, databases[index] as D1Database])),
    databaseOf: async (tenant: string): Promise<D1Database> => {
      const { read } = await homeFor(tenant).place(tenant);
      return databases[names.indexOf(read as (typeof SHARDS)[number])] ?? db;
    },
    users: () => [...users.values()],
    userOf,
    /** Takes some messages off the queue, as one batch. */
    async consume({ count = 100, dies, untold = false }: { count?: number; dies?: Phase; untold?: boolean } = {}) {
      const taken = world.queue.splice(0, count);
      const ends = new Map<string, "ack" | "retry">();
      for (const sent of taken) sent.attempts += 1;
      // The first word about a message counts.
      const messages = taken.map((sent) =>
        messageOf(sent, (how) => {
          if (!ends.has(sent.id)) ends.set(sent.id, how);
        }),
      );
      await consumeTrail({ messages }, sinksOf(dies, untold));
      for (const sent of taken) {
        if (ends.get(sent.id) === "ack" && dies !== "ack") continue;
        (sent.attempts >= MAX_ATTEMPTS ? world.dead : world.queue).push(sent);
      }
    },
    async consumeDead() {
      const taken = world.dead.splice(0);
      const kept: Sent[] = [];
      const messages = taken.map((sent) =>
        messageOf(sent, (how) => {
          if (how === "retry") kept.push(sent);
        }),
      );
      await consumeDeadLetters({ messages }, sinksOf(undefined, false));
      world.dead.push(...kept);
    },
    stop: () => {
      for (const { stop } of users.values()) stop();
    },
  };
}

export type QueuedWorld = ReturnType<typeof queuedWorld>;
