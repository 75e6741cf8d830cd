-- For how many days each tenant keeps its records, as the nightly sweep last read it from the policy in force, and when that was.
CREATE TABLE tenant_retention (
  tenant TEXT PRIMARY KEY,
  days INTEGER NOT NULL,
  read_at INTEGER NOT NULL
) WITHOUT ROWID;
