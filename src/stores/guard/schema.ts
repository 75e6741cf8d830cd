/**
 * What the tables of one UserGuard object hold, and how an object of an earlier version comes to today's. `tables.ts` has the tables as they
 * are today, which a new object begins with.
 */
import type { SchemaStep } from "../objects/object-schema.ts";
import { exists } from "../objects/sql-rows.ts";
import { makeLean } from "./lean-storage.ts";
import { PUSH_SUBSCRIPTIONS } from "./push-schema.ts";
import { RESPONSE_SESSIONS, RESPONSES } from "./responses/responses-schema.ts";

/** Milliseconds after which an unused session is deleted, with the counters of its task. */
export const SESSION_IDLE_MS = 24 * 3600_000;
/** Milliseconds for which ended approvals and released calls are stored. */
export const KEPT_MS = 30 * 24 * 3600_000;
/** Milliseconds for which digests of what was written after untrusted text are stored. */
export const WRITES_KEPT_MS = 90 * 24 * 3600_000;
/** How soon the alarm rings for expiry alone, at the earliest. */
export const SWEEP_MS = 3600_000;
/** How long the same request gets the same calls again. */
export const RETRY_MS = 60_000;

/** Version 1. Objects had its tables before they had a version: hence IF NOT EXISTS, which later steps do without. */
const TABLES = `
-- head: JSON, seq and hash of the audit chain's last record. owner: JSON, tenant and user whose object this is.
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
-- intents: JSON list. pins: JSON object, tool name to definition digest. task counts new user messages.
-- fresh: 1 until the client has come back with the first reply of a session that it did not name.
CREATE TABLE IF NOT EXISTS sessions (
  id TEXT PRIMARY KEY, mode TEXT, intents TEXT NOT NULL DEFAULT '[]', task INTEGER NOT NULL DEFAULT 0,
  opening TEXT NOT NULL, fresh INTEGER NOT NULL, pins TEXT NOT NULL DEFAULT '{}', created INTEGER NOT NULL, seen INTEGER NOT NULL
) WITHOUT ROWID;
-- Finds the session of a client that names none.
CREATE TABLE IF NOT EXISTS pairs (pair TEXT PRIMARY KEY, session TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
-- A turn that is open, or closed less than RETRY_MS ago. settled: JSON list for its record. task: -1 where the session
-- was deleted while the turn ran. role, grants (JSON), mode, policy: what it was opened under.
CREATE TABLE IF NOT EXISTS turns (
  id TEXT PRIMARY KEY, session TEXT NOT NULL, task INTEGER NOT NULL, digest TEXT NOT NULL, at INTEGER NOT NULL,
  model TEXT NOT NULL, role TEXT NOT NULL, grants TEXT NOT NULL, mode TEXT, policy TEXT NOT NULL, open INTEGER NOT NULL,
  settled TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS turns_digest ON turns (digest);
-- Calls released to the client. outcome: NULL until settled. replayed: 1 once a retry got it again. withdrawn: 1 where the
-- consent that it may have needed was withdrawn since: no retry gets it again.
CREATE TABLE IF NOT EXISTS calls (
  ordinal INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, task INTEGER NOT NULL, turn TEXT NOT NULL,
  decision TEXT NOT NULL, call_id TEXT NOT NULL, tool TEXT NOT NULL, arguments TEXT NOT NULL, extra TEXT, soft INTEGER NOT NULL,
  at INTEGER NOT NULL, outcome TEXT, replayed INTEGER NOT NULL DEFAULT 0, withdrawn INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS calls_session ON calls (session, task);
CREATE INDEX IF NOT EXISTS calls_turn ON calls (turn);
-- One row for each window that a released call counts in. ends: when no window can hold it any more.
CREATE TABLE IF NOT EXISTS uses (key TEXT NOT NULL, at INTEGER NOT NULL, ordinal INTEGER NOT NULL, ends INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS uses_key ON uses (key, at);
CREATE INDEX IF NOT EXISTS uses_ends ON uses (ends);
CREATE INDEX IF NOT EXISTS uses_ordinal ON uses (ordinal);
-- Exchanges that the client never saw, kept for the task. anchors, messages: JSON lists. place: among the task's messages with calls.
CREATE TABLE IF NOT EXISTS exchanges (
  ordinal INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, task INTEGER NOT NULL, anchors TEXT NOT NULL,
  place INTEGER NOT NULL, messages TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS exchanges_session ON exchanges (session, task);
-- First-time consents; session '' holds in every session.
CREATE TABLE IF NOT EXISTS gates (tool TEXT NOT NULL, session TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (tool, session)) WITHOUT ROWID;
-- Audit records on their way to D1. sealed: JSON of a SealedRecord.
CREATE TABLE IF NOT EXISTS outbox (seq INTEGER PRIMARY KEY, sealed TEXT NOT NULL);
`;

