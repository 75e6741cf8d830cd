/** A user's first-time consents as their frontend gives and withdraws them. */
import type { Gate } from "../../../approvals/approval.ts";
import type { GatesPort } from "../../../ports/guard-port.ts";
import type { Owner } from "../../../session/principal.ts";
import type { ObjectContext } from "../object-context.ts";
import { listGates, openGate, withdrawGate } from "./gates.ts";

export class GatesApi implements GatesPort {
  private readonly context: ObjectContext;

  constructor(context: ObjectContext) {
    this.context = context;
  }

  async list(): Promise<readonly Gate[]> {
    return listGates(this.context.sql);
  }

  async open(owner: Owner, tool: string, session: string | undefined): Promise<boolean> {
    return this.context.read(({ sql, now }) => openGate(sql, owner, tool, session, now));
  }

  async withdraw(tool: string): Promise<boolean> {
    return this.context.read(({ sql }) => withdrawGate(sql, tool));
  }
}
