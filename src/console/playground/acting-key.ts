/** Short-lived keys with which an operator acts as another user in the playground, in this tenant or another one of the operator's. */
import { ok, type Result } from "../../lib/result.ts";
import { call, type Failure } from "../api/call.ts";

export interface Actor {
  readonly tenant: string;
  readonly user: string;
  readonly role: string;
}

const LASTS_MINUTES = 15;
/** The key is renewed so long before its end: it must not expire during a reply. */
const SPARE_MINUTES = 5;

interface ActingKey extends Actor {
  readonly id: string;
  readonly token: string;
  /** Milliseconds since the epoch, by the device's clock. */
  readonly until: number;
}

let held: ActingKey | undefined;

export async function actingToken(actor: Actor): Promise<Result<string, Failure>> {
  const isHeld = held?.tenant === actor.tenant && held.user === actor.user && held.role === actor.role;
  if (held && isHeld && Date.now() < held.until) return ok(held.token);
  endActing();
  const body = { ...actor, name: "playground", expires_in: `${LASTS_MINUTES}m` };
  const until = Date.now() + (LASTS_MINUTES - SPARE_MINUTES) * 60_000;
  const made = await call<{ readonly id: string; readonly token: string }>("/admin/keys", { method: "POST", body });
  if (!made.ok) return made;
  held = { ...actor, id: made.value.id, token: made.value.token, until };
  return ok(held.token);
}

/** Revokes the key. If this fails, it expires soon. */
export function endActing(): void {
  const over = held;
  held = undefined;
  if (!over) return;
  const tenant = new URLSearchParams({ tenant: over.tenant });
  void call<object>(`/admin/keys/${encodeURIComponent(over.id)}?${tenant}`, { method: "DELETE" });
}
