/**
 * The statements that compare the two arms. All read the same: the turns of a tenant's tasks in a range of time, each with the
 * task that it belongs to. Only constants: nothing of a request is in SQL text.
 *
 * Parameters: ?1 tenant, ?2 from, ?3 to, ?4 intent or NULL, ?5 policy or NULL, ?6 rows.
 */

const RANGE = "FROM armed_turns WHERE tenant = ?1 AND at >= ?2 AND at < ?3";

/** Counts one more than the limit at most. */
export const COUNT_ARMED = `SELECT COUNT(*) AS n FROM (SELECT 1 ${RANGE} LIMIT ?4 + 1)`;

/**
 * A task begins with a turn that looked at a new message, and goes on with the turns of its session that did not, or whose
 * message answers the gateway's question for values. Its intent, its policy and its arm are those that it began with: what came of it must not choose where it is counted.
 */
const CHOSEN = `WITH placed AS (
  SELECT *, SUM(begins) OVER (PARTITION BY user, session ORDER BY at, id) AS task ${RANGE}),
joined AS (
  SELECT id, user, session, task, begins, calls, ms, prompt, completion, total, outcome, stop_reason, failed,
    calls > 0 AND total IS NULL AS untold, ROW_NUMBER() OVER own AS place,
    FIRST_VALUE(arm) OVER own AS arm, FIRST_VALUE(intent) OVER own AS intent,
    FIRST_VALUE(policy) OVER own AS policy, FIRST_VALUE(model) OVER own AS model
  FROM placed WHERE task > 0 WINDOW own AS (PARTITION BY user, session, task ORDER BY at, id)),
chosen AS (SELECT * FROM joined WHERE (?4 IS NULL OR intent = ?4) AND (?5 IS NULL OR policy = ?5)),
-- Each turn counts for its intent, and for all of them.
scopes (whole) AS (VALUES (0), (1)),
scoped AS (SELECT whole, CASE WHEN whole THEN NULL ELSE intent END AS scope, chosen.* FROM chosen CROSS JOIN scopes)`;

const BY_SCOPE = "GROUP BY whole, scope, arm ORDER BY whole DESC, scope, arm LIMIT ?6";
const OWN_SCOPE = "whole, scope AS intent, arm";

/** The least value that so many of a hundred are not above. */
const percentile = (hundredths: number) => `MAX(CASE WHEN rank = (n * ${hundredths} + 99) / 100 THEN ms END)`;
const TIMES = `AVG(ms) AS mean, ${percentile(50)} AS p50, ${percentile(95)} AS p95`;
const RANKED = `ROW_NUMBER() OVER (PARTITION BY whole, scope, arm ORDER BY ms) AS rank,
  COUNT(*) OVER (PARTITION BY whole, scope, arm) AS n`;

export const OF_TURNS = `${CHOSEN}, ranked AS (SELECT *, ${RANKED} FROM scoped)
SELECT ${OWN_SCOPE}, COUNT(*) AS turns, SUM(begins) AS tasks, COUNT(DISTINCT user) AS users, SUM(calls) AS calls,
  SUM(prompt) AS prompt, SUM(completion) AS completion, SUM(total) AS total, SUM(untold) AS untold, ${TIMES}, SUM(failed) AS errors
FROM ranked ${BY_SCOPE}`;

const outcomes = ["ran", "asked_person", "refused", "denied_by_person", "asked_values", "left"];

/**
 * How long the turns of a task took together, what they used, where every one of them told it, and what system-first execution
 * came to in the last that tells: with one MAX alone, SQLite takes `outcome` from the row that holds it.
 */
