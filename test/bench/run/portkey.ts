/**
 * Portkey's gateway as its package runs it on node. It is no dependency of Toolgate: `peers/` has a package of its own,
 * installed when the bench is first asked for it. Its streams answer 500 with other versions of hono's packages than
 * those that `peers/package.json` names.
 */
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Contender } from "./contender.ts";
import { freePort } from "./free-port.ts";
import type { Upstream } from "./upstream.ts";

const folder = join(import.meta.dirname, "peers");
const program = join(folder, "node_modules/@portkey-ai/gateway/build/start-server.js");
const startLimitMs = 15_000;

/** Throws an error that says why it cannot take part. */
export async function startPortkey(upstream: Upstream): Promise<Contender> {
  if (!existsSync(program)) await install();
  const port = await freePort();
  const child = spawn(process.execPath, [program, `--port=${port}`, "--headless"], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  let errors = "";
  child.stderr.on("data", (part: Buffer) => {
    errors = (errors + part).slice(0, 1000);
  });
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  const stop = async () => {
    process.off("exit", end);
    end();
    await exited;
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await answers(url, () => child.exitCode ?? child.signalCode);
  } catch (error) {
    await stop();
    throw new Error(`${(error as Error).message}${errors === "" ? "" : `: ${errors}`}`);
  }
  const headers = {
    authorization: "Bearer sk-bench",
    "x-portkey-provider": "openai",
    "x-portkey-custom-host": upstream.url,
  };
  return { name: "portkey", url, headers, pid: child.pid, stop };
}

async function install(): Promise<void> {
  console.log("installing Portkey's gateway into test/bench/peers");
  // Its one script patches what its own development needs.
  const args = ["ci", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"];
  await promisify(execFile)("npm", args, { timeout: 120_000 }).catch((error: { stderr?: string; message: string }) => {
    const lines = (error.stderr ?? "").split("\n").filter((line) => line.startsWith("npm error"));
    throw new Error(`\`npm ci --prefix test/bench/peers\` failed: ${lines.slice(0, 4).join(", ") || error.message}`);
  });
}

async function answers(url: string, ended: () => unknown): Promise<void> {
  for (const begun = performance.now(); performance.now() - begun < startLimitMs; ) {
    if (ended() !== null) throw new Error("it ended before it listened");
    const response = await fetch(url).catch(() => undefined);
    await response?.arrayBuffer();
    if (response) return;
    await sleep(50);
  }
  throw new Error(`it did not listen within ${startLimitMs} ms`);
}
