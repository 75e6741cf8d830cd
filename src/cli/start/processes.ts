/** Child processes that never outlive this one: each is a process group, ended as a whole. */
import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const leash = fileURLToPath(new URL("leash.ts", import.meta.url));
const graceMs = 3000;
const groups = new Set<ChildProcess>();
let ending = false;

export interface Running {
  /** The exit code, once the program and all that it started are gone. Never, once `endAll` was called. */
  readonly ended: Promise<number>;
}

/** Starts a Node program; `onLine` gets each line of its output. */
export function start(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
  onLine: (line: string, stream: "stdout" | "stderr") => void,
): Running {
  const child = spawn(process.execPath, [leash, ...args], {
    cwd,
    env,
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  groups.add(child);
  child.stdin.on("error", () => {});
  for (const stream of ["stdout", "stderr"] as const) eachLine(child[stream], (line) => onLine(line, stream));
  const ended = new Promise<number>((resolve) => {
    child.on("close", (code) => {
      signalGroup(child, "SIGKILL");
      groups.delete(child);
      // Who awaits a program that was ended on purpose would report its failure.
      if (!ending) resolve(code ?? 1);
    });
  });
  return { ended };
}

/** Ends every group: asked first, killed after 3 s. */
export async function endAll(): Promise<void> {
  ending = true;
  const deadline = Date.now() + graceMs;
  for (const child of groups) signalGroup(child, "SIGTERM");
  while (groups.size > 0 && Date.now() < deadline) await wait(20);
  for (const child of groups) signalGroup(child, "SIGKILL");
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The whole group is gone.
  }
}

function eachLine(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
  stream.on("end", () => {
    if (rest !== "") onLine(rest);
  });
}
