/**
 * Webhook messages: stored in the transaction of their event, and sent afterwards. A message has one id for all its tries. Parts of
 * a transaction.
 */
import type { Approval } from "../../approvals/approval.ts";
import { approvalView } from "../../approvals/approval-view.ts";
import { newId } from "../../lib/ids.ts";
import { log } from "../../lib/log.ts";
import { isoTime } from "../../lib/text/iso-time.ts";
import { DAY_MS, HOUR_MS } from "../../lib/time.ts";
import type { Owner } from "../../session/principal.ts";
import type { Webhook, WebhookEvent } from "../../settings/webhooks.ts";
import { insertRow, selectAll, selectOne } from "../objects/sql-rows.ts";
import { ownerOf, type Transaction } from "./transaction.ts";

/** How long a message is tried. */
const TRY_FOR_MS = DAY_MS;
const MAX_WAIT_MS = HOUR_MS;
/** A message is not sent again within this time, unless its object died. */
const LEASE_MS = 30_000;
/** UTF-16 units of one message. */
const MAX_UNITS = 64 * 1024;
/** Messages per user: the oldest are dropped. */
const MAX_WAITING = 1000;

export interface Message {
  readonly id: string;
  readonly url: string;
  readonly type: WebhookEvent;
  readonly timestamp: string;
  readonly data: MessageData;
  /** This one's number, from 1. */
  readonly attempt: number;
}

type MessageData = Readonly<Record<string, unknown>> & Owner & { readonly id: string; readonly expires_at: string };

interface MessageRow extends Record<string, SqlStorageValue> {
  ordinal: number;
  id: string;
  url: string;
  type: string;
  at: number;
  data: string;
  tries: number;
}

/** Objects whose settings name no receiver. */
const withoutReceivers = new WeakSet<SqlStorage>();

/** Without receivers nothing is stored: writing a question with 64 KB of arguments, and deleting it, takes 10 ms. */
export function setHasReceivers(sql: SqlStorage, has: boolean): void {
  if (has) withoutReceivers.delete(sql);
  else withoutReceivers.add(sql);
}

/** Stored without a receiver: only the settings know those, and `createMessages` adds them. */
export function queueEvent({ sql, now }: Transaction, type: WebhookEvent, approval: Approval): void {
  if (withoutReceivers.has(sql)) return;
  const data = boundedJson({ ...approvalView(approval, "recorded"), ...ownerOf(sql) });
  insert(sql, { url: "", type, at: now, data, next: now });
}

/**
 * Makes a message for each receiver of each event, and deletes those for former receivers.
 * @param endpoints of the user's browsers, which are notified of new pending approvals.
 */
export function createMessages(
  sql: SqlStorage,
  webhooks: readonly Webhook[],
  endpoints: readonly string[],
  now: number,
): void {
  const events = selectAll<MessageRow>(sql, "DELETE FROM webhooks WHERE url = '' RETURNING *");
  for (const { type, at, data } of events.sort((a, b) => a.ordinal - b.ordinal)) {
    const { tenant } = JSON.parse(data) as MessageData;
    const receivers = webhooks.filter(
      (hook) => (hook.tenant ?? tenant) === tenant && hook.events.some((event) => event === type),
    );
    const urls = [...receivers.map((hook) => hook.url), ...(type === "approval.asked" ? endpoints : [])];
    for (const url of new Set(urls)) insert(sql, { url, type, at, data, next: now });
  }
  const known = JSON.stringify([...webhooks.map(({ url }) => url), ...endpoints]);
  sql.exec("DELETE FROM webhooks WHERE url <> '' AND url NOT IN (SELECT value FROM json_each(?))", known);
  const newest = "SELECT ordinal FROM webhooks ORDER BY ordinal DESC LIMIT 1 OFFSET ?";
  const dropped = sql.exec<MessageRow>(`DELETE FROM webhooks WHERE ordinal <= (${newest}) RETURNING *`, MAX_WAITING);
  for (const row of dropped) logGivenUp(row, "too many messages wait");
}

