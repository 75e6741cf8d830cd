/**
 * The Worker in workerd, as a program that `npm start` runs. Its storage is the folder that its one argument names; its
 * bindings come in the environment, because the process list shows arguments and a file would leave secrets on the disk.
 * The first line that it prints has the Worker's address; the Worker's log follows.
 *
 * Not `wrangler dev`: that one opens a debugger's port, through which a page that guesses it could run code in the Worker.
 */
import { stop as stopEsbuild } from "esbuild";
import { bundle } from "../build/worker.ts";
import { startMiniflare } from "../local/miniflare.ts";
import { BINDING, SERVES } from "./run-worker.ts";

// `npm start` holds the other end of stdin. If it is killed, nothing else would end workerd.
process.stdin.resume();
process.stdin.on("error", () => {});
process.stdin.on("close", () => process.kill(-process.pid, "SIGKILL"));

const [, , folder] = process.argv;
if (folder === undefined) throw new Error("usage: runtime.ts <folder>");
const bindings = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    name.startsWith(BINDING) && value !== undefined ? [[name.slice(BINDING.length), value]] : [],
  ),
);
const { code } = await bundle("start", "src/index.ts");
const { origin } = await startMiniflare({
  name: "toolgate",
  code,
  bindings,
  stores: true,
  folder,
  onLog: (line) => console.log(line),
});
await stopEsbuild();
console.log(`${SERVES}${origin}`);
