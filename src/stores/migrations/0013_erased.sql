-- What is left of records whose user was erased: their places in the chain. `user` names the erasure. As the other records of the
-- trail: see 0001.

CREATE TABLE erased_records (
  id TEXT NOT NULL PRIMARY KEY CHECK (id = json_extract(record, '$.id')),
  seq INTEGER NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL,
  key_id TEXT NOT NULL,
  record TEXT NOT NULL,
  tenant TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.tenant')) STORED,
  user TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.user')) STORED,
  at INTEGER NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.at')) STORED
);

CREATE INDEX erased_records_by_time ON erased_records (tenant, at, id);
CREATE INDEX erased_records_by_user ON erased_records (tenant, user, at, id);
CREATE INDEX erased_records_by_chain ON erased_records (tenant, user, seq);

-- Who was erased of late, by a keyed digest: a message of the queue that comes late may hold their records of before that time.
CREATE TABLE erased_users (tag TEXT NOT NULL, before INTEGER NOT NULL, PRIMARY KEY (tag, before)) WITHOUT ROWID;
