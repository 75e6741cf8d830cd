-- The bibliography of the built-in tools: sources of a tenant, which all of its users find, and of one user.

CREATE TABLE sources (
  row INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  -- Empty where it is the tenant's.
  user TEXT NOT NULL,
  id TEXT NOT NULL,
  -- As in the notes: a word that only this scope's sources have.
  owner TEXT NOT NULL,
  csl TEXT NOT NULL CHECK (json_valid(csl)),
  updated_at INTEGER NOT NULL,
  -- What is searched, with word bounds where the script has none.
  title TEXT NOT NULL,
  authors TEXT NOT NULL,
  tags TEXT NOT NULL,
  year TEXT NOT NULL,
  container TEXT NOT NULL,
  abstract TEXT NOT NULL,
  UNIQUE (tenant, user, id)
);

CREATE VIRTUAL TABLE sources_index USING fts5(
  owner, title, authors, tags, year, container, abstract,
  content = 'sources', content_rowid = 'row', tokenize = 'porter unicode61 remove_diacritics 2'
);

INSERT INTO sources_index (sources_index, rank) VALUES ('secure-delete', 1);

CREATE TRIGGER sources_inserted AFTER INSERT ON sources BEGIN
  INSERT INTO sources_index (rowid, owner, title, authors, tags, year, container, abstract)
  VALUES (new.row, new.owner, new.title, new.authors, new.tags, new.year, new.container, new.abstract);
END;

CREATE TRIGGER sources_leave BEFORE UPDATE ON sources BEGIN
  INSERT INTO sources_index (sources_index, rowid, owner, title, authors, tags, year, container, abstract)
  VALUES ('delete', old.row, old.owner, old.title, old.authors, old.tags, old.year, old.container, old.abstract);
END;

CREATE TRIGGER sources_enter AFTER UPDATE ON sources BEGIN
  INSERT INTO sources_index (rowid, owner, title, authors, tags, year, container, abstract)
  VALUES (new.row, new.owner, new.title, new.authors, new.tags, new.year, new.container, new.abstract);
END;

CREATE TRIGGER sources_deleted AFTER DELETE ON sources BEGIN
  INSERT INTO sources_index (sources_index, rowid, owner, title, authors, tags, year, container, abstract)
  VALUES ('delete', old.row, old.owner, old.title, old.authors, old.tags, old.year, old.container, old.abstract);
END;
