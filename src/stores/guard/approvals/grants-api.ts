/** A user's grants as their frontend lists and withdraws them. */
import type { Grant } from "../../../approvals/approval.ts";
import type { GrantsPort } from "../../../ports/guard-port.ts";
import type { ObjectContext } from "../object-context.ts";
import { listGrants, withdrawGrant } from "./grants.ts";

export class GrantsApi implements GrantsPort {
  private readonly context: ObjectContext;

  constructor(context: ObjectContext) {
    this.context = context;
  }

  async list(): Promise<readonly Grant[]> {
    return listGrants(this.context.sql, Date.now());
  }

  async withdraw(id: string): Promise<boolean> {
    return this.context.read(({ sql }) => withdrawGrant(sql, id));
  }
}
