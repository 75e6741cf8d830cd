import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import type { Result } from "../../../src/lib/result.ts";
import type { AuditRecord, DecisionRecord } from "../../../src/ports/audit-record.ts";
import { verifyChain } from "../../../src/stores/audit/audit-chain.ts";
import { deliverRecords, firstMisindexed, ROWS_BY_KEY } from "../../../src/stores/audit/d1-audit.ts";
import type { UnknownCursor } from "../../../src/stores/audit/d1-audit-query.ts";
import { queryRecords, type RecordPage, readChain } from "../../../src/stores/audit/d1-audit-query.ts";
import { COMPARE_VARIANTS } from "../../../src/stores/audit/d1-experiments.ts";
import { auditTables } from "../../../src/stores/audit/record-kinds.ts";
import { openDatabase, type TestDatabase } from "./d1.ts";
import { chainOf, decisionRecord, keys, turnRecord } from "./records.ts";

let store: TestDatabase;
beforeAll(async () => {
  store = await openDatabase();
});
beforeEach(() => store.clear());
afterAll(() => store?.dispose());

const ada = { tenant: "acme", user: "ada" };
const deliver = (records: readonly AuditRecord[]) => deliverRecords(store.db, chainOf(records));

/** The ids that a query found, or its error. */
async function ids(found: Promise<Result<RecordPage<AuditRecord>, UnknownCursor>>) {
  const page = await found;
  return page.ok ? page.value.rows.map(({ record }) => record.id) : page.error;
}

describe("deliverRecords", () => {
  test("what is read back is what was sealed, across batches, and verifies", async () => {
    const records = Array.from({ length: 300 }, (_, n) =>
      n % 7 === 0 ? turnRecord() : decisionRecord({ ordinal: n }),
    );
    const chain = chainOf(records);
    await deliverRecords(store.db, chain);
    const read = [
      ...(await readChain(store.db, ada, { afterSeq: 0, limit: 200 })),
      ...(await readChain(store.db, ada, { afterSeq: 200, limit: 200 })),
    ];
    expect(read).toEqual(chain);
    expect(verifyChain(keys, read, { ...ada, head: chain.at(-1) })).toEqual({ ok: true });
    expect(await readChain(store.db, { tenant: "acme", user: "bob" }, { afterSeq: 0, limit: 10 })).toEqual([]);
  });

  test("delivered again, in parts and out of order, it changes nothing", async () => {
    const limited = { code: "rate_limited", tool: "t", max: 1, windowMs: 1, retryAfterMs: 1 } as const;
    const records = [turnRecord(), decisionRecord({ effect: "deny", reasons: [limited, limited] }), decisionRecord()];
    const chain = chainOf(records);
    await deliverRecords(store.db, chain.slice(1));
    await deliverRecords(store.db, chain);
    await deliverRecords(store.db, chainOf([{ ...records[0], id: records[0]?.id, role: "forged" } as AuditRecord]));
    await deliverRecords(store.db, []);
    expect(await readChain(store.db, ada, { afterSeq: 0, limit: 10 })).toEqual(chain);
    const { results } = await store.db.prepare("SELECT code, decision_id FROM decision_reasons").all();
    expect(results).toEqual([{ code: "rate_limited", decision_id: records[1]?.id }]);
  });

  test("an alteration in the database shows", async () => {
    const chain = chainOf([turnRecord(), decisionRecord({ effect: "deny" }), decisionRecord()]);
    await deliverRecords(store.db, chain);
    await store.db.prepare("UPDATE decisions SET record = json_set(record, '$.effect', 'allow') WHERE seq = 2").run();
    const read = await readChain(store.db, ada, { afterSeq: 0, limit: 10 });
    expect(verifyChain(keys, read, ada)).toEqual({ ok: false, at: 2, problem: "altered" });
  });

  test("a record whose id is another's is refused, and its whole batch with it", async () => {
    const [turn, decision] = chainOf([turnRecord(), decisionRecord()]);
    if (!turn || !decision) throw new Error("no records");
    await deliverRecords(store.db, [turn]);
    const statement =
      "INSERT INTO turns (id, seq, previous, hash, key_id, record) SELECT 'other', seq, previous, hash, key_id, record FROM turns";
    await expect(store.db.prepare(statement).run()).rejects.toThrow(/CHECK/);
    const broken = { ...decision, record: { ...decision.record, tenant: null } as unknown as DecisionRecord };
    await expect(deliverRecords(store.db, [chainOf([turnRecord()])[0] ?? turn, broken])).rejects.toThrow(/NOT NULL/);
    expect(await ids(queryRecords(store.db, "turn", "acme", {}, {}))).toEqual([turn.record.id]);
  });
});

