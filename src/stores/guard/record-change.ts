/** Records in an admin's own chain what the admin changed for the whole tenant. */
import { newId } from "../../lib/ids.ts";
import type { ChangeRecord } from "../../ports/operator-records.ts";
import type { Owner } from "../../session/principal.ts";
import { appendRecord } from "./outbox/record-chain.ts";
import { type GuardContext, noteOwner } from "./transaction.ts";

export const changesApi = (context: GuardContext) => ({
  /** @param owner the admin, in the tenant that was changed. */
  record: async (owner: Owner, change: Pick<ChangeRecord, "event" | "subject">) =>
    context.change((transaction) => {
      const { sql, now } = transaction;
      noteOwner(sql, owner);
      appendRecord(transaction, { kind: "change", id: newId("evt", now), at: now, ...change, by: owner.user });
    }),
});