/** Version 2. It also adds two keys to meta (`transaction.ts`). */
const HELD_RECORDS = `
-- refused: how often D1 refused the record itself. delivered: when it was delivered; kept a while, for a D1 restored to an earlier time.
ALTER TABLE outbox ADD COLUMN refused INTEGER NOT NULL DEFAULT 0;
ALTER TABLE outbox ADD COLUMN delivered INTEGER;
CREATE INDEX outbox_waiting ON outbox (refused, seq) WHERE delivered IS NULL;
CREATE INDEX outbox_delivered ON outbox (delivered) WHERE delivered IS NOT NULL;
-- Audit records that D1 refuses for good. reason: what it said.
CREATE TABLE quarantine (seq INTEGER PRIMARY KEY, sealed TEXT NOT NULL, at INTEGER NOT NULL, reason TEXT NOT NULL);
`;

/** Version 3. */
const STANDINGS = `
-- standing: JSON, \`TaskState\` of session/task.ts; what it does not have is as in a session that only begins.
ALTER TABLE sessions ADD COLUMN standing TEXT NOT NULL DEFAULT '{}';
-- epoch: of the session's standing when the turn was opened; NULL where older code opened it: then its calls count for their
-- own task alone. families: JSON list, those that a success counts for.
ALTER TABLE turns ADD COLUMN epoch INTEGER;
ALTER TABLE calls ADD COLUMN epoch INTEGER;
ALTER TABLE calls ADD COLUMN families TEXT NOT NULL DEFAULT '[]';
CREATE INDEX calls_soft ON calls (session) WHERE soft = 1;
`;

/** Version 4. One key more in meta: `changes`. */
const APPROVALS = `
-- Calls that wait for a person, and those that did. status: of \`Approval\`. open: 1 until a turn has acted on the answer, or
-- nothing can act on it any more; ended: when that was, ended_turn: the turn that cancelled it, settled_by: the decision that
-- acted on it. version: of its last change. task: of the session. request: digest of the request that asked. answer: JSON,
-- keyed digest of the whole answer with what is told of it. logs: JSON, what of it goes into the record. body: JSON, the rest
-- of \`Approval\`. arguments: '' once it has long ended.
CREATE TABLE approvals (
  ordinal INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, code TEXT NOT NULL, status TEXT NOT NULL,
  open INTEGER NOT NULL, version INTEGER NOT NULL, session TEXT NOT NULL, task INTEGER NOT NULL, turn TEXT NOT NULL,
  decision TEXT NOT NULL, request TEXT NOT NULL, channel TEXT NOT NULL, tool TEXT NOT NULL, call_id TEXT NOT NULL,
  arguments TEXT NOT NULL, digest TEXT NOT NULL, asked INTEGER NOT NULL, expires INTEGER NOT NULL, answered INTEGER,
  ended INTEGER, ended_turn TEXT, settled_by TEXT, answer TEXT, policy TEXT NOT NULL, logs TEXT NOT NULL, body TEXT NOT NULL
);
CREATE INDEX approvals_open ON approvals (session, ordinal) WHERE open = 1;
CREATE INDEX approvals_pending ON approvals (expires) WHERE status = 'pending';
CREATE INDEX approvals_status ON approvals (status, ordinal);
CREATE INDEX approvals_version ON approvals (version);
CREATE INDEX approvals_ended ON approvals (ended) WHERE ended IS NOT NULL;
CREATE INDEX approvals_ended_turn ON approvals (ended_turn) WHERE ended_turn IS NOT NULL;
CREATE INDEX approvals_settled ON approvals (settled_by) WHERE settled_by IS NOT NULL;
-- What a person allows without being asked again; session '' holds in every session. conditions: JSON, by the
-- argument's name.
CREATE TABLE grants (
  ordinal INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, tool TEXT NOT NULL, session TEXT NOT NULL,
  conditions TEXT NOT NULL, created INTEGER NOT NULL, expires INTEGER, approval TEXT NOT NULL
);
CREATE INDEX grants_tool ON grants (tool);
CREATE INDEX grants_expires ON grants (expires) WHERE expires IS NOT NULL;
`;