export const OF_TASKS = `${CHOSEN},
tasks AS (
  SELECT whole, scope, arm, SUM(ms) AS ms, SUM(untold) = 0 AS told, TOTAL(total) AS total,
    CASE WHEN SUM(calls > 0 AND prompt IS NULL) = 0 THEN TOTAL(prompt) END AS prompt,
    CASE WHEN SUM(calls > 0 AND completion IS NULL) = 0 THEN TOTAL(completion) END AS completion,
    SUM(outcome IS 'asked_values') > 0 AS questioned, outcome, MAX(CASE WHEN outcome IS NOT NULL THEN place END) AS last_told
  FROM scoped GROUP BY whole, scope, arm, user, session, task),
ranked AS (SELECT *, ${RANKED} FROM tasks)
SELECT ${OWN_SCOPE}, ${TIMES}, SUM(told) AS told, AVG(CASE WHEN told THEN total END) AS total,
  AVG(CASE WHEN told THEN prompt END) AS prompt, AVG(CASE WHEN told THEN completion END) AS completion,
  SUM(questioned) AS questioned, ${outcomes.map((one) => `SUM(outcome IS '${one}') AS came_to_${one}`).join(", ")},
  SUM(outcome IS NULL) AS came_to_none
FROM ranked ${BY_SCOPE}`;

const DENIED = `EXISTS (SELECT 1 FROM decision_reasons y WHERE y.decision_id = d.id AND y.code = 'approval_denied')`;

/** A confirmation that nobody could be asked for is a refusal; the no of a person who was asked is none. */
export const OF_DECISIONS = `${CHOSEN}
SELECT ${OWN_SCOPE}, COUNT(*) AS decisions,
  SUM(d.effect <> 'allow' AND json_extract(d.record, '$.disposition') <> 'asked' AND NOT ${DENIED}) AS refused,
  SUM(${DENIED}) AS denied_by_person,
  SUM(json_extract(d.record, '$.disposition') = 'asked') AS asked, SUM(d.made_by IS 'system') AS by_system
FROM scoped CROSS JOIN decisions d INDEXED BY decisions_by_turn ON d.tenant = ?1 AND d.turn = scoped.id ${BY_SCOPE}`;

/** By the decision, not by the turn that the run says: another turn may have noted its end. */
export const OF_RUNS = `${CHOSEN}
SELECT ${OWN_SCOPE}, COUNT(*) AS runs, SUM(r.status = 'succeeded') AS succeeded, SUM(r.status = 'failed') AS failed,
  SUM(r.status = 'unknown') AS unknown, SUM(r.status = 'not_started') AS not_started
FROM scoped CROSS JOIN decisions d INDEXED BY decisions_by_turn ON d.tenant = ?1 AND d.turn = scoped.id
CROSS JOIN runs r INDEXED BY runs_by_decision ON r.tenant = ?1 AND r.decision = d.id ${BY_SCOPE}`;

export const OF_ENDINGS = `${CHOSEN}
SELECT ${OWN_SCOPE}, stop_reason, COUNT(*) AS turns FROM scoped
GROUP BY whole, scope, arm, stop_reason ORDER BY whole DESC, scope, arm, stop_reason LIMIT ?6 * 16`;

/** What the tasks began under; the most used first. @param column a constant. */
const under = (column: "policy" | "model") => `${CHOSEN}
SELECT ${column} AS name, SUM(arm = 'llm_first') AS llm_first, SUM(arm = 'system_first') AS system_first
FROM chosen WHERE begins GROUP BY ${column} ORDER BY COUNT(*) DESC, ${column} LIMIT ?6`;
export const UNDER_POLICIES = under("policy");
export const UNDER_MODELS = under("model");

/**
 * Users who were in both arms with one intent, turns of tasks that began before the range, and how many tasks there are
 * whatever is asked for, of the intent that is, and under the policy.
 */
export const EDGES = `${CHOSEN}
SELECT (SELECT COUNT(DISTINCT user) FROM
    (SELECT user FROM chosen GROUP BY user, intent HAVING COUNT(DISTINCT arm) = 2)) AS in_both,
  (SELECT COUNT(*) FROM placed WHERE task = 0) AS begun_before, COUNT(*) AS of_all,
  COUNT(CASE WHEN intent = ?4 THEN 1 END) AS of_intent, COUNT(CASE WHEN policy = ?5 THEN 1 END) AS of_policy
FROM joined WHERE begins LIMIT ?6`;
