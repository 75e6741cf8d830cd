/** Users' objects, the queue, its consumer, the index and the archive in one process: the Worker's own code over Node's SQLite. */
import { DatabaseSync } from "node:sqlite";
import { sqliteD1 } from "../../../src/packages/stores/sqlite-d1.ts";
import { sqliteStorage } from "../../../src/packages/stores/sqlite-storage.ts";
import type { AuditRecord, SealedRecord } from "../../../src/ports/audit-record.ts";
import type { UserGuardPort } from "../../../src/ports/guard-port.ts";
import type { Owner } from "../../../src/session/principal.ts";
import { archiveBatch } from "../../../src/stores/archive/archive-batch.ts";
import { directTrail } from "../../../src/stores/audit/direct-trail.ts";
import { consumeDeadLetters, consumeTrail, type TrailSinks } from "../../../src/stores/audit/trail-consumer.ts";
import type { TrailMessage } from "../../../src/stores/audit/trail-message.ts";
import type { GuardEnv } from "../../../src/stores/guard/alarm/alarm-work.ts";
import { guardApis } from "../../../src/stores/guard/guard-apis.ts";
import { ObjectContext } from "../../../src/stores/guard/object-context.ts";
import { appendRecord } from "../../../src/stores/guard/outbox/outbox.ts";
import { guardSchema } from "../../../src/stores/guard/schema.ts";
import { noteOwner } from "../../../src/stores/guard/transaction.ts";
import { mustUpgrade } from "../../../src/stores/objects/object-schema.ts";
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

export function queuedWorld(begin: number) {
  const sqlite = new DatabaseSync(":memory:");
  const real = sqliteD1(sqlite, "src/stores/migrations");
  const world = {
    now: begin,
    sqlite,
    queue: [] as Sent[],
    dead: [] as Sent[],
    reports: [] as boolean[],
    /** The index fails with it. */
    indexFails: undefined as string | undefined,
    queueIsDown: false,
    sends: 0,
  };
  const store = memoryBucket(() => world.now);
  const db = new Proxy(real, {
    get: (of, name) => {
      if (world.indexFails !== undefined && (name === "batch" || name === "prepare"))
        return () => {
          throw new Error(world.indexFails);
        };
      return Reflect.get(of, name);
    },
  });
  const sendBatch = async (messages: readonly { readonly body: TrailMessage }[]) => {
    if (world.queueIsDown) throw new Error("the queue is down");
    for (const { body } of messages) {
      const id = `message-${++world.sends}`;
      world.queue.push({ id, body: structuredClone(body), attempts: 0 });
    }
  };
  const hub = { idFromName: (name: string) => name, get: () => ({ deliveryFailed: async () => {} }) };
  const env: GuardEnv = {
    AUDIT_DB: db,
    AUDIT_KEY,
    KV: { get: async () => null, put: async () => {}, delete: async () => {} },
    METRICS_HUB: hub as unknown as GuardEnv["METRICS_HUB"],
    TRAIL: "queued",
    TRAIL_QUEUE: { sendBatch } as unknown as Queue<TrailMessage>,
    ARCHIVE: store.bucket,
  };
  const users = new Map<string, ReturnType<typeof openUser>>();

  function openUser(owner: Owner) {
    const { storage, stop } = sqliteStorage(new DatabaseSync(":memory:"));
    mustUpgrade(storage, "UserGuard", guardSchema);
    noteOwner(storage.sql, owner);
    const waking = () => {
      const ctx = { storage, waitUntil: () => {} };
      return new ObjectContext({ ctx, env, now: () => world.now, keys, refusal: undefined });
    };
    let context = waking();
    return {
      owner,
      sql: storage.sql,
      stop,
      get chain(): UserGuardPort["chain"] {
        return guardApis(context).chain;
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
    const index = directTrail(db);
    return {
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
