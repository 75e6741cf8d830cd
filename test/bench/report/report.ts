/** Figures as text: a table for each case on the terminal, a table for each figure in Markdown. Pure. */
import { describeArrival } from "../run/cases.ts";
import { type ContenderName, labels } from "../run/contender.ts";
import type { CaseResult } from "../run/run-case.ts";
import { ENOUGH_FOR_P99, type Figures, type Spread } from "./figures.ts";
import { markdownTable, plainTable, show, signed } from "./table.ts";

const p99 = ({ requests }: Figures, spread: Spread) => (requests < ENOUGH_FOR_P99 ? "-" : show(spread.p99));

const HEADER = ["", "byte p50", "p99", "token p50", "p99", "total p50", "p99", "req/s", "CPU ms", "RSS", "peak MiB"];
const RATIOS = ["token-bare", "total/bare", "total/Portkey", "CPU/Portkey", "n", "wrong"];

export function describeCase({ bench, figures }: CaseResult): string {
  const other = (name: ContenderName) => figures.find(({ contender }) => contender === name);
  const [bare, portkey] = [other("bare"), other("portkey")];
  const rows = figures.map((own) => [
    labels[own.contender],
    ...[own.firstByte, own.firstToken, own.total].flatMap((spread) => [show(spread.p50), p99(own, spread)]),
    show(own.perSecond, 0),
    show(own.cpuMs),
    show(own.rssMiB, 0),
    show(own.peakMiB, 0),
    bare ? signed(own.firstToken.p50 - bare.firstToken.p50) : "-",
    bare ? `${show(own.total.p50 / bare.total.p50)} x` : "-",
    portkey ? `${show(own.total.p50 / portkey.total.p50)} x` : "-",
    portkey?.cpuMs !== undefined && own.cpuMs !== undefined ? `${show(own.cpuMs / portkey.cpuMs)} x` : "-",
    String(own.requests),
    String(own.failures.length),
  ]);
  const lines = [`${caseTitle({ bench, figures })} (ms)`, plainTable([[...HEADER, ...RATIOS], ...rows])];
  for (const { contender, failures } of figures) if (failures[0]) lines.push(`  ${labels[contender]}: ${failures[0]}`);
  return lines.join("\n");
}

const caseTitle = ({ bench }: CaseResult): string => `${bench.workload.name}, ${describeArrival(bench)}`;

interface Column {
  readonly title: string;
  readonly cell: (figures: Figures) => string;
}

const columns: readonly Column[] = [
  {
    title: "First token, ms (p50 / p99)",
    cell: (own) => `${show(own.firstToken.p50, 1)} / ${p99(own, own.firstToken)}`,
  },
  { title: "Whole answer, ms (p50 / p99)", cell: (own) => `${show(own.total.p50, 1)} / ${p99(own, own.total)}` },
  { title: "Answers a second", cell: (own) => show(own.perSecond, 0) },
  { title: "CPU of the serving process, ms a request", cell: (own) => show(own.cpuMs) },
  {
    title: "Memory of the serving process, MiB (at the end / peak)",
    cell: (own) => `${show(own.rssMiB, 0)} / ${show(own.peakMiB, 0)}`,
  },
];

/** Ready for `docs/performance.md`: a row for each case, a column for each contender, and what Toolgate comes to against two of them. */
export function markdownReport(results: readonly CaseResult[]): string {
  const names = results[0]?.figures.map(({ contender }) => contender) ?? [];
  return columns
    .map(({ title, cell }) => {
      const rows = results.map((result) => [
        caseTitle(result),
        ...names.map((name) => {
          const own = result.figures.find(({ contender }) => contender === name);
          return own ? cell(own) : "-";
        }),
      ]);
      return `**${title}**\n\n${markdownTable([["", ...names.map((name) => labels[name])], ...rows])}`;
    })
    .join("\n\n");
}
