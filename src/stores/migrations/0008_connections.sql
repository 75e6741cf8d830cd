-- What operators have linked for a user and taken away, never with a token: one row a change, as the other records of the trail:
-- see 0001.

CREATE TABLE connections (
  id TEXT PRIMARY KEY CHECK (id = json_extract(record, '$.id')),
  seq INTEGER NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL,
  key_id TEXT NOT NULL,
  record TEXT NOT NULL,
  tenant TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.tenant')) VIRTUAL,
  user TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.user')) VIRTUAL,
  at INTEGER NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.at')) VIRTUAL,
  provider TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.provider')) VIRTUAL,
  event TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.event')) VIRTUAL
) WITHOUT ROWID;

CREATE INDEX connections_by_time ON connections (tenant, at, id);
CREATE INDEX connections_by_user ON connections (tenant, user, at, id);
CREATE INDEX connections_by_provider ON connections (tenant, provider, at, id);
CREATE INDEX connections_by_event ON connections (tenant, event, at, id);
CREATE INDEX connections_by_chain ON connections (tenant, user, seq);
