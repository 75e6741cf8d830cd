/** The browsers of one user that get notifications of pending approvals. Each function is part of a transaction. */
import type { PushKeys } from "../../lib/web-push/encrypt-push.ts";
import type { Owner } from "../../session/principal.ts";
import { exists, selectAll, selectOne } from "../objects/sql-rows.ts";
import { type GuardContext, noteOwner } from "./transaction.ts";
import { setHasReceivers } from "./webhooks.ts";

export interface PushSubscription extends PushKeys {
  /** The URL at which the browser's push service takes messages for it. */
  readonly endpoint: string;
}

/** Per user. The oldest are dropped. */
const MOST = 20;

interface SubscriptionRow extends Record<string, SqlStorageValue> {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

export const pushApi = (context: GuardContext) => ({
  /** A known endpoint gets the new keys. */
  subscribe: async (owner: Owner, { endpoint, p256dh, auth }: PushSubscription) =>
    context.read(({ sql, now }) => {
      noteOwner(sql, owner);
      sql.exec(
        "INSERT OR REPLACE INTO push_subscriptions (endpoint, p256dh, auth, at) VALUES (?, ?, ?, ?)",
        endpoint,
        p256dh,
        auth,
        now,
      );
      sql.exec(
        "DELETE FROM push_subscriptions WHERE endpoint NOT IN (SELECT endpoint FROM push_subscriptions ORDER BY at DESC LIMIT ?)",
        MOST,
      );
      setHasReceivers(sql, true);
    }),
  /** @returns false if there was none. */
  unsubscribe: async (endpoint: string) => context.read(({ sql }) => deleteSubscription(sql, endpoint)),
});

export const findSubscription = (sql: SqlStorage, endpoint: string): PushSubscription | undefined =>
  selectOne<SubscriptionRow>(sql, "SELECT endpoint, p256dh, auth FROM push_subscriptions WHERE endpoint = ?", endpoint);

export const subscribedEndpoints = (sql: SqlStorage): readonly string[] =>
  selectAll<{ endpoint: string }>(sql, "SELECT endpoint FROM push_subscriptions").map(({ endpoint }) => endpoint);

/** The next round deletes messages for it. */
export const deleteSubscription = (sql: SqlStorage, endpoint: string): boolean =>
  exists(sql, "DELETE FROM push_subscriptions WHERE endpoint = ? RETURNING endpoint", endpoint);
