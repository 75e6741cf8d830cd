/** Signatures of the Standard Webhooks specification (https://www.standardwebhooks.com), version 1. Pure. */
import { Buffer } from "node:buffer";
import { hmacBytes } from "./digest.ts";
import { deriveKey, type KeyRing } from "./key-ring.ts";

/** The key of one receiver: what it holds signs nothing that another would believe, and no link. */
const keyOf = (secret: string, url: string): Uint8Array => deriveKey(secret, "webhook", url);

/** What a receiver is told, for each key: `whsec_…`, as libraries of the specification take it. */
export function webhookSecrets({ secrets }: KeyRing, url: string): { readonly key: string; readonly secret: string }[] {
  return [...secrets].map(([key, secret]) => ({
    key,
    secret: `whsec_${Buffer.from(keyOf(secret, url)).toString("base64")}`,
  }));
}

export interface WebhookMessage {
  /** The same with every try. */
  readonly id: string;
  readonly body: string;
}

/**
 * Signed with every key, the first one's signature first: a receiver that has not been told the new secret yet goes on
 * with the old one for as long as that is kept.
 * @param now of the try, in milliseconds: receivers refuse what is some minutes old.
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
    /** Which key made which signature, in their order. */
    "x-toolgate-key-id": [...secrets.keys()].join(" "),
  };
}