/** Version 5. */
const WEBHOOKS = `
-- What is told of approvals by webhook: one row for each event, url '' until it is known who is told, then one for each receiver.
-- id: of the message, the same with every try. type, at, data: what happened, when, and JSON of what is told of it. next: when
-- it is due.
CREATE TABLE webhooks (
  ordinal INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, url TEXT NOT NULL, type TEXT NOT NULL, at INTEGER NOT NULL,
  data TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0, next INTEGER NOT NULL
);
CREATE INDEX webhooks_due ON webhooks (url, next);
`;

/** Version 6. */
const KEPT_CALLS = `
-- Released calls, for 30 days, whatever became of their session. recorded: JSON, as in the audit record. undoable: 1 where the
-- policy named an undo; only of these, and of undos, are arguments (compact JSON) and result (text) kept, and only if short.
-- undoes: the call that it undid. undone_by: the call that undid it. undo_key: digest of the name that the client gave that
-- request. asked: the last approval that was asked for, for its undo.
CREATE TABLE kept_calls (
  decision TEXT PRIMARY KEY, session TEXT NOT NULL, call_id TEXT NOT NULL, tool TEXT NOT NULL, at INTEGER NOT NULL,
  recorded TEXT NOT NULL, undoable INTEGER NOT NULL, arguments TEXT, result TEXT, outcome TEXT, undoes TEXT, undone_by TEXT,
  undo_key TEXT, asked TEXT
) WITHOUT ROWID;
CREATE INDEX kept_calls_session ON kept_calls (session, decision);
CREATE INDEX kept_calls_at ON kept_calls (at);
CREATE INDEX kept_calls_undone ON kept_calls (undone_by) WHERE undone_by IS NOT NULL;
`;

/** Version 7. */
const NATURES = `
-- nature: what the tool was when the person was asked, as \`riskProfileOf\` gives it. NULL where older code gave the grant: it
-- covers nothing.
ALTER TABLE grants ADD COLUMN nature TEXT;
`;

/** Version 8. */
const RUNS = `
-- Managed calls, from the decision that allowed them on. turn: the one that decided; holder: the one that goes on from it, which is
-- a later one where the same request came again. request: its digest. task, epoch, families, soft: as in calls; task -1 where the
-- session was deleted. step: of the holder; what it took over from an earlier turn has steps below zero. policy: that decided.
-- entry: JSON of RunEntry and who made the call, deadline beside it. status: of RunStatus. outcome: JSON of RunOutcome, NULL while it is started; ended:
-- when it was noted. withdrawn: no code reads it any more. Their uses have minus their ordinal.
CREATE TABLE runs (
  ordinal INTEGER PRIMARY KEY AUTOINCREMENT, decision TEXT NOT NULL UNIQUE, session TEXT NOT NULL, task INTEGER NOT NULL,
  epoch INTEGER, families TEXT NOT NULL, soft INTEGER NOT NULL, turn TEXT NOT NULL, holder TEXT NOT NULL, request TEXT NOT NULL,
  step INTEGER NOT NULL, call_id TEXT NOT NULL, tool TEXT NOT NULL, arguments TEXT NOT NULL, extra TEXT, at INTEGER NOT NULL,
  policy TEXT NOT NULL, entry TEXT NOT NULL, deadline INTEGER NOT NULL, status TEXT NOT NULL, outcome TEXT, ended INTEGER,
  withdrawn INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX runs_started ON runs (deadline) WHERE status = 'started';
CREATE INDEX runs_holder ON runs (holder);
CREATE INDEX runs_request ON runs (request);
CREATE INDEX runs_session ON runs (session);
CREATE INDEX runs_ended ON runs (ended) WHERE ended IS NOT NULL;
-- Providers that the user has linked, as operators set them. hosts: JSON list. token: sealed; what it is the object cannot know.
CREATE TABLE connections (
  provider TEXT PRIMARY KEY, since INTEGER NOT NULL, hosts TEXT NOT NULL, expires INTEGER, token TEXT
) WITHOUT ROWID;
-- lasting: 1 where it stays beyond its task.
ALTER TABLE exchanges ADD COLUMN lasting INTEGER NOT NULL DEFAULT 0;
-- reset: 1 where the turn began with a reset. cleared: 1 where another did while it was open: it leaves nothing that lasts.
ALTER TABLE turns ADD COLUMN reset INTEGER NOT NULL DEFAULT 0;
ALTER TABLE turns ADD COLUMN cleared INTEGER NOT NULL DEFAULT 0;
`;

