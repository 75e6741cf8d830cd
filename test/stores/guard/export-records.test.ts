/** Records on their way to a receiver over real HTTP: in order, at least once, and never in the way of the trail. */
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { parseKeyRing } from "../../../src/lib/key-ring.ts";
import { webhookSecrets } from "../../../src/lib/standard-webhook.ts";
import type { SealedRecord } from "../../../src/ports/audit-record.ts";
import { verifyChain } from "../../../src/stores/audit/audit-chain.ts";
import { queuedWorld } from "../audit/queued-world.ts";
import { approvalRecord, decisionRecord, keys, turnRecord } from "../audit/records.ts";

const hours = (n: number) => n * 3600_000;
const ada = { tenant: "acme", user: "ada" };
const SIGNING_KEYS = "new:0123456789abcdef0123456789abcdef,old:fedcba9876543210fedcba9876543210";

interface Taken {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let server: Server;
let url: string;
let status = 200;
const asked: Taken[] = [];
beforeEach(async () => {
  for (const level of ["log", "info", "warn", "error"] as const) vi.spyOn(console, level).mockImplementation(() => {});
  status = 200;
  asked.length = 0;
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      asked.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/records`;
});
afterEach(async () => {
  vi.restoreAllMocks();
  await new Promise((resolve) => server.close(resolve));
});

function open(records: readonly string[] = ["decision", "approval"], tenant = "acme") {
  const WEBHOOKS = JSON.stringify([{ url, records, tenant }]);
  const some = queuedWorld(Date.now(), 1, { WEBHOOKS, SIGNING_KEYS, TOOLGATE_DEV: "1" });
  some.world.direct = true;
  const user = some.userOf(ada);
  return {
    ...some,
    user,
    addTurn() {
      const at = some.world.now;
      user.append(decisionRecord({ ...ada, at }));
      user.append(turnRecord({ ...ada, at }));
    },
    /** Rings, and waits for so many requests in all, and for what was stored of the last. */
    async ring(requests: number) {
      await user.ring();
      await vi.waitFor(
        () => {
          const [row] = user.sql.exec("SELECT value FROM meta WHERE key = 'exports'").toArray();
          const { next = 0 } = row ? (JSON.parse(String(row.value))[url] as { next?: number }) : {};
          expect([asked.length, requests === 0 || next > some.world.now]).toEqual([requests, true]);
        },
        { timeout: 10_000, interval: 5 },
      );
    },
  };
}

const recordsIn = ({ body }: Taken): SealedRecord[] =>
  body
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as SealedRecord);
const seqs = () => asked.flatMap(recordsIn).map(({ seq }) => seq);

test("records of the kinds that are wanted go in batches, signed by each key, as they were sealed", async () => {
  const some = open();
  some.addTurn();
  some.user.append(approvalRecord({ ...ada, at: some.world.now }));
  await some.ring(1);
  const [first] = asked;
  expect(first?.headers["content-type"]).toBe("application/x-ndjson");
  expect(seqs()).toEqual([1, 3]);
  const ring = parseKeyRing(SIGNING_KEYS, "signing key");
  if (!ring.ok || !first) throw new Error("nothing was sent");
  for (const { secret } of webhookSecrets(ring.value, url)) {
    const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signatures } = first.headers;
    const signature = new Webhook(secret).sign(String(id), new Date(Number(at) * 1000), first.body);
    expect(String(signatures).split(" ")).toContain(signature);
  }
  some.stop();
});

test.each([true, false])(
  "what comes within seconds goes together, and verifies there (direct trail: %s)",
  async (direct) => {
    const some = open(["turn", "decision"]);
    some.world.direct = direct;
    some.addTurn();
    await some.ring(1);
    some.addTurn();
    some.addTurn();
    await some.ring(1);
    some.world.now += 6_000;
    await some.ring(2);
    expect(seqs()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(verifyChain(keys, asked.flatMap(recordsIn), ada)).toEqual({ ok: true });
    // Nothing is new.
    some.world.now += hours(1);
    await some.user.ring();
    expect(asked.length).toBe(2);
    some.stop();
  },
);

test("a receiver that fails delays no delivery, is told of, and gets the same records again, in order", async () => {
  const some = open();
  status = 503;
  some.addTurn();
  await some.ring(1);
  expect((await some.user.chain.state(0)).waiting).toBe(0);
  expect(some.world.failedExports.length).toBe(1);
  some.addTurn();
  await some.ring(1);
  some.world.now += 2_000;
  some.user.evict();
  await some.ring(2);
  status = 200;
  some.world.now += hours(1);
  await some.ring(3);
  expect(asked.map((one) => recordsIn(one).map(({ seq }) => seq))).toEqual([[1], [1, 3], [1, 3]]);
  // The same records have the same id.
  expect(new Set(asked.map(({ headers }) => headers["webhook-id"])).size).toBe(2);
  some.stop();
});

test("what a receiver has not taken in two days is gone, and logged", async () => {
  const some = open();
  some.addTurn();
  await some.ring(1);
  status = 500;
  some.world.now += 6_000;
  some.addTurn();
  await some.ring(2);
  some.world.now += hours(49);
  await some.ring(2);
  some.world.now += 6_000;
  status = 200;
  some.addTurn();
  await some.ring(3);
  expect(seqs()).toEqual([1, 3, 5]);
  const logged = vi.mocked(console.error).mock.calls.map(([line]) => String(line));
  expect(logged.filter((line) => line.includes("export_missed_records"))).toHaveLength(1);
  some.stop();
});

test("another tenant's receiver gets nothing; and after an erasure the new chain goes from its beginning", async () => {
  const other = open(["decision"], "other");
  other.addTurn();
  await other.ring(0);
  other.stop();
  const some = open(["decision"]);
  some.addTurn();
  some.addTurn();
  await some.ring(1);
  await some.user.erasure.order(ada, "boss");
  await some.user.ring();
  some.world.now += 6_000;
  some.addTurn();
  await some.ring(2);
  expect(seqs()).toEqual([1, 3, 1]);
  some.stop();
});
