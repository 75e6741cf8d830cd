/** A chain of turns, decisions, approvals, runs and plans, one after another: verified, altered, and its beginning removed. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SealedRecord } from "../../../src/ports/audit-record.ts";
import type { ChainState } from "../../../src/ports/chain-port.ts";
import { genesis, signCheckpoint } from "../../../src/stores/audit/audit-chain.ts";
import { deliverRecords } from "../../../src/stores/audit/d1-audit.ts";
import { readChain } from "../../../src/stores/audit/d1-audit-query.ts";
import { moveCheckpoint, removeStray } from "../../../src/stores/audit/d1-retention.ts";
import { verifyUser } from "../../../src/stores/audit/verify-user.ts";
import { openDatabase, type TestDatabase } from "./d1.ts";
import {
  approvalRecord,
  chainOf,
  connectionRecord,
  decisionRecord,
  keys,
  planRecord,
  runRecord,
  turnRecord,
} from "./records.ts";

const owner = { tenant: "acme", user: "ada" };
const at = 1_790_000_000_000;
const ids = { approval: "appr_1", decision: "dec_1" };
const reasons = [{ code: "auth_required", tool: "create_note" }] as const;
const chain = chainOf([
  decisionRecord({ at, effect: "confirm", disposition: "asked", approval: "appr_1", reasons }),
  approvalRecord({ ...ids, at }),
  turnRecord({ at, stopReason: "awaiting_approval" }),
  approvalRecord({ ...ids, at: at + 1, event: "edited" }),
  decisionRecord({ at: at + 2, approval: "appr_1", grant: "grant_1" }),
  turnRecord({ at: at + 2 }),
  approvalRecord({ ...ids, approval: "appr_2", at: at + 3 }),
  approvalRecord({ ...ids, approval: "appr_2", at: at + 4, event: "expired" }),
  decisionRecord({ at: at + 5, disposition: "run" }),
  // Entered with its decision, and given up after what came since.
  runRecord({ at: at + 5, endedAt: at + 6, status: "unknown", failure: "timeout" }),
  planRecord({ at: at + 6 }),
  planRecord({ at: at + 7, event: "approved", digest: "digest-3", via: "api", by: "ada" }),
  decisionRecord({ at: at + 8, disposition: "run", madeBy: "plan", plan: "plan_1", planStep: "one" }),
  turnRecord({
    at: at + 8,
    arm: "system_first",
    systemFirst: { outcome: "ran", tool: "t", missing: [] },
    plan: "plan_1",
  }),
]);
const head = chain.at(-1);
const intact: ChainState = {
  head,
  delivered: head,
  checkpoint: undefined,
  waiting: 0,
  refused: [],
  moreRefused: false,
};

/** A copy of the eighth record, put there by somebody who can write to the database. */
const putAt = (seq: number) => `INSERT INTO approvals (id, seq, previous, hash, key_id, record)
  SELECT 'x', ${seq}, previous, hash, key_id, json_set(record, '$.id', 'x') FROM approvals WHERE seq = 8`;

let store: TestDatabase;
beforeAll(async () => {
  store = await openDatabase();
});
beforeEach(async () => {
  await store.clear();
  await store.db.prepare("DELETE FROM checkpoints").run();
});
afterAll(() => store?.dispose());

const verify = async (state: ChainState = intact) => {
  const found = await verifyUser({ db: store.db, keys, owner, stateOf: async () => state }, undefined);
  return { ...found.verdict, from: found.from, to: found.to };
};
/** What the arms are compared by. */
const armed = async () => (await store.db.prepare("SELECT id, arm, outcome FROM armed_turns").all()).results;
const seqs = async () => (await readChain(store.db, owner, { afterSeq: 0, limit: 100 })).map(({ seq }) => seq);

