/**
 * Runs the program named by its arguments, as the leader of its own process group, for as long as its stdin is open.
 * The other end of stdin is held by `processes.ts`: were that killed outright, wrangler and workerd would serve on.
 */
import { spawn } from "node:child_process";

const graceMs = 3000;
const child = spawn(process.execPath, process.argv.slice(2), { stdio: ["ignore", "inherit", "inherit"] });
let orphaned = false;

child.on("exit", (code) => (orphaned ? endGroup("SIGKILL") : process.exit(code ?? 1)));
// A signal to the group reaches the child too; leave after it, with its code.
process.on("SIGTERM", () => {});

process.stdin.resume();
process.stdin.on("error", () => {});
process.stdin.on("close", () => {
  orphaned = true;
  endGroup("SIGTERM");
  setTimeout(() => endGroup("SIGKILL"), graceMs);
});

function endGroup(signal: NodeJS.Signals): void {
  process.kill(-process.pid, signal);
}