/** Version 9. */
const PLANS = `
-- status: of \`PlanStatus\`, as it would be if no turn held the plan. begun: 1 once a turn has run it. noted: the end that is recorded,
-- NULL where it has none. turn: the one that holds it, until it lets go or another takes it; until: when its lease is over, 0
-- where that was noted. filled: JSON, what the user has filled in. approved: JSON of PlanApproval. body: JSON of NewPlan.
CREATE TABLE plans (
  id TEXT PRIMARY KEY, session TEXT NOT NULL, status TEXT NOT NULL, begun INTEGER NOT NULL, noted TEXT, turn TEXT,
  until INTEGER NOT NULL, filled TEXT NOT NULL, approved TEXT, keep_ms INTEGER NOT NULL, created INTEGER NOT NULL,
  updated INTEGER NOT NULL, expires INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE INDEX plans_session ON plans (session);
CREATE INDEX plans_until ON plans (until) WHERE until > 0;
CREATE INDEX plans_expires ON plans (expires);
-- What its steps have come to, in order: id and tool as in its body, the rest as in \`KeptStep\`. fault: JSON.
CREATE TABLE plan_steps (
  plan TEXT NOT NULL, place INTEGER NOT NULL, id TEXT NOT NULL, tool TEXT NOT NULL, status TEXT NOT NULL, decision TEXT,
  approval TEXT, result TEXT, trusted INTEGER NOT NULL DEFAULT 0, fault TEXT, started INTEGER, ended INTEGER,
  tries INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (plan, place), UNIQUE (plan, id)
);
CREATE INDEX plan_steps_decision ON plan_steps (decision) WHERE decision IS NOT NULL;
CREATE INDEX plan_steps_approval ON plan_steps (approval) WHERE approval IS NOT NULL;
CREATE INDEX plan_steps_released ON plan_steps (status) WHERE status = 'released';
`;

/** Version 10. */
const SIDE_SESSIONS = `
-- reply: JSON, marks of the last reply that reached the client. prompts: JSON list, sketches of the system prompts. Both as in
-- session/conversation-fingerprint.ts, which says too what the id of a side session is (\`find-session.ts\`).
ALTER TABLE sessions ADD COLUMN reply TEXT NOT NULL DEFAULT '[]';
ALTER TABLE sessions ADD COLUMN prompts TEXT NOT NULL DEFAULT '[]';
`;

/** Version 11. A sweep, and the look-up of a result's call, read by index, however much the object holds. */
const SWEEP_INDEXES = `
CREATE INDEX sessions_seen ON sessions (seen);
CREATE INDEX pairs_session ON pairs (session);
CREATE INDEX calls_pending ON calls (session, call_id) WHERE outcome IS NULL;
CREATE INDEX gates_session ON gates (session) WHERE session <> '';
CREATE INDEX grants_session ON grants (session) WHERE session <> '';
CREATE INDEX runs_forgotten ON runs (ordinal) WHERE task < 0;
CREATE INDEX approvals_arguments ON approvals (ended) WHERE arguments <> '';
`;

/** Version 12. */
const BOUND_GATES = `
-- First-time consents that hold for where the call went that a person was asked about. destinations: canonical JSON of
-- \`Destinations\`; the rest as in gates.
CREATE TABLE bound_gates (
  tool TEXT NOT NULL, session TEXT NOT NULL, destinations TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (tool, session, destinations)
) WITHOUT ROWID;
CREATE INDEX bound_gates_session ON bound_gates (session) WHERE session <> '';
`;

/** Version 13. */
const SHOWN_DESTINATIONS = `
-- goes_to: JSON of \`ShownDestinations\`. Of a grant NULL where it is bound to none.
ALTER TABLE grants ADD COLUMN goes_to TEXT;
ALTER TABLE bound_gates ADD COLUMN goes_to TEXT NOT NULL DEFAULT '{}';
`;

/** Version 14. */
const STORED_WRITES = `
-- What calls wrote after untrusted text, for WRITES_KEPT_MS. session: by the id that the client knows. digests: parted by blanks,
-- as in policy/origin/sources/stored-values.ts; '' in a row that says that more was written than is kept.
CREATE TABLE stored_writes (
  ordinal INTEGER PRIMARY KEY AUTOINCREMENT, tool TEXT NOT NULL, session TEXT NOT NULL, at INTEGER NOT NULL, digests TEXT NOT NULL UNIQUE
);
CREATE INDEX stored_writes_at ON stored_writes (at);
`;

