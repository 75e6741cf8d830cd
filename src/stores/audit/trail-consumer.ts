/**
 * The consumer of the trail's queue. It writes the records of many users at once: first to the index, then to the archive; then each
 * user's object gets the outcome of its records, and the message is acknowledged. An object keeps its records until then, so a
 * consumer may die between any two of these: the message comes again, or the object sends its records again. The index takes a record
 * once, by its id; the archive may hold it twice until it is compacted.
 */
import { runWithLimit } from "../../lib/concurrency.ts";
import { describeError, log } from "../../lib/log.ts";
import type { ChainLink, SealedRecord } from "../../ports/audit-record.ts";
import type { DeliveryOutcome } from "../../ports/chain-port.ts";
import type { TrailPort } from "../../ports/trail-port.ts";
import type { Owner } from "../../session/principal.ts";
import { isDatabaseFull } from "./d1-audit.ts";
import type { ErasedBefore } from "./erasure/erased-users.ts";
import { readMessage, type TrailMessage } from "./trail-message.ts";

export interface TrailSinks {
  readonly index: Pick<TrailPort, "deliver">;
  readonly erasedBefore: ErasedBefore;
  /** Throws if the archive is down. */
  readonly archive: (records: readonly SealedRecord[]) => Promise<void>;
  readonly bucket: Pick<R2Bucket, "get" | "put" | "delete">;
  readonly guardOf: (owner: Owner) => {
    readonly chain: { settle(outcome: DeliveryOutcome): Promise<void> };
    readonly erasure: { before(): Promise<number> };
  };
  readonly report: (trouble: { readonly full: boolean }) => Promise<void>;
}

/** Objects that are notified at once. */
const AT_ONCE = 6;
const FIRST_DELAY_S = 5;
const LONGEST_DELAY_S = 600;

interface Delivery extends Owner {
  readonly message: Message<unknown>;
  readonly key: string | undefined;
  readonly records: readonly SealedRecord[];
}

export async function consumeTrail(batch: Pick<MessageBatch<unknown>, "messages">, sinks: TrailSinks): Promise<void> {
  const read: Delivery[] = [];
  try {
    for (const message of batch.messages) {
      const delivery = await readDelivery(message, sinks.bucket);
      if (delivery) read.push(delivery);
      // It becomes a dead letter in the end.
      else message.retry();
    }
    if (read.length === 0) return;
    const deliveries = await withoutErased(read, sinks.erasedBefore);
    const refused = await writeIndex(deliveries, sinks.index);
    await sinks.archive(deliveries.flatMap(({ records }) => records));
    await settleAll(deliveries, refused, sinks);
    for (const { message } of deliveries) message.ack();
    const keys = deliveries.flatMap(({ key }) => key ?? []);
    if (keys.length > 0) await sinks.bucket.delete(keys).catch(() => {});
  } catch (error) {
    const full = isDatabaseFull(error);
    log("error", full ? "audit_database_full" : "audit_delivery_failed", {
      messages: batch.messages.length,
      ...describeError(error),
    });
    for (const message of batch.messages) message.retry({ delaySeconds: delayAfter(message.attempts) });
    await reportSafely(sinks, full);
  }
}

/**
 * Messages that were given up. Their contents are stored in the bucket, unless the user was erased since, and the objects send their
 * records again.
 */
export async function consumeDeadLetters(
  batch: Pick<MessageBatch<unknown>, "messages">,
  sinks: Pick<TrailSinks, "bucket" | "guardOf" | "report">,
): Promise<void> {
  log("error", "audit_dead_letters", { messages: batch.messages.length });
  await reportSafely(sinks, false);
  for (const message of batch.messages) {
    try {
      const delivery = await readDelivery(message, sinks.bucket);
      // Not looked up in the index, which may be what fails.
      const from = delivery ? await sinks.guardOf(delivery).erasure.before() : Number.NEGATIVE_INFINITY;
      if (delivery?.records.some(({ record }) => record.at < from)) {
        if (delivery.key !== undefined) await sinks.bucket.delete(delivery.key);
      } else {
        await sinks.bucket.put(`dead-letters/${message.id}.json`, JSON.stringify(message.body));
        if (delivery) await sinks.guardOf(delivery).chain.settle({ ...NOTHING, lost: linksOf(delivery.records) });
      }
      message.ack();
    } catch (error) {
      log("error", "audit_dead_letter_not_kept", { message: message.id, ...describeError(error) });
      message.retry({ delaySeconds: delayAfter(message.attempts) });
    }
  }
}

