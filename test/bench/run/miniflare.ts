/** Runs a bundled Worker in workerd, with what `wrangler.toml` binds. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Plugin } from "esbuild";
import { type Bundle, bundle } from "../../../src/cli/build/worker.ts";
import { startMiniflare } from "../../../src/cli/local/miniflare.ts";
import { root } from "../../../src/cli/settings.ts";
import type { KvPort } from "../../../src/ports/kv-port.ts";
import { auditTables } from "../../../src/stores/audit/record-kinds.ts";
import type { Contender } from "./contender.ts";
import { childrenNamed } from "./process-usage.ts";
import type { Upstream } from "./upstream.ts";

export type WorkerName = "bare" | "loop" | "counting" | "streamText" | "toolgate";

const entries: Readonly<Record<WorkerName, string>> = {
  bare: "test/bench/workers/bare.ts",
  loop: "test/bench/workers/loop.ts",
  counting: "test/bench/workers/counting.ts",
  streamText: "test/bench/workers/stream-text.ts",
  toolgate: "src/index.ts",
};

export const bundleWorker = (name: WorkerName): Promise<Bundle> => bundle(name, entries[name]);

/** The types of the gateway's runtime and those of the bench's do not go together: an entry of the bench imports it by a name. */
const standsFor = (name: string, worker: WorkerName): Plugin => ({
  name,
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: join(root, entries[worker]) }));
  },
});

/** Toolgate with a leak of as many bytes a request as `BENCH_LEAK` says. */
export const bundleSoaked = (): Promise<Bundle> =>
  bundle("toolgate-soaked", "test/bench/workers/soaked.ts", [standsFor("toolgate", "toolgate")]);

/** Toolgate with counts of what it does. */
export const bundleCounted = (): Promise<Bundle> =>
  bundle("toolgate-counted", "test/bench/workers/counted.ts", [standsFor("toolgate", "toolgate")]);

/** A Worker whose objects are as far away as `BENCH_FAR_MS` says. */
export const bundleFar = (name: WorkerName): Promise<Bundle> =>
  bundle(`${name}-far`, "test/bench/workers/far.ts", [standsFor("near", name)]);

/** Not minified, so that a profile names the functions as the source does. */
export const bundleReadable = (name: WorkerName): Promise<Bundle> =>
  bundle(`${name}-readable`, entries[name], [
    {
      name: "readable",
      setup({ initialOptions }) {
        initialOptions.minify = false;
      },
    },
  ]);

/** `url` is workerd's own socket for this Worker: neither a node proxy nor miniflare's entry Worker stands before it. */
export interface RunningWorker extends Contender {
  /** Toolgate's alone. */
  readonly kv: () => Promise<KvPort>;
  /** Of the audit trail's database. */
  readonly auditBytes: () => Promise<number>;
  readonly auditRecords: () => Promise<number>;
  /** Removes all records, as retention does. @returns the rows that D1 counts as written for each. */
  readonly removeRecords: () => Promise<number>;
}

export interface StartOptions {
  /** Where a debugger may look in; nowhere unless told. */
  readonly inspectorPort?: number;
  /** Keeps the stores on disk, as where they are deployed: in memory each record grows the process. */
  readonly onDisk?: boolean;
  /** Keeps them in this folder, with what is there already, and leaves them. */
  readonly folder?: string;
  /** Binds a queue, its consumer and a bucket, as a deployment with TRAIL=queued does. */
  readonly queued?: boolean;
  /** Beside those that each Worker of the bench has. */
  readonly variables?: Readonly<Record<string, string>>;
}

export async function startWorker(
  name: WorkerName,
  { code }: Bundle,
  upstream: Upstream,
  { inspectorPort, onDisk = false, folder: kept, queued = false, variables }: StartOptions = {},
): Promise<RunningWorker> {
  const provider = { UPSTREAM_BASE_URL: upstream.url, UPSTREAM_API_KEY: "sk-bench" };
  // One user is the whole load: the ceilings of a person are not what is measured.
  // Where the upstream is asked in the Responses API.
  const UPSTREAM_PROVIDERS = JSON.stringify({ native: { kind: "responses", baseUrl: upstream.url } });
  const governed = {
    UPSTREAM_PROVIDERS,
    TOOLGATE_DEV: "1",
    AUDIT_KEY: `bench:${"5e".repeat(32)}`,
    MAX_USER_TURNS: "10000",
  };
  const gateway = name === "toolgate";
  const stores = gateway || name === "counting";
  const bindings = { ...provider, ...(gateway ? governed : {}), ...variables };
  const before = childrenNamed("workerd");
  const folder = kept ?? (onDisk ? await mkdtemp(join(tmpdir(), "toolgate-bench-")) : undefined);
  const { origin, mf } = await startMiniflare({ name, code, bindings, stores, folder, inspectorPort, queued });
  const auditRecords = async () => {
    const counted = auditTables.map((table) => `SELECT COUNT(*) AS n FROM ${table}`);
    const db = await mf.getD1Database("AUDIT_DB");
    const found = await db.batch<{ n: number }>(counted.map((text) => db.prepare(text)));
    return found.reduce((sum, { results }) => sum + (results[0]?.n ?? 0), 0);
  };
  return {
    name,
    url: origin,
    headers: { authorization: "Bearer tg-dev-user" },
    pid: childrenNamed("workerd").find((pid) => !before.includes(pid)),
    async stop() {
      await mf.dispose();
      if (folder !== undefined && kept === undefined) await rm(folder, { recursive: true, force: true });
    },
    async auditBytes() {
      const found = await (await mf.getD1Database("AUDIT_DB")).prepare("SELECT 1").run();
      return Number(found.meta.size_after);
    },
    auditRecords,
    async removeRecords() {
      const records = await auditRecords();
      const db = await mf.getD1Database("AUDIT_DB");
      const removed = await db.batch(auditTables.map((table) => db.prepare(`DELETE FROM ${table}`)));
      return removed.reduce((sum, { meta }) => sum + (meta.rows_written ?? 0), 0) / records;
    },
    kv: async () => (await mf.getKVNamespace("KV")) as unknown as KvPort,
  };
}
