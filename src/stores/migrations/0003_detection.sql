-- What was detected in the user's message, for who asks of intents across turns; NULL on a continuation, and in older records.
ALTER TABLE turns ADD COLUMN detection TEXT GENERATED ALWAYS AS (json_extract(record, '$.detection')) VIRTUAL;
