/**
 * The study agent before and after, as measured figures: part 5 of reference/intent-detection-and-safe-tools.md on the same twenty
 * requests, without a gateway, with Toolgate where the model decides first, and where the system does.
 *
 *   npm run bench:system-first -- [--rounds 10] [--quick] [--json FILE]
 *
 * Fails where a promise of the reference does not hold, or where two rounds do not count the same.
 */
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { Agent } from "node:http";
import { programArguments } from "../../src/cli/program-arguments.ts";
import { describeConditions, noiseWarning, readConditions } from "./report/conditions.ts";
import { median } from "./report/statistics.ts";
import { keepAlive } from "./run/exchange.ts";
import { countAlike, type Expectation, expectationsOf } from "./study/expectations.ts";
import { type Column, columns } from "./study/figures.ts";
import { startWorld } from "./study/recording.ts";
import { caveat, describeRollout, describeTold, studyTable, type Times } from "./study/report.ts";
import { isNear, rollOut } from "./study/rollout.ts";
import { playRound, type Round } from "./study/round.ts";
import { type StudyGateway, type StudyPolicy, startStudyGateway } from "./study/toolgate.ts";

const options = programArguments("npm run bench:system-first -- [--rounds 10] [--quick] [--json FILE]", {
  rounds: { type: "string", default: "10" },
  quick: { type: "boolean", default: false },
  json: { type: "string" },
});

const THINK_MS = [0, 20];

const shipped = JSON.parse(
  readFileSync(new URL("../../policies/study-agent-managed.json", import.meta.url), "utf8"),
) as StudyPolicy;

/** The same policy, in which the model always decides first. */
function modelFirst({ intents, ...policy }: StudyPolicy): StudyPolicy {
  const plain = Object.entries(intents).map(([name, { execution: _, ...intent }]) => [name, intent]);
  return { ...policy, intents: Object.fromEntries(plain), execution: { strategy: "llm_first" } };
}

const policies = { llm_first: modelFirst(shipped), system_first: shipped };

const leftToModel = Object.entries(shipped.intents).flatMap(([name, { execution }]) =>
  execution?.strategy === "llm_first" ? [name] : [],
);

/** Each round has tenants of its own, so that none begins with what another left. */
async function tenantsOf(gateway: StudyGateway, round: string) {
  const [llm, system] = await Promise.all([
    gateway.tenant(`llm-${round}`, policies.llm_first),
    gateway.tenant(`system-${round}`, policies.system_first),
  ]);
  return { llm_first: llm, system_first: system };
}

/** Means over the requests of a round, medians over rounds: of a request all its replies. */
function timesOf(thinkMs: number, rounds: readonly Round[]): Times {
  const of = (column: Column, time: "firstToken" | "total") =>
    median(
      rounds.map(({ recordings }) => {
        const replies = recordings[column].flatMap((one) => one.replies);
        return replies.reduce((sum, { sample }) => sum + sample[time], 0) / recordings[column].length;
      }),
    );
  const by = columns.map((column) => [column, { firstWord: of(column, "firstToken"), total: of(column, "total") }]);
  return { thinkMs, by: Object.fromEntries(by) as Times["by"] };
}

/** The reference's flag, as a rollout. */
const rolledOut = { strategy: "llm_first", systemFirstShare: 0.5 };

function disagreements(rounds: readonly Round[]): readonly Expectation[] {
  const told = rounds.flatMap((round) => Object.values(round.told).flatMap(({ differences }) => differences));
  const what = "`GET /v1/audit/experiments` tells what was counted";
  return told.length === 0 ? [{ what, met: true }] : told.map((one) => ({ what: `${what}: ${one}`, met: false }));
}

process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));
const conditions = readConditions();
const warning = noiseWarning(conditions);
console.log(describeConditions(conditions));
if (warning) console.log(`WARNING: ${warning}`);
const agent = new Agent(keepAlive);
const world = await startWorld(shipped.tools);
let gateway: StudyGateway | undefined;
try {
  gateway = await startStudyGateway({ provider: world.provider.url, service: world.service.url });
  const contenders = { agent, world, tools: shipped.tools };
  const rounds: Round[] = [];
  const times: Times[] = [];
  // One round more than is timed: the first compiles, and fills caches. It counts as the others do.
  const timed = options.quick ? 1 : Number(options.rounds);
  for (const thinkMs of THINK_MS) {
    const own: Round[] = [];
    for (let round = 0; round <= timed; round++) {
      const name = `${thinkMs}-${round}`;
      const tenants = await tenantsOf(gateway, name);
      own.push(await playRound({ ...contenders, tenants }, name, thinkMs));
    }
    rounds.push(...own);
    times.push(timesOf(thinkMs, own.slice(1)));
  }
  const [first] = rounds;
  if (!first) throw new Error("no round was played");
  const users = options.quick ? 200 : 1000;
  const tenant = await gateway.service("rollout", { ...policies.llm_first, execution: rolledOut });
  world.provider.think(0);
  const rollout = await rollOut(agent, world, tenant, rolledOut.systemFirstShare, users);
  const expectations = [
    ...expectationsOf(first.counts),
    {
      what: `all ${rounds.length} rounds count the same`,
      met: rounds.every(({ counts }) => countAlike(counts, first.counts)),
    },
    ...disagreements(rounds),
    { what: "of a share of users each goes the same way again", met: rollout.changed === 0 },
    { what: "the share is met, within three standard deviations", met: isNear(rollout) },
  ];
  console.log(
    `\n${studyTable(first.counts, times)}\n\n${describeTold(first.told, leftToModel)}\n\n${describeRollout(rollout)}\n\n${caveat}\n`,
  );
  for (const { what, met } of expectations) console.log(`${met ? "✓" : "✗"} ${what}`);
  if (options.json !== undefined) {
    const requests = columns.map((column) => [column, first.recordings[column]]);
    const all = {
      conditions,
      warning,
      counts: first.counts,
      times,
      expectations,
      requests: Object.fromEntries(requests),
    };
    await writeFile(options.json, `${JSON.stringify(all, null, 2)}\n`);
  }
  if (expectations.some(({ met }) => !met)) process.exitCode = 1;
} finally {
  agent.destroy();
  await gateway?.stop();
  await world.stop();
}
