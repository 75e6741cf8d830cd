/**
 * What a stranger's input of at most 64 KB can cost: for each kind of input the worst shapes that are known, sent to the gateway in
 * workerd, and for how long each holds the isolate up. Fails where one does for more than 50 ms.
 *
 *   npm run bench:hostile -- [--only REGEX] [--all] [--json FILE] [--profile]
 *
 * `--all` prints each; `--profile` tells instead which functions take the time.
 */
import { writeFile } from "node:fs/promises";
import { programArguments } from "../../src/cli/program-arguments.ts";
import { attempt, type Measured, measure } from "./hostile/blocked-time.ts";
import { startGateway } from "./hostile/gateway.ts";
import { type HostileInput, MAX_BYTES } from "./hostile/hostile-input.ts";
import { policyInputs } from "./hostile/policy-inputs.ts";
import { schemaInputs } from "./hostile/schema-inputs.ts";
import { serverInputs } from "./hostile/server-inputs.ts";
import { streamInputs } from "./hostile/stream-inputs.ts";
import { answerInputs, historyInputs, textInputs } from "./hostile/text-inputs.ts";
import { describeConditions, noiseWarning, readConditions } from "./report/conditions.ts";
import { plainTable, show } from "./report/table.ts";
import { profileWhile, sharesOf } from "./run/cpu-profile.ts";
import { freePort } from "./run/free-port.ts";

const LIMIT_MS = 50;
const PROFILED = 12;

const options = programArguments("npm run bench:hostile -- [--only REGEX] [--all] [--json FILE] [--profile]", {
  only: { type: "string", default: "" },
  all: { type: "boolean", default: false },
  json: { type: "string" },
  profile: { type: "boolean", default: false },
});
const only = new RegExp(options.only);
const inputs: readonly HostileInput[] = [
  ...schemaInputs,
  ...textInputs,
  ...answerInputs,
  ...historyInputs,
  ...streamInputs,
  ...policyInputs,
  ...serverInputs,
].filter(({ name }) => only.test(name));

async function profileAll(): Promise<void> {
  const port = await freePort();
  const gateway = await startGateway(port);
  try {
    for (const input of inputs) {
      await attempt(gateway, input);
      const profile = await profileWhile(port, "toolgate", async () => {
        for (let sent = 0; sent < PROFILED; sent += 1) await attempt(gateway, input);
      });
      const rows = sharesOf(profile)
        .slice(0, 40)
        .map(({ name, selfMs, totalMs }) => [name, show(selfMs / PROFILED), show(totalMs / PROFILED)]);
      console.log(`\n${input.name}\n${plainTable([["function:line (ms each)", "self", "total"], ...rows])}`);
    }
  } finally {
    await gateway.stop();
  }
}

async function measureAll(): Promise<readonly Measured[]> {
  const gateway = await startGateway();
  const measured: Measured[] = [];
  try {
    for (const input of inputs) {
      const one = await measure(gateway, input, LIMIT_MS);
      if (one.bytes > MAX_BYTES) throw new Error(`${one.name} has ${one.bytes} bytes`);
      measured.push(one);
      if (options.all) console.log(`${show(one.blockedMs)} ms (CPU ${show(one.cpuMs)}) ${one.name}: ${one.outcome}`);
    }
  } finally {
    await gateway.stop();
  }
  return measured;
}

function report(measured: readonly Measured[]): void {
  const worst = measured.toSorted((one, other) => other.blockedMs - one.blockedMs).slice(0, 10);
  const rows = worst.map(({ name, bytes, blockedMs, cpuMs, outcome }) => [
    name,
    show(bytes / 1024),
    show(blockedMs),
    show(cpuMs),
    outcome.slice(0, 80),
  ]);
  console.log(`\nThe worst of ${measured.length}:\n`);
  console.log(plainTable([["input", "KB", "blocked, ms", "CPU in all, ms", "outcome"], ...rows]));
  const over = measured.filter(({ blockedMs }) => blockedMs > LIMIT_MS);
  for (const { name, blockedMs } of over) console.error(`missed: ${name} blocks the isolate for ${show(blockedMs)} ms`);
  if (over.length > 0) process.exitCode = 1;
}

const conditions = readConditions();
console.log(describeConditions(conditions));
const warning = noiseWarning(conditions);
if (warning) console.log(`WARNING: ${warning}`);
if (options.profile) await profileAll();
else {
  const measured = await measureAll();
  report(measured);
  if (options.json !== undefined) {
    await writeFile(options.json, `${JSON.stringify({ conditions, warning, measured }, null, 2)}\n`);
  }
}
