/**
 * Stores in this process: the code of the Worker's objects over Node's own SQLite, in memory or in the files of a folder. No other
 * process may use the same folder: behind several of them each would count for itself.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { lengthPrefixed, sha256Hex } from "../../lib/digest.ts";
import type { UserGuardPort } from "../../ports/guard-port.ts";
import type { Owner } from "../../session/principal.ts";
import { type AuditKeys, parseAuditKeys } from "../../stores/audit/audit-keys.ts";
import { readRecords } from "../../stores/audit/user-records.ts";
import type { GuardEnv } from "../../stores/guard/alarm/alarm-work.ts";
import { guardApis } from "../../stores/guard/guard-apis.ts";
import { lazyTables } from "../../stores/guard/lazy-tables.ts";
import { ObjectContext } from "../../stores/guard/object-context.ts";
import { guardSchema } from "../../stores/guard/schema/guard-schema.ts";
import { guardTables } from "../../stores/guard/tables.ts";
import { mustUpgrade } from "../../stores/objects/object-schema.ts";
import type { BytesKv } from "../../stores/semantic/compiled-models.ts";
import { mcpPins, mcpTables } from "../../stores/tenant/mcp-pins.ts";
import { auditMigrations, toolsMigrations } from "../package-files.ts";
import { sqliteD1 } from "./sqlite-d1.ts";
import { sqliteStorage } from "./sqlite-storage.ts";
import type { Stores } from "./stores.ts";

export interface MemoryStoreOptions {
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Seals the audit records: `id:secret`. Absent: a new one. */
  readonly auditKey?: string;
  /**
   * Users whose databases are open at once, at some 40 KB each. In memory the least recently used is then forgotten, with its
   * limits and approvals; in a folder it is only closed. Default 1,000.
   */
  readonly maxUsers?: number;
}

export interface FileStoreOptions extends MemoryStoreOptions {
  readonly folder: string;
  readonly auditKey: string;
}

interface OpenGuard {
  readonly port: UserGuardPort;
  readonly context: ObjectContext;
  close(): void;
}

const MAX_USERS = 1_000;

/** @param options with `folder`: in files. */
export async function sqliteStores(options: MemoryStoreOptions & { readonly folder?: string } = {}): Promise<Stores> {
  const { now = Date.now, auditKey, folder, maxUsers = MAX_USERS } = options;
  const { DatabaseSync: Database } = await import("node:sqlite");
  if (folder !== undefined) mkdirSync(join(folder, "users"), { recursive: true, mode: 0o700 });
  const open = (file: string): DatabaseSync =>
    opened(new Database(folder === undefined ? ":memory:" : join(folder, file)));
  const key = auditKey ?? `memory:${randomBytes(32).toString("hex")}`;
  const keys = parseAuditKeys(key);
  if (!keys.ok) throw new Error(`auditKey: ${keys.error}`);
  const auditDb = sqliteD1(open("audit.sqlite"), auditMigrations());
  const env = guardEnv(auditDb, key);
  const guardOf = guards(maxUsers, (name) =>
    openGuard(open(join("users", `${sha256Hex(name)}.sqlite`)), { env, keys: keys.value, now }),
  );
  const pins = new Map<string, ReturnType<typeof openPins>>();
  return {
    guardOf: (owner) => guardOf(owner).port,
    pinsOf(tenant) {
      const known = pins.get(tenant) ?? openPins(open(`tools-${sha256Hex(tenant)}.sqlite`));
      pins.set(tenant, known);
      return known;
    },
    toolsDb: sqliteD1(open("notes.sqlite"), toolsMigrations()),
    models: modelStore(open("models.sqlite")),
    async audit(owner) {
      await guardOf(owner).context.ring();
      return readRecords(auditDb, owner);
    },
  };
}

/** Small pages: most tables of most users are empty, and each takes one. */
function opened(db: DatabaseSync): DatabaseSync {
  db.exec("PRAGMA page_size = 1024; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  return db;
}

/** Opens users' databases. The least recently used is closed if there are too many. */
function guards(max: number, openNamed: (name: string) => OpenGuard): (owner: Owner) => OpenGuard {
  const open = new Map<string, OpenGuard>();
  return ({ tenant, user }) => {
    const name = lengthPrefixed(tenant, user);
    const known = open.get(name) ?? openNamed(name);
    open.delete(name);
    open.set(name, known);
    for (const [oldest, guard] of open) {
      if (open.size <= max) break;
      open.delete(oldest);
      guard.close();
    }
    return known;
  };
}

/** No policy is in the key-value store: records are kept for as long as the built-in policy says. */
function guardEnv(auditDb: D1Database, auditKey: string): GuardEnv {
  const hub = { idFromName: (name: string) => name, get: () => ({ deliveryFailed: async () => {} }) };
  return {
    AUDIT_DB: auditDb,
    AUDIT_KEY: auditKey,
    KV: { get: async () => null, put: async () => {}, delete: async () => {} },
    // It would get failed deliveries only, which the log names too.
    METRICS_HUB: hub as unknown as GuardEnv["METRICS_HUB"],
  };
}

interface GuardParts {
  readonly env: GuardEnv;
  readonly keys: AuditKeys;
  readonly now: () => number;
}

function openGuard(db: DatabaseSync, { env, keys, now }: GuardParts): OpenGuard {
  const { storage: own, onAlarm, stop } = sqliteStorage(db);
  const { storage, upgraded, tidy, tryReading } = lazyTables(own, guardSchema, guardTables);
  if (!upgraded.ok) throw new Error(upgraded.error);
  const ctx = { storage, waitUntil: (work: Promise<unknown>) => void work.catch(() => {}) };
  const context = new ObjectContext({ ctx, tidy, tryReading, env, now, keys, refusal: undefined });
  onAlarm(() => context.ring());
  void context.alarm.start(true);
  return {
    port: guardApis(context),
    context,
    // A turn may still use it: its later writes fail, and the turn with them.
    close() {
      context.writes.flush();
      context.alarm.clock.cancelSoon();
      stop();
      db.close();
    },
  };
}

function openPins(db: DatabaseSync) {
  const { storage } = sqliteStorage(db);
  mustUpgrade(storage, "McpPins", [{ up: mcpTables }]);
  return mcpPins(storage);
}

function modelStore(db: DatabaseSync): BytesKv {
  db.exec("CREATE TABLE IF NOT EXISTS models (name TEXT PRIMARY KEY, model BLOB NOT NULL)");
  return {
    async get(name) {
      const model = db.prepare("SELECT model FROM models WHERE name = ?").get(name)?.model;
      return model instanceof Uint8Array ? new Uint8Array(model).buffer : null;
    },
    async put(name, value) {
      const text = "INSERT INTO models VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET model = excluded.model";
      db.prepare(text).run(name, new Uint8Array(value));
    },
  };
}