const NOTHING: DeliveryOutcome = { stored: [], refused: [], lost: [] };

const delayAfter = (attempts: number): number => Math.min(FIRST_DELAY_S * 2 ** attempts, LONGEST_DELAY_S);

const linksOf = (records: readonly SealedRecord[]): ChainLink[] => records.map(({ seq, hash }) => ({ seq, hash }));

/** Undefined if it cannot be read. Rejects if the bucket is down. */
async function readDelivery(message: Message<unknown>, bucket: Pick<R2Bucket, "get">): Promise<Delivery | undefined> {
  const read: TrailMessage | undefined = readMessage(message.body);
  if (!read) return undefined;
  const { tenant, user, key } = read;
  if (key === undefined) return { message, tenant, user, key, records: read.records ?? [] };
  const stored = await bucket.get(key);
  // A repeated message whose work is done.
  return { message, tenant, user, key, records: stored ? await stored.json<SealedRecord[]>() : [] };
}

/** A late message may hold records of a user who was erased since: they are dropped. */
async function withoutErased(
  deliveries: readonly Delivery[],
  erasedBefore: ErasedBefore,
): Promise<readonly Delivery[]> {
  const before = await erasedBefore(deliveries);
  return deliveries.map((delivery) => {
    const from = before(delivery);
    return { ...delivery, records: delivery.records.filter(({ record }) => record.at >= from) };
  });
}

type RefusalReasons = ReadonlyMap<string, string>;

/** @returns reasons by the ids of the records that the index refuses. Rejects if it is down. */
async function writeIndex(deliveries: readonly Delivery[], index: TrailSinks["index"]): Promise<RefusalReasons> {
  const refused = new Map<string, string>();
  const write = async (records: readonly SealedRecord[]): Promise<void> => {
    const written = await index.deliver(records);
    if (written.ok) return;
    const [first] = records;
    // The record at fault is found by halving.
    if (records.length > 1) {
      const half = Math.ceil(records.length / 2);
      await write(records.slice(0, half));
      await write(records.slice(half));
    } else if (first) refused.set(first.record.id, written.error.reason);
  };
  await write(deliveries.flatMap(({ records }) => records));
  return refused;
}

/** An object that cannot be notified sends its records again. */
async function settleAll(
  deliveries: readonly Delivery[],
  refused: RefusalReasons,
  { guardOf }: TrailSinks,
): Promise<void> {
  const byOwner = Map.groupBy(deliveries, ({ tenant, user }) => JSON.stringify([tenant, user]));
  const results = await runWithLimit(AT_ONCE, [...byOwner.values()], async (own) => {
    const [first] = own;
    const records = own.flatMap((delivery) => delivery.records);
    const isRefused = ({ record }: SealedRecord) => refused.has(record.id);
    const outcome = {
      stored: linksOf(records.filter((one) => !isRefused(one))),
      refused: records
        .filter(isRefused)
        .map(({ seq, hash, record }) => ({ seq, hash, reason: refused.get(record.id) ?? "" })),
      lost: [],
    };
    if (first && records.length > 0) await guardOf({ tenant: first.tenant, user: first.user }).chain.settle(outcome);
  });
  for (const one of results)
    if (one.status === "rejected") log("warn", "audit_object_not_told", describeError(one.reason));
}

async function reportSafely({ report }: Pick<TrailSinks, "report">, full: boolean): Promise<void> {
  try {
    await report({ full });
  } catch (error) {
    log("warn", "trail_health_not_reported", describeError(error));
  }
}
