/**
 * `npm run check`: format, lint, types, and whether generated files are current. Two checks run side by side, for each has use for
 * little more than one core. Prints what failed, and ends with 1 where something did.
 */
import { execFile } from "node:child_process";
import { delimiter, join } from "node:path";
import { programArguments } from "./program-arguments.ts";
import { root } from "./settings.ts";

programArguments("npm run check", {});

/** The longest first. */
const projects = ["", "test/packages/", "test/clients/", "test/browser/", "src/console/", "src/packages/react/"];
/** Several checkers of one project would each learn the same types: with one, all of this takes a fifth less of the processor. */
const types = projects.map((folder) => `tsc -p ${folder}tsconfig.json --checkers 1`);
const generated = ["policy-schema", "docs", "models/default-model"].map((name) => `node src/cli/${name}.ts --check`);
const queue = ["biome check --error-on-warnings .", ...types, ...generated];

const env = {
  ...process.env,
  PATH: [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter),
  // The compiler, a Go program, throws away little of what it holds: looking for that less often saves another sixth.
  GOGC: process.env.GOGC ?? "300",
};

async function runNext(): Promise<void> {
  for (let command = queue.shift(); command !== undefined; command = queue.shift()) {
    const problem = await problemOf(command);
    if (problem === undefined) continue;
    console.error(`${command}\n${problem}`);
    process.exitCode = 1;
  }
}

/** What a command printed that failed. */
function problemOf(command: string): Promise<string | undefined> {
  const [program = "", ...args] = command.split(" ");
  return new Promise((resolve) => {
    execFile(program, args, { cwd: root, env, maxBuffer: 2 ** 26 }, (error, out, err) => {
      resolve(error ? out + err || error.message : undefined);
    });
  });
}

await Promise.all([runNext(), runNext()]);
