/** The queued trail in the runtime: the Worker's own handlers, its objects, D1 and R2. `test/stores/audit/queued-trail` has the faults. */
import {
  createExecutionContext,
  createMessageBatch,
  createScheduledController,
  env,
  getQueueResult,
  runInDurableObject,
} from "cloudflare:test";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Env } from "../../../src/deps.ts";
import worker from "../../../src/index.ts";
import { COMPACT_CRON } from "../../../src/settings/trail.ts";
import { readParquet } from "../../../src/stores/archive/parquet-records.ts";
import { verifyArchive } from "../../../src/stores/archive/verify-archive.ts";
import { parseAuditKeys } from "../../../src/stores/audit/audit-keys.ts";
import type { TrailMessage } from "../../../src/stores/audit/trail-message.ts";
import { UserGuard } from "../../../src/stores/objects/user-guard.ts";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { ask, call, says, user } from "../support/script.ts";

/** Other files have deliveries that fail: none in these years. */
const start = Date.now() + 5 * 365 * 24 * 3600_000;
beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.useFakeTimers({ toFake: ["Date"], now: start });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const bucket = env.ARCHIVE as R2Bucket;
const sent: TrailMessage[] = [];
const queue = {
  sendBatch: async (messages: Iterable<{ body: TrailMessage }>) => {
    for (const { body } of messages) sent.push(structuredClone(body));
  },
} as unknown as Queue<TrailMessage>;
const queued: Env = { ...env, TRAIL: "queued", TRAIL_QUEUE: queue };

const policy = { handshake: { select: "off" }, tools: { read_file: { category: "read_only" } } };

async function oneTurn(): Promise<Gateway> {
  const gate = await gateway({ policy, upstream: says({ calls: [call("c", "read_file")] }) });
  await ask(gate, { messages: [user("go")], tools: [tool("read_file")] });
  await gate.settle();
  await gate.guard.sessions.find("s");
  await runInDurableObject(gate.stub, (_, state) => new UserGuard(state, queued).alarm());
  return gate;
}

async function deliver(name: string) {
  const messages = sent
    .splice(0)
    .map((body, index) => ({ id: `m${index}`, timestamp: new Date(start), attempts: 1, body }));
  const batch = createMessageBatch(name, messages);
  const context = createExecutionContext();
  await worker.queue(batch, queued);
  return getQueueResult(batch, context);
}

async function compact(at: number): Promise<void> {
  vi.setSystemTime(at);
  const controller = createScheduledController({ cron: COMPACT_CRON, scheduledTime: new Date() });
  await worker.scheduled(controller, queued);
}

const keysUnder = async (prefix = "") => (await bucket.list({ prefix })).objects.map(({ key }) => key);

async function archive() {
  const keys = parseAuditKeys(env.AUDIT_KEY ?? "");
  if (!keys.ok) throw new Error(keys.error);
  return verifyArchive({ list: keysUnder, read: async (key) => (await bucket.get(key))?.bytes() }, keys.value);
}

/** All that the bucket has, as text. */
async function stored(): Promise<string> {
  const texts = (await keysUnder()).map(async (key) => {
    const file = await bucket.get(key);
    return key.endsWith(".parquet")
      ? JSON.stringify(await readParquet((await file?.bytes()) ?? new Uint8Array()))
      : file?.text();
  });
  return (await Promise.all(texts)).join("\n");
}

const verified = async (gate: Gateway): Promise<unknown> =>
  (await gate.fetch("/v1/audit/verify?user=ada", { key: await gate.keyFor("op", "admin") })).json();
const health = async (): Promise<unknown> => (await (await gateway()).fetch("/health")).json();

it("takes the records of several users to D1 and to the archive, which verifies by the keys alone", async () => {
  const gates = [await oneTurn(), await oneTurn()];
  for (const gate of gates) expect(await verified(gate)).toMatchObject({ ok: true, to: 0, waiting: 2 });
  const { explicitAcks } = await deliver("toolgate-trail");
  expect(explicitAcks).toEqual(["m0", "m1"]);
  for (const gate of gates) expect(await verified(gate)).toMatchObject({ ok: true, to: 2, waiting: 0 });

  await compact(start + 3600_000);
  expect(await archive()).toMatchObject({ problems: [], users: 2, records: 4, incoming: 0 });

  // One of them is erased, in the archive too.
  const [gate, other] = gates as [Gateway, Gateway];
  const boss = await gate.keyFor("boss", "admin");
  const response = await gate.fetch("/v1/users/ada", { method: "DELETE", key: boss });
  const { id } = (await response.json()) as { readonly id: string };
  for (let ring = 0; ring < 12; ring++)
    await runInDurableObject(gate.stub, (_, state) => new UserGuard(state, queued).alarm());
  const erasure = async () => (await gate.fetch("/v1/users/ada/erasure", { key: boss })).json();
  expect(await erasure()).toMatchObject({ steps: { archive: "done", check: "pending" } });
  await compact(start + 2 * 3600_000);
  // The record of the erasure is the fifth.
  expect(await archive()).toMatchObject({ problems: [], users: 2, records: 5, incoming: 0 });
  const texts = await stored();
  expect([texts.includes(`"tenant":"${gate.tenant}","user":"ada"`), texts.includes(id)]).toEqual([false, true]);
  expect(texts).toContain(`"tenant":"${other.tenant}"`);
  vi.setSystemTime(start + 4 * 3600_000);
  for (let ring = 0; ring < 12; ring++)
    await runInDurableObject(gate.stub, (_, state) => new UserGuard(state, queued).alarm());
  expect(await erasure()).toMatchObject({ id, status: "completed" });
});

it("keeps what was given up, tells of it in /health for a day, and the objects send it again", async () => {
  const gate = await oneTurn();
  expect(sent.length).toBe(1);
  const { explicitAcks } = await deliver("toolgate-trail-dead");
  expect(explicitAcks).toEqual(["m0"]);
  expect((await bucket.list({ prefix: "dead-letters/" })).objects.length).toBe(1);
  expect(await health()).toEqual({ status: "degraded", audit: "failing" });
  vi.setSystemTime(start + 10 * 60_000);
  expect(await health()).toEqual({ status: "degraded", audit: "dead_letters" });
  await runInDurableObject(gate.stub, (_, state) => new UserGuard(state, queued).alarm());
  expect(sent.length).toBe(1);
  await deliver("toolgate-trail");
  expect(await verified(gate)).toMatchObject({ ok: true, to: 2, waiting: 0 });
});
