-- A decision is found by tenant, time and id, and no longer by its id alone: one row less is written with each. Its id begins with its time.
--
-- Copies every decision: SQLite cannot change a table's key where it stands.
PRAGMA defer_foreign_keys = on;

DROP INDEX decisions_by_time;

CREATE TABLE decisions_2 (
  id TEXT NOT NULL CHECK (id = json_extract(record, '$.id')),
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
CREATE UNIQUE INDEX decisions_by_time ON decisions_2 (tenant, at, id);
INSERT INTO decisions_2 (id, seq, previous, hash, key_id, record) SELECT id, seq, previous, hash, key_id, record FROM decisions;

CREATE TABLE decision_reasons_2 (
  tenant TEXT NOT NULL,
  code TEXT NOT NULL,
  at INTEGER NOT NULL,
  decision_id TEXT NOT NULL,
  PRIMARY KEY (tenant, code, at, decision_id),
  FOREIGN KEY (tenant, at, decision_id) REFERENCES decisions_2 (tenant, at, id) ON DELETE CASCADE
) WITHOUT ROWID;
INSERT INTO decision_reasons_2 (tenant, code, at, decision_id) SELECT tenant, code, at, decision_id FROM decision_reasons;

-- The narrow table first: its rows go with what they are of.
DROP TABLE decision_reasons;
DROP TABLE decisions;
ALTER TABLE decisions_2 RENAME TO decisions;
ALTER TABLE decision_reasons_2 RENAME TO decision_reasons;

CREATE INDEX decision_reasons_by_decision ON decision_reasons (decision_id);

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
