/** Wrangler without a terminal, a question or a network: its commands on the local stores, and the development server. */
import { devNull } from "node:os";
import { join } from "node:path";
import { type Running, start } from "./processes.ts";
import { root, type Settings } from "./settings.ts";

const wrangler = join(root, "node_modules/wrangler/bin/wrangler.js");

/** Of the environment wrangler gets only this: in development all that it has becomes a variable of the worker. */
const kept = ["PATH", "HOME", "TMPDIR", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"];

function quietEnvironment(): NodeJS.ProcessEnv {
  return {
    ...Object.fromEntries(kept.map((name) => [name, process.env[name]])),
    CI: "1",
    NO_COLOR: "1",
    FORCE_COLOR: "0",
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_SEND_ERROR_REPORTS: "false",
    WRANGLER_HIDE_BANNER: "true",
    WRANGLER_WRITE_LOGS: "false",
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
    X_LOCAL_EXPLORER: "false",
    X_LOCAL_OBSERVABILITY: "false",
  };
}

/** Throws with wrangler's output where the command fails. */
export async function runWrangler(args: readonly string[], settings: Settings): Promise<void> {
  const output: string[] = [];
  const place = ["--local", "--persist-to", settings.stateFolder];
  const env = { ...quietEnvironment(), WRANGLER_LOG: "log" };
  const { ended } = start([wrangler, ...args, ...place], env, root, (line) => output.push(line));
  if ((await ended) !== 0) throw new Error(`wrangler ${args.slice(0, 3).join(" ")} failed:\n${output.join("\n")}`);
}

/**
 * The development server. The bindings travel in its environment: arguments stand in the process list, and a file would
 * leave secrets on the disk. Naming an empty env file keeps wrangler from reading `.dev.vars` past our settings.
 */
export function startDevServer(
  settings: Settings,
  bindings: Readonly<Record<string, string>>,
  onLine: (line: string, stream: "stdout" | "stderr") => void,
): Running {
  const env = { ...bindings, ...quietEnvironment(), CLOUDFLARE_INCLUDE_PROCESS_ENV: "true" };
  const args = ["dev", "--local", "--ip", "127.0.0.1", "--port", String(settings.port), "--inspector-port", "0"];
  const quiet = ["--show-interactive-dev-session=false", "--log-level", "log", "--env-file", devNull];
  return start([wrangler, ...args, ...quiet, "--persist-to", settings.stateFolder], env, root, onLine);
}
