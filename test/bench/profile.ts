/**
 * A quick look at one Worker: many requests of one kind, and where their time goes.
 *
 *   node test/bench/profile.ts [--model text-200] [--requests 300] [--concurrency 1] [--worker toolgate] [--compare bare]
 */
import { parseArgs } from "node:util";
import { LoadGenerator, type Sample } from "./load.ts";
import { bundleWorker, startWorker, type WorkerName } from "./miniflare.ts";
import { quantile } from "./report.ts";
import { startUpstream } from "./upstream.ts";

const { values: options } = parseArgs({
  options: {
    model: { type: "string", default: "text-200" },
    requests: { type: "string", default: "300" },
    concurrency: { type: "string", default: "1" },
    worker: { type: "string", default: "toolgate" },
    compare: { type: "string" },
  },
});

const words = Number(/^text-(\d+)/.exec(options.model)?.[1]);
if (Number.isNaN(words)) throw new Error(`\`${options.model}\` is not a scripted text: give one such as \`text-200\``);
const load = { model: options.model, words, concurrency: Number(options.concurrency) };

function readWorkerName(name: string): WorkerName {
  if (name === "bare" || name === "streamText" || name === "toolgate") return name;
  throw new Error(`\`${name}\` is not a Worker: give \`bare\`, \`streamText\` or \`toolgate\``);
}

function describe(samples: readonly Sample[], key: keyof Sample): string {
  const values = samples.map((sample) => sample[key]);
  return [0.5, 0.9, 0.99].map((q) => `p${q * 100} ${quantile(values, q).toFixed(2)}`).join("  ");
}

process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

const upstream = await startUpstream();
const generator = new LoadGenerator();
try {
  const names = [options.worker, ...(options.compare === undefined ? [] : [options.compare])].map(readWorkerName);
  for (const name of names) {
    const worker = await startWorker(name, await bundleWorker(name), upstream);
    try {
      const requests = Number(options.requests);
      await generator.run(worker.url, load, Math.ceil(requests / 5));
      const { samples, failures, elapsedMs } = await generator.run(worker.url, load, requests);
      const perSecond = (samples.length * 1000) / elapsedMs;
      console.log(`${name}: ${load.model}, concurrency ${load.concurrency}, ${perSecond.toFixed(0)} requests/s (ms)`);
      for (const key of ["headers", "firstByte", "firstToken", "total"] as const) {
        console.log(`  ${key.padEnd(10)}  ${describe(samples, key)}`);
      }
      if (failures.length > 0) console.log(`  ${failures.length} wrong, the first: ${failures[0]}`);
    } finally {
      await worker.stop();
    }
  }
} finally {
  generator.close();
  await upstream.stop();
}
