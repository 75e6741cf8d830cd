/**
 * Attacks on the audit trail by somebody who may write to its database.
 * @module-tag attack/audit
 */
import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { ask, call, says, user } from "../support/script.ts";

const policy = {
  handshake: { select: "off" },
  execution: { maxCorrections: 0, strategy: "system_first", systemFirstShare: 0.5 },
  tools: { read_file: { category: "read_only" } },
};
const calls = [call("c1", "read_file"), call("c2", "rm_rf")];

/** Three turns, each with an allowed and a refused call. */
async function trail(): Promise<Gateway> {
  const gate = await gateway({ policy, upstream: says({ calls }) });
  for (const words of ["one", "two", "three"]) {
    await ask(gate, { messages: [user(words)], tools: [tool("read_file")] }, { "x-toolgate-session": words });
  }
  expect(await gate.decisions()).toHaveLength(6);
  return gate;
}

async function verdict(gate: Gateway): Promise<boolean> {
  const response = await gate.fetch("/v1/audit/verify?user=ada", { key: await gate.keyFor("boss", "admin") });
  return ((await response.json()) as { ok: boolean }).ok;
}

/** Statements; `?1` is the tenant. */
type Attack = readonly [name: string, ...statements: string[]];

const DECISIONS = "tenant = ?1 AND user = 'ada'";
const one = (order: string, offset = 0) =>
  `(SELECT id FROM decisions WHERE ${DECISIONS} ORDER BY seq ${order} LIMIT 1 OFFSET ${offset})`;
const COLUMNS = "id, seq, previous, hash, key_id, record";
/** A copy of the first decision under an id and a number of its own. */
const copied = (seq: string, record = "record") =>
  `INSERT INTO decisions (${COLUMNS}) SELECT id || 'x', ${seq}, previous, hash, key_id,
   json_set(${record}, '$.id', id || 'x') FROM decisions WHERE id = ${one("ASC")}`;
const rewritten = (path: string, value: string, at = one("ASC")) =>
  `UPDATE decisions SET record = json_set(record, '${path}', ${value}) WHERE id = ${at}`;

const attacks: readonly Attack[] = [
  ["F4b: a record with the number 0", copied("0")],
  ["F4b: a record with the number -5", copied("-5")],
  ["F4b: the reasons of decisions deleted", "DELETE FROM decision_reasons WHERE tenant = ?1"],
  ["an effect changed", rewritten("$.effect", "'allow'", one("ASC", 1))],
  ["a decision deleted from the middle", `DELETE FROM decisions WHERE id = ${one("ASC", 2)}`],
  ["a decision deleted from the beginning", `DELETE FROM decisions WHERE id = ${one("ASC")}`],
  ["a decision deleted from the end", `DELETE FROM decisions WHERE id = ${one("DESC")}`],
  ["all deleted", `DELETE FROM decisions WHERE ${DECISIONS}`, `DELETE FROM turns WHERE ${DECISIONS}`],
  [
    "two numbers exchanged",
    `UPDATE decisions SET seq = -1 WHERE id = ${one("ASC")}`,
    `UPDATE decisions SET seq = (SELECT min(seq) FROM decisions WHERE ${DECISIONS} AND seq > 0) WHERE id = ${one("ASC")}`,
  ],
  ["a record beyond the end", copied("10000")],
  ["a number twice", copied("seq")],
  ["a record moved to another user", rewritten("$.user", "'eve'")],
  ["the id of its key changed", `UPDATE decisions SET key_id = 'other' WHERE id = ${one("ASC")}`],
  ["a blank added to a record", `UPDATE decisions SET record = record || ' ' WHERE id = ${one("ASC")}`],
  ["another time", rewritten("$.at", "1")],
  ["a reason added to a record", rewritten("$.reasons", "json('[]')", one("ASC", 1))],
  [
    "a reason added to the index",
    `INSERT INTO decision_reasons (tenant, code, at, decision_id) SELECT tenant, 'role_forbids', at, id FROM decisions WHERE id = ${one("ASC")}`,
  ],
  ["a reason exchanged in the index", "UPDATE decision_reasons SET code = 'role_forbids' WHERE tenant = ?1"],
  [
    "the reasons of decisions given to another",
    `UPDATE OR IGNORE decision_reasons SET (at, decision_id) = (SELECT at, id FROM decisions
     WHERE ${DECISIONS} AND effect = 'allow') WHERE tenant = ?1`,
  ],
  [
    "the hash of another record",
    `UPDATE decisions SET hash = (SELECT hash FROM decisions WHERE id = ${one("ASC", 1)}) WHERE id = ${one("ASC")}`,
  ],
  ["a turn's record exchanged with another turn's", `UPDATE turns SET previous = 'x' WHERE ${DECISIONS}`],
  [
    "a forged checkpoint, and what it covers deleted",
    `INSERT INTO checkpoints (tenant, user, seq, hash, gaps, at, key_id, signature)
     SELECT tenant, user, seq, hash, '[]', 1, key_id, hash FROM decisions WHERE id = ${one("ASC")}`,
    `DELETE FROM decisions WHERE id = ${one("ASC")}`,
  ],
];

it("an untouched trail is whole", { tags: ["control"] }, async () => {
  expect(await verdict(await trail())).toBe(true);
});

it.each(attacks)("%s: `verify` says so", async (_name, ...statements) => {
  const gate = await trail();
  let changed = 0;
  for (const sql of statements) {
    const { meta } = await env.AUDIT_DB.prepare(sql)
      .bind(...(sql.includes("?1") ? [gate.tenant] : []))
      .run();
    changed += meta.changes;
  }
  expect(changed).toBeGreaterThan(0);
  expect(await verdict(gate)).toBe(false);
});

it.each(["0", "-5"])("F4b: a record with the number %s is in no list", async (seq) => {
  const gate = await trail();
  await env.AUDIT_DB.prepare(copied(seq)).bind(gate.tenant).run();
  expect(await gate.decisions()).toHaveLength(6);
});
