/** A user's sessions as their frontend sees and changes them. */
import type { SessionsPort } from "../../../ports/guard-port.ts";
import type { SessionInfo } from "../../../session/session-info.ts";
import type { ObjectContext } from "../object-context.ts";
import { deleteSession, readSession, setSessionMode } from "./sessions.ts";

export class SessionsApi implements SessionsPort {
  private readonly context: ObjectContext;

  constructor(context: ObjectContext) {
    this.context = context;
  }

  async find(id: string): Promise<SessionInfo | undefined> {
    return this.context.read(({ sql }) => readSession(sql, id));
  }

  async setMode(id: string, mode: string): Promise<SessionInfo | undefined> {
    return this.context.read(({ sql }) => {
      setSessionMode(sql, id, mode);
      return readSession(sql, id);
    });
  }

  async delete(id: string): Promise<boolean> {
    return this.context.change(({ sql, keys, now }) => deleteSession(sql, keys, id, now));
  }
}
