/** Wire formats that were measured beside each other, as a table: what each adds to the pass-through of its own, and to chats. Pure. */
import type { ContenderName } from "../run/contender.ts";
import type { CaseResult } from "../run/run-case.ts";
import type { TokenCpu } from "../run/token-cpu.ts";
import { plainTable, show, signed } from "./table.ts";

type Quantile = "p10" | "p50";

/** @param results the first is of chats. */
export function describeSurfaces(results: readonly CaseResult[], cpu: TokenCpu): string {
  const [chat] = results;
  const header = ["", "bare p50", "counting", "Toolgate", "p10", "beyond chat's", "p10"];
  const more = ["CPU ms: bare", "counting", "Toolgate", "beyond chat's", "n", "wrong"];
  const rows = results.map((result, at) => {
    const beyond = (quantile: Quantile) =>
      signed(after(result, "toolgate", quantile) - after(chat, "toolgate", quantile));
    const used = cpu[at];
    const own = used?.get("toolgate") ?? Number.NaN;
    return [
      result.bench.workload.name,
      show(tokenOf(result, "bare", "p50")),
      signed(after(result, "counting", "p50")),
      signed(after(result, "toolgate", "p50")),
      signed(after(result, "toolgate", "p10")),
      ...(result === chat ? ["-", "-"] : [beyond("p50"), beyond("p10")]),
      show(used?.get("bare")),
      show(used?.get("counting")),
      show(own),
      result === chat ? "-" : signed(own - (cpu[0]?.get("toolgate") ?? Number.NaN)),
      String(Math.min(...result.figures.map(({ requests }) => requests))),
      String(result.figures.reduce((sum, { failures }) => sum + failures.length, 0)),
    ];
  });
  const faults = results.flatMap(({ figures }) => figures.flatMap(({ failures }) => failures.slice(0, 1)));
  const title =
    "first token beside each other, one request at a time (ms; `counting` and `Toolgate`: after bare), and CPU until then";
  return [title, plainTable([[...header, ...more], ...rows]), ...faults.map((fault) => `  ${fault}`)].join("\n");
}

const tokenOf = ({ figures }: CaseResult, name: ContenderName, quantile: Quantile): number =>
  figures.find(({ contender }) => contender === name)?.firstToken[quantile] ?? Number.NaN;

const after = (result: CaseResult | undefined, name: ContenderName, quantile: Quantile): number =>
  result ? tokenOf(result, name, quantile) - tokenOf(result, "bare", quantile) : Number.NaN;
