/** A key as operators see it: never its token, which is known to nobody but its holder. Pure. */
import { isoTimeOrNull } from "../../lib/text/iso-time.ts";
import type { Actor, StoredKey } from "../../ports/tenant-ledger-port.ts";

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
    user_prefix: key.actsFor === true ? (key.userPrefix ?? "") : null,
    /** `default`: the gateway's own, whatever it is at the time. */
    rate_limit:
      key.rateLimit === undefined
        ? "default"
        : key.rateLimit && { max: key.rateLimit.max, window: windowText(key.rateLimit.windowMs) },
    expires_at: isoTimeOrNull(key.expiresAt),
    created_at: isoTimeOrNull(key.createdAt),
    created_by: presentActor(stored.createdBy),
    rotated_at: isoTimeOrNull(stored.rotatedAt),
    rotated_by: stored.rotatedBy ? presentActor(stored.rotatedBy) : null,
  };
}

const presentActor = ({ tenant, user, keyId }: Actor) => ({ tenant, user, key_id: keyId });

/** As an order may say it: `1m`, `90s`. */
function windowText(ms: number): string {
  for (const [unit, size] of [
    ["d", 86_400_000],
    ["h", 3_600_000],
    ["m", 60_000],
    ["s", 1_000],
  ] as const)
    if (ms % size === 0) return `${ms / size}${unit}`;
  return `${ms}ms`;
}
