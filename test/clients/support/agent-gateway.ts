/** `npm start` with the policy for coding agents, on a folder of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../../src/cli/settings.ts";
import { freePort } from "../../bench/run/free-port.ts";

export interface AgentGateway {
  readonly baseURL: string;
  /** Goes with the gateway; agents may have theirs in it. */
  readonly folder: string;
  stop(): Promise<void>;
}

/** @param upstream the settings that name it. */
export async function startAgentGateway(upstream: Readonly<Record<string, string>>): Promise<AgentGateway> {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-agents-"));
  const port = await freePort();
  const gateway = spawn(process.execPath, ["src/cli/start.ts"], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: join(folder, "gateway"),
      PORT: String(port),
      TOOLGATE_STATE: join(folder, "state"),
      TOOLGATE_POLICY: "policies/coding-agent.json",
      UPSTREAM_RETRIES: "0",
      ...upstream,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  let output = "";
  gateway.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (output.includes("Toolgate is ready")) resolve();
  });
  gateway.once("close", () => reject(new Error(`the gateway ended:\n${output}`)));
  await ready;
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    folder,
    async stop() {
      gateway.removeAllListeners("close");
      gateway.kill("SIGTERM");
      if (gateway.exitCode === null) await once(gateway, "close");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
