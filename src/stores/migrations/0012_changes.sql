-- What admins have changed for their whole tenant: one row an act, as the other records of the trail: see 0001.

CREATE TABLE changes (
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

CREATE INDEX changes_by_time ON changes (tenant, at, id);
CREATE INDEX changes_by_user ON changes (tenant, user, at, id);
CREATE INDEX changes_by_event ON changes (tenant, event, at, id);
CREATE INDEX changes_by_chain ON changes (tenant, user, seq);
