-- Each tenant's retention, as the nightly sweep last read it from the policy in force, and when that was.
CREATE TABLE tenant_retention (
  tenant TEXT PRIMARY KEY,
  days INTEGER NOT NULL,
  read_at INTEGER NOT NULL
) WITHOUT ROWID;

-- Rows for turns with an arm that were delivered before 0007: `verify` reports a turn without its row as tampered with.
INSERT OR IGNORE INTO armed_turns (tenant, at, id, user, session, arm, begins, intent, policy, model, calls, ms, prompt,
  completion, total, outcome, stop_reason, failed)
SELECT tenant, at, id, user, session, arm, json_type(record, '$.detection') IS 'object'
    AND json_extract(record, '$.again') IS NULL AND json_extract(record, '$.answers') IS NULL,
  COALESCE(json_extract(record, '$.intentOpened'), json_extract(record, '$.intents[0]')), json_extract(record, '$.policy'),
  COALESCE(json_extract(record, '$.model'), ''), json_extract(record, '$.steps'),
  json_extract(record, '$.endedAt') - at, prompt, completion, COALESCE(total, prompt + completion),
  json_extract(record, '$.systemFirst.outcome'), stop_reason, json_extract(record, '$.error') IS NOT NULL
FROM (
  SELECT *,
    CASE WHEN json_type(record, '$.usage.prompt_tokens') = 'integer' AND json_extract(record, '$.usage.prompt_tokens') >= 0
      THEN json_extract(record, '$.usage.prompt_tokens') END AS prompt,
    CASE WHEN json_type(record, '$.usage.completion_tokens') = 'integer' AND json_extract(record, '$.usage.completion_tokens') >= 0
      THEN json_extract(record, '$.usage.completion_tokens') END AS completion,
    CASE WHEN json_type(record, '$.usage.total_tokens') = 'integer' AND json_extract(record, '$.usage.total_tokens') >= 0
      THEN json_extract(record, '$.usage.total_tokens') END AS total
  FROM turns INDEXED BY turns_by_arm WHERE arm IS NOT NULL AND id NOT IN (SELECT id FROM armed_turns)
);

-- No statement reads them.
ALTER TABLE turns DROP COLUMN detection;
ALTER TABLE turns DROP COLUMN system_first;
