/**
 * Sends a user's webhooks. Each receiver is served by itself, one message after the other, and nobody waits for it: one that
 * hangs holds up neither the others nor the audit trail, whose alarm this shares.
 */

import { signLink } from "../../approvals/link-token.ts";
import { retryAfterMs } from "../../lib/back-off.ts";
import { describeError } from "../../lib/describe-error.ts";
import type { KeyRing } from "../../lib/key-ring.ts";
import { log } from "../../lib/log.ts";
import { webhookHeaders } from "../../lib/standard-webhook.ts";
import type { WebhookSettings } from "../../settings/webhooks.ts";
import {
  dueReceivers,
  forgetMessage,
  forgetReceiver,
  hostOf,
  type Message,
  nextDueAt,
  putOff,
  spread,
  takeDue,
  waitAfter,
} from "./webhooks.ts";

/** How long a receiver may take to answer. */
const ANSWER_MS = 10_000;

export interface WebhookSenderParts {
  readonly storage: DurableObjectStorage;
  readonly settings: WebhookSettings;
  /** A receiver was served, or gave up: the alarm may have to ring at another time. */
  readonly changed: () => void;
  readonly answerMs?: number;
}

export class WebhookSender {
  private readonly parts: WebhookSenderParts;
  /** Receivers that are being sent to. */
  private readonly busy = new Map<string, Promise<void>>();

  constructor(parts: WebhookSenderParts) {
    this.parts = parts;
  }

  /** Begins to send what is due. */
  send(): void {
    const { storage, settings } = this.parts;
    storage.transactionSync(() => spread(storage.sql, settings.webhooks, Date.now()));
    const { keys } = settings;
    if (!keys) return;
    for (const url of dueReceivers(storage.sql, Date.now())) {
      if (!this.busy.has(url)) this.busy.set(url, this.serve(url, keys));
    }
  }

  /** When there is something to do, in milliseconds since the epoch; undefined where nothing waits, or nobody is told. */
  dueAt(): number | undefined {
    if (this.parts.settings.webhooks.length === 0) return undefined;
    return nextDueAt(this.parts.storage.sql, new Set(this.busy.keys()));
  }

  /** Resolves once no receiver is being sent to. */
  async idle(): Promise<void> {
    await Promise.all(this.busy.values());
  }

  /** Until nothing is due, or the receiver does not take a message. */
  private async serve(url: string, keys: KeyRing): Promise<void> {
    try {
      for (;;) {
        const message = takeDue(this.parts.storage.sql, url, Date.now());
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
  private async deliver(message: Message, keys: KeyRing): Promise<boolean> {
    const { storage } = this.parts;
    const { id, type, url, attempt } = message;
    const outcome = await this.post(message, keys);
    if (outcome.kind === "taken") {
      forgetMessage(storage.sql, message);
      return true;
    }
    const told = { webhook: id, type, host: hostOf(url), attempt, ...outcome.told };
    if (outcome.kind === "gone") {
      const dropped = forgetReceiver(storage.sql, url);
      log("warn", "webhook_receiver_gone", { ...told, dropped });
      return false;
    }
    log("warn", "webhook_failed", told);
    storage.transactionSync(() => putOff(storage.sql, message, waitAfter(attempt, outcome.waitMs), Date.now()));
    return false;
  }

  private async post(message: Message, keys: KeyRing): Promise<Outcome> {
    const { settings, answerMs = ANSWER_MS } = this.parts;
    const { id, url } = message;
    const body = JSON.stringify(payloadOf(message, keys, settings.publicUrl, Date.now()));
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "user-agent": "toolgate",
          ...webhookHeaders(keys, url, { id, body }, Date.now()),
        },
        body,
        // What is signed for one receiver goes to no other.
        redirect: "manual",
        signal: AbortSignal.timeout(answerMs),
      });
      const { status, ok, headers } = response;
      await response.body?.cancel();
      if (ok) return { kind: "taken" };
      if (status === 410) return { kind: "gone", told: { status } };
      return { kind: "failed", told: { status }, waitMs: retryAfterMs(headers, Date.now()) ?? 0 };
    } catch (error) {
      return { kind: "failed", told: describeError(error), waitMs: 0 };
    }
  }
}

type Outcome =
  | { readonly kind: "taken" }
  | { readonly kind: "gone"; readonly told: object }
  | { readonly kind: "failed"; readonly told: object; readonly waitMs: number };

/** Links are made with each try, and never stored: one that is kept would outlive the key that signed it. */
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
