/** A key as operators see it: never its token, which is known to nobody but its holder. Pure. */
import type { Actor, StoredKey } from "../stores/tenant/key-rows.ts";
import { spellDuration } from "./admission.ts";

export function presentKey({ key, name, revoking, ...stored }: StoredKey, now: number) {
  const expired = key.expiresAt !== undefined && key.expiresAt <= now;
  return {
    id: key.id,
    object: "key",
    tenant: key.tenant,
    user: key.user,
    role: key.role,
    connections: key.connections,
    name,
    status: revoking ? "revoking" : expired ? "expired" : "active",
    anonymous: key.anonymous === true,
    operator: key.operator === true,
    acts_for: key.actsFor === true,
    default_role: key.defaultRole ?? null,
    user_prefix: key.userPrefix ?? null,
    /** `default`: the gateway's own, whatever it is at the time. */
    rate_limit:
      key.rateLimit === undefined
        ? "default"
        : key.rateLimit && { max: key.rateLimit.max, window: spellDuration(key.rateLimit.windowMs) },
    expires_at: seconds(key.expiresAt),
    created_at: seconds(key.createdAt),
    created_by: presentActor(stored.createdBy),
    rotated_at: seconds(stored.rotatedAt),
    rotated_by: stored.rotatedBy ? presentActor(stored.rotatedBy) : null,
  };
}

const presentActor = ({ tenant, user, keyId }: Actor) => ({ tenant, user, key_id: keyId });
const seconds = (ms: number | undefined): number | null => (ms === undefined ? null : Math.floor(ms / 1000));
