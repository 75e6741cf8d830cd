/** Keys for somebody else, of this tenant or an operator's other one, for as long as a try takes: an operator has no other way to be another user. */
import { ok, type Result } from "../../lib/result.ts";
import { call, type Failure } from "../api/call.ts";

export interface Actor {
  readonly tenant: string;
  readonly user: string;
  readonly role: string;
}

const LASTS_MINUTES = 15;
/** It must not end while a reply is written. */
const SPARE_MINUTES = 5;

interface Held extends Actor {
  readonly id: string;
  readonly token: string;
  /** As the page's clock has it. */
  readonly until: number;
}

let held: Held | undefined;

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

/** Where this fails, the key ends by itself. */
export function endActing(): void {
  const over = held;
  held = undefined;
  if (!over) return;
  const tenant = new URLSearchParams({ tenant: over.tenant });
  void call<object>(`/admin/keys/${encodeURIComponent(over.id)}?${tenant}`, { method: "DELETE" });
}
