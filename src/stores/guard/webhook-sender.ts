/**
 * Sends a user's webhooks: to each receiver one message after the other, independently of the others. A receiver that hangs delays
 * neither them nor the audit trail, which uses the same alarm.
 */
import { signLink } from "../../approvals/link-token.ts";
import { retryAfterMs } from "../../lib/back-off.ts";
import type { KeyRing } from "../../lib/key-ring.ts";
import { describeError, log } from "../../lib/log.ts";
import { webhookHeaders } from "../../lib/standard-webhook.ts";
import { mayPush, type PushSettings } from "../../settings/push.ts";
import type { WebhookSettings } from "../../settings/webhooks.ts";
import {
  deleteSubscription,
  findSubscription,
  type PushSubscription,
  subscribedEndpoints,
} from "./push-subscriptions.ts";
import {
  claimDue,
  createMessages,
  deleteMessage,
  deleteReceiver,
  dueReceivers,
  hostOf,
  type Message,
  nextDueAt,
  postpone,
  retryDelayMs,
} from "./webhooks.ts";

/** How long a receiver may take to answer. */
const ANSWER_MS = 10_000;

interface WebhookSenderParts {
  readonly storage: DurableObjectStorage;
  readonly now: () => number;
  readonly settings: WebhookSettings;
  /** Undefined: no browser is notified. */
  readonly push?: PushSettings | undefined;
  /** Whether the settings are known only once the alarm rings: waiting messages may have receivers that these do not name. */
  readonly perTenant?: boolean;
  /** A receiver was served, or gave up: the alarm may have to ring at another time. */
  readonly changed: () => void;
  /** @param isGivenUp the message is not sent again. */
  readonly failed: (isGivenUp: boolean) => void;
}

export class WebhookSender {
  private readonly parts: WebhookSenderParts;
  private settings: WebhookSettings;
  /** Receivers that are being sent to. */
  private readonly busy = new Map<string, Promise<void>>();

  constructor(parts: WebhookSenderParts) {
    this.parts = parts;
    this.settings = parts.settings;
  }

  /** Begins to send what is due. */
  send(settings = this.settings): void {
    const { storage, push } = this.parts;
    this.settings = settings;
    const endpoints = push ? subscribedEndpoints(storage.sql) : [];
    storage.transactionSync(() => createMessages(storage.sql, settings.webhooks, endpoints, this.parts.now()));
    const { keys } = settings;
    if (!keys && endpoints.length === 0) return;
    for (const url of dueReceivers(storage.sql, this.parts.now())) {
      if (!this.busy.has(url)) this.busy.set(url, this.serve(url, keys));
    }
  }

  /** When the next message is due, in milliseconds since the epoch; undefined if nothing waits, or there is no receiver. */
  dueAt(): number | undefined {
    const { perTenant, push, storage } = this.parts;
    const tells = push !== undefined && subscribedEndpoints(storage.sql).length > 0;
    if (this.settings.webhooks.length === 0 && !perTenant && !tells) return undefined;
    return nextDueAt(this.parts.storage.sql, new Set(this.busy.keys()));
  }

  /** Resolves once no receiver is being sent to. */
  async idle(): Promise<void> {
    await Promise.all(this.busy.values());
  }

  /** Until nothing is due, or the receiver does not take a message. */
  private async serve(url: string, keys: KeyRing | undefined): Promise<void> {
    try {
      for (;;) {
        const message = claimDue(this.parts.storage.sql, url, this.parts.now());
        if (!message || !(await this.deliver(message, keys))) break;
      }
    } catch (error) {
      log("error", "webhook_not_sent", { host: hostOf(url), ...describeError(error) });
    } finally {
      this.busy.delete(url);
      this.parts.changed();
    }
  }

  /** @returns whether the receiver took it. */
  private async deliver(message: Message, keys: KeyRing | undefined): Promise<boolean> {
    const { storage } = this.parts;
    const { id, type, url, attempt } = message;
    const outcome = await this.post(message, keys);
    if (outcome.kind === "taken") {
      deleteMessage(storage.sql, message);
      return true;
    }
    const fields = { webhook: id, type, host: hostOf(url), attempt, ...outcome.fields };
    if (outcome.kind === "gone") {
      deleteSubscription(storage.sql, url);
      const dropped = deleteReceiver(storage.sql, url);
      log("warn", "webhook_receiver_gone", { ...fields, dropped });
      return false;
    }
    log("warn", "webhook_failed", fields);
    const isKept = storage.transactionSync(() =>
      postpone(storage.sql, message, retryDelayMs(attempt, outcome.waitMs), this.parts.now()),
    );
    this.parts.failed(!isKept);
    return false;
  }

