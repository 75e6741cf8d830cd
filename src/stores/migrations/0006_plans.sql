-- What happened to each plan: generated, or not; approved, started, finished, failed, cancelled. One row an event, as the other
-- records of the trail: see 0001. Its calls are decisions, which name it.

CREATE TABLE plans (
  id TEXT PRIMARY KEY CHECK (id = json_extract(record, '$.id')),
  seq INTEGER NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL,
  key_id TEXT NOT NULL,
  record TEXT NOT NULL,
  tenant TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.tenant')) VIRTUAL,
  user TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.user')) VIRTUAL,
  session TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.session')) VIRTUAL,
  -- NULL where it happened outside of a turn.
  turn TEXT GENERATED ALWAYS AS (json_extract(record, '$.turn')) VIRTUAL,
  at INTEGER NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.at')) VIRTUAL,
  plan TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.plan')) VIRTUAL,
  event TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.event')) VIRTUAL,
  status TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.status')) VIRTUAL
) WITHOUT ROWID;

CREATE INDEX plans_by_time ON plans (tenant, at, id);
CREATE INDEX plans_by_user ON plans (tenant, user, at, id);
CREATE INDEX plans_by_session ON plans (tenant, session, at, id);
CREATE INDEX plans_by_turn ON plans (tenant, turn, at, id) WHERE turn IS NOT NULL;
CREATE INDEX plans_by_plan ON plans (tenant, plan, at, id);
CREATE INDEX plans_by_event ON plans (tenant, event, at, id);
CREATE INDEX plans_by_status ON plans (tenant, status, at, id);
CREATE INDEX plans_by_chain ON plans (tenant, user, seq);

-- The arm of a turn's task, what system-first execution came to in it, and the plan that it ran; NULL with any other, and in
-- older records.
ALTER TABLE turns ADD COLUMN arm TEXT GENERATED ALWAYS AS (json_extract(record, '$.arm')) VIRTUAL;
ALTER TABLE turns ADD COLUMN system_first TEXT GENERATED ALWAYS AS (json_extract(record, '$.systemFirst')) VIRTUAL;
ALTER TABLE turns ADD COLUMN plan TEXT GENERATED ALWAYS AS (json_extract(record, '$.plan')) VIRTUAL;

CREATE INDEX turns_by_arm ON turns (tenant, arm, at, id) WHERE arm IS NOT NULL;
CREATE INDEX turns_by_plan ON turns (tenant, plan, at, id) WHERE plan IS NOT NULL;

-- Who made the call, where it was not the model, and the plan and the step that it is of.
ALTER TABLE decisions ADD COLUMN made_by TEXT GENERATED ALWAYS AS (json_extract(record, '$.madeBy')) VIRTUAL;
ALTER TABLE decisions ADD COLUMN plan TEXT GENERATED ALWAYS AS (json_extract(record, '$.plan')) VIRTUAL;
ALTER TABLE decisions ADD COLUMN plan_step TEXT GENERATED ALWAYS AS (json_extract(record, '$.planStep')) VIRTUAL;

CREATE INDEX decisions_by_maker ON decisions (tenant, made_by, at, id) WHERE made_by IS NOT NULL;
CREATE INDEX decisions_by_plan ON decisions (tenant, plan, at, id) WHERE plan IS NOT NULL;
