-- What retention removed of each user's chain: the records up to and with `seq`, the last of which had `hash`. Signed with an
-- audit key, so that who can write to this database can make none. `gaps`: JSON, the places [from, to] where records were
-- already missing or did not follow each other when they were removed.
CREATE TABLE checkpoints (
  tenant TEXT NOT NULL,
  user TEXT NOT NULL,
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  gaps TEXT NOT NULL,
  at INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  signature TEXT NOT NULL,
  PRIMARY KEY (tenant, user)
) WITHOUT ROWID;