type NewRow = Pick<MessageRow, "url" | "type" | "at" | "data"> & { readonly next: number };

const insert = (sql: SqlStorage, row: NewRow): void => insertRow(sql, "webhooks", { id: newId("msg", row.at), ...row });

/** Text by a client or a model may be long. */
function boundedJson(view: Readonly<Record<string, unknown>>): string {
  let text = JSON.stringify(view);
  const omitted: string[] = [];
  for (const name of ["schema", "arguments", "disclosure", "details"]) {
    if (text.length <= MAX_UNITS) break;
    omitted.push(name);
    text = JSON.stringify({ ...view, ...Object.fromEntries(omitted.map((one) => [one, null])), omitted });
  }
  return text;
}

/** Receivers to which something is due. */
export const dueReceivers = (sql: SqlStorage, now: number): string[] =>
  selectAll<{ url: string }>(sql, "SELECT DISTINCT url FROM webhooks WHERE url <> '' AND next <= ?", now).map(
    ({ url }) => url,
  );

/** When the next is due, without receivers that are being sent to; undefined if nothing waits. */
export function nextDueAt(sql: SqlStorage, busy: ReadonlySet<string>): number | undefined {
  const busyUrls = JSON.stringify([...busy]);
  const due = "SELECT MIN(next) AS next FROM webhooks WHERE url NOT IN (SELECT value FROM json_each(?))";
  return sql.exec<{ next: number | null }>(due, busyUrls).one().next ?? undefined;
}

/** The next message for the receiver; failed ones come last, so that one which it refuses delays no other. */
export function claimDue(sql: SqlStorage, url: string, now: number): Message | undefined {
  const row = selectOne<MessageRow>(
    sql,
    `UPDATE webhooks SET tries = tries + 1, next = ? WHERE ordinal =
         (SELECT ordinal FROM webhooks WHERE url = ? AND next <= ? ORDER BY tries, ordinal LIMIT 1) RETURNING *`,
    now + LEASE_MS,
    url,
    now,
  );
  if (!row) return undefined;
  const { id, type, at, data, tries } = row;
  const timestamp = isoTime(at);
  return { id, url, type: type as WebhookEvent, timestamp, data: JSON.parse(data) as MessageData, attempt: tries };
}

export const deleteMessage = (sql: SqlStorage, { id }: Message): void => {
  sql.exec("DELETE FROM webhooks WHERE id = ?", id);
};

/** The receiver is gone for good: its messages are deleted. @returns how many. */
export const deleteReceiver = (sql: SqlStorage, url: string): number =>
  selectAll(sql, "DELETE FROM webhooks WHERE url = ? RETURNING ordinal", url).length;

/** 1 s, 2 s, 4 s … 1 h. @param wanted the receiver's `retry-after`, in milliseconds. */
export const retryDelayMs = (attempt: number, wanted = 0): number =>
  Math.min(Math.max(1000 * 2 ** Math.min(attempt - 1, 30), wanted), MAX_WAIT_MS);

/**
 * Postpones the message and all others that are due to the same receiver.
 * @returns false if its time is over: it is given up.
 */
export function postpone(sql: SqlStorage, { id, url }: Message, waitMs: number, now: number): boolean {
  const until = now + waitMs;
  sql.exec("UPDATE webhooks SET next = ? WHERE id = ? OR (url = ? AND next <= ?)", until, id, url, now);
  const over = sql.exec<MessageRow>(
    "DELETE FROM webhooks WHERE url = ? AND at < ? RETURNING *",
    url,
    until - TRY_FOR_MS,
  );
  let kept = true;
  for (const row of over) {
    logGivenUp(row, "a day is over");
    if (row.id === id) kept = false;
  }
  return kept;
}

/** For the log: the URL may hold the receiver's secret. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "");

function logGivenUp({ id, type, url, tries }: MessageRow, message: string): void {
  log("error", "webhook_given_up", { webhook: id, type, host: hostOf(url), attempts: tries, message });
}
