-- The records in half the room, with fewer rows written. A record of some kilobytes has a page of its own in a table WITHOUT ROWID, and
-- shares one in a table with rowids. The columns that lists are filtered by are stored: a filter that walks an index parses no record.
-- What most rows have (`completed`, `allow`, `succeeded`) is found by time; the indexes of stop reason, effect and status hold the others.
--
-- Copies every record: SQLite cannot change a table's kind where it stands.
PRAGMA defer_foreign_keys = on;

CREATE TABLE turns_2 (
  id TEXT NOT NULL PRIMARY KEY CHECK (id = json_extract(record, '$.id')),
  seq INTEGER NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL,
  key_id TEXT NOT NULL,
  record TEXT NOT NULL,
  tenant TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.tenant')) STORED,
  user TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.user')) STORED,
  session TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.session')) STORED,
  at INTEGER NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.at')) STORED,
  stop_reason TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.stopReason')) STORED,
  arm TEXT GENERATED ALWAYS AS (json_extract(record, '$.arm')) STORED,
  plan TEXT GENERATED ALWAYS AS (json_extract(record, '$.plan')) STORED
);
INSERT INTO turns_2 (id, seq, previous, hash, key_id, record) SELECT id, seq, previous, hash, key_id, record FROM turns;

CREATE TABLE decisions_2 (
  id TEXT NOT NULL PRIMARY KEY CHECK (id = json_extract(record, '$.id')),
  seq INTEGER NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL,
  key_id TEXT NOT NULL,
  record TEXT NOT NULL,
  tenant TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.tenant')) STORED,
  user TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.user')) STORED,
  session TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.session')) STORED,
  turn TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.turn')) STORED,
  at INTEGER NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.at')) STORED,
  tool TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.tool')) STORED,
  effect TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.effect')) STORED,
  approval TEXT GENERATED ALWAYS AS (json_extract(record, '$.approval')) STORED,
  granted_by TEXT GENERATED ALWAYS AS (json_extract(record, '$.grant')) STORED,
  undoes TEXT GENERATED ALWAYS AS (json_extract(record, '$.undoes')) STORED,
  made_by TEXT GENERATED ALWAYS AS (json_extract(record, '$.madeBy')) STORED,
  plan TEXT GENERATED ALWAYS AS (json_extract(record, '$.plan')) STORED,
  plan_step TEXT GENERATED ALWAYS AS (json_extract(record, '$.planStep')) STORED
);
INSERT INTO decisions_2 (id, seq, previous, hash, key_id, record) SELECT id, seq, previous, hash, key_id, record FROM decisions;

CREATE TABLE approvals_2 (
  id TEXT NOT NULL PRIMARY KEY CHECK (id = json_extract(record, '$.id')),
  seq INTEGER NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL,
  key_id TEXT NOT NULL,
  record TEXT NOT NULL,
  tenant TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.tenant')) STORED,
  user TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.user')) STORED,
  session TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.session')) STORED,
  turn TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.turn')) STORED,
  at INTEGER NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.at')) STORED,
  tool TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.tool')) STORED,
  approval TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.approval')) STORED,
  event TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.event')) STORED,
  expires_at INTEGER NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.expiresAt')) STORED
);
INSERT INTO approvals_2 (id, seq, previous, hash, key_id, record) SELECT id, seq, previous, hash, key_id, record FROM approvals;

CREATE TABLE runs_2 (
  id TEXT NOT NULL PRIMARY KEY CHECK (id = json_extract(record, '$.id')),
  seq INTEGER NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL,
  key_id TEXT NOT NULL,
  record TEXT NOT NULL,
  tenant TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.tenant')) STORED,
  user TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.user')) STORED,
  session TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.session')) STORED,
  turn TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.turn')) STORED,
  decision TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.decision')) STORED,
  at INTEGER NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.at')) STORED,
  tool TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.tool')) STORED,
  executor TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.executor')) STORED,
  status TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.status')) STORED
);
INSERT INTO runs_2 (id, seq, previous, hash, key_id, record) SELECT id, seq, previous, hash, key_id, record FROM runs;

