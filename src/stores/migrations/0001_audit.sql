-- The audit trail: one row a record, never updated. `record` is the canonical JSON that was hashed; every other column
-- that is queried is generated from it, so that a filter can find nothing but what the record says.

CREATE TABLE turns (
  id TEXT PRIMARY KEY CHECK (id = json_extract(record, '$.id')),
  seq INTEGER NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL,
  key_id TEXT NOT NULL,
  record TEXT NOT NULL,
  tenant TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.tenant')) VIRTUAL,
  user TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.user')) VIRTUAL,
  session TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.session')) VIRTUAL,
  at INTEGER NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.at')) VIRTUAL,
  stop_reason TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.stopReason')) VIRTUAL
) WITHOUT ROWID;

CREATE INDEX turns_by_time ON turns (tenant, at, id);
CREATE INDEX turns_by_user ON turns (tenant, user, at, id);
CREATE INDEX turns_by_session ON turns (tenant, session, at, id);
CREATE INDEX turns_by_stop_reason ON turns (tenant, stop_reason, at, id);
-- Not unique: an object that lost its storage starts a new chain, and its records must be kept all the same.
CREATE INDEX turns_by_chain ON turns (tenant, user, seq);

CREATE TABLE decisions (
  id TEXT PRIMARY KEY CHECK (id = json_extract(record, '$.id')),
  seq INTEGER NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL,
  key_id TEXT NOT NULL,
  record TEXT NOT NULL,
  tenant TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.tenant')) VIRTUAL,
  user TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.user')) VIRTUAL,
  session TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.session')) VIRTUAL,
  turn TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.turn')) VIRTUAL,
  at INTEGER NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.at')) VIRTUAL,
  tool TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.tool')) VIRTUAL,
  effect TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.effect')) VIRTUAL
) WITHOUT ROWID;

CREATE INDEX decisions_by_time ON decisions (tenant, at, id);
CREATE INDEX decisions_by_user ON decisions (tenant, user, at, id);
CREATE INDEX decisions_by_session ON decisions (tenant, session, at, id);
CREATE INDEX decisions_by_turn ON decisions (tenant, turn, at, id);
CREATE INDEX decisions_by_tool ON decisions (tenant, tool, at, id);
CREATE INDEX decisions_by_effect ON decisions (tenant, effect, at, id);
CREATE INDEX decisions_by_chain ON decisions (tenant, user, seq);

-- A decision has several reasons: one row for each code, so that a filter by code walks an index.
CREATE TABLE decision_reasons (
  tenant TEXT NOT NULL,
  code TEXT NOT NULL,
  at INTEGER NOT NULL,
  decision_id TEXT NOT NULL REFERENCES decisions (id) ON DELETE CASCADE,
  PRIMARY KEY (tenant, code, at, decision_id)
) WITHOUT ROWID;

CREATE INDEX decision_reasons_by_decision ON decision_reasons (decision_id);
