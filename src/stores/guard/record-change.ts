/** What the user, an admin, has changed for the whole tenant: a record in the user's own chain. */
import { newId } from "../../lib/ids.ts";
import type { ChangesPort } from "../../ports/guard-port.ts";
import { appendRecord } from "./outbox/record-chain.ts";
import { type GuardContext, noteOwner } from "./transaction.ts";

export const changesApi = (context: GuardContext): ChangesPort => ({
  record: async (owner, change) =>
    context.change((transaction) => {
      const { sql, now } = transaction;
      noteOwner(sql, owner);
      appendRecord(transaction, { kind: "change", id: newId("evt", now), at: now, ...change, by: owner.user });
    }),
});