describe("a chain of every kind", () => {
  test("verifies, however it was delivered", async () => {
    await deliverRecords(store.db, chain.slice(3));
    expect(await verify()).toMatchObject({ ok: false, at: 1, problem: "missing" });
    await deliverRecords(store.db, chain);
    expect(await readChain(store.db, owner, { afterSeq: 0, limit: 100 })).toEqual(chain);
    expect(await verify()).toEqual({ ok: true, from: 1, to: 14 });
    await deliverRecords(store.db, chain.slice(13));
    expect(await armed()).toEqual([{ id: chain[13]?.record.id, arm: "system_first", outcome: "ran" }]);
  });

  test("is read in order, across pages", async () => {
    const kinds = [turnRecord, decisionRecord, approvalRecord, runRecord, planRecord, connectionRecord];
    const long = chainOf(Array.from({ length: 250 }, (_, n) => kinds[n % kinds.length]?.() ?? turnRecord()));
    await deliverRecords(store.db, long);
    const state = { ...intact, head: long.at(-1), delivered: long.at(-1) };
    expect(await verify(state)).toEqual({ ok: true, from: 1, to: 250 });
  });

  test.each<[string, string, object]>([
    [
      "an altered answer",
      "UPDATE approvals SET record = json_set(record, '$.by', 'eve') WHERE seq = 4",
      { at: 4, problem: "altered" },
    ],
    [
      "a refusal made an approval",
      `UPDATE approvals SET record = replace(record, '"event":"expired"', '"event":"approved"') WHERE seq = 8`,
      { at: 8, problem: "altered" },
    ],
    [
      "an approval that says two things",
      `UPDATE approvals SET record = '{"by":"eve",' || substr(record, 2) WHERE seq = 4`,
      { at: 4, problem: "altered" },
    ],
    ["a removed answer", "DELETE FROM approvals WHERE seq = 4", { at: 4, problem: "missing" }],
    ["a cut-off end", "DELETE FROM turns WHERE seq = 14", { at: 14, problem: "truncated" }],
    [
      "a plan approved by another",
      "UPDATE plans SET record = json_set(record, '$.by', 'eve') WHERE seq = 12",
      { at: 12, problem: "altered" },
    ],
    ["a plan that was never made", "DELETE FROM plans", { at: 11, problem: "missing" }],
    [
      "a call of a plan told as the model's",
      "UPDATE decisions SET record = json_remove(record, '$.madeBy') WHERE seq = 13",
      { at: 13, problem: "altered" },
    ],
    [
      "a turn moved to the other arm",
      "UPDATE turns SET record = json_set(record, '$.arm', 'llm_first') WHERE seq = 14",
      { at: 14, problem: "altered" },
    ],
    [
      "an arm given to a turn of before",
      "UPDATE turns SET record = json_set(record, '$.arm', 'llm_first') WHERE seq = 3",
      { at: 3, problem: "altered" },
    ],
    [
      "a run that nobody knows the end of, told as done",
      `UPDATE runs SET record = replace(record, '"status":"unknown"', '"status":"succeeded"')`,
      { at: 10, problem: "altered" },
    ],
    ["a whole table gone", "DELETE FROM approvals", { at: 2, problem: "missing" }],
    [
      "answers in each other's place",
      "UPDATE approvals SET seq = 10 - seq WHERE seq IN (2, 8)",
      { at: 2, problem: "altered" },
    ],
    [
      "an approval made up",
      `INSERT INTO approvals (id, seq, previous, hash, key_id, record) SELECT 'x', 15, hash, hash, key_id,
       json_set(record, '$.id', 'x', '$.event', 'approved') FROM approvals WHERE seq = 8`,
      { at: 15, problem: "altered" },
    ],
    ["a record before the first", putAt(0), { at: 0, problem: "below_checkpoint" }],
    ["a record far before the first", putAt(-5), { at: -5, problem: "below_checkpoint" }],
    ["removed reasons", "DELETE FROM decision_reasons", { at: 1, problem: "misindexed" }],
    ["an altered reason", "UPDATE decision_reasons SET code = 'mode_forbids'", { at: 1, problem: "misindexed" }],
    [
      "a reason given to a decision that had none",
      "INSERT INTO decision_reasons SELECT tenant, 'mode_forbids', at, id FROM decisions WHERE seq = 5",
      { at: 5, problem: "misindexed" },
    ],
    [
      "a reason moved to another decision",
      "UPDATE decision_reasons SET (at, decision_id) = (SELECT at, id FROM decisions WHERE seq = 5)",
      { at: 1, problem: "misindexed" },
    ],
    ["a removed row of the comparison", "DELETE FROM armed_turns", { at: 14, problem: "misindexed" }],
    ["an altered row of the comparison", "UPDATE armed_turns SET ms = ms + 1", { at: 14, problem: "misindexed" }],
    [
      "a row of the comparison for a turn without an arm",
      `INSERT INTO armed_turns (tenant, at, id, user, session, arm, begins, policy, model, calls, ms, stop_reason, failed)
       SELECT tenant, at, id, user, session, 'llm_first', 1, '', '', 1, 1, stop_reason, 0 FROM turns WHERE seq = 3`,
      { at: 3, problem: "misindexed" },
    ],
  ])("shows %s", async (_, sql, problem) => {
    await deliverRecords(store.db, chain);
    await store.db.prepare(sql).run();
    expect(await verify()).toMatchObject({ ok: false, ...problem });
  });

  test("verifies with an approval that D1 refused, which the object keeps", async () => {
    const aside = chain.find(({ seq }) => seq === 4) as SealedRecord;
    await deliverRecords(
      store.db,
      chain.filter((one) => one !== aside),
    );
    expect(await verify()).toMatchObject({ ok: false, at: 4, problem: "missing" });
    const refused = [{ sealed: aside, quarantined: { at, reason: "too big" } }];
    expect(await verify({ ...intact, refused })).toEqual({ ok: true, from: 1, to: 14 });
  });
});

