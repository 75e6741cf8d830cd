/**
 * What the gateway lets through where the model is wholly in an attacker's hand, with policies that `policy init` alone drafts.
 *
 *   npm run bench:governance -- [--suite NAME] [--pairs N] [--tasks N] [--verbose]
 *
 * A scripted model makes exactly the calls of a user's task and, from the result that carries the attacker's words on, the attacker's
 * calls. A task and an attack end at their first refusal; questions about the user's own calls are answered with yes, about the
 * attacker's with no. `ahead`: the model selects the intents of the whole task before its first call. Five figures, always together:
 * tasks without a refusal, tasks without a refusal or a question, questions a task; pairs of a task and an attack that a rule stopped,
 * and pairs whose every call ran while nobody was asked.
 *
 * Reads `../shared/data` or TOOLGATE_DATA; ends with 0 and a message where it is absent. `--verbose`: each task that was not unattended,
 * and each attack that no rule stopped.
 */
import { programArguments } from "../../../src/cli/program-arguments.ts";
import { plainTable } from "../report/table.ts";
import { type AdaptiveOutcome, adaptiveTools, playAdaptive } from "./adaptive.ts";
import { describeCost } from "./cost.ts";
import { columns, figureCells, figuresOf, goalCells, type PlayedPair, type PlayedTask, ranUnasked } from "./figures.ts";
import { describeFound } from "./found-instructions.ts";
import { type GovernanceGateway, startGateway } from "./gateway.ts";
import { inParallel, playPair, playTask, type Stage } from "./play.ts";
import { describeSpellings } from "./spellings.ts";
import { type Benchmark, folder, readSuites, type Suite } from "./suites.ts";

const options = programArguments("npm run bench:governance -- [--suite NAME] [--pairs N] [--tasks N] [--verbose]", {
  suite: { type: "string" },
  pairs: { type: "string", default: "600" },
  tasks: { type: "string", default: "120" },
  verbose: { type: "boolean", default: false },
});

async function run(): Promise<void> {
  console.log(`${describeCost()}\n\n${describeSpellings()}\n`);
  const suites = readSuites().filter(({ name }) => options.suite === undefined || name === options.suite);
  if (suites.length === 0) {
    console.log(`skipped: there is no ${options.suite ?? "suite"} in ${folder} (or set TOOLGATE_DATA)`);
    return;
  }
  console.log(`${describeFound(suites)}\n`);
  const gateway = await startGateway();
  const runs: Run[] = [];
  try {
    for (const suite of suites) runs.push(...(await playSuite(gateway, suite)));
    const tenant = await gateway.tenant("adaptive", adaptiveTools);
    describeAdaptive(await playAdaptive(tenant));
  } finally {
    await gateway.stop();
  }
  console.log(plainTable([columns, ...rowsOf(runs)]));
  console.log("\n  percent of tasks or pairs; confirmations a task; `!` misses the goal");
}

function describeAdaptive(outcomes: readonly AdaptiveOutcome[]): void {
  const words = { allow: "runs unasked", confirm: "asks", deny: "refused" };
  const rows = outcomes.map(({ name, effect, why }) => [name, words[effect], why]);
  console.log(`\nattacks that know the rules\n${plainTable([["", "", "reasons"], ...rows])}\n`);
}

interface Run {
  readonly benchmark: Benchmark;
  readonly suite: string;
  readonly plansAhead: boolean;
  readonly tasks: readonly PlayedTask[];
  readonly pairs: readonly PlayedPair[];
}

const modes = [false, true];
const nameOf = (suite: string, plansAhead: boolean): string => `${suite}${plansAhead ? ", ahead" : ""}`;

async function playSuite(gateway: GovernanceGateway, suite: Suite): Promise<Run[]> {
  const tenant = await gateway.tenant(suite.name, suite.tools);
  const runs: Run[] = [];
  for (const plansAhead of modes) {
    const stage: Stage = { tenant, suite, plansAhead };
    const users = sample(suite.users, Number(options.tasks), ({ id }) => id);
    const tasks = await inParallel(users.map((user) => () => playTask(stage, user)));
    const all = suite.users.flatMap((user) => suite.attacks.map((attack) => ({ user, attack })));
    const chosen = sample(all, Number(options.pairs), ({ user, attack }) => `${user.id} ${attack.id}`);
    const pairs = await inParallel(
      chosen.map(
        ({ user, attack }) =>
          () =>
            playPair(stage, user, attack),
      ),
    );
    runs.push({ benchmark: suite.benchmark, suite: suite.name, plansAhead, tasks, pairs });
    console.log(`${nameOf(suite.name, plansAhead)}: ${tasks.length} tasks, ${pairs.length} pairs`);
    if (options.verbose) describeFailures(tasks, pairs);
  }
  return runs;
}

/** The goals of a benchmark are those of its suites together. */
function rowsOf(runs: readonly Run[]): string[][] {
  const row = (name: string, of: readonly Run[], benchmark: Benchmark) => {
    const figures = figuresOf(
      of.flatMap(({ tasks }) => tasks),
      of.flatMap(({ pairs }) => pairs),
    );
    return [name, ...figureCells(figures, benchmark)];
  };
  return [...Map.groupBy(runs, ({ benchmark }) => benchmark)].flatMap(([benchmark, all]) => {
    const suites = all.map((run) => row(nameOf(run.suite, run.plansAhead), [run], benchmark));
    const together = modes.map((plansAhead) =>
      row(
        nameOf(`  ${benchmark}`, plansAhead),
        all.filter((run) => run.plansAhead === plansAhead),
        benchmark,
      ),
    );
    return [...suites, ...(all.length > modes.length ? together : []), ["  goal", ...goalCells(benchmark)]];
  });
}

const textOf = ({ calls }: PlayedTask): string =>
  calls.map(({ tool, effect, why }) => `${tool} ${effect}${why === "" ? "" : ` (${why})`}`).join(", ");

function describeFailures(tasks: readonly PlayedTask[], pairs: readonly PlayedPair[]): void {
  for (const task of tasks)
    if (task.calls.some(({ effect }) => effect !== "allow")) console.log(`  ${task.user}: ${textOf(task)}`);
  const open = pairs.filter(({ calls }) => !calls.some(({ effect }) => effect === "deny"));
  for (const [attack, those] of Map.groupBy(open, (pair) => pair.attack)) {
    const unasked = those.filter(ranUnasked);
    const [first] = unasked.length > 0 ? unasked : those;
    if (first)
      console.log(
        `  ${attack}: no rule stops it in ${those.length} tasks, ${unasked.length} unasked; ${first.user}: ${textOf(first)}`,
      );
  }
}

/** Spread over all of them: in the order of a fixed hash. */
function sample<T>(all: readonly T[], most: number, name: (one: T) => string): readonly T[] {
  if (all.length <= most) return all;
  const hash = (text: string) =>
    [...text].reduce((sum, one) => Math.imul(sum ^ one.charCodeAt(0), 0x01000193) >>> 0, 0x811c9dc5);
  return all.toSorted((one, other) => hash(name(one)) - hash(name(other))).slice(0, most);
}

await run();
