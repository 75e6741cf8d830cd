/** From what an executor tells to what ledger, record and model are told. Pure. */
import { traitsOf } from "../policy/traits.ts";
import type { Ran } from "./ran.ts";
import { MAX_KEPT, type RunOutcome } from "./run.ts";
import { runText } from "./run-text.ts";
import type { ManagedCall } from "./tool-runner.ts";

type Outgoing = Pick<ManagedCall, "policy" | "tool" | "keeps">;

export function outcomeOf({ policy, tool, keeps = MAX_KEPT }: Outgoing, ran: Ran, ms: number): RunOutcome {
  const { status, failure, detail, content, bytes, httpStatus, attempts } = ran;
  const { text, cut, suspicious } = runText(ran, {
    trusted: traitsOf(policy, tool).trusted,
    maxChars: policy.execution.maxResultChars,
    custom: policy.injection.custom,
  });
  const kept = status === "succeeded" && content.length <= keeps ? content : undefined;
  return { status, failure, detail, text, result: kept, ms, bytes, cut, suspicious, httpStatus, attempts };
}