CREATE TABLE plans_2 (
  id TEXT NOT NULL PRIMARY KEY CHECK (id = json_extract(record, '$.id')),
  seq INTEGER NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL,
  key_id TEXT NOT NULL,
  record TEXT NOT NULL,
  tenant TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.tenant')) STORED,
  user TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.user')) STORED,
  session TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.session')) STORED,
  turn TEXT GENERATED ALWAYS AS (json_extract(record, '$.turn')) STORED,
  at INTEGER NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.at')) STORED,
  plan TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.plan')) STORED,
  event TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.event')) STORED,
  status TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.status')) STORED
);
INSERT INTO plans_2 (id, seq, previous, hash, key_id, record) SELECT id, seq, previous, hash, key_id, record FROM plans;

CREATE TABLE connections_2 (
  id TEXT NOT NULL PRIMARY KEY CHECK (id = json_extract(record, '$.id')),
  seq INTEGER NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL,
  key_id TEXT NOT NULL,
  record TEXT NOT NULL,
  tenant TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.tenant')) STORED,
  user TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.user')) STORED,
  at INTEGER NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.at')) STORED,
  provider TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.provider')) STORED,
  event TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.event')) STORED
);
INSERT INTO connections_2 (id, seq, previous, hash, key_id, record) SELECT id, seq, previous, hash, key_id, record FROM connections;

CREATE TABLE decision_reasons_2 (
  tenant TEXT NOT NULL,
  code TEXT NOT NULL,
  at INTEGER NOT NULL,
  decision_id TEXT NOT NULL REFERENCES decisions_2 (id) ON DELETE CASCADE,
  PRIMARY KEY (tenant, code, at, decision_id)
) WITHOUT ROWID;
INSERT INTO decision_reasons_2 (tenant, code, at, decision_id) SELECT tenant, code, at, decision_id FROM decision_reasons;

CREATE TABLE armed_turns_2 (
  tenant TEXT NOT NULL,
  at INTEGER NOT NULL,
  id TEXT NOT NULL REFERENCES turns_2 (id) ON DELETE CASCADE,
  user TEXT NOT NULL,
  session TEXT NOT NULL,
  arm TEXT NOT NULL,
  begins INTEGER NOT NULL,
  intent TEXT,
  policy TEXT NOT NULL,
  model TEXT NOT NULL,
  calls INTEGER NOT NULL,
  ms INTEGER NOT NULL,
  prompt INTEGER,
  completion INTEGER,
  total INTEGER,
  outcome TEXT,
  stop_reason TEXT NOT NULL,
  failed INTEGER NOT NULL,
  PRIMARY KEY (tenant, at, id)
) WITHOUT ROWID;
INSERT INTO armed_turns_2 SELECT tenant, at, id, user, session, arm, begins, intent, policy, model, calls, ms, prompt, completion, total,
  outcome, stop_reason, failed FROM armed_turns;

-- The narrow tables first: their rows go with what they are of.
DROP TABLE decision_reasons;
DROP TABLE armed_turns;
DROP TABLE turns;
DROP TABLE decisions;
DROP TABLE approvals;
DROP TABLE runs;
DROP TABLE plans;
DROP TABLE connections;

ALTER TABLE turns_2 RENAME TO turns;
ALTER TABLE decisions_2 RENAME TO decisions;
ALTER TABLE approvals_2 RENAME TO approvals;
ALTER TABLE runs_2 RENAME TO runs;
ALTER TABLE plans_2 RENAME TO plans;
ALTER TABLE connections_2 RENAME TO connections;
ALTER TABLE decision_reasons_2 RENAME TO decision_reasons;
ALTER TABLE armed_turns_2 RENAME TO armed_turns;

CREATE INDEX decision_reasons_by_decision ON decision_reasons (decision_id);
CREATE INDEX armed_turns_by_turn ON armed_turns (id);

