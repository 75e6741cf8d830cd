/** From samples to the figures that are printed. */
import { cpus } from "node:os";
import type { Block, LoadCase } from "./load.ts";
import type { WorkerName } from "./miniflare.ts";
import { workerdVersion } from "./workerd.ts";

export interface Figures {
  readonly worker: WorkerName;
  readonly requests: number;
  readonly failures: readonly string[];
  readonly firstToken: { readonly p50: number; readonly p99: number };
  readonly total: { readonly p50: number; readonly p99: number };
  readonly perSecond: number;
}

export interface CaseResult {
  readonly load: LoadCase;
  readonly figures: readonly Figures[];
}

export interface Goal {
  readonly name: string;
  readonly value: string;
  readonly met: boolean;
}

/** The value below which the share `q` of the values lies, interpolated; NaN without values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = q * (sorted.length - 1);
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  return low + ((sorted[Math.ceil(at)] ?? low) - low) * (at - Math.floor(at));
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function summarise(worker: WorkerName, blocks: readonly Block[]): Figures {
  const samples = blocks.flatMap((block) => block.samples);
  const quantiles = (values: readonly number[]) => ({ p50: quantile(values, 0.5), p99: quantile(values, 0.99) });
  return {
    worker,
    requests: samples.length,
    failures: blocks.flatMap((block) => block.failures),
    firstToken: quantiles(samples.map((sample) => sample.firstToken)),
    total: quantiles(samples.map((sample) => sample.total)),
    perSecond: (samples.length * 1000) / blocks.reduce((sum, block) => sum + block.elapsedMs, 0),
  };
}

const show = (value: number, digits: number) => (Number.isFinite(value) ? value.toFixed(digits) : "-");
const ms = (value: number) => show(value, 2);

/** Rows of cells as lines of text, columns aligned: the first to the left, the others to the right. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, i: number) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0));
  return rows.map((row) => `  ${row.map(pad).join("  ")}`).join("\n");
}

export function describeCase({ load, figures }: CaseResult): string {
  const bare = figures.find(({ worker }) => worker === "bare");
  const streamText = figures.find(({ worker }) => worker === "streamText");
  const against = (other: Figures | undefined, cell: (other: Figures) => string) => (other ? cell(other) : "-");
  const rows = figures.map((own) => [
    own.worker,
    ms(own.firstToken.p50),
    ms(own.firstToken.p99),
    ms(own.total.p50),
    ms(own.total.p99),
    own.perSecond.toFixed(0),
    against(bare, (other) => signed(own.firstToken.p50 - other.firstToken.p50)),
    against(bare, (other) => `${ms(own.total.p50 / other.total.p50)} x`),
    against(streamText, (other) => `1/${show(other.total.p50 / own.total.p50, 1)}`),
    String(own.requests),
    String(own.failures.length),
  ]);
  const header = ["", "token p50", "p99", "total p50", "p99", "req/s", "token-bare", "total/bare", "total/streamText"];
  const lines = [`${load.model}, concurrency ${load.concurrency} (ms)`, table([[...header, "n", "wrong"], ...rows])];
  for (const { worker, failures } of figures) if (failures[0]) lines.push(`  ${worker}: ${failures[0]}`);
  return lines.join("\n");
}

const signed = (value: number) => `${value >= 0 ? "+" : ""}${ms(value)}`;

/** The goals that these cases can judge: those at concurrency 1, where Toolgate ran. */
export function judgeLatency(results: readonly CaseResult[]): Goal[] {
  return results
    .filter(({ load }) => load.concurrency === 1)
    .flatMap(({ load, figures }) => {
      const find = (name: WorkerName) => figures.find(({ worker, requests }) => worker === name && requests > 0);
      const [toolgate, bare, streamText] = [find("toolgate"), find("bare"), find("streamText")];
      if (!toolgate || !bare || !streamText) return [];
      const later = toolgate.firstToken.p50 - bare.firstToken.p50;
      const first = goal(`${load.model}: first token at most 2.5 ms after bare's`, `${signed(later)} ms`, later <= 2.5);
      if (load.words < 200) return [first];
      const slower = toolgate.total.p50 / bare.total.p50;
      const faster = streamText.total.p50 / toolgate.total.p50;
      return [
        first,
        goal(`${load.model}: total at most 2.5 x bare's`, `${slower.toFixed(2)} x`, slower <= 2.5),
        goal(`${load.model}: total at least 10 x below streamText's`, `${faster.toFixed(1)} x`, faster >= 10),
      ];
    });
}

export const goal = (name: string, value: string, met: boolean): Goal => ({ name, value, met });

export const describeGoal = ({ name, value, met }: Goal) => `  ${met ? "met    " : "NOT met"}  ${name}: ${value}`;

export function describeMachine() {
  const [first] = cpus();
  return { cpu: first?.model ?? "unknown", cores: cpus().length, node: process.version, workerd: workerdVersion };
}
