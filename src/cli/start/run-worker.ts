/** Runs the Worker in a process of its own that ends with this one. */
import { join } from "node:path";
import { root } from "../settings.ts";
import { type Running, start } from "./processes.ts";

/** Before the names of the Worker's bindings in the runtime's environment. */
export const BINDING = "TOOLGATE_BINDING_";
/** Before the address in the runtime's first line. */
export const SERVES = "serves at ";

const program = join(root, "src/cli/start/runtime.ts");
/** Of the environment the runtime gets only this. */
const kept = ["PATH", "HOME", "TMPDIR", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"];

export interface WorkerProcess extends Running {
  /** Where it serves; never where it ends before. */
  readonly origin: Promise<string>;
}

/** @param folder of the local stores. */
export function runWorker(
  folder: string,
  bindings: Readonly<Record<string, string>>,
  onLine: (line: string, stream: "stdout" | "stderr") => void,
): WorkerProcess {
  const env = {
    ...Object.fromEntries(kept.map((name) => [name, process.env[name]])),
    ...Object.fromEntries(Object.entries(bindings).map(([name, value]) => [`${BINDING}${name}`, value])),
  };
  const { promise: origin, resolve } = Promise.withResolvers<string>();
  const { ended } = start([program, folder], env, root, (line, stream) => {
    if (stream === "stdout" && line.startsWith(SERVES)) resolve(line.slice(SERVES.length));
    else onLine(line, stream);
  });
  return { origin, ended };
}
