/**
 * The laws, with other examples each time, for minutes on end: `npm test` tries the same ones at each run.
 *
 *   npm run laws -- [--minutes 10]
 *   TOOLGATE_LAW_SEED=4711 npm test     the examples of one seed once more
 *
 * Tells the seeds that a law does not hold for, with what was printed, and ends with 1 where there are any.
 */

import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { programArguments } from "../../src/cli/program-arguments.ts";

const options = programArguments("npm run laws -- [--minutes 10]", { minutes: { type: "string", default: "10" } });

const root = fileURLToPath(new URL("../..", import.meta.url));
const files = globSync("test/**/*.test.ts", { cwd: root }).filter((file) =>
  readFileSync(`${root}${file}`, "utf8").includes('from "fast-check"'),
);

/** Of one seed; some take a minute, and what hangs shall be told of. */
const LIMIT_MS = 10 * 60_000;

const failed: number[] = [];
const until = Date.now() + Number(options.minutes) * 60_000;
let rounds = 0;
for (; Date.now() < until || rounds === 0; rounds++) {
  const seed = randomInt(2 ** 31);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", "--silent=true", ...files],
    {
      cwd: root,
      encoding: "utf8",
      timeout: LIMIT_MS,
      env: { ...process.env, NO_COLOR: "1", TOOLGATE_LAW_SEED: String(seed) },
    },
  );
  if (status !== 0) {
    failed.push(seed);
    console.log(`seed ${seed}:\n${stdout}${stderr}`);
  }
}

const told = failed.length > 0 ? `; TOOLGATE_LAW_SEED of those that failed: ${failed.join(", ")}` : "";
console.log(`${files.length} files of laws, ${rounds} seeds, ${failed.length} failed${told}`);
process.exitCode = failed.length > 0 ? 1 : 0;
