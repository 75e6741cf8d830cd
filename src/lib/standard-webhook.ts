/** Signatures of the Standard Webhooks specification (https://www.standardwebhooks.com), version 1. Pure. */
import { Buffer } from "node:buffer";
import { hmacBytes } from "./digest.ts";
import { deriveKey, type KeyRing } from "./key-ring.ts";

/** The key of one receiver: its signatures are valid for no other receiver, and for no link. */
const keyOf = (secret: string, url: string): Uint8Array => deriveKey(secret, "webhook", url);

/** The secrets of a receiver, one for each key: `whsec_…`, as the specification's libraries read them. */
export function webhookSecrets({ secrets }: KeyRing, url: string): { readonly key: string; readonly secret: string }[] {
  return [...secrets].map(([key, secret]) => ({
    key,
    secret: `whsec_${Buffer.from(keyOf(secret, url)).toString("base64")}`,
  }));
}

interface WebhookMessage {
  /** The same for every attempt. */
  readonly id: string;
  readonly body: string;
}

/**
 * Signed with every key, the first key's signature first: a receiver without the new secret can verify with the old one
 * until that is removed.
 * @param now the time of the attempt, in milliseconds: receivers refuse messages that are some minutes old.
 */
export function webhookHeaders(
  { secrets }: KeyRing,
  url: string,
  { id, body }: WebhookMessage,
  now: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const content = `${id}.${timestamp}.${body}`;
  const signatures = [...secrets.values()].map(
    (secret) => `v1,${Buffer.from(hmacBytes(keyOf(secret, url), content)).toString("base64")}`,
  );
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
    /** The key of each signature, in the same order. */
    "x-toolgate-key-id": [...secrets.keys()].join(" "),
  };
}
