-- What the two arms of system-first execution are compared by: a row for each turn that has an arm, made of its record. Apart, and
-- narrow: a comparison reads every turn of its range, and would else read every record whole.
CREATE TABLE armed_turns (
  tenant TEXT NOT NULL,
  at INTEGER NOT NULL,
  id TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
  user TEXT NOT NULL,
  session TEXT NOT NULL,
  arm TEXT NOT NULL,
  -- Whether it looked at a new message, which answers no question for values: then a task begins with it.
  begins INTEGER NOT NULL,
  intent TEXT,
  policy TEXT NOT NULL,
  model TEXT NOT NULL,
  calls INTEGER NOT NULL,
  ms INTEGER NOT NULL,
  -- As the upstream told them; NULL where it told no count.
  prompt INTEGER,
  completion INTEGER,
  total INTEGER,
  outcome TEXT,
  stop_reason TEXT NOT NULL,
  failed INTEGER NOT NULL,
  PRIMARY KEY (tenant, at, id)
) WITHOUT ROWID;

CREATE INDEX armed_turns_by_turn ON armed_turns (id);
