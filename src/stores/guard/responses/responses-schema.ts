/** Version 16 of the object's schema (`schema/guard-schema.ts`): kept responses. */
export const RESPONSES = `
-- Responses that follow each other. session: by the id that the client knows, '' before it has one. named: 1 for a conversation that
-- the client made. metadata: JSON. units: UTF-16 units of all that is kept in it.
CREATE TABLE response_threads (
  id TEXT PRIMARY KEY, session TEXT NOT NULL, named INTEGER NOT NULL, metadata TEXT NOT NULL, created INTEGER NOT NULL,
  seen INTEGER NOT NULL, units INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX response_threads_seen ON response_threads (seen);
-- previous: NULL where it begins a thread, or stands in a conversation. length: UTF-16 units of its items; units: of all of it.
CREATE TABLE responses (
  ordinal INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, thread TEXT NOT NULL, previous TEXT, length INTEGER NOT NULL,
  units INTEGER NOT NULL
);
CREATE INDEX responses_thread ON responses (thread, ordinal);
-- kind: \`input\`, \`output\` or \`response\`. text: JSON, cut into pieces that fit a row.
CREATE TABLE response_parts (
  response INTEGER NOT NULL, kind TEXT NOT NULL, place INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (response, kind, place)
) WITHOUT ROWID;
-- Where an item stands that a request may refer to.
CREATE TABLE response_items (id TEXT PRIMARY KEY, response INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX response_items_response ON response_items (response);
`;

/** Version 17: a response is deleted with the session that it was made in. */
export const RESPONSE_SESSIONS = `
-- session: by the id that the client knows; '' where it had none, or older code kept the response.
ALTER TABLE responses ADD COLUMN session TEXT NOT NULL DEFAULT '';
CREATE INDEX responses_session ON responses (session) WHERE session <> '';
CREATE INDEX response_threads_session ON response_threads (session) WHERE session <> '';
`;
