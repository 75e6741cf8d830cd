/**
 * What the tables of one UserGuard object hold, and how an object of an earlier version comes to today's: the list of steps.
 * `../tables.ts` has the tables as they are today, which a new object begins with.
 */
import type { SchemaStep } from "../../objects/object-schema.ts";
import { dropUnused } from "../lazy-tables.ts";
import { RESPONSE_SESSIONS, RESPONSES } from "../responses/responses-schema.ts";
import { callsInOneTable, FEWER_ROWS, turnsIntoSessions } from "./fewer-rows.ts";
import {
  APPROVALS,
  BOUND_GATES,
  HELD_RECORDS,
  KEPT_CALLS,
  MCP_SESSIONS,
  NATURES,
  PLANS,
  PUSH_SUBSCRIPTIONS,
  RUNS,
  SHOWN_DESTINATIONS,
  SIDE_SESSIONS,
  STANDINGS,
  STORED_WRITES,
  SWEEP_INDEXES,
  TABLES,
  TOOL_HISTORY,
  WEBHOOKS,
} from "./table-steps.ts";

/**
 * What a rollback does, by the version of the code that serves the object meanwhile:
 *  - 1: delivers refused and delivered records once more, which changes nothing; ignores a standing, which names its task.
 *  - before 4: asks nobody and knows no grant: such calls are refused; deleted sessions leave their approvals to the next expiry.
 *  - before 5: sends no webhook: later code sends the stored messages or gives them up.
 *  - before 6: stores no calls for undoing, and leaves those that are stored.
 *  - before 8: runs no tool and knows no connection. A started run stays so until later code finds it past its deadline; its soft use
 *    does not count meanwhile; the same request gets a new decision. It marks a run's record as delivered without a table for it:
 *    `redeliver` delivers it again. Exchanges that outlast their task are deleted with the others as soon as a task ends.
 *  - before 9: knows no plan. What a plan released, ran or asked for ends without it; later code finds that in calls, runs and
 *    approvals, but for the results. A plan's record has the fate of a run's.
 *  - before 10: knows no side session: all requests of a session advance its one task.
 *  - before 12: knows no consent that is bound to a destination: it asks again.
 *  - before 14: keeps no digests of what is written, and trusts what a trusted tool brings back.
 *  - before 15: knows no order of calls, and counts no use for a limit of a turn, a task or a session.
 *  - before 16: keeps no responses, and deletes none.
 *  - before 18: knows no subscription, deletes none, and serves MCP sessions that were ended.
 *  - before 19: tells no browser: it deletes the messages that wait for one.
 *  - before 20: serves no object that this code has: it would take an older record for the end of the chain.
 *  - before 21: likewise: it would look for tables that were never made.
 *  - before 22: likewise: it would find no turn and no pair.
 *  - before 23: likewise: it would look for columns of `calls` that are gone.
 */
export const guardSchema: readonly SchemaStep[] = [
  { up: TABLES },
  { up: HELD_RECORDS, readableBy: 1 },
  { up: STANDINGS, readableBy: 1 },
  { up: APPROVALS, readableBy: 1 },
  { up: WEBHOOKS, readableBy: 1 },
  { up: KEPT_CALLS, readableBy: 1 },
  { up: NATURES, readableBy: 1 },
  { up: RUNS, readableBy: 1 },
  { up: PLANS, readableBy: 1 },
  { up: SIDE_SESSIONS, readableBy: 1 },
  { up: SWEEP_INDEXES, readableBy: 1 },
  { up: BOUND_GATES, readableBy: 1 },
  { up: SHOWN_DESTINATIONS, readableBy: 1 },
  { up: STORED_WRITES, readableBy: 1 },
  { up: TOOL_HISTORY, readableBy: 1 },
  { up: RESPONSES, readableBy: 1 },
  { up: RESPONSE_SESSIONS, readableBy: 1 },
  { up: MCP_SESSIONS, readableBy: 1 },
  { up: PUSH_SUBSCRIPTIONS, readableBy: 1 },
  { up: FEWER_ROWS },
  // Version 21. From here on a table may be missing: a step that changes one must look whether it is there. A new table needs no step:
  // `left_records` has what is left of records whose user was erased, on its way to the trail (sealed: JSON of a SealedRecord). Code that
  // does not know it goes on with no erasure.
  { up: dropUnused },
  { up: turnsIntoSessions },
  { up: callsInOneTable },
];
