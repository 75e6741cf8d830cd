-- How each managed call ended: one row a run, as the other records of the trail: see 0001. That it began is told by its
-- decision, whose disposition is `run`.

CREATE TABLE runs (
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
  decision TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.decision')) VIRTUAL,
  at INTEGER NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.at')) VIRTUAL,
  tool TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.tool')) VIRTUAL,
  executor TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.executor')) VIRTUAL,
  status TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.status')) VIRTUAL
) WITHOUT ROWID;

CREATE INDEX runs_by_time ON runs (tenant, at, id);
CREATE INDEX runs_by_user ON runs (tenant, user, at, id);
CREATE INDEX runs_by_session ON runs (tenant, session, at, id);
CREATE INDEX runs_by_turn ON runs (tenant, turn, at, id);
CREATE INDEX runs_by_decision ON runs (tenant, decision, at, id);
CREATE INDEX runs_by_tool ON runs (tenant, tool, at, id);
CREATE INDEX runs_by_executor ON runs (tenant, executor, at, id);
CREATE INDEX runs_by_status ON runs (tenant, status, at, id);
CREATE INDEX runs_by_chain ON runs (tenant, user, seq);
