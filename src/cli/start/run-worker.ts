/**
 * Runs the Worker in a process of its own, the leader of a process group with workerd in it. The group never outlives this
 * process: it is ended as a whole, and `runtime.ts` ends it if this process is killed.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { root } from "../settings.ts";

/** Before the names of the Worker's bindings in the runtime's environment. */
export const BINDING = "TOOLGATE_BINDING_";
/** Before the address in the runtime's first line. */
export const SERVES = "serves at ";

const program = fileURLToPath(new URL("runtime.ts", import.meta.url));
/** The only variables of the environment that the runtime gets. */
const PASSED_VARIABLES = [
  "PATH",
  "HOME",
  "TMPDIR",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_COMPILE_CACHE",
];
const graceMs = 3000;

export interface WorkerProcess {
  /** The origin of the Worker. Never resolves if the process ends before. */
  readonly origin: Promise<string>;
  /** The exit code, if it ends on its own. */
  readonly ended: Promise<number>;
  /** Ends it: by a signal first, killed after 3 s. */
  readonly end: () => Promise<void>;
}

/** @param folder of the local stores. */
export function runWorker(
  folder: string,
  bindings: Readonly<Record<string, string>>,
  onLine: (line: string, stream: "stdout" | "stderr") => void,
): WorkerProcess {
  const env = {
    ...Object.fromEntries(PASSED_VARIABLES.map((name) => [name, process.env[name]])),
    ...Object.fromEntries(Object.entries(bindings).map(([name, value]) => [`${BINDING}${name}`, value])),
  };
  const child = spawn(process.execPath, [program, folder], { cwd: root, env, detached: true, stdio: "pipe" });
  child.stdin.on("error", () => {});
  const { promise: origin, resolve: serves } = Promise.withResolvers<string>();
  const { promise: ended, resolve: endsAlone } = Promise.withResolvers<number>();
  createInterface(child.stderr).on("line", (line) => onLine(line, "stderr"));
  createInterface(child.stdout).on("line", (line) => {
    if (line.startsWith(SERVES)) serves(line.slice(SERVES.length));
    else onLine(line, "stdout");
  });
  let ending = false;
  const gone = new Promise<void>((resolve) => {
    child.on("close", (code) => {
      signalGroup(child, "SIGKILL");
      resolve();
      if (!ending) endsAlone(code ?? 1);
    });
  });
  return {
    origin,
    ended,
    async end() {
      ending = true;
      signalGroup(child, "SIGTERM");
      await Promise.race([gone, wait(graceMs, undefined, { ref: false })]);
      signalGroup(child, "SIGKILL");
    },
  };
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The whole group is gone.
  }
}
