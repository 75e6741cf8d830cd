/** Answers that come of a tenant's ledger, which may be out of reach. */
import { describeError, log } from "../../lib/log.ts";
import type { Result } from "../../lib/result.ts";
import { type Problem, problemResponse, unavailable } from "../problem.ts";

export type LedgerAnswer = Promise<Result<Response, Problem>>;

/** @param what is asked of it: `the keys`. */
export async function fromLedger(what: string, answer: LedgerAnswer): Promise<Response> {
  try {
    const result = await answer;
    return result.ok ? result.value : problemResponse(result.error);
  } catch (error) {
    log("error", "ledger_unreachable", describeError(error));
    return problemResponse(unavailable("ledger_unavailable", `${what} cannot be reached just now; try again later`));
  }
}
