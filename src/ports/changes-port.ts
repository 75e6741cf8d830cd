/** The port to the record of what an admin has changed for the whole tenant. */
import type { Owner } from "../session/principal.ts";
import type { ChangeRecord } from "./operator-records.ts";

export interface ChangesPort {
  /** @param owner who changed it, in the tenant that was changed. */
  record(owner: Owner, change: Pick<ChangeRecord, "event" | "subject">): Promise<void>;
}
