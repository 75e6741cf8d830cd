/** What it costs to start a Worker: a fresh workerd for each run, from its start to the answer of a trivial path. */
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Readable } from "node:stream";
import type { Bundle } from "../../src/cli/build/worker.ts";
import { runtimeOptions } from "../../src/cli/local/miniflare.ts";
import { median } from "./report/statistics.ts";
import { threadsCpuMs } from "./run/process-usage.ts";
import { workerdPath } from "./run/workerd.ts";

export interface Startup {
  /** CPU time of all of workerd's threads, in milliseconds; absent where the system does not tell. */
  readonly cpuMs?: number;
  readonly wallMs: number;
}

/** Medians of `runs` starts of each bundle, the bundles taken in turn. Includes workerd's own start: compare with a bare Worker's. */
export async function measureStartups(bundles: readonly Bundle[], runs: number): Promise<Map<string, Startup>> {
  const configs = await Promise.all(bundles.map(writeConfig));
  const all = bundles.map((): Startup[] => []);
  // One start more than counted, so that the files are in the system's cache.
  for (let run = 0; run <= runs; run++) {
    for (const [i, config] of configs.entries()) {
      const startup = await startOnce(config);
      if (run > 0) all[i]?.push(startup);
    }
  }
  return new Map(bundles.map(({ name }, i) => [name, medians(all[i] ?? [])]));
}

function medians(startups: readonly Startup[]): Startup {
  const cpu = startups.flatMap(({ cpuMs }) => (cpuMs === undefined ? [] : [cpuMs]));
  return {
    cpuMs: cpu.length === startups.length ? median(cpu) : undefined,
    wallMs: median(startups.map(({ wallMs }) => wallMs)),
  };
}

async function writeConfig({ path }: Bundle): Promise<string> {
  const { compatibilityDate, compatibilityFlags = [] } = (await runtimeOptions()).runtime;
  const text = (value: unknown) => JSON.stringify(value);
  const config = `${path}.capnp`;
  await writeFile(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker.js", esModule = embed ${text(basename(path))})],
    compatibilityDate = ${text(compatibilityDate)},
    compatibilityFlags = [${compatibilityFlags.map(text).join(", ")}],
    bindings = [
      (name = "UPSTREAM_BASE_URL", text = "http://127.0.0.1:9/v1"),
      (name = "TOOLGATE_DEV", text = "1"),
      (name = "AUDIT_KEY", text = ${text(`bench:${"5e".repeat(32)}`)}),
      (name = "KV", kvNamespace = "main"),
    ],
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`,
  );
  return config;
}

async function startOnce(config: string): Promise<Startup> {
  const started = performance.now();
  const child = spawn(workerdPath, ["serve", config, "--control-fd=3"], {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let errors = "";
  child.stderr?.on("data", (part: Buffer) => {
    errors += part;
  });
  try {
    const port = await readPort(child.stdio[3] as Readable);
    if (port === undefined) {
      await exited;
      throw new Error(`workerd ended before it listened: ${errors.slice(0, 1000)}`);
    }
    const response = await fetch(`http://127.0.0.1:${port}/health`);
    const answer = await response.text();
    if (!response.ok)
      throw new Error(`the Worker does not start: it answers ${response.status} ${answer.slice(0, 200)}`);
    const wallMs = performance.now() - started;
    return { wallMs, cpuMs: threadsCpuMs(child.pid) };
  } finally {
    child.kill("SIGKILL");
    await exited;
  }
}

/** The port that workerd tells when it listens; none if it ends before. */
async function readPort(control: Readable): Promise<number | undefined> {
  let text = "";
  for await (const part of control) {
    text += part;
    const port = /"port":\s*(\d+)/.exec(text)?.[1];
    if (port !== undefined) return Number(port);
  }
  return undefined;
}
