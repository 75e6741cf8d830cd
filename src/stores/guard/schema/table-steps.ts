/** The steps that make tables and columns, as SQL. Later steps (`fewer-rows.ts`) store the same in fewer rows. */

/** Version 1. Objects had its tables before they had a version: hence IF NOT EXISTS, which later steps do without. */
export const TABLES = `
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
export const HELD_RECORDS = `
-- refused: how often D1 refused the record itself. delivered: when it was delivered; kept a while, for a D1 restored to an earlier time.
ALTER TABLE outbox ADD COLUMN refused INTEGER NOT NULL DEFAULT 0;
ALTER TABLE outbox ADD COLUMN delivered INTEGER;
CREATE INDEX outbox_waiting ON outbox (refused, seq) WHERE delivered IS NULL;
CREATE INDEX outbox_delivered ON outbox (delivered) WHERE delivered IS NOT NULL;
-- Audit records that D1 refuses for good. reason: its error.
CREATE TABLE quarantine (seq INTEGER PRIMARY KEY, sealed TEXT NOT NULL, at INTEGER NOT NULL, reason TEXT NOT NULL);
`;

/** Version 3. */
export const STANDINGS = `
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
export const APPROVALS = `
-- Calls that wait for a person, and those that did. status: of \`Approval\`. open: 1 until a turn has acted on the answer, or
-- nothing can act on it any more; ended: when that was, ended_turn: the turn that cancelled it, settled_by: the decision that
-- acted on it. version: of its last change. task: of the session. request: digest of the request that asked. answer: JSON,
-- keyed digest of the whole answer with what is shown of it. logs: JSON, what of it goes into the record. body: JSON, the rest
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
-- What a person allows without another question; session '' holds in every session. conditions: JSON, by the
-- argument's name.
CREATE TABLE grants (
  ordinal INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, tool TEXT NOT NULL, session TEXT NOT NULL,
  conditions TEXT NOT NULL, created INTEGER NOT NULL, expires INTEGER, approval TEXT NOT NULL
);
CREATE INDEX grants_tool ON grants (tool);
CREATE INDEX grants_expires ON grants (expires) WHERE expires IS NOT NULL;
`;

/** Version 5. */
export const WEBHOOKS = `
-- Events of approvals, sent by webhook: one row for each event, url '' until the receivers are known, then one for each receiver.
-- id: of the message, the same with every try. type, at, data: what happened, when, and JSON of what is sent of it. next: when
-- it is due.
CREATE TABLE webhooks (
  ordinal INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, url TEXT NOT NULL, type TEXT NOT NULL, at INTEGER NOT NULL,
  data TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0, next INTEGER NOT NULL
);
CREATE INDEX webhooks_due ON webhooks (url, next);
`;

/** Version 6. */
export const KEPT_CALLS = `
-- Released calls, for 30 days, whatever became of their session. recorded: JSON, as in the audit record. undoable: 1 where the
-- policy named an undo; only of these, and of undos, are arguments (compact JSON) and result (text) kept, and only if short.
-- undoes: the call that it undid. undone_by: the call that undid it. undo_key: digest of the name that the client gave that
-- request. asked: the last approval that was requested for its undo.
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
export const NATURES = `
-- nature: what the tool was when the person was asked, as \`riskProfileOf\` gives it. NULL where older code gave the grant: it
-- covers nothing.
ALTER TABLE grants ADD COLUMN nature TEXT;
`;

/** Version 8. */
export const RUNS = `
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
export const PLANS = `
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
export const SIDE_SESSIONS = `
-- reply: JSON, marks of the last reply that reached the client. prompts: JSON list, sketches of the system prompts. Both as in
-- session/conversation-fingerprint.ts, which says too what the id of a side session is (\`find-session.ts\`).
ALTER TABLE sessions ADD COLUMN reply TEXT NOT NULL DEFAULT '[]';
ALTER TABLE sessions ADD COLUMN prompts TEXT NOT NULL DEFAULT '[]';
`;

/** Version 11. A sweep, and the look-up of a result's call, read by index, however much the object holds. */
export const SWEEP_INDEXES = `
CREATE INDEX sessions_seen ON sessions (seen);
CREATE INDEX pairs_session ON pairs (session);
CREATE INDEX calls_pending ON calls (session, call_id) WHERE outcome IS NULL;
CREATE INDEX gates_session ON gates (session) WHERE session <> '';
CREATE INDEX grants_session ON grants (session) WHERE session <> '';
CREATE INDEX runs_forgotten ON runs (ordinal) WHERE task < 0;
CREATE INDEX approvals_arguments ON approvals (ended) WHERE arguments <> '';
`;

/** Version 12. */
export const BOUND_GATES = `
-- First-time consents that are bound to the destination of the call in question. destinations: canonical JSON of
-- \`Destinations\`; the rest as in gates.
CREATE TABLE bound_gates (
  tool TEXT NOT NULL, session TEXT NOT NULL, destinations TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (tool, session, destinations)
) WITHOUT ROWID;
CREATE INDEX bound_gates_session ON bound_gates (session) WHERE session <> '';
`;

/** Version 13. */
export const SHOWN_DESTINATIONS = `
-- goes_to: JSON of \`ShownDestinations\`. Of a grant NULL where it is bound to none.
ALTER TABLE grants ADD COLUMN goes_to TEXT;
ALTER TABLE bound_gates ADD COLUMN goes_to TEXT NOT NULL DEFAULT '{}';
`;

/** Version 14. */
export const STORED_WRITES = `
-- What calls wrote after untrusted text, for WRITES_KEPT_MS. session: by the id that the client knows. digests: parted by blanks,
-- as in policy/origin/sources/tainted-values.ts; '' in a row that says that more was written than is kept.
CREATE TABLE stored_writes (
  ordinal INTEGER PRIMARY KEY AUTOINCREMENT, tool TEXT NOT NULL, session TEXT NOT NULL, at INTEGER NOT NULL, digests TEXT NOT NULL UNIQUE
);
CREATE INDEX stored_writes_at ON stored_writes (at);
`;

/** Version 15. */
export const TOOL_HISTORY = `
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
export const MCP_SESSIONS = `
-- Resources that an MCP session wants to hear of, by the URIs that the client knows. used: when a stream last listened in the session.
CREATE TABLE subscriptions (session TEXT NOT NULL, uri TEXT NOT NULL, used INTEGER NOT NULL, PRIMARY KEY (session, uri)) WITHOUT ROWID;
CREATE INDEX subscriptions_used ON subscriptions (used);
-- MCP sessions that their clients have ended, for a day.
CREATE TABLE ended_sessions (id TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX ended_sessions_at ON ended_sessions (at);
`;

/** Version 19. */
export const PUSH_SUBSCRIPTIONS = `
-- p256dh, auth: the keys that messages for the browser are encrypted with (RFC 8291). at: when it subscribed.
CREATE TABLE push_subscriptions (
  endpoint TEXT PRIMARY KEY, p256dh TEXT NOT NULL, auth TEXT NOT NULL, at INTEGER NOT NULL
) WITHOUT ROWID;
`;