  private async post(message: Message, keys: KeyRing | undefined): Promise<Outcome> {
    const { url } = message;
    try {
      const request = await this.requestFor(message, keys);
      if (!request) return { kind: "taken" };
      // A message signed for one receiver goes to no other.
      const response = await fetch(url, { ...request, redirect: "manual", signal: AbortSignal.timeout(ANSWER_MS) });
      const { status, ok, headers } = response;
      await response.body?.cancel();
      if (ok) return { kind: "taken" };
      // Push services answer 404 for a browser that has left.
      if (status === 410 || (status === 404 && findSubscription(this.parts.storage.sql, url)))
        return { kind: "gone", fields: { status } };
      return { kind: "failed", fields: { status }, waitMs: retryAfterMs(headers, this.parts.now()) ?? 0 };
    } catch (error) {
      return { kind: "failed", fields: describeError(error), waitMs: 0 };
    }
  }

  /** Undefined if the message has no receiver any more. */
  private async requestFor(message: Message, keys: KeyRing | undefined): Promise<RequestInit | undefined> {
    const { settings, push, storage } = this.parts;
    const { id, url } = message;
    const now = this.parts.now();
    const subscription = push && findSubscription(storage.sql, url);
    if (subscription) return pushRequest(push, subscription, message, now);
    if (!keys) return undefined;
    const body = JSON.stringify(payloadOf(message, keys, settings.publicUrl, now));
    return {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "toolgate",
        ...webhookHeaders(keys, url, { id, body }, now),
      },
      body,
    };
  }
}

type Outcome =
  | { readonly kind: "taken" }
  | { readonly kind: "gone"; readonly fields: object }
  | { readonly kind: "failed"; readonly fields: object; readonly waitMs: number };

/** Each try makes its links anew: a stored link would outlive the key that signed it. */
function payloadOf(
  { type, timestamp, data }: Pick<Message, "type" | "timestamp" | "data">,
  keys: KeyRing,
  publicUrl: string | undefined,
  now: number,
): Record<string, unknown> {
  const { id: approval, tenant, user, expires_at } = data;
  const expiresAt = Date.parse(expires_at);
  const open =
    publicUrl !== undefined && type === "approval.asked" && expiresAt > now
      ? `${publicUrl}/approve/${signLink(keys, { approval, tenant, user, expiresAt })}`
      : undefined;
  return { type, timestamp, data: { ...data, links: open === undefined ? {} : { open } } };
}

/** Part of a tool's name, which a client chose. */
const MAX_NAME = 128;

/** Undefined if nothing is to be sent any more: the question is over, or the settings do not name the service any more. */
async function pushRequest(
  settings: PushSettings,
  subscription: PushSubscription,
  { data }: Message,
  now: number,
): Promise<RequestInit | undefined> {
  const seconds = Math.floor((Date.parse(data.expires_at) - now) / 1000);
  if (!(seconds > 0) || !mayPush(settings, subscription.endpoint)) return undefined;
  // Few deployments push: a start does not load the code that signs and encrypts.
  const [{ vapidAuthorization }, { encryptPush }] = await Promise.all([
    import("../../lib/web-push/vapid.ts"),
    import("../../lib/web-push/encrypt-push.ts"),
  ]);
  // It may show on a locked screen: the tool's name, and none of the call's values.
  const payload = JSON.stringify({ id: data.id, tool: String(data.tool ?? "").slice(0, MAX_NAME) });
  return {
    method: "POST",
    headers: {
      authorization: await vapidAuthorization(settings.keys, subscription.endpoint, now),
      "content-encoding": "aes128gcm",
      "content-type": "application/octet-stream",
      ttl: String(seconds),
      urgency: "high",
    },
    body: await encryptPush(payload, subscription),
  };
}
