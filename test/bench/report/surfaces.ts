/** Wire formats that were measured beside each other, as a table: what each adds to the pass-through of its own, and to chats. Pure. */
import type { ContenderName } from "../run/contender.ts";
import type { CaseResult } from "../run/run-case.ts";
import { plainTable, show, signed } from "./table.ts";

/** @param results the first is of chats. */
export function describeSurfaces(results: readonly CaseResult[]): string {
  const [chat] = results;
  const header = ["first token, ms", "bare p50", "counting", "Toolgate", "p10", "beyond chat's", "p10", "n", "wrong"];
  const rows = results.map((result) => {
    const own = (of: CaseResult | undefined, quantile: "p10" | "p50") => after(of, "toolgate", quantile);
    const beyond = (quantile: "p10" | "p50") => signed(own(result, quantile) - own(chat, quantile));
    return [
      result.bench.workload.name,
      show(tokenOf(result, "bare", "p50")),
      signed(after(result, "counting", "p50")),
      signed(own(result, "p50")),
      signed(own(result, "p10")),
      ...(result === chat ? ["-", "-"] : [beyond("p50"), beyond("p10")]),
      String(Math.min(...result.figures.map(({ requests }) => requests))),
      String(result.figures.reduce((sum, { failures }) => sum + failures.length, 0)),
    ];
  });
  const faults = results.flatMap(({ figures }) => figures.flatMap(({ failures }) => failures.slice(0, 1)));
  const lines = ["surfaces beside each other, one request at a time; `counting` and `Toolgate`: after bare"];
  return [...lines, plainTable([header, ...rows]), ...faults.map((fault) => `  ${fault}`)].join("\n");
}

const tokenOf = ({ figures }: CaseResult, name: ContenderName, quantile: "p10" | "p50"): number =>
  figures.find(({ contender }) => contender === name)?.firstToken[quantile] ?? Number.NaN;

const after = (result: CaseResult | undefined, name: ContenderName, quantile: "p10" | "p50"): number =>
  result ? tokenOf(result, name, quantile) - tokenOf(result, "bare", quantile) : Number.NaN;
