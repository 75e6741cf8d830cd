/** Records an admin's change for a tenant in its audit trail, with the author. */
import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import { describeError, log } from "../../lib/log.ts";
import type { ChangeRecord } from "../../ports/operator-records.ts";
import type { AppEnv } from "../app-env.ts";
import { auditActor } from "./admin-params.ts";

/** Never rejects: the change is in force, and the log has it in any case. */
export async function recordChange(
  c: Context<AppEnv>,
  deps: Pick<Deps, "guardOf">,
  tenant: string,
  { event, subject }: Pick<ChangeRecord, "event" | "subject">,
): Promise<void> {
  const by = auditActor(c.var.principal, tenant);
  log("info", event, { tenant, subject, by });
  try {
    await deps.guardOf({ tenant, user: by }).changes.record({ tenant, user: by }, { event, subject });
  } catch (error) {
    log("error", "change_not_recorded", { tenant, event, subject, by, ...describeError(error) });
  }
}
