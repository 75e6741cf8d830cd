-- What operators have withdrawn from a user: one row an act, as the other records of the trail: see 0001.

CREATE TABLE resets (
  id TEXT NOT NULL PRIMARY KEY CHECK (id = json_extract(record, '$.id')),
  seq INTEGER NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL,
  key_id TEXT NOT NULL,
  record TEXT NOT NULL,
  tenant TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.tenant')) STORED,
  user TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.user')) STORED,
  at INTEGER NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.at')) STORED,
  event TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.event')) STORED
);

CREATE INDEX resets_by_time ON resets (tenant, at, id);
CREATE INDEX resets_by_user ON resets (tenant, user, at, id);
CREATE INDEX resets_by_event ON resets (tenant, event, at, id);
CREATE INDEX resets_by_chain ON resets (tenant, user, seq);
