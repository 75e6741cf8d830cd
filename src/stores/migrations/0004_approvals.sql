-- What happened to each approval: asked, and later approved, edited, denied, expired or cancelled. One row an event, as the
-- other records of the trail: see 0001.

CREATE TABLE approvals (
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
  approval TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.approval')) VIRTUAL,
  event TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.event')) VIRTUAL,
  expires_at INTEGER NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.expiresAt')) VIRTUAL
) WITHOUT ROWID;

CREATE INDEX approvals_by_time ON approvals (tenant, at, id);
CREATE INDEX approvals_by_user ON approvals (tenant, user, at, id);
CREATE INDEX approvals_by_session ON approvals (tenant, session, at, id);
CREATE INDEX approvals_by_turn ON approvals (tenant, turn, at, id);
CREATE INDEX approvals_by_tool ON approvals (tenant, tool, at, id);
CREATE INDEX approvals_by_event ON approvals (tenant, event, at, id);
CREATE INDEX approvals_by_approval ON approvals (tenant, approval, at, id);
CREATE INDEX approvals_by_chain ON approvals (tenant, user, seq);
-- What is pending was asked, has not expired, and has no other event: a look at what was asked of late, however long the trail is.
CREATE INDEX approvals_by_expiry ON approvals (tenant, event, expires_at);

-- A decision under an approval or a grant, and one on a call that undoes another; NULL with any other, and in older records.
ALTER TABLE decisions ADD COLUMN approval TEXT GENERATED ALWAYS AS (json_extract(record, '$.approval')) VIRTUAL;
ALTER TABLE decisions ADD COLUMN granted_by TEXT GENERATED ALWAYS AS (json_extract(record, '$.grant')) VIRTUAL;
ALTER TABLE decisions ADD COLUMN undoes TEXT GENERATED ALWAYS AS (json_extract(record, '$.undoes')) VIRTUAL;

CREATE INDEX decisions_by_approval ON decisions (tenant, approval, at, id) WHERE approval IS NOT NULL;
CREATE INDEX decisions_by_grant ON decisions (tenant, granted_by, at, id) WHERE granted_by IS NOT NULL;
CREATE INDEX decisions_by_undoes ON decisions (tenant, undoes, at, id) WHERE undoes IS NOT NULL;
