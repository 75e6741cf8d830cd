import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ApprovalRecord } from "../../../src/ports/audit-record.ts";
import { approvalIndex, type IndexQuery } from "../../../src/stores/audit/d1-approvals.ts";
import { deliverRecords } from "../../../src/stores/audit/d1-audit.ts";
import { askOf, openDatabase, type TestDatabase } from "./d1.ts";
import { approvalRecord, chainOf } from "./records.ts";

const at = 1_790_000_000_000;
const hour = 3600_000;

let store: TestDatabase;
beforeAll(async () => {
  store = await openDatabase();
});
beforeEach(() => store.clear());
afterAll(() => store?.dispose());

const deliver = (...records: readonly ApprovalRecord[]) => deliverRecords(store.db, chainOf(records));
/** An approval that was asked for, and what became of it an hour later. */
function history(id: string, event?: ApprovalRecord["event"], changes: Partial<ApprovalRecord> = {}) {
  const asked = approvalRecord({ approval: `appr_${id}`, at, expiresAt: at + 24 * hour, ...changes });
  return event === undefined ? [asked] : [asked, approvalRecord({ ...asked, id: `end_${id}`, event, at: at + hour })];
}

async function list(query: Partial<IndexQuery> = {}, tenant = "acme") {
  const found = await approvalIndex(askOf(store.db)).list(tenant, {
    now: at + 2 * hour,
    limit: 20,
    order: "asc",
    ...query,
  });
  return found.ok ? found.value.data.map(({ id, status }) => `${id} ${status}`) : found.error;
}