/** Version 15. */
const TOOL_HISTORY = `
-- Tools of which a result has come into a session, until a reset. session: the one that the client knows. succeeded: 1 once a call did.
CREATE TABLE session_tools (
  session TEXT NOT NULL, tool TEXT NOT NULL, succeeded INTEGER NOT NULL, PRIMARY KEY (session, tool)
) WITHOUT ROWID;
-- Uses that a limit for a turn, a task or a session counts. key: the tools that share it. thread: the side session, task: its task.
CREATE TABLE limited_uses (
  session TEXT NOT NULL, key TEXT NOT NULL, thread TEXT NOT NULL, task INTEGER NOT NULL, turn TEXT NOT NULL, ordinal INTEGER NOT NULL
);
CREATE INDEX limited_uses_key ON limited_uses (session, key);
CREATE INDEX limited_uses_ordinal ON limited_uses (ordinal);
`;

/** Version 18. */
const MCP_SESSIONS = `
-- Resources that an MCP session wants to hear of, by the URIs that the client knows. used: when a stream last listened in the session.
CREATE TABLE subscriptions (session TEXT NOT NULL, uri TEXT NOT NULL, used INTEGER NOT NULL, PRIMARY KEY (session, uri)) WITHOUT ROWID;
CREATE INDEX subscriptions_used ON subscriptions (used);
-- MCP sessions that their clients have ended, for a day.
CREATE TABLE ended_sessions (id TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX ended_sessions_at ON ended_sessions (at);
`;

/**
 * Version 20. Fewer rows a turn: records that are delivered in order are noted in one row of meta (\`delivered\`), the chain's head is the
 * last row of the outbox, and calls of a turn are found by their session and task.
 */
const FEWER_ROWS = `
DROP INDEX outbox_waiting;
DROP INDEX outbox_delivered;
CREATE INDEX outbox_refused ON outbox (refused, seq) WHERE refused > 0;
DROP INDEX calls_turn;
INSERT INTO meta (key, value)
SELECT 'delivered', json_object('seq', seq, 'at', COALESCE((SELECT MAX(delivered) FROM outbox), 0), 'marks', json('[]'))
FROM (SELECT COALESCE(
  (SELECT MIN(seq) - 1 FROM outbox WHERE delivered IS NULL AND refused = 0),
  (SELECT json_extract(value, '$.seq') FROM meta WHERE key = 'head')) AS seq) WHERE seq IS NOT NULL;
`;

/**
 * Version 22. Fewer rows a turn: a session's turns are in its own row, with the pair that its client is found by. `turns` has those whose
 * session was deleted while they were open, `pairs` a second pair of a session.
 */
