/** Runs a bundled Worker in workerd, with what `wrangler.toml` binds. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from "wrangler";
import { type Bundle, bundle, root } from "./bundle.ts";
import type { Upstream } from "./upstream.ts";

export type WorkerName = "bare" | "streamText" | "toolgate";

const entries: Readonly<Record<WorkerName, string>> = {
  bare: "test/bench/workers/bare.ts",
  streamText: "test/bench/workers/stream-text.ts",
  toolgate: "src/index.ts",
};

export const bundleWorker = (name: WorkerName): Promise<Bundle> => bundle(name, entries[name]);

export interface RunningWorker {
  readonly name: WorkerName;
  /** Workerd's own socket for this Worker: neither a node proxy nor miniflare's entry Worker stands before it. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** What `wrangler.toml` says about the runtime; all Workers run with the same date and flags. */
export function runtimeOptions() {
  // Wrangler types these as unknown; miniflare checks them again when it reads them.
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, "wrangler.toml"));
  const { compatibilityDate, compatibilityFlags, kvNamespaces, d1Databases, durableObjects } =
    workerOptions as V4WorkerOptions;
  return {
    runtime: { compatibilityDate, compatibilityFlags },
    storage: { kvNamespaces, d1Databases, durableObjects },
  };
}

export async function startWorker(name: WorkerName, { code }: Bundle, upstream: Upstream): Promise<RunningWorker> {
  const { runtime, storage } = runtimeOptions();
  const bindings = { UPSTREAM_BASE_URL: upstream.url, UPSTREAM_API_KEY: "sk-bench" };
  const governed = { TOOLGATE_DEV: "1", AUDIT_KEY: `bench:${"5e".repeat(32)}` };
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      name,
      // Otherwise miniflare asks the network for a `request.cf` to imitate.
      cf: false,
      // The gateway logs each turn, as it does where it is deployed; nobody reads it here.
      handleStructuredLogs: () => {},
      modules: true,
      script: code,
      ...runtime,
      ...(name === "toolgate" ? storage : {}),
      bindings: name === "toolgate" ? { ...bindings, ...governed } : bindings,
      unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
    }),
  );
  try {
    await mf.ready;
    if (name === "toolgate") await migrate(mf);
    const url = await mf.unsafeGetDirectURL();
    return { name, url: url.origin, stop: () => mf.dispose() };
  } catch (error) {
    await mf.dispose();
    throw error;
  }
}

async function migrate(mf: Miniflare): Promise<void> {
  const folder = join(root, "src/stores/migrations");
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  const database = await mf.getD1Database("AUDIT_DB");
  for (const file of files) {
    for (const query of unstable_splitSqlQuery(await readFile(join(folder, file), "utf8"))) {
      await database.prepare(query).run();
    }
  }
}