describe("the index of a tenant's approvals", () => {
  test("tells each as it stands, and finds it by that", async () => {
    await deliver(
      ...history("waits", undefined, { at: at + 1 }),
      ...history("yes", "approved", { at: at + 2 }),
      ...history("changed", "edited", { at: at + 3 }),
      ...history("no", "denied", { at: at + 4, user: "bob" }),
      ...history("late", "expired", { at: at + 5, expiresAt: at + hour }),
      ...history("gone", "cancelled", { at: at + 6 }),
      // Nobody has noted it yet.
      ...history("silent", undefined, { at: at + 7, expiresAt: at + hour, user: "bob" }),
      ...history("foreign", undefined, { tenant: "other" }),
    );
    expect(await list()).toEqual([
      "appr_waits pending",
      "appr_yes approved",
      "appr_changed approved",
      "appr_no denied",
      "appr_late expired",
      "appr_gone cancelled",
      "appr_silent expired",
    ]);
    expect(await list({ status: "pending" })).toEqual(["appr_waits pending"]);
    expect(await list({ status: "approved" })).toEqual(["appr_yes approved", "appr_changed approved"]);
    expect(await list({ status: "denied" })).toEqual(["appr_no denied"]);
    expect(await list({ status: "expired" })).toEqual(["appr_late expired", "appr_silent expired"]);
    expect(await list({ status: "cancelled" })).toEqual(["appr_gone cancelled"]);
    expect(await list({ user: "bob" })).toEqual(["appr_no denied", "appr_silent expired"]);
    expect(await list({ status: "pending", user: "bob" })).toEqual([]);
    expect(await list({ status: "pending", now: at + 30 * 60_000, user: "bob" })).toEqual(["appr_silent pending"]);
    expect(await list({ status: "pending" }, "other")).toEqual(["appr_foreign pending"]);
    expect(await list({}, "nobody")).toEqual([]);
  });

  test("no longer tells one as pending in the millisecond in which it expires", async () => {
    await deliver(...history("a"));
    expect(await list({ status: "pending", now: at + 24 * hour - 1 })).toEqual(["appr_a pending"]);
    expect(await list({ status: "pending", now: at + 24 * hour })).toEqual([]);
    expect(await list({ status: "expired", now: at + 24 * hour })).toEqual(["appr_a expired"]);
  });

  test("takes an answer that came before the question for what it is, once both are there", async () => {
    const [asked, answered] = chainOf(history("a", "denied"));
    if (!asked || !answered) throw new Error("no records");
    await deliverRecords(store.db, [answered]);
    expect(await list()).toEqual([]);
    await deliverRecords(store.db, [asked]);
    expect(await list({ status: "pending" })).toEqual([]);
    expect(await list()).toEqual(["appr_a denied"]);
  });

  test("tells how it ended at last: what was approved and never released may be cancelled", async () => {
    const [asked, approved] = history("a", "approved") as [ApprovalRecord, ApprovalRecord];
    // In the same millisecond: its place in the chain decides, not its id.
    const cancelled = { ...approved, id: "a_first", event: "cancelled" } as const;
    await deliver(asked, approved, cancelled);
    expect(await list()).toEqual(["appr_a cancelled"]);
    expect(await list({ status: "approved" })).toEqual([]);
    expect(await approvalIndex(askOf(store.db)).find("acme", "appr_a", at)).toMatchObject({ ended: cancelled });
  });

  test("finds one by its id, in its own tenant alone, with whose it is and how it ended", async () => {
    const [asked, edited] = history("a", "edited", { user: "bob" });
    await deliver(asked as ApprovalRecord, edited as ApprovalRecord);
    const index = approvalIndex(askOf(store.db));
    const found = { id: "appr_a", user: "bob", status: "approved", question: asked, ended: edited };
    expect(await index.find("acme", "appr_a", at)).toEqual(found);
    expect(await index.find("other", "appr_a", at)).toBeUndefined();
    expect(await index.find("acme", "appr_b", at)).toBeUndefined();
    await deliver(...history("c"));
    expect(await index.find("acme", "appr_c", at)).toMatchObject({ status: "pending", ended: undefined });
  });

  test.each([{}, { status: "pending" }, { status: "denied" }, { user: "ada" }] as const)(
    "pages are whole and in order: %o",
    async (filter) => {
      // Several of one millisecond: the record's id decides among them.
      const asked = Array.from({ length: 9 }, (_, n) => history(String(n), undefined, { at: at + Math.floor(n / 3) }));
      const all = asked.flat().sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
      const denied =
        filter.status === "denied"
          ? all.map((one) => approvalRecord({ ...one, id: `e${one.id}`, event: "denied" }))
          : [];
      await deliver(...all, ...denied);
      for (const order of ["asc", "desc"] as const) {
        const seen: string[] = [];
        const sizes: [number, boolean][] = [];
        for (let more = true; more; ) {
          const after = seen.at(-1);
          const page = await approvalIndex(askOf(store.db)).list("acme", {
            ...filter,
            now: at,
            limit: 4,
            order,
            after,
          });
          if (!page.ok) throw new Error(page.error);
          seen.push(...page.value.data.map(({ id }) => id));
          more = page.value.hasMore;
          sizes.push([page.value.data.length, more]);
        }
        const ids = all.map(({ approval }) => approval);
        expect(seen).toEqual(order === "asc" ? ids : ids.toReversed());
        expect(sizes).toEqual([
          [4, true],
          [4, true],
          [1, false],
        ]);
      }
    },
  );

  test("says so where the page is to begin after one that is unknown, or of another tenant", async () => {
    await deliver(...history("foreign", undefined, { tenant: "other" }));
    expect(await list({ after: "appr_x" })).toBe("unknown_cursor");
    expect(await list({ after: "appr_foreign" })).toBe("unknown_cursor");
  });

  test.each([
    [{ status: "pending" }, "approvals_by_expiry (tenant=? AND event=? AND expires_at>?)", true],
    [{ status: "pending", user: "ada" }, "approvals_by_expiry (tenant=? AND event=? AND expires_at>?)", true],
    [{ status: "denied" }, "approvals_by_event (tenant=? AND event=?)", false],
    [{ user: "ada" }, "approvals_by_user (tenant=? AND user=?)", false],
  ] as const)("%o walks an index", async (filter, index, sorted) => {
    const asked: string[] = [];
    const spy = Object.create(store.db) as D1Database;
    spy.prepare = (sql) => {
      asked.push(sql);
      return store.db.prepare(sql);
    };
    spy.batch = (statements) => store.db.batch(statements);
    await approvalIndex(askOf(spy)).list("acme", { ...filter, now: at, limit: 20 });
    const sql = asked[0] ?? "";
    const values = Array.from(sql.matchAll(/\?/g), () => "x");
    const { results } = await store.db
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind(...values)
      .all<{ detail: string }>();
    const plan = results.map(({ detail }) => detail).join("\n");
    expect(plan).toContain(index);
    expect(plan).toMatch(/SEARCH l USING INDEX approvals_by_approval/);
    expect(plan).not.toMatch(/SCAN/);
    // The few events of one approval are sorted in any case.
    expect(plan.match(/TEMP B-TREE/g)?.length).toBe(sorted ? 2 : 1);
  });
});