test("a provider that is told as linked for another host, or by another, shows; with age it goes as the rest", async () => {
  const linked = chainOf([
    connectionRecord({ at }),
    turnRecord({ at: at + 1 }),
    connectionRecord({ at: at + 2, event: "removed" }),
  ]);
  const state = { ...intact, head: linked.at(-1), delivered: linked.at(-1) };
  await deliverRecords(store.db, linked);
  expect(await verify(state)).toEqual({ ok: true, from: 1, to: 3 });
  await store.db
    .prepare("UPDATE connections SET record = replace(record, 'crm.example', 'evil.example') WHERE seq = 1")
    .run();
  expect(await verify(state)).toMatchObject({ ok: false, at: 1, problem: "altered" });
  expect(await removeStray(store.db, owner, { upToSeq: 1, afterSeq: 3, olderThan: at + 100 })).toBe(false);
  expect(await seqs()).toEqual([2, 3]);
});

describe("the removal of a beginning", () => {
  const checkpointAt = (seq: number) =>
    signCheckpoint(keys, { ...owner, seq, hash: chain[seq - 1]?.hash ?? genesis("acme", "ada"), gaps: [], at: at + 9 });

  test("takes every kind of record, up to the checkpoint, and what is left verifies", async () => {
    await deliverRecords(store.db, chain);
    await deliverRecords(store.db, chainOf([approvalRecord({ user: "bob" }), approvalRecord({ user: "bob" })]));
    await moveCheckpoint(store.db, checkpointAt(4), at + 100);
    expect(await seqs()).toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
    expect(await verify()).toEqual({ ok: true, from: 5, to: 14 });
    expect((await readChain(store.db, { ...owner, user: "bob" }, { afterSeq: 0, limit: 9 })).length).toBe(2);
  });

  test("leaves no place for a record among those that were removed", async () => {
    await deliverRecords(store.db, chain);
    await moveCheckpoint(store.db, checkpointAt(4), at + 100);
    for (const seq of [4, 2]) {
      await store.db.prepare(putAt(seq)).run();
      expect(await verify()).toMatchObject({ ok: false, at: seq, problem: "below_checkpoint" });
      await store.db.prepare("DELETE FROM approvals WHERE id = 'x'").run();
    }
    expect(await verify()).toMatchObject({ ok: true });
  });

  test("takes nothing that is as young as what must be kept", async () => {
    await deliverRecords(store.db, chain);
    await moveCheckpoint(store.db, checkpointAt(14), at + 3);
    expect(await seqs()).toEqual([7, 8, 9, 10, 11, 12, 13, 14]);
    await moveCheckpoint(store.db, checkpointAt(14), at + 7);
    expect(await seqs()).toEqual([12, 13, 14]);
    expect((await armed()).length).toBe(1);
    await moveCheckpoint(store.db, checkpointAt(14), at + 9);
    expect([await seqs(), await armed()]).toEqual([[], []]);
  });

  test("takes strays of every kind", async () => {
    await deliverRecords(store.db, chain);
    expect(await removeStray(store.db, owner, { upToSeq: 2, afterSeq: 11, olderThan: at + 100 })).toBe(false);
    expect(await seqs()).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });
});
