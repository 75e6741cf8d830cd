/**
 * The tables of one UserGuard object, as they are today; `schema` says what each holds. A test compares both: a step there is a change
 * here. Older objects have AUTOINCREMENT too, which costs a row more with each that is put in.
 */
export interface GuardTable {
  readonly name: string;
  readonly create: string;
  /** Statements by the index's name; made once the table has grown. */
  readonly indexes: Readonly<Record<string, string>>;
  /** The table without a row, as a part of a statement's WITH. */
  readonly empty: string;
}

function table(create: string, ...indexes: readonly string[]): GuardTable {
  const [, name = "", columns = ""] = /^CREATE TABLE (\w+) \((.*)\)/s.exec(create) ?? [];
  const names = columns
    .replace(/, (PRIMARY KEY|UNIQUE) \(.*$/s, "")
    .split(",")
    .map((column) => column.trim().split(" ", 1)[0]);
  return {
    name,
    create: create.replace(/\s+/g, " ").replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS"),
    indexes: Object.fromEntries(indexes.map((text) => [text.split(" ", 3)[2], text])),
    empty: `${name} (${names.join(", ")}) AS (SELECT ${names.map(() => "NULL").join(", ")} WHERE 0)`,
  };
}

export const guardTables: readonly GuardTable[] = [
  table(`CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`),
  table(
    `CREATE TABLE sessions (id TEXT PRIMARY KEY, mode TEXT, intents TEXT NOT NULL DEFAULT '[]', task INTEGER NOT NULL DEFAULT 0,
     opening TEXT NOT NULL, fresh INTEGER NOT NULL, pins TEXT NOT NULL DEFAULT '{}', created INTEGER NOT NULL, seen INTEGER NOT NULL,
     standing TEXT NOT NULL DEFAULT '{}', reply TEXT NOT NULL DEFAULT '[]', prompts TEXT NOT NULL DEFAULT '[]', pair TEXT, turn_list TEXT
     NOT NULL DEFAULT '[]', opened INTEGER) WITHOUT ROWID`,
    "CREATE INDEX sessions_seen ON sessions (seen)",
    "CREATE INDEX sessions_pair ON sessions (pair) WHERE pair IS NOT NULL",
    "CREATE INDEX sessions_opened ON sessions (opened) WHERE opened IS NOT NULL",
  ),
  table(
    `CREATE TABLE pairs (pair TEXT PRIMARY KEY, session TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID`,
    "CREATE INDEX pairs_session ON pairs (session)",
  ),
  table(
    `CREATE TABLE turns (id TEXT PRIMARY KEY, session TEXT NOT NULL, task INTEGER NOT NULL, digest TEXT NOT NULL, at INTEGER NOT
     NULL, model TEXT NOT NULL, role TEXT NOT NULL, grants TEXT NOT NULL, mode TEXT, policy TEXT NOT NULL, open INTEGER NOT NULL,
     settled TEXT NOT NULL, epoch INTEGER, reset INTEGER NOT NULL DEFAULT 0, cleared INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID`,
  ),
  table(
    `CREATE TABLE calls (ordinal INTEGER PRIMARY KEY, decision TEXT NOT NULL, session TEXT NOT NULL, session_created INTEGER, task INTEGER,
     turn TEXT, call_id TEXT NOT NULL, tool TEXT NOT NULL, at INTEGER NOT NULL, recorded TEXT NOT NULL, arguments TEXT, keeps INTEGER
     NOT NULL, undoable INTEGER NOT NULL, extra TEXT, soft INTEGER NOT NULL DEFAULT 0, epoch INTEGER, families TEXT NOT NULL DEFAULT
     '[]', replayed INTEGER NOT NULL DEFAULT 0, withdrawn INTEGER NOT NULL DEFAULT 0, outcome TEXT, result TEXT, undoes TEXT, undone_by
     TEXT, undo_key TEXT, asked TEXT)`,
    "CREATE INDEX calls_decision ON calls (decision)",
    "CREATE INDEX calls_session ON calls (session, task)",
    "CREATE INDEX calls_at ON calls (at)",
    "CREATE INDEX calls_soft ON calls (session) WHERE soft = 1",
    "CREATE INDEX calls_pending ON calls (session, call_id) WHERE outcome IS NULL",
    "CREATE INDEX calls_held ON calls (at) WHERE extra IS NOT NULL OR soft = 1",
    "CREATE INDEX calls_undone ON calls (undone_by) WHERE undone_by IS NOT NULL",
  ),
  table(
    `CREATE TABLE uses (key TEXT NOT NULL, at INTEGER NOT NULL, ordinal INTEGER NOT NULL, ends INTEGER NOT NULL)`,
    "CREATE INDEX uses_key ON uses (key, at)",
    "CREATE INDEX uses_ends ON uses (ends)",
    "CREATE INDEX uses_ordinal ON uses (ordinal)",
  ),
  table(
    `CREATE TABLE exchanges (ordinal INTEGER PRIMARY KEY, session TEXT NOT NULL, task INTEGER NOT NULL, anchors TEXT
     NOT NULL, place INTEGER NOT NULL, messages TEXT NOT NULL, lasting INTEGER NOT NULL DEFAULT 0)`,
    "CREATE INDEX exchanges_session ON exchanges (session, task)",
  ),
  table(
    `CREATE TABLE gates (tool TEXT NOT NULL, session TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (tool, session)) WITHOUT ROWID`,
    "CREATE INDEX gates_session ON gates (session) WHERE session <> ''",
  ),
  table(
    `CREATE TABLE outbox (seq INTEGER PRIMARY KEY, sealed TEXT NOT NULL, refused INTEGER NOT NULL DEFAULT 0, delivered INTEGER)`,
    "CREATE INDEX outbox_refused ON outbox (refused, seq) WHERE refused > 0",
  ),
  table(
    `CREATE TABLE quarantine (seq INTEGER PRIMARY KEY, sealed TEXT NOT NULL, at INTEGER NOT NULL, reason TEXT NOT NULL)`,
  ),
  table(
    `CREATE TABLE approvals (ordinal INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, code TEXT NOT NULL, status TEXT NOT
     NULL, open INTEGER NOT NULL, version INTEGER NOT NULL, session TEXT NOT NULL, task INTEGER NOT NULL, turn TEXT NOT NULL,
     decision TEXT NOT NULL, request TEXT NOT NULL, channel TEXT NOT NULL, tool TEXT NOT NULL, call_id TEXT NOT NULL, arguments TEXT
     NOT NULL, digest TEXT NOT NULL, asked INTEGER NOT NULL, expires INTEGER NOT NULL, answered INTEGER, ended INTEGER, ended_turn
     TEXT, settled_by TEXT, answer TEXT, policy TEXT NOT NULL, logs TEXT NOT NULL, body TEXT NOT NULL)`,
    "CREATE INDEX approvals_open ON approvals (session, ordinal) WHERE open = 1",
    "CREATE INDEX approvals_pending ON approvals (expires) WHERE status = 'pending'",
    "CREATE INDEX approvals_status ON approvals (status, ordinal)",
    "CREATE INDEX approvals_version ON approvals (version)",
    "CREATE INDEX approvals_ended ON approvals (ended) WHERE ended IS NOT NULL",
    "CREATE INDEX approvals_ended_turn ON approvals (ended_turn) WHERE ended_turn IS NOT NULL",
    "CREATE INDEX approvals_settled ON approvals (settled_by) WHERE settled_by IS NOT NULL",
    "CREATE INDEX approvals_arguments ON approvals (ended) WHERE arguments <> ''",
  ),
  table(
    `CREATE TABLE grants (ordinal INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, tool TEXT NOT NULL, session TEXT NOT
     NULL, conditions TEXT NOT NULL, created INTEGER NOT NULL, expires INTEGER, approval TEXT NOT NULL, nature TEXT, goes_to TEXT)`,
    "CREATE INDEX grants_tool ON grants (tool)",
    "CREATE INDEX grants_expires ON grants (expires) WHERE expires IS NOT NULL",
    "CREATE INDEX grants_session ON grants (session) WHERE session <> ''",
  ),
  table(
    `CREATE TABLE webhooks (ordinal INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, url TEXT NOT NULL, type TEXT NOT
     NULL, at INTEGER NOT NULL, data TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0, next INTEGER NOT NULL)`,
    "CREATE INDEX webhooks_due ON webhooks (url, next)",
  ),
  table(
    `CREATE TABLE runs (ordinal INTEGER PRIMARY KEY, decision TEXT NOT NULL UNIQUE, session TEXT NOT NULL, task INTEGER
     NOT NULL, epoch INTEGER, families TEXT NOT NULL, soft INTEGER NOT NULL, turn TEXT NOT NULL, holder TEXT NOT NULL, request TEXT
     NOT NULL, step INTEGER NOT NULL, call_id TEXT NOT NULL, tool TEXT NOT NULL, arguments TEXT NOT NULL, extra TEXT, at INTEGER NOT
     NULL, policy TEXT NOT NULL, entry TEXT NOT NULL, deadline INTEGER NOT NULL, status TEXT NOT NULL, outcome TEXT, ended INTEGER,
     withdrawn INTEGER NOT NULL DEFAULT 0)`,
    "CREATE INDEX runs_started ON runs (deadline) WHERE status = 'started'",
    "CREATE INDEX runs_holder ON runs (holder)",
    "CREATE INDEX runs_request ON runs (request)",
    "CREATE INDEX runs_session ON runs (session)",
    "CREATE INDEX runs_ended ON runs (ended) WHERE ended IS NOT NULL",
    "CREATE INDEX runs_forgotten ON runs (ordinal) WHERE task < 0",
  ),
  table(
    `CREATE TABLE connections (provider TEXT PRIMARY KEY, since INTEGER NOT NULL, hosts TEXT NOT NULL, expires INTEGER, token TEXT)
     WITHOUT ROWID`,
  ),
  table(
    `CREATE TABLE plans (id TEXT PRIMARY KEY, session TEXT NOT NULL, status TEXT NOT NULL, begun INTEGER NOT NULL, noted TEXT, turn
     TEXT, until INTEGER NOT NULL, filled TEXT NOT NULL, approved TEXT, keep_ms INTEGER NOT NULL, created INTEGER NOT NULL, updated
     INTEGER NOT NULL, expires INTEGER NOT NULL, body TEXT NOT NULL)`,
    "CREATE INDEX plans_session ON plans (session)",
    "CREATE INDEX plans_until ON plans (until) WHERE until > 0",
    "CREATE INDEX plans_expires ON plans (expires)",
  ),
  table(
    `CREATE TABLE plan_steps (plan TEXT NOT NULL, place INTEGER NOT NULL, id TEXT NOT NULL, tool TEXT NOT NULL, status TEXT NOT NULL,
     decision TEXT, approval TEXT, result TEXT, trusted INTEGER NOT NULL DEFAULT 0, fault TEXT, started INTEGER, ended INTEGER, tries
     INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (plan, place), UNIQUE (plan, id))`,
    "CREATE INDEX plan_steps_decision ON plan_steps (decision) WHERE decision IS NOT NULL",
    "CREATE INDEX plan_steps_approval ON plan_steps (approval) WHERE approval IS NOT NULL",
    "CREATE INDEX plan_steps_released ON plan_steps (status) WHERE status = 'released'",
  ),
  table(
    `CREATE TABLE bound_gates (tool TEXT NOT NULL, session TEXT NOT NULL, destinations TEXT NOT NULL, at INTEGER NOT NULL, goes_to
     TEXT NOT NULL DEFAULT '{}', PRIMARY KEY (tool, session, destinations)) WITHOUT ROWID`,
    "CREATE INDEX bound_gates_session ON bound_gates (session) WHERE session <> ''",
  ),
  table(
    `CREATE TABLE stored_writes (ordinal INTEGER PRIMARY KEY, tool TEXT NOT NULL, session TEXT NOT NULL, at INTEGER NOT
     NULL, digests TEXT NOT NULL UNIQUE)`,
    "CREATE INDEX stored_writes_at ON stored_writes (at)",
  ),
  table(
    `CREATE TABLE session_tools (session TEXT NOT NULL, tool TEXT NOT NULL, succeeded INTEGER NOT NULL, PRIMARY KEY (session, tool))
     WITHOUT ROWID`,
  ),
  table(
    `CREATE TABLE limited_uses (session TEXT NOT NULL, key TEXT NOT NULL, thread TEXT NOT NULL, task INTEGER NOT NULL, turn TEXT NOT
     NULL, ordinal INTEGER NOT NULL)`,
    "CREATE INDEX limited_uses_key ON limited_uses (session, key)",
    "CREATE INDEX limited_uses_ordinal ON limited_uses (ordinal)",
  ),
  table(
    `CREATE TABLE response_threads (id TEXT PRIMARY KEY, session TEXT NOT NULL, named INTEGER NOT NULL, metadata TEXT NOT NULL,
     created INTEGER NOT NULL, seen INTEGER NOT NULL, units INTEGER NOT NULL) WITHOUT ROWID`,
    "CREATE INDEX response_threads_seen ON response_threads (seen)",
    "CREATE INDEX response_threads_session ON response_threads (session) WHERE session <> ''",
  ),
  table(
    `CREATE TABLE responses (ordinal INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, thread TEXT NOT NULL, previous TEXT,
     length INTEGER NOT NULL, units INTEGER NOT NULL, session TEXT NOT NULL DEFAULT '')`,
    "CREATE INDEX responses_thread ON responses (thread, ordinal)",
    "CREATE INDEX responses_session ON responses (session) WHERE session <> ''",
  ),
  table(
    `CREATE TABLE response_parts (response INTEGER NOT NULL, kind TEXT NOT NULL, place INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY
     KEY (response, kind, place)) WITHOUT ROWID`,
  ),
  table(
    `CREATE TABLE response_items (id TEXT PRIMARY KEY, response INTEGER NOT NULL) WITHOUT ROWID`,
    "CREATE INDEX response_items_response ON response_items (response)",
  ),
  table(
    `CREATE TABLE subscriptions (session TEXT NOT NULL, uri TEXT NOT NULL, used INTEGER NOT NULL, PRIMARY KEY (session, uri)) WITHOUT
     ROWID`,
    "CREATE INDEX subscriptions_used ON subscriptions (used)",
  ),
  table(
    `CREATE TABLE ended_sessions (id TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID`,
    "CREATE INDEX ended_sessions_at ON ended_sessions (at)",
  ),
  table(
    `CREATE TABLE push_subscriptions (endpoint TEXT PRIMARY KEY, p256dh TEXT NOT NULL, auth TEXT NOT NULL, at INTEGER NOT NULL)
     WITHOUT ROWID`,
  ),
  table(`CREATE TABLE left_records (ordinal INTEGER PRIMARY KEY, sealed TEXT NOT NULL)`),
];