function turnsIntoSessions(sql: SqlStorage): void {
  const has = (table: string) => exists(sql, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", table);
  sql.exec("DROP INDEX IF EXISTS turns_digest");
  if (has("sessions"))
    // pair: digest, NULL where it has none. turn_list: JSON list of `SessionTurn`. opened: when the oldest of them that is open was opened.
    sql.exec(`
      ALTER TABLE sessions ADD COLUMN pair TEXT;
      ALTER TABLE sessions ADD COLUMN turn_list TEXT NOT NULL DEFAULT '[]';
      ALTER TABLE sessions ADD COLUMN opened INTEGER;
    `);
  if (!has("turns")) return;
  const flag = (column: string) => `json(CASE ${column} WHEN 1 THEN 'true' ELSE 'false' END)`;
  if (has("sessions"))
    sql.exec(`
      UPDATE sessions SET opened = (SELECT MIN(at) FROM turns t WHERE t.session = sessions.id AND t.open = 1 AND t.task >= 0),
        turn_list = (SELECT json_group_array(json_object('id', id, 'task', task, 'epoch', epoch, 'digest', digest, 'at', at, 'model', model,
          'role', role, 'grants', grants, 'mode', mode, 'policy', policy, 'open', ${flag("open")}, 'settled', json(settled),
          'reset', ${flag("reset")}, 'cleared', ${flag("cleared")})) FROM turns t WHERE t.session = sessions.id AND t.task >= 0)
      WHERE id IN (SELECT session FROM turns WHERE task >= 0);
      DELETE FROM turns WHERE task >= 0 AND session IN (SELECT id FROM sessions);
    `);
  sql.exec("DELETE FROM turns WHERE open = 0");
}

/**
 * Version 23. One row for a released call, which had two: `kept_calls` told it for 30 days, `calls` as long as its session lived. A run
 * has a row too, for the list and its undo. `tables.ts` has the columns:
 *  - ordinal: of a run it is below zero. session, task, turn: those that released it; task and turn are NULL in a row of a run.
 *  - session_created: of the session at that time, so that no other session of the same id takes the call for its own; NULL: of none.
 *  - recorded: JSON, as in the audit record. arguments: compact JSON; NULL where `recorded` says the same, or they are no longer needed.
 *  - keeps: 1 where the arguments stay, since the call can be undone, or is an undo; else they go once the call is settled.
 *  - extra, soft, epoch, families, replayed, withdrawn: as before in `calls`. undoable, result, undoes, undone_by, undo_key, asked: as in
 *    `kept_calls`. outcome: NULL until it is settled.
 */
function callsInOneTable(sql: SqlStorage): void {
  const has = (table: string) => exists(sql, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", table);
  const [released, kept] = [has("calls"), has("kept_calls")];
  if (!released && !kept) return;
  const created = has("sessions") ? "(SELECT created FROM sessions s WHERE s.id = c.session)" : "NULL";
  for (const index of ["calls_session", "calls_soft", "calls_pending"]) sql.exec(`DROP INDEX IF EXISTS ${index}`);
  if (released) sql.exec("ALTER TABLE calls RENAME TO released_calls");
  sql.exec(`
    CREATE TABLE calls (
      ordinal INTEGER PRIMARY KEY, decision TEXT NOT NULL, session TEXT NOT NULL, session_created INTEGER, task INTEGER, turn TEXT,
      call_id TEXT NOT NULL, tool TEXT NOT NULL, at INTEGER NOT NULL, recorded TEXT NOT NULL, arguments TEXT, keeps INTEGER NOT NULL,
      undoable INTEGER NOT NULL, extra TEXT, soft INTEGER NOT NULL DEFAULT 0, epoch INTEGER, families TEXT NOT NULL DEFAULT '[]',
      replayed INTEGER NOT NULL DEFAULT 0, withdrawn INTEGER NOT NULL DEFAULT 0, outcome TEXT, result TEXT, undoes TEXT, undone_by TEXT,
      undo_key TEXT, asked TEXT
    )`);
  const columns = `ordinal, decision, session, session_created, task, turn, call_id, tool, at, recorded, arguments, keeps, undoable, extra,
    soft, epoch, families, replayed, withdrawn, outcome, result, undoes, undone_by, undo_key, asked`;
  const ofKept = kept
    ? "k.result, k.undoes, k.undone_by, k.undo_key, k.asked FROM released_calls c LEFT JOIN kept_calls k ON k.decision = c.decision"
    : "NULL, NULL, NULL, NULL, NULL FROM released_calls c";
  const keptOr = (column: string, other: string) => (kept ? `COALESCE(k.${column}, ${other})` : other);
  const keptArguments = kept ? "k.arguments" : "NULL";
  if (released)
    sql.exec(`
      INSERT INTO calls (${columns})
      SELECT c.ordinal, c.decision, c.session, ${created}, c.task, c.turn, c.call_id, c.tool, c.at, ${keptOr("recorded", "'null'")},
        CASE WHEN c.outcome IS NULL THEN c.arguments ELSE ${keptArguments} END, ${keptArguments} IS NOT NULL, ${keptOr("undoable", "0")},
        c.extra, c.soft, c.epoch, c.families, c.replayed, c.withdrawn, c.outcome, ${ofKept};
      DROP TABLE released_calls`);
  if (!kept) return;
  // Of calls whose session is gone, and of runs. No use is found by these ordinals any more.
  sql.exec(`
    INSERT INTO calls (${columns})
    SELECT -ROW_NUMBER() OVER (ORDER BY decision), decision, session, NULL, NULL, NULL, call_id, tool, at, recorded, arguments,
      arguments IS NOT NULL, undoable, NULL, 0, NULL, '[]', 0, 0, outcome, result, undoes, undone_by, undo_key, asked
    FROM kept_calls WHERE decision NOT IN (SELECT decision FROM calls);
    DROP TABLE kept_calls`);
}

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
  { up: makeLean },
  { up: turnsIntoSessions },
  { up: callsInOneTable },
];