CREATE INDEX turns_by_time ON turns (tenant, at, id);
CREATE INDEX turns_by_user ON turns (tenant, user, at, id);
CREATE INDEX turns_by_session ON turns (tenant, session, at, id);
CREATE INDEX turns_by_stop_reason ON turns (tenant, stop_reason, at, id) WHERE stop_reason <> 'completed';
-- Not unique: an object that lost its storage starts a new chain, and its records must be kept all the same.
CREATE INDEX turns_by_chain ON turns (tenant, user, seq);
CREATE INDEX turns_by_arm ON turns (tenant, arm, at, id) WHERE arm IS NOT NULL;
CREATE INDEX turns_by_plan ON turns (tenant, plan, at, id) WHERE plan IS NOT NULL;

CREATE INDEX decisions_by_time ON decisions (tenant, at, id);
CREATE INDEX decisions_by_user ON decisions (tenant, user, at, id);
CREATE INDEX decisions_by_session ON decisions (tenant, session, at, id);
CREATE INDEX decisions_by_turn ON decisions (tenant, turn, at, id);
CREATE INDEX decisions_by_tool ON decisions (tenant, tool, at, id);
CREATE INDEX decisions_by_effect ON decisions (tenant, effect, at, id) WHERE effect <> 'allow';
CREATE INDEX decisions_by_chain ON decisions (tenant, user, seq);
CREATE INDEX decisions_by_approval ON decisions (tenant, approval, at, id) WHERE approval IS NOT NULL;
CREATE INDEX decisions_by_grant ON decisions (tenant, granted_by, at, id) WHERE granted_by IS NOT NULL;
CREATE INDEX decisions_by_undoes ON decisions (tenant, undoes, at, id) WHERE undoes IS NOT NULL;
CREATE INDEX decisions_by_maker ON decisions (tenant, made_by, at, id) WHERE made_by IS NOT NULL;
CREATE INDEX decisions_by_plan ON decisions (tenant, plan, at, id) WHERE plan IS NOT NULL;

CREATE INDEX approvals_by_time ON approvals (tenant, at, id);
CREATE INDEX approvals_by_user ON approvals (tenant, user, at, id);
CREATE INDEX approvals_by_session ON approvals (tenant, session, at, id);
CREATE INDEX approvals_by_turn ON approvals (tenant, turn, at, id);
CREATE INDEX approvals_by_tool ON approvals (tenant, tool, at, id);
CREATE INDEX approvals_by_event ON approvals (tenant, event, at, id);
CREATE INDEX approvals_by_approval ON approvals (tenant, approval, at, id);
CREATE INDEX approvals_by_chain ON approvals (tenant, user, seq);
CREATE INDEX approvals_by_expiry ON approvals (tenant, event, expires_at);

CREATE INDEX runs_by_time ON runs (tenant, at, id);
CREATE INDEX runs_by_user ON runs (tenant, user, at, id);
CREATE INDEX runs_by_session ON runs (tenant, session, at, id);
CREATE INDEX runs_by_turn ON runs (tenant, turn, at, id);
CREATE INDEX runs_by_decision ON runs (tenant, decision, at, id);
CREATE INDEX runs_by_tool ON runs (tenant, tool, at, id);
CREATE INDEX runs_by_executor ON runs (tenant, executor, at, id);
CREATE INDEX runs_by_status ON runs (tenant, status, at, id) WHERE status <> 'succeeded';
CREATE INDEX runs_by_chain ON runs (tenant, user, seq);

CREATE INDEX plans_by_time ON plans (tenant, at, id);
CREATE INDEX plans_by_user ON plans (tenant, user, at, id);
CREATE INDEX plans_by_session ON plans (tenant, session, at, id);
CREATE INDEX plans_by_turn ON plans (tenant, turn, at, id) WHERE turn IS NOT NULL;
CREATE INDEX plans_by_plan ON plans (tenant, plan, at, id);
CREATE INDEX plans_by_event ON plans (tenant, event, at, id);
CREATE INDEX plans_by_status ON plans (tenant, status, at, id);
CREATE INDEX plans_by_chain ON plans (tenant, user, seq);

CREATE INDEX connections_by_time ON connections (tenant, at, id);
CREATE INDEX connections_by_user ON connections (tenant, user, at, id);
CREATE INDEX connections_by_provider ON connections (tenant, provider, at, id);
CREATE INDEX connections_by_event ON connections (tenant, event, at, id);
CREATE INDEX connections_by_chain ON connections (tenant, user, seq);
