/** Runs a bundled Worker in workerd, with what `wrangler.toml` binds. */
import { join, relative } from "node:path";
import type { Miniflare, V4WorkerOptions } from "miniflare";
import { readTrailTexts } from "../../settings/trail.ts";
import { buildConsole } from "../build/console.ts";
import { unlessBuilt } from "../build/unless-built.ts";
import { root } from "../settings.ts";
import { migrateDatabases } from "./migrations.ts";

interface WorkerOptions {
  readonly name: string;
  readonly code: string;
  /** Variables and secrets. */
  readonly bindings: Readonly<Record<string, string>>;
  /** With the assets, KV, D1 (its tables made) and Durable Objects, these empty and kept in memory. */
  readonly stores: boolean;
  /** Keeps the stores in this folder, and begins with what an earlier start left there. */
  readonly folder?: string;
  /** Binds a queue, its consumer and a bucket, as a deployment with TRAIL=queued does. */
  readonly queued?: boolean;
  /** Gets each line of the Worker's log. */
  readonly onLog?: (line: string) => void;
  /** Opens a debugger; absent: there is none. */
  readonly inspectorPort?: number;
}

interface StartedWorker {
  readonly mf: Miniflare;
  /** Workerd's own socket for this Worker, without a node proxy or miniflare's entry Worker in front of it. */
  readonly origin: string;
}

/** The settings of the runtime in `wrangler.toml`; all Workers run with the same date and flags. */
// With the folder, whose path is in them.
export const runtimeOptions = () => unlessBuilt(`runtime options ${root}`, readRuntimeOptions);

async function readRuntimeOptions() {
  // Loading wrangler takes longer than all else of a start.
  const { unstable_getMiniflareWorkerOptions } = await import("wrangler");
  // Wrangler types these as unknown; miniflare checks them again when it reads them.
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, "wrangler.toml"));
  const { compatibilityDate, compatibilityFlags, kvNamespaces, d1Databases, durableObjects, assets } =
    workerOptions as V4WorkerOptions;
  const made = {
    runtime: { compatibilityDate, compatibilityFlags },
    storage: { kvNamespaces, d1Databases, durableObjects, assets },
  };
  return { made, inputs: ["wrangler.toml", relative(root, import.meta.filename)], outputs: [] };
}

const queuedTrail = {
  queueProducers: { TRAIL_QUEUE: { queueName: "trail" } },
  queueConsumers: { trail: { maxBatchSize: 100, maxBatchTimeout: 1 } },
  r2Buckets: ["ARCHIVE"],
};

const namedAs = (names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, name]));

/** Throws if workerd does not start. The caller disposes of it. */
export async function startMiniflare(worker: WorkerOptions): Promise<StartedWorker> {
  const { name, code, bindings, stores, folder, onLog, inspectorPort, queued } = worker;
  // Imported here: a program that only prints its usage would wait for it.
  const { convertV4MiniflareOptions, Miniflare } = await import("miniflare");
  const { runtime, storage } = await runtimeOptions();
  const trail = readTrailTexts(bindings);
  const shards = trail.ok ? trail.value.shards.filter((shard) => shard !== "AUDIT_DB") : [];
  if (stores) await buildConsole();
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      name,
      // Otherwise miniflare asks the network for a `request.cf` to imitate.
      cf: false,
      handleStructuredLogs: ({ message }) => onLog?.(message),
      modules: true,
      script: code,
      ...runtime,
      ...(stores ? { ...storage, d1Databases: { ...storage.d1Databases, ...namedAs(shards) } } : {}),
      ...(queued ? queuedTrail : {}),
      ...(folder === undefined ? {} : { resourcePersistencePath: folder }),
      bindings,
      unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
      ...(inspectorPort === undefined ? {} : { inspectorPort }),
    }),
  );
  try {
    await mf.ready;
    if (stores) await migrateDatabases(mf, shards);
    const { origin } = await mf.unsafeGetDirectURL();
    return { mf, origin };
  } catch (error) {
    await mf.dispose();
    throw error;
  }
}
