/**
 * Whether somebody's abuse slows other people's turns: turns of four users are timed while nothing else happens, and while an abuser of
 * another tenant floods the same isolate with requests that it refuses. Blocks of both take turns.
 *
 *   npm run bench:abuse -- [--per-second 100] [--rounds 20]
 *
 * The model answers after 300 ms. Fails where the turns take more than a tenth longer at the median.
 */
import { programArguments } from "../../src/cli/program-arguments.ts";
import { describeConditions, noiseWarning, readConditions } from "./report/conditions.ts";
import { median, quantile } from "./report/statistics.ts";
import { plainTable, show } from "./report/table.ts";
import { type Abuse, type AbusedGateway, abuseOnce, chatBody, cpuMsOf, post, startAbused } from "./run/abuse.ts";
import { startFlood } from "./run/flood.ts";

const options = programArguments("npm run bench:abuse -- [--per-second 100] [--rounds 20]", {
  "per-second": { type: "string", default: "100" },
  rounds: { type: "string", default: "20" },
});
const PER_SECOND = Number(options["per-second"]);
const ROUNDS = Number(options.rounds);
const MOST = 1.1;
const USERS = 4;
/** Of each user, in a block. */
const TURNS = 3;
const REQUESTS = 200;

async function timedTurns({ worker }: AbusedGateway): Promise<readonly number[]> {
  const of = async (user: string) => {
    const times: number[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const begun = performance.now();
      const headers = { ...worker.headers, "x-toolgate-user": user };
      const response = await post(worker, headers, chatBody("text-20-after-300ms"));
      if (!(await response.text()).includes("[DONE]")) throw new Error(`a turn was answered with ${response.status}`);
      times.push(performance.now() - begun);
    }
    return times;
  };
  return (await Promise.all(Array.from({ length: USERS }, (_, user) => of(`user-${user}`)))).flat();
}

async function measure(gateway: AbusedGateway, abuse: Abuse): Promise<readonly string[]> {
  const { worker } = gateway;
  const [quiet, abused]: [number[], number[]] = [[], []];
  const statuses = new Map<number, number>();
  await abuse.begin();
  for (let round = 0; round < ROUNDS; round += 1) {
    quiet.push(...(await timedTurns(gateway)));
    const flood = await startFlood({ ...abuse, url: `${worker.url}/v1/chat/completions`, perSecond: PER_SECOND });
    abused.push(...(await timedTurns(gateway)));
    for (const [status, count] of await flood.end()) statuses.set(status, (statuses.get(status) ?? 0) + count);
  }
  const passed = [...statuses.keys()].find((status) => status < 400);
  if (passed !== undefined) throw new Error(`${abuse.name}: some requests were answered with ${passed}`);
  const refused = await cpuMsOf(worker, REQUESTS, () => abuseOnce(worker, abuse));
  const times = median(abused) / median(quiet);
  if (times > MOST) slow.push(abuse.name);
  const figures = [median(quiet), quantile(quiet, 0.95), median(abused), quantile(abused, 0.95)];
  return [abuse.name, ...figures.map((ms) => show(ms, 0)), show(times, 3), show(refused)];
}

const slow: string[] = [];
const conditions = readConditions();
console.log(describeConditions(conditions));
const noise = noiseWarning(conditions);
if (noise) console.log(`WARNING: ${noise}`);
const gateway = await startAbused();
try {
  const rows = [[`${PER_SECOND} requests a second of`, "quiet ms", "p95", "abused ms", "p95", "times", "CPU ms each"]];
  // Each first turn makes the user's object.
  await timedTurns(gateway);
  for (const abuse of gateway.abuses) rows.push([...(await measure(gateway, abuse))]);
  console.log(plainTable(rows));
} finally {
  await gateway.stop();
}
if (slow.length > 0) {
  console.error(`FAILED: slowed others by more than a tenth: ${slow.join(", ")}`);
  process.exitCode = 1;
}
