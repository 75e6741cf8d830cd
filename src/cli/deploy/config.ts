/** The configuration that is deployed: `wrangler.toml` with what belongs to this account and deployment filled in. */
import { join } from "node:path";
import { experimental_readRawConfig, type Unstable_RawConfig } from "wrangler";
import { COMPACT_CRON, readTrailTexts } from "../../settings/trail.ts";
import { root } from "../settings.ts";
import type { DeployOptions } from "./options.ts";

type RawConfig = Unstable_RawConfig;

/** In wrangler.toml in place of an account's own ids, which `npm start` does not need. */
const placeholders = new Set([
  "toolgate",
  "00000000-0000-0000-0000-000000000000",
  "00000000-0000-0000-0000-000000000001",
]);

export interface Resources {
  readonly kv: string;
  /** Ids by binding. */
  readonly databases: Readonly<Record<string, string>>;
}

interface Database {
  readonly binding: string;
  readonly name: string;
  /** The folder of its migrations, as `wrangler.toml` has it. */
  readonly folder: string;
  /** An id that the operator wrote into `wrangler.toml` by hand, which is then used as it is. */
  readonly ownId: string | undefined;
}

const configuredId = (id: string | undefined) => (id === undefined || placeholders.has(id) ? undefined : id);

export const ownKv = (raw: RawConfig): string | undefined => configuredId(raw.kv_namespaces?.[0]?.id);

/** The databases that `wrangler.toml` binds. Without `TOOLS_DB` there are no built-in tools, and the rest is served. */
export function databasesOf(raw: RawConfig, worker: string, plain: PlainSettings): readonly Database[] {
  const bound = raw.d1_databases ?? [];
  const audit = bound.find(({ binding }) => binding === "AUDIT_DB");
  // The first is in `wrangler.toml`, and so may be others, with ids of their own.
  const added = shardsOf(plain)
    .filter((shard) => !bound.some(({ binding }) => binding === shard))
    .map((binding) => ({ ...audit, binding, database_id: undefined }));
  return [...bound, ...added].map(({ binding, database_id, migrations_dir = "migrations" }) => ({
    binding,
    name: `${worker}-${binding.replace("_DB", "").replace("_", "-").toLowerCase()}`,
    folder: migrations_dir,
    ownId: configuredId(database_id),
  }));
}

type PlainSettings = Readonly<Record<string, string>>;

function shardsOf(plain: PlainSettings): readonly string[] {
  const read = readTrailTexts(plain);
  return read.ok ? read.value.shards : [];
}

export const readConfig = (): RawConfig =>
  experimental_readRawConfig({ config: join(root, "wrangler.toml") }).rawConfig;

/** The name under which the Worker looks for Workers AI. */
export const bindsWorkersAi = (raw: RawConfig): boolean => raw.ai?.binding === "AI";

export const queueName = (worker: string): string => `${worker}-trail`;
export const deadQueueName = (worker: string): string => `${queueName(worker)}-dead`;
export const bucketName = (worker: string): string => `${worker}-archive`;

/** The queues and the bucket of `TRAIL=queued`. The consumer's own back-off gives a message up within about an hour. */
function queuedTrail(worker: string, { DATA_JURISDICTION: jurisdiction }: PlainSettings): RawConfig {
  const queue = queueName(worker);
  const dead = deadQueueName(worker);
  return {
    queues: {
      producers: [{ binding: "TRAIL_QUEUE", queue }],
      consumers: [
        { queue, max_batch_size: 100, max_batch_timeout: 5, max_retries: 10, dead_letter_queue: dead },
        { queue: dead, max_batch_size: 10, max_batch_timeout: 5, max_retries: 100 },
      ],
    },
    r2_buckets: [
      { binding: "ARCHIVE", bucket_name: bucketName(worker), ...(jurisdiction === undefined ? {} : { jurisdiction }) },
    ],
  };
}

export const workerName = (raw: RawConfig, { name }: DeployOptions): string => name ?? raw.name ?? "toolgate";
export const kvTitle = (worker: string): string => `${worker}-kv`;

/** Paths are absolute, because the file is in another folder. */
export function deployConfig(
  raw: RawConfig,
  options: DeployOptions,
  resources: Resources,
  plain: PlainSettings,
): RawConfig {
  const name = workerName(raw, options);
  const { domain } = options;
  return {
    ...raw,
    name,
    main: join(root, raw.main ?? "src/index.ts"),
    alias: Object.fromEntries(Object.entries(raw.alias ?? {}).map(([name, file]) => [name, join(root, file)])),
    kv_namespaces: [{ binding: "KV", id: resources.kv }],
    d1_databases: databasesOf(raw, name, plain).map(({ binding, name: database, folder }) => ({
      binding,
      database_name: database,
      database_id: resources.databases[binding],
      migrations_dir: join(root, folder),
    })),
    assets: { ...raw.assets, directory: join(root, raw.assets?.directory ?? "assets") },
    vars: { ...raw.vars, ...plain },
    ...(plain.TRAIL === "queued" ? queuedTrail(name, plain) : {}),
    ...(plain.METRICS_DATASET
      ? { analytics_engine_datasets: [{ binding: "ANALYTICS", dataset: plain.METRICS_DATASET }] }
      : {}),
    ...(plain.TRAIL === "queued" || shardsOf(plain).length > 1
      ? { triggers: { crons: [...(raw.triggers?.crons ?? []), COMPACT_CRON] } }
      : {}),
    ...(domain === undefined ? {} : { routes: [{ pattern: domain, custom_domain: true }], workers_dev: false }),
  };
}
