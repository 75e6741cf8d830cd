-- The notes of the built-in tools: each of one tenant and user, and every statement names both.

CREATE TABLE notes (
  row INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  user TEXT NOT NULL,
  id TEXT NOT NULL,
  -- A word that the index holds with this user's notes and no others, so that a search reads no one else's.
  owner TEXT NOT NULL,
  version INTEGER NOT NULL,
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  tags TEXT NOT NULL CHECK (json_valid(tags)),
  -- With word bounds where the script has none (Chinese, Japanese, …); NULL where the text is indexed as it is.
  bounded_title TEXT,
  bounded_content TEXT,
  bounded_tags TEXT,
  -- The decision that made this version: the same one does not make another.
  made_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  UNIQUE (tenant, user, id)
);

CREATE INDEX notes_by_change ON notes (tenant, user, updated_at) WHERE deleted_at IS NULL;
CREATE INDEX notes_by_deletion ON notes (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX notes_deleted_by_user ON notes (tenant, user, deleted_at) WHERE deleted_at IS NOT NULL;

-- What a note was before: the last versions of it, to which an edit can go back.
CREATE TABLE note_versions (
  tenant TEXT NOT NULL,
  user TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  tags TEXT NOT NULL,
  made_by TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  PRIMARY KEY (tenant, user, id, version)
);

-- How many notes a user has that are not deleted, so that the bound costs one row read.
CREATE TABLE note_counts (
  tenant TEXT NOT NULL,
  user TEXT NOT NULL,
  live INTEGER NOT NULL,
  PRIMARY KEY (tenant, user)
) WITHOUT ROWID;

CREATE VIEW notes_to_index AS
  SELECT row, owner, coalesce(bounded_title, title) AS title, coalesce(bounded_content, content) AS content,
    coalesce(bounded_tags, tags) AS tags
  FROM notes WHERE deleted_at IS NULL;

CREATE VIRTUAL TABLE notes_index USING fts5(
  owner, title, content, tags,
  content = 'notes_to_index', content_rowid = 'row', tokenize = 'porter unicode61 remove_diacritics 2'
);

-- What is deleted leaves no words in the index.
INSERT INTO notes_index (notes_index, rank) VALUES ('secure-delete', 1);

CREATE TRIGGER notes_inserted AFTER INSERT ON notes WHEN new.deleted_at IS NULL BEGIN
  INSERT INTO notes_index (rowid, owner, title, content, tags) VALUES (new.row, new.owner,
    coalesce(new.bounded_title, new.title), coalesce(new.bounded_content, new.content), coalesce(new.bounded_tags, new.tags));
  INSERT INTO note_counts VALUES (new.tenant, new.user, 1) ON CONFLICT DO UPDATE SET live = live + 1;
END;

-- Before the update, and the new words after it: the order of two triggers at one time is not told.
CREATE TRIGGER notes_leave BEFORE UPDATE ON notes WHEN old.deleted_at IS NULL BEGIN
  INSERT INTO notes_index (notes_index, rowid, owner, title, content, tags) VALUES ('delete', old.row, old.owner,
    coalesce(old.bounded_title, old.title), coalesce(old.bounded_content, old.content), coalesce(old.bounded_tags, old.tags));
  UPDATE note_counts SET live = live - 1 WHERE tenant = old.tenant AND user = old.user;
END;

CREATE TRIGGER notes_enter AFTER UPDATE ON notes WHEN new.deleted_at IS NULL BEGIN
  INSERT INTO notes_index (rowid, owner, title, content, tags) VALUES (new.row, new.owner,
    coalesce(new.bounded_title, new.title), coalesce(new.bounded_content, new.content), coalesce(new.bounded_tags, new.tags));
  INSERT INTO note_counts VALUES (new.tenant, new.user, 1) ON CONFLICT DO UPDATE SET live = live + 1;
END;

CREATE TRIGGER notes_deleted AFTER DELETE ON notes WHEN old.deleted_at IS NULL BEGIN
  INSERT INTO notes_index (notes_index, rowid, owner, title, content, tags) VALUES ('delete', old.row, old.owner,
    coalesce(old.bounded_title, old.title), coalesce(old.bounded_content, old.content), coalesce(old.bounded_tags, old.tags));
  UPDATE note_counts SET live = live - 1 WHERE tenant = old.tenant AND user = old.user;
END;

CREATE TRIGGER notes_forgotten AFTER DELETE ON notes BEGIN
  DELETE FROM note_versions WHERE tenant = old.tenant AND user = old.user AND id = old.id;
END;
