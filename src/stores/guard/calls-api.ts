/** A user's released calls, for the list and for undoing them. */
import type { CallsPort, CallsQuery, StoredCall } from "../../ports/calls-port.ts";
import type { ObjectContext } from "./object-context.ts";
import { readCall, readCalls } from "./stored-calls.ts";

export class CallsApi implements CallsPort {
  private readonly context: ObjectContext;

  constructor(context: ObjectContext) {
    this.context = context;
  }

  async list(query: CallsQuery): ReturnType<CallsPort["list"]> {
    return this.context.read(({ sql, now }) => readCalls(sql, query, now));
  }

  async find(id: string): Promise<StoredCall | undefined> {
    return this.context.read(({ sql, now }) => readCall(sql, id, now));
  }
}
