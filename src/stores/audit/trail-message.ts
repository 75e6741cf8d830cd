/** The queue's messages: records of one user, in order. */
import { utf8Bytes } from "../../lib/text/characters.ts";
import type { SealedRecord } from "../../ports/audit-record.ts";
import type { Owner } from "../../session/principal.ts";

/** A message of the queue; `key`: the records are in the bucket, since they are too large for a message. */
export interface TrailMessage extends Owner {
  readonly version: 1;
  readonly records?: readonly SealedRecord[];
  readonly key?: string;
}

/** Cloudflare takes 128,000 bytes per message with its metadata, and 256,000 per call. */
const MESSAGE_BYTES = 120_000;
const CALL_BYTES = 240_000;
const CALL_MESSAGES = 100;

const largeKey = (id: string): string => `large/${id}.json`;

interface SizedMessage {
  readonly message: TrailMessage;
  readonly bytes: number;
}

/**
 * Messages in the order of the records, as full as allowed.
 * @param storeLarge stores records that are too large for a message, under the key.
 */
export async function messagesOf(
  { tenant, user }: Owner,
  records: readonly SealedRecord[],
  storeLarge: (key: string, records: readonly SealedRecord[]) => Promise<void>,
): Promise<readonly SizedMessage[]> {
  const messages: SizedMessage[] = [];
  let [some, size]: [SealedRecord[], number] = [[], 0];
  const finish = () => {
    if (some.length > 0) messages.push({ message: { version: 1, tenant, user, records: some }, bytes: size + 1_000 });
    [some, size] = [[], 0];
  };
  for (const sealed of records) {
    const bytes = utf8Bytes(JSON.stringify(sealed)) + 1;
    if (size + bytes > MESSAGE_BYTES) finish();
    if (bytes > MESSAGE_BYTES) {
      const key = largeKey(sealed.record.id);
      await storeLarge(key, [sealed]);
      messages.push({ message: { version: 1, tenant, user, key }, bytes: 1_000 });
    } else {
      some.push(sealed);
      size += bytes;
    }
  }
  finish();
  return messages;
}

/** The messages of each call to the queue. */
export function callsOf(messages: readonly SizedMessage[]): readonly (readonly TrailMessage[])[] {
  const calls: TrailMessage[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const { message, bytes } of messages) {
    const call = calls.at(-1);
    if (!call || size + bytes > CALL_BYTES || call.length === CALL_MESSAGES) {
      calls.push([message]);
      size = bytes;
    } else {
      call.push(message);
      size += bytes;
    }
  }
  return calls;
}

/** Undefined if another program, or a later version, wrote it. */
export function readMessage(body: unknown): TrailMessage | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const { version, tenant, user, records, key } = body as Partial<TrailMessage>;
  const isWhole = version === 1 && typeof tenant === "string" && typeof user === "string";
  const isSealed = (one: unknown) =>
    typeof one === "object" && one !== null && typeof (one as SealedRecord).record?.id === "string";
  if (!isWhole || (key === undefined ? !Array.isArray(records) || !records.every(isSealed) : typeof key !== "string"))
    return undefined;
  return body as TrailMessage;
}
