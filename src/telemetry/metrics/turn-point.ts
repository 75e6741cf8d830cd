/**
 * A turn as one data point of Analytics Engine. Names, numbers and codes alone, as in the log's line: no user, no argument, no
 * message. The order of blobs and doubles is the data set's columns: append, never change one.
 */
import type { RequestFacts, TurnFacts, UsageFacts } from "../request-facts.ts";
import { timingsOf } from "../request-timings.ts";
import { shortName } from "../safe-words.ts";

/** Analytics Engine's limit of an index. */
const MAX_INDEX_BYTES = 96;

/** As `AnalyticsEngineDataset` writes it. */
export interface DataPoint {
  readonly indexes: [string];
  readonly blobs: string[];
  /** −1 if a turn has no such time. */
  readonly doubles: number[];
}

export function turnPoint(facts: RequestFacts, turn: TurnFacts): DataPoint {
  const { summary, ending, steps, runs } = turn;
  const { total, firstWord, upstream, hold, tools } = timingsOf(facts);
  const own = total === undefined ? undefined : Math.max(0, total - (upstream ?? 0) - (hold ?? 0) - (tools ?? 0));
  const decided = (effect: string) => summary?.decisions.filter((one) => one.effect === effect).length ?? 0;
  const tokens = (field: keyof UsageFacts) => steps.reduce((sum, { usage }) => sum + (usage?.[field] ?? 0), 0);
  return {
    indexes: [cut(facts.principal?.tenant ?? "")],
    blobs: [
      ending?.stopReason ?? "gateway_error",
      String(facts.status ?? 0),
      shortName(turn.model),
      facts.policy?.version.slice(0, 12) ?? "",
      summary?.stateClosed ?? "",
      facts.route ?? "",
    ],
    doubles: [
      ...[total, firstWord, upstream, own, hold, tools].map((ms) => ms ?? -1),
      steps.length,
      ...["allow", "confirm", "deny"].map(decided),
      summary?.offered ?? 0,
      summary?.withheld ?? 0,
      summary?.tokensSaved ?? 0,
      tokens("input"),
      tokens("output"),
      runs.length,
      runs.filter(({ status }) => status !== "succeeded").length,
    ],
  };
}

/** Whole characters. */
function cut(text: string): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_INDEX_BYTES));
  return text.slice(0, read);
}
