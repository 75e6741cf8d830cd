/**
 * How well and how fast intents are found by meaning: CLINC150 and BANKING77 with 5, 10 and all examples an intent.
 *
 *   npm run bench:intents -- [--quick] [--everyday] [--held] [--sentences FOLDER]
 *
 * Columns: accuracy; the same with one misspelt word in each text; share of texts outside all intents that is refused where 5 %
 * (10 %) of those inside are; privilege error: share of texts whose guess is wrong and passes the threshold of 5 %; largest share that
 * is selected with at most 2 % of all that is selected wrong (texts outside are always wrong); share that the policy's own threshold
 * selects, and how much of all that it selects is wrong.
 *
 * Reads `../shared/data` or TOOLGATE_DATA; ends with 0 and a message where it is absent. `--quick`: 10 examples only. `--everyday`: only the
 * everyday sentences over the shipped policies; `--held`: their other half, which is looked at once, at the end; `--sentences`: those of a folder instead, in the same form. Nothing of
 * these sets ships or trains what ships; the hyper-parameters were chosen on these validation parts with ten examples, so the
 * figures for those are a little kind.
 */
import { gzipSync } from "node:zlib";
import { programArguments } from "../../../src/cli/program-arguments.ts";
import { plainTable, show } from "../report/table.ts";
import { centroid } from "./centroid.ts";
import { folder, readDataSets } from "./data-sets.ts";
import { reportEveryday } from "./everyday-report.ts";
import { describeGoals } from "./goals.ts";
import { type Figures, measure } from "./measure.ts";
import { published } from "./published.ts";
import { substring } from "./substring.ts";
import { measureTimes } from "./times.ts";
import { assetFiles, loadVectors, readAsset, toolgate } from "./toolgate.ts";

const options = programArguments("npm run bench:intents -- [--quick] [--everyday] [--held] [--sentences FOLDER]", {
  quick: { type: "boolean", default: false },
  everyday: { type: "boolean", default: false },
  held: { type: "boolean", default: false },
  sentences: { type: "string" },
});
const sizes = options.quick ? (["10"] as const) : (["5", "10", "all"] as const);

const columns = [
  "",
  "accuracy",
  "misspelt",
  "oos@5%",
  "oos@10%",
  "privilege",
  "2% wrong",
  "own",
  "wrong",
  "p50 µs",
  "p99 µs",
  "policy kB",
  "train s",
];

function row({ contender, accuracy, misspelt, outside, privilege, ...figures }: Figures): string[] {
  const { selectable, select, p50, p99, bytes, training } = figures;
  const percent = (value: number | undefined) => show(value === undefined ? undefined : 100 * value, 1);
  const times = [show(p50, 1), show(p99, 1)];
  const kilobytes = show(bytes === undefined ? undefined : bytes / 1000, 0);
  return [
    contender,
    ...[accuracy, misspelt, outside?.[0], outside?.[1], privilege, selectable, select?.[0], select?.[1]].map(percent),
    ...times,
    kilobytes,
    show(training),
  ];
}

async function run(): Promise<void> {
  const sets = readDataSets();
  if (!sets) {
    console.log(`skipped: there is no data in ${folder} (or set TOOLGATE_DATA)`);
    return;
  }
  const assets = assetFiles.map(readAsset);
  const bytes = assets.reduce((sum, { length }) => sum + length, 0);
  const shipped = assets.reduce((sum, asset) => sum + gzipSync(asset, { level: 9 }).length, 0);
  const started = performance.now();
  const vectors = await loadVectors();
  const loading = performance.now() - started;
  console.log(`word vectors and dictionaries: ${bytes} bytes, ${shipped} gzipped, read in ${show(loading, 1)} ms\n`);
  const contenders = [toolgate(vectors, false), toolgate(vectors, true), centroid, substring];
  const named: Figures[] = [];
  for (const set of sets) {
    for (const size of sizes) {
      const figures = contenders.map((contender) => measure(contender, set, size));
      if (size === "10" && figures[1]) named.push(figures[1]);
      console.log(`${set.name}, ${size} examples an intent, ${set.held.length} texts, ${set.outside.length} outside`);
      console.log(`${plainTable([columns, ...figures.map(row)])}\n`);
    }
  }
  console.log(`published:\n${published.map((line) => `  ${line}`).join("\n")}\n`);
  const [clinc, banking] = named;
  const [first] = sets;
  if (!clinc || !banking || !first) return;
  const texts = first.held.map(([text]) => text);
  const times = measureTimes(first.train[10], texts, vectors);
  const goals = describeGoals({ clinc, banking, shippedGzipped: shipped, times });
  console.log(`goals, 10 examples an intent, the intents' names known:\n${goals}`);
}

if (!options.everyday && options.sentences === undefined) await run();
const source = options.sentences === undefined ? (options.held ? "held" : "open") : { folder: options.sentences };
console.log(await reportEveryday(source));
