/** The tables of a TenantLedger that hold API keys. This page is their storage schema. */

export const keyTables = `
-- A key as operators see it; KV holds what requests are checked against. record: JSON of a KeyRecord. state: new until KV
-- has its first token, then live; revoked until KV has none of its tokens any more, then the row goes.
CREATE TABLE keys (id TEXT PRIMARY KEY, record TEXT NOT NULL, state TEXT NOT NULL) WITHOUT ROWID;
-- A key's tokens, by the SHA-256 of each. state: new until KV has it, then live; ended where KV must not have it, which
-- nothing undoes. ends: when a rotated token ends. swept: times that KV has deleted it. due: when KV must be brought in
-- line (again); NULL where it is.
CREATE TABLE key_tokens (
  hash TEXT PRIMARY KEY, key TEXT NOT NULL, state TEXT NOT NULL, ends INTEGER, swept INTEGER NOT NULL DEFAULT 0, due INTEGER
) WITHOUT ROWID;
CREATE INDEX key_tokens_key ON key_tokens (key);
CREATE INDEX key_tokens_due ON key_tokens (due);`;
