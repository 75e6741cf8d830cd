/** What the figures must come to. Pure. */
import type { ContenderName } from "../run/contender.ts";
import type { CaseResult } from "../run/run-case.ts";
import type { Figures } from "./figures.ts";
import { show, signed } from "./table.ts";

export interface Goal {
  readonly name: string;
  readonly value: string;
  readonly met: boolean;
}

const goal = (name: string, value: string, met: boolean): Goal => ({ name, value, met });

export const describeGoal = ({ name, value, met }: Goal) => `  ${met ? "met    " : "NOT met"}  ${name}: ${value}`;

export function judge(results: readonly CaseResult[]): Goal[] {
  return results.flatMap((result) => [...judgeLatency(result), ...judgeAgainstPortkey(result)]);
}

const find = ({ figures }: CaseResult, name: ContenderName): Figures | undefined =>
  figures.find(({ contender, requests }) => contender === name && requests > 0);

/** Streams one at a time: there the latency is the gateway's own, and not that of a queue. */
function judgeLatency(result: CaseResult): Goal[] {
  const { id, workload, arrival } = result.bench;
  const [toolgate, bare, streamText] = [find(result, "toolgate"), find(result, "bare"), find(result, "streamText")];
  if (workload.kind !== "stream" || !("concurrency" in arrival) || arrival.concurrency > 1) return [];
  if (!toolgate || !bare) return [];
  const later = toolgate.firstToken.p50 - bare.firstToken.p50;
  const most = workload.surface === "chat" ? 2.5 : 2;
  const goals = [
    goal(`${id}: first token at most ${most} ms after bare fetch's`, `${signed(later)} ms`, later <= most),
  ];
  if (workload.surface !== "chat" || workload.words !== 200) return goals;
  const slower = toolgate.total.p50 / bare.total.p50;
  goals.push(goal(`${id}: total at most 2.5 x bare fetch's`, `${show(slower)} x`, slower <= 2.5));
  if (!streamText) return goals;
  const faster = streamText.total.p50 / toolgate.total.p50;
  return [...goals, goal(`${id}: total at least 10 x below streamText's`, `${show(faster, 1)} x`, faster >= 10)];
}

function judgeAgainstPortkey(result: CaseResult): Goal[] {
  const [own, other, counting] = [find(result, "toolgate"), find(result, "portkey"), find(result, "counting")];
  if (!own || !other) return [];
  const shares = sharesOf(result, own, other);
  const met = Object.values(shares).every((share) => share < 1);
  const told = (of: Readonly<Record<string, number>>) =>
    Object.entries(of)
      .map(([name, share]) => `${name} ${show(share)} x`)
      .join(", ");
  const least = met || !counting ? "" : ` (counting only: ${told(sharesOf(result, counting, other))})`;
  return [goal(`${result.bench.id}: ahead of Portkey in every figure`, `${told(shares)}${least}`, met)];
}

function sharesOf({ bench }: CaseResult, own: Figures, other: Figures): Readonly<Record<string, number>> {
  const ahead = { "first token": own.firstToken.p50 / other.firstToken.p50, total: own.total.p50 / other.total.p50 };
  const shares: Record<string, number> = { ...ahead };
  // An open loop sets the rate itself: there it says nothing of either.
  if ("concurrency" in bench.arrival) shares["time a request"] = other.perSecond / own.perSecond;
  if (own.cpuMs !== undefined && other.cpuMs !== undefined) shares.CPU = own.cpuMs / other.cpuMs;
  return shares;
}

export interface Size {
  readonly gzipBytes: number;
  /** Start-up over a bare Worker's. */
  readonly startMs: number;
  /** Whether `startMs` is CPU time; otherwise time by the clock. */
  readonly cpu: boolean;
}

export function judgeSize({ gzipBytes, startMs, cpu }: Size): Goal[] {
  const kib = gzipBytes / 1024;
  return [
    goal("bundle at most 1 MiB gzipped", `${show(kib, 0)} KiB`, kib <= 1024),
    goal(`start-up ${cpu ? "CPU" : "time"} at most 100 ms over bare fetch's`, `${show(startMs, 1)} ms`, startMs <= 100),
  ];
}
