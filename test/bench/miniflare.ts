/** Runs a bundled Worker in workerd, with what `wrangler.toml` binds. */
import { type Bundle, bundle } from "../../src/cli/bundle-worker.ts";
import { startMiniflare } from "../../src/cli/miniflare.ts";
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

export async function startWorker(name: WorkerName, { code }: Bundle, upstream: Upstream): Promise<RunningWorker> {
  const provider = { UPSTREAM_BASE_URL: upstream.url, UPSTREAM_API_KEY: "sk-bench" };
  const governed = { TOOLGATE_DEV: "1", AUDIT_KEY: `bench:${"5e".repeat(32)}` };
  const gateway = name === "toolgate";
  const bindings = gateway ? { ...provider, ...governed } : provider;
  const { origin, mf } = await startMiniflare({ name, code, bindings, stores: gateway });
  return { name, url: origin, stop: () => mf.dispose() };
}
