/**
 * What the answer to a question costs: after *yes* the call that waited is released without a call of the model.
 *
 *   npm run bench:approvals -- [--rounds 200] [--think 300]
 *
 * Interleaved in one run: a turn whose call asks, the *yes* to it, and a turn whose call the policy lets through. `--think` is
 * how long the model takes before it begins, in milliseconds; each table row is measured with a model that does not think too.
 */
import { Agent } from "node:http";
import { createKey } from "../../src/auth/kv-keys.ts";
import { programArguments } from "../../src/cli/program-arguments.ts";
import { putPolicy } from "../../src/stores/policies/policy-source.ts";
import { accumulate, readSse } from "../support/sse.ts";
import { describeConditions, noiseWarning, readConditions } from "./report/conditions.ts";
import { quantile } from "./report/statistics.ts";
import { plainTable, show } from "./report/table.ts";
import { type Exchange, exchange, keepAlive, type Target } from "./run/exchange.ts";
import { bundleWorker, type RunningWorker, startWorker } from "./run/miniflare.ts";
import { codingTools, type Message } from "./run/requests.ts";
import { startUpstream, type Upstream } from "./run/upstream.ts";

const options = programArguments("npm run bench:approvals -- [--rounds 200] [--think 300]", {
  rounds: { type: "string", default: "200" },
  think: { type: "string", default: "300" },
});

const WARM = 20;

/** What writes asks; what reads runs. Nothing waits for a handshake. */
const policy = {
  tools: { read_file: { category: "read_only" }, write_file: { category: "modification" } },
  handshake: { select: "off" },
};

const turns = ["asks", "yes", "runs"] as const;
type Turn = (typeof turns)[number];

/** First token of each turn, in milliseconds, and how often the model was called for them. */
type Figures = Readonly<Record<Turn, { readonly firstToken: number[]; calls: number }>>;

interface Bench {
  readonly upstream: Upstream;
  readonly target: Target;
  readonly agent: Agent;
}

async function targetOf({ url, kv }: RunningWorker): Promise<Target> {
  const store = await kv();
  await putPolicy(store, "bench", policy, Date.now());
  const owner = { tenant: "bench", user: "ada", role: "user", connections: [] };
  const { token } = await createKey(store, owner, Date.now());
  return { url, headers: { authorization: `Bearer ${token}` } };
}

async function served({ upstream }: Bench): Promise<number> {
  const answer = (await (await fetch(`${upstream.url}/served`)).json()) as { readonly served: number };
  return answer.served;
}

async function chat(bench: Bench, model: string, messages: readonly Message[]) {
  const body = { model, stream: true, messages, tools: codingTools };
  const { status, text, sample }: Exchange = await exchange(
    bench.agent,
    bench.target,
    Buffer.from(JSON.stringify(body)),
    "ada",
  );
  if (status !== 200) throw new Error(`status ${status}: ${text.slice(0, 300)}`);
  return { sample, answer: accumulate(await readSse(text)) };
}

async function measure(bench: Bench, thinkMs: number): Promise<Figures> {
  const figures: Figures = {
    asks: { firstToken: [], calls: 0 },
    yes: { firstToken: [], calls: 0 },
    runs: { firstToken: [], calls: 0 },
  };
  for (let round = -WARM; round < Number(options.rounds); round++) {
    const note = async (turn: Turn, model: string, messages: readonly Message[]) => {
      const before = await served(bench);
      const { sample, answer } = await chat(bench, model, messages);
      const after = await served(bench);
      const wanted = { asks: [], yes: ["write_file"], runs: ["read_file"] }[turn];
      const got = answer.toolCalls.map(({ name }) => name);
      if (got.join() !== wanted.join()) throw new Error(`${turn}: released ${got.join() || "nothing"}: ${answer.text}`);
      if (round >= 0) {
        figures[turn].firstToken.push(sample.firstToken);
        figures[turn].calls += after - before;
      }
      return answer;
    };
    const user: Message = { role: "user", content: `Please do what I asked for (request ${thinkMs}-${round})` };
    const { text } = await note("asks", `tool-write_file-after-${thinkMs}ms`, [user]);
    const answered: Message[] = [user, { role: "assistant", content: text }, { role: "user", content: "yes" }];
    await note("yes", `tool-write_file-after-${thinkMs}ms`, answered);
    const other: Message = { role: "user", content: `And another thing (request ${thinkMs}-${round})` };
    await note("runs", `tool-read_file-after-${thinkMs}ms`, [other]);
  }
  return figures;
}

const names: Readonly<Record<Turn, string>> = {
  asks: "the call asks: the question",
  yes: "*yes*: the call is released",
  runs: "the call needs nobody: it is released",
};

function report(thinkMs: number, figures: Figures): void {
  const base = quantile(figures.runs.firstToken, 0.5);
  const rows = turns.map((turn) => {
    const { firstToken, calls } = figures[turn];
    const p50 = quantile(firstToken, 0.5);
    const each = show(calls / firstToken.length);
    return [names[turn], each, show(p50), show(quantile(firstToken, 0.99)), `${show(p50 / base)} x`];
  });
  const header = ["turn", "model calls", "first token p50, ms", "p99, ms", "against a turn that runs"];
  process.stdout.write(`\na model that thinks for ${thinkMs} ms\n${plainTable([header, ...rows])}\n`);
}

const conditions = readConditions();
process.stdout.write(`${describeConditions(conditions)}\n`);
const noise = noiseWarning(conditions);
if (noise) process.stdout.write(`WARNING: ${noise}\n`);
const upstream = await startUpstream();
const worker = await startWorker("toolgate", await bundleWorker("toolgate"), upstream);
const bench: Bench = { upstream, target: await targetOf(worker), agent: new Agent(keepAlive) };
try {
  for (const thinkMs of [0, Number(options.think)]) report(thinkMs, await measure(bench, thinkMs));
} finally {
  bench.agent.destroy();
  await worker.stop();
  await upstream.stop();
}
