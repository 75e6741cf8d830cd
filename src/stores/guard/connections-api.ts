/** The providers that a user has linked, as operators set them and tools use them. */
import type { Connection, ConnectionsPort, ConnectionToSet } from "../../ports/connections-port.ts";
import type { Owner } from "../../session/principal.ts";
import { listConnections, removeConnection, replaceConnections, tokenFor } from "./connections.ts";
import type { ObjectContext } from "./object-context.ts";

export class ConnectionsApi implements ConnectionsPort {
  private readonly context: ObjectContext;

  constructor(context: ObjectContext) {
    this.context = context;
  }

  async list(): Promise<readonly Connection[]> {
    return listConnections(this.context.sql);
  }

  async replace(owner: Owner, connections: readonly ConnectionToSet[], by: string): Promise<readonly Connection[]> {
    return this.context.change((transaction) => replaceConnections(transaction, owner, connections, by));
  }

  async remove(provider: string, by: string): Promise<boolean> {
    return this.context.change((transaction) => removeConnection(transaction, provider, by));
  }

  async token(provider: string, host: string): Promise<string | undefined> {
    return tokenFor(this.context.sql, provider, host, Date.now());
  }
}
