/** The keys that seal the tokens of users' connections: `CONNECTION_KEY`. Pure. */
import { type KeyRing, parseKeyRing } from "../lib/key-ring.ts";
import { err, ok, type Result } from "../lib/result.ts";

export interface ConnectionKeyVariables {
  /** `id:secret`, older keys behind commas. */
  readonly CONNECTION_KEY?: string;
}

/** Undefined where none is set: no token can be kept then. */
export function readConnectionKey({
  CONNECTION_KEY,
}: ConnectionKeyVariables): Result<KeyRing | undefined, readonly string[]> {
  const text = CONNECTION_KEY?.trim();
  if (!text) return ok(undefined);
  const keys = parseKeyRing(text, "connection key");
  return keys.ok ? keys : err([`CONNECTION_KEY: ${keys.error}`]);
}
