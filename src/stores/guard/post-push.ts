/** One push message, to one browser's push service. */

import { mayPush, type PushSettings } from "../../settings/push.ts";
import type { PushSubscription } from "./push-subscriptions.ts";
import type { Message } from "./webhooks.ts";

/** Of a tool's name, which a client chose. */
const MAX_NAME = 128;

/** Undefined where nothing is to be sent any more: the question is over, or the settings do not name the service any more. */
export async function pushRequest(
  settings: PushSettings,
  subscription: PushSubscription,
  { data }: Message,
  now: number,
): Promise<RequestInit | undefined> {
  const seconds = Math.floor((Date.parse(data.expires_at) - now) / 1000);
  if (!(seconds > 0) || !mayPush(settings, subscription.endpoint)) return undefined;
  // Few deployments push: a start does not read what signs and encrypts.
  const [{ vapidAuthorization }, { encryptPush }] = await Promise.all([
    import("../../lib/web-push/vapid.ts"),
    import("../../lib/web-push/encrypt-push.ts"),
  ]);
  // It may lie on a locked screen: which tool, and nothing of the call's values.
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