describe("queries", () => {
  const at = 1_790_000_000_000;

  test("each filter finds its own and no other tenant's", async () => {
    const denied = decisionRecord({
      at: at + 5,
      user: "bob",
      session: "s2",
      turn: "turn_2",
      tool: "rm",
      effect: "deny",
      reasons: [
        { code: "mode_forbids", tool: "rm", mode: "read_only" },
        { code: "auth_required", tool: "rm" },
      ],
    });
    await deliver([decisionRecord({ at })]);
    await deliver([denied]);
    await deliver([{ ...denied, id: newId("dec", at), tenant: "other" }]);
    const filters = [
      { user: "bob" },
      { session: "s2" },
      { turn: "turn_2" },
      { tool: "rm" },
      { effect: "deny" },
      { reason: "mode_forbids" },
      { reason: "auth_required", tool: "rm", from: at + 5, to: at + 6 },
      { reason: "mode_forbids", user: "bob" },
      { tool: "rm", effect: "deny" },
      { from: at + 1 },
    ] as const;
    for (const filter of filters) {
      expect(await ids(queryRecords(store.db, "decision", "acme", filter, {})), JSON.stringify(filter)).toEqual([
        denied.id,
      ]);
    }
    expect(await ids(queryRecords(store.db, "decision", "acme", { to: at }, {}))).toEqual([]);
    expect(
      await ids(queryRecords(store.db, "decision", "acme", { reason: "mode_forbids", effect: "allow" }, {})),
    ).toEqual([]);
    expect(await ids(queryRecords(store.db, "decision", "acme", { user: "x' OR 1=1 --" }, {}))).toEqual([]);
  });

  test("turns are found by id, stop reason, user, session, arm and plan", async () => {
    const stopped = turnRecord({
      user: "bob",
      session: "s2",
      stopReason: "step_limit",
      arm: "llm_first",
      plan: "plan_1",
    });
    await deliver([turnRecord()]);
    await deliver([stopped]);
    const own = [{ turn: stopped.id }, { stop_reason: "step_limit" }, { user: "bob" }, { session: "s2" }];
    for (const filter of [...own, { arm: "llm_first" }, { plan: "plan_1" }] as const) {
      expect(await ids(queryRecords(store.db, "turn", "acme", filter, {}))).toEqual([stopped.id]);
    }
  });

  test.each([undefined, "mode_forbids"])("pages are whole and in order (reason: %s)", async (reason) => {
    const reasons = [{ code: "mode_forbids", tool: "t", mode: "m" } as const];
    // Several of one millisecond: the id decides among them.
    const records = Array.from({ length: 9 }, (_, n) => decisionRecord({ at: at + Math.floor(n / 3), reasons }));
    await deliver(records);
    const sorted = [...records].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
    for (const order of ["asc", "desc"] as const) {
      const found: string[] = [];
      const sizes: [number, boolean][] = [];
      for (let more = true; more; ) {
        const page = await queryRecords(
          store.db,
          "decision",
          "acme",
          { reason },
          { limit: 4, order, after: found.at(-1) },
        );
        if (!page.ok) throw new Error(page.error);
        found.push(...page.value.rows.map(({ record }) => record.id));
        more = page.value.hasMore;
        sizes.push([page.value.rows.length, more]);
      }
      expect(found).toEqual(order === "asc" ? sorted : sorted.toReversed());
      expect(sizes).toEqual([
        [4, true],
        [4, true],
        [1, false],
      ]);
    }
  });

  test("a cursor of nobody, or of another tenant, is told", async () => {
    const foreign = turnRecord({ tenant: "other" });
    await deliver([foreign]);
    expect(await ids(queryRecords(store.db, "turn", "acme", {}, { after: "turn_x" }))).toBe("unknown_cursor");
    for (const after of ["dec_x", newId("dec", at)])
      expect(await ids(queryRecords(store.db, "decision", "acme", {}, { after }))).toBe("unknown_cursor");
    expect(await ids(queryRecords(store.db, "turn", "acme", {}, { after: foreign.id }))).toBe("unknown_cursor");
  });

  /** The plan of the statement that a query prepares first. */
  async function planOf(query: (db: D1Database) => Promise<unknown>): Promise<string> {
    const asked: string[] = [];
    const spy = Object.create(store.db) as D1Database;
    spy.prepare = (sql) => {
      asked.push(sql);
      return store.db.prepare(sql);
    };
    spy.batch = (statements) => store.db.batch(statements);
    await query(spy);
    const explained = asked.map((sql) => {
      const numbered = new Set(sql.match(/\?\d+/g));
      const values = Array.from([...(numbered.size > 0 ? numbered : sql.matchAll(/\?/g))], () => "x");
      return store.db.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...values);
    });
    return JSON.stringify((await store.db.batch(explained)).map(({ results }) => results));
  }

  test.each([
    [{}, "decisions_by_time"],
    [{ user: "ada", from: 1, to: 2 }, "decisions_by_user"],
    [{ effect: "deny", from: 1, to: 2 }, "decisions_by_effect"],
    // Most are allowed, and are found by time.
    [{ effect: "allow", from: 1, to: 2 }, "decisions_by_time"],
    [{ tool: "rm", effect: "allow" }, "decisions_by_tool"],
    [{ tool: "rm", effect: "deny", from: 1 }, "decisions_by_tool_effect"],
    [{ user: "ada", reason: "mode_forbids" }, "decisions_by_user"],
    [{ tool: "rm", reason: "mode_forbids" }, "decision_reasons"],
    [{ turn: "turn_1", user: "ada" }, "decisions_by_turn"],
    [{ session: "s1" }, "decisions_by_session"],
    [{ approval: "appr_1", turn: "turn_1" }, "decisions_by_approval"],
    [{ undoes: "dec_1", user: "ada" }, "decisions_by_undoes"],
    [{ grant: "grant_1", tool: "rm" }, "decisions_by_grant"],
    [{ reason: "mode_forbids", from: 1 }, "decision_reasons"],
    [{ plan: "plan_1", made_by: "plan", user: "ada" }, "decisions_by_plan"],
    [{ made_by: "system", effect: "deny", from: 1 }, "decisions_by_maker"],
  ] as const)("decisions by %o walk an index and are not sorted", async (filter, index) => {
    const plan = await planOf((db) => queryRecords(db, "decision", "acme", filter, {}));
    expect(plan).toMatch(new RegExp(`SEARCH \\w USING (INDEX ${index}|PRIMARY KEY)`));
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
  });

  test.each([
    [{}, "decisions_by_time"],
    [{ tool: "rm" }, "decisions_by_tool (tenant=? AND tool=? AND at=? AND id=?)"],
    [{ tool: "rm", effect: "deny" }, "decisions_by_tool_effect (tenant=? AND tool=? AND effect=? AND at=? AND id=?)"],
    [{ effect: "confirm" }, "decisions_by_effect (tenant=? AND effect=? AND at=? AND id=?)"],
  ] as const)("decisions by a reason and %o read no row that does not fit", async (filter, index) => {
    const plan = await planOf((db) => queryRecords(db, "decision", "acme", { ...filter, reason: "mode_forbids" }, {}));
    expect(plan).toContain("SEARCH r USING PRIMARY KEY");
    expect(plan).toContain(`SEARCH t USING INDEX ${index}`);
  });

  test.each([
    [{}, "approvals_by_time"],
    [{ user: "ada", event: "denied" }, "approvals_by_user"],
    [{ session: "s1", tool: "rm" }, "approvals_by_session"],
    [{ tool: "rm", event: "denied" }, "approvals_by_tool"],
    [{ event: "denied", from: 1, to: 2 }, "approvals_by_event"],
    [{ turn: "turn_1", user: "ada" }, "approvals_by_turn"],
    [{ approval: "appr_1", turn: "turn_1" }, "approvals_by_approval"],
  ] as const)("approvals by %o walk an index and are not sorted", async (filter, index) => {
    const plan = await planOf((db) => queryRecords(db, "approval", "acme", filter, {}));
    expect(plan).toContain(`SEARCH t USING INDEX ${index}`);
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
  });

  test.each([
    [{}, "runs_by_time"],
    [{ user: "ada", status: "failed" }, "runs_by_user"],
    [{ session: "s1", tool: "rm" }, "runs_by_session"],
    [{ tool: "rm", status: "failed" }, "runs_by_tool"],
    [{ status: "unknown", from: 1, to: 2 }, "runs_by_status"],
    [{ status: "succeeded", from: 1, to: 2 }, "runs_by_time"],
    [{ executor: "mcp" }, "runs_by_executor"],
    [{ turn: "turn_1", user: "ada" }, "runs_by_turn"],
    [{ decision: "dec_1", turn: "turn_1" }, "runs_by_decision"],
  ] as const)("runs by %o walk an index and are not sorted", async (filter, index) => {
    const plan = await planOf((db) => queryRecords(db, "run", "acme", filter, {}));
    expect(plan).toContain(`SEARCH t USING INDEX ${index}`);
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
  });

  test.each([
    [{}, "connections_by_time"],
    [{ user: "ada", event: "removed" }, "connections_by_user"],
    [{ provider: "crm", from: 1, to: 2 }, "connections_by_provider"],
    [{ event: "set" }, "connections_by_event"],
  ] as const)("connections by %o walk an index and are not sorted", async (filter, index) => {
    const plan = await planOf((db) => queryRecords(db, "connection", "acme", filter, {}));
    expect(plan).toContain(`SEARCH t USING INDEX ${index}`);
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
  });

  test.each([
    [{}, "plans_by_time"],
    [{ user: "ada", event: "failed" }, "plans_by_user"],
    [{ session: "s1", status: "failed" }, "plans_by_session"],
    [{ event: "planning_error", from: 1, to: 2 }, "plans_by_event"],
    [{ status: "paused" }, "plans_by_status"],
    [{ turn: "turn_1", user: "ada" }, "plans_by_turn"],
    [{ plan: "plan_1", turn: "turn_1" }, "plans_by_plan"],
  ] as const)("plans by %o walk an index and are not sorted", async (filter, index) => {
    const plan = await planOf((db) => queryRecords(db, "plan", "acme", filter, {}));
    expect(plan).toContain(`SEARCH t USING INDEX ${index}`);
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
  });

  test.each([
    [{ arm: "system_first", from: 1, to: 2 }, "turns_by_arm"],
    [{ stop_reason: "step_limit", from: 1, to: 2 }, "turns_by_stop_reason"],
    [{ stop_reason: "completed", from: 1, to: 2 }, "turns_by_time"],
    [{ plan: "plan_1", user: "ada" }, "turns_by_plan"],
  ] as const)("turns by %o walk an index and are not sorted", async (filter, index) => {
    const plan = await planOf((db) => queryRecords(db, "turn", "acme", filter, {}));
    expect(plan).toContain(`SEARCH t USING INDEX ${index}`);
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
  });

  test("variants are compared by an index", async () => {
    const explained = await store.db
      .prepare(`EXPLAIN QUERY PLAN ${COMPARE_VARIANTS}`)
      .bind(1, 1, 1, 1, 1, 1)
      .all<{ detail: string }>();
    const steps = explained.results.map(({ detail }) => detail);
    const reads = steps.filter((step) => /\b[adr]\b/.test(step) && /^(SCAN|SEARCH)/.test(step));
    expect(reads[0]).toBe("SEARCH a USING PRIMARY KEY (tenant=? AND at>? AND at<?)");
    for (const step of reads.slice(1)) expect(step).toMatch(/^SEARCH (d USING INDEX decisions_by_turn|r USING )/);
  });

  test("the decision that a page begins after is found by its key", async () => {
    const after = newId("dec", at);
    const plan = await planOf((db) => queryRecords(db, "decision", "acme", { user: "ada" }, { after }));
    expect(plan.split("SEARCH decisions USING INDEX decisions_by_time (tenant=? AND at=? AND id=?)")).toHaveLength(3);
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
  });

  test.each(auditTables)("rows of %s are found by their keys without a scan", async (table) => {
    const plan = await planOf((db) => db.prepare(`DELETE FROM ${table} WHERE ${ROWS_BY_KEY}`).bind("x", "[]").run());
    expect(plan).toContain(`SEARCH ${table} USING INDEX ${table}_by_time (tenant=? AND at=? AND id=?)`);
    expect(plan).not.toMatch(/SCAN (?!json_each)/);
  });

  test("what is indexed of records is derived by their keys", async () => {
    const records = chainOf([decisionRecord(), turnRecord({ arm: "system_first" })]);
    await deliverRecords(store.db, records);
    expect(await firstMisindexed(store.db, records)).toBeUndefined();
    const plan = await planOf((db) => firstMisindexed(db, records));
    for (const table of ["decisions", "turns"])
      expect(plan).toContain(`SEARCH t USING INDEX ${table}_by_time (tenant=? AND at=? AND id=?)`);
    expect(plan).not.toMatch(/_by_chain|SCAN (t|decision_reasons|armed_turns)\b/);
  });

  test("a chain is read by its own index in each table, and merged", async () => {
    const plan = await planOf((db) => readChain(db, ada, { afterSeq: 0, limit: 1 }));
    for (const table of auditTables) expect(plan).toContain(`USING INDEX ${table}_by_chain`);
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
  });
});
