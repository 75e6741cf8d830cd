/**
 * Stores in this process: the code of the Worker's objects over SQLite in memory. What they hold ends with the process, and no other
 * process sees it: behind several of them each would count for itself.
 */
import { randomBytes } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { lengthPrefixed } from "../../lib/digest.ts";
import type { UserGuardPort } from "../../ports/guard-port.ts";
import type { Owner } from "../../session/principal.ts";
import { type AuditKeys, parseAuditKeys } from "../../stores/audit/audit-keys.ts";
import { readRecords } from "../../stores/audit/user-records.ts";
import type { GuardEnv } from "../../stores/guard/alarm/alarm-work.ts";
import { guardApis } from "../../stores/guard/guard-apis.ts";
import { ObjectContext } from "../../stores/guard/object-context.ts";
import { guardSchema } from "../../stores/guard/schema.ts";
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
}

interface OpenGuard {
  readonly port: UserGuardPort;
  readonly context: ObjectContext;
}

export async function memoryStores({ now = Date.now, auditKey }: MemoryStoreOptions = {}): Promise<Stores> {
  const { DatabaseSync: Database } = await import("node:sqlite");
  const open = (): DatabaseSync => new Database(":memory:");
  const key = auditKey ?? `memory:${randomBytes(32).toString("hex")}`;
  const keys = parseAuditKeys(key);
  if (!keys.ok) throw new Error(`auditKey: ${keys.error}`);
  const auditDb = sqliteD1(open(), auditMigrations());
  const env = guardEnv(auditDb, key);
  const guards = new Map<string, OpenGuard>();
  const guardOf = ({ tenant, user }: Owner): OpenGuard => {
    const name = lengthPrefixed(tenant, user);
    const known = guards.get(name) ?? openGuard(open(), { env, keys: keys.value, now });
    guards.set(name, known);
    return known;
  };
  const pins = new Map<string, Stores["pinsOf"] extends (tenant: string) => infer Pins ? Pins : never>();
  const models = new Map<string, ArrayBuffer>();
  return {
    guardOf: (owner) => guardOf(owner).port,
    pinsOf(tenant) {
      const known = pins.get(tenant) ?? openPins(open());
      pins.set(tenant, known);
      return known;
    },
    toolsDb: sqliteD1(open(), toolsMigrations()),
    models: {
      get: async (name) => models.get(name) ?? null,
      put: async (name, value) => {
        models.set(name, value);
      },
    } satisfies BytesKv,
    async audit(owner) {
      await guardOf(owner).context.ring();
      return readRecords(auditDb, owner);
    },
  };
}

/** No policy is in the key-value store: records are kept for as long as the built-in policy says. */
function guardEnv(auditDb: D1Database, auditKey: string): GuardEnv {
  const hub = { idFromName: (name: string) => name, get: () => ({ deliveryFailed: async () => {} }) };
  return {
    AUDIT_DB: auditDb,
    AUDIT_KEY: auditKey,
    KV: { get: async () => null, put: async () => {}, delete: async () => {} },
    // Told only of failed deliveries, which the log names too.
    METRICS_HUB: hub as unknown as GuardEnv["METRICS_HUB"],
  };
}

interface GuardParts {
  readonly env: GuardEnv;
  readonly keys: AuditKeys;
  readonly now: () => number;
}

function openGuard(db: DatabaseSync, { env, keys, now }: GuardParts): OpenGuard {
  const { storage, onAlarm } = sqliteStorage(db);
  mustUpgrade(storage, "UserGuard", guardSchema);
  const ctx = { storage, waitUntil: (work: Promise<unknown>) => void work.catch(() => {}) };
  const context = new ObjectContext({ ctx, env, now, keys, refusal: undefined });
  onAlarm(() => context.ring());
  void context.alarm.start(true);
  return { port: guardApis(context), context };
}

function openPins(db: DatabaseSync) {
  const { storage } = sqliteStorage(db);
  mustUpgrade(storage, "McpPins", [{ up: mcpTables }]);
  return mcpPins(storage);
}
