/** The port to the providers that a user has linked, as operators set them. */
import type { Owner } from "../session/principal.ts";

export interface Connection {
  /** As the policy's `connection` names it. */
  readonly provider: string;
  /** When it was set, in milliseconds since the epoch. */
  readonly since: number;
  /** Where its token may be sent. */
  readonly hosts: readonly string[];
  /** The token itself goes to nobody but the tools. */
  readonly hasToken: boolean;
  readonly expiresAt: number | null;
}

export interface ConnectionToSet {
  readonly provider: string;
  /** Sealed for this tenant, user and provider by the gateway's key; absent: the connection has none. */
  readonly sealedToken?: string | undefined;
  readonly hosts: readonly string[];
  readonly expiresAt: number | null;
}

export interface ConnectionsPort {
  list(): Promise<readonly Connection[]>;
  /**
   * Replaces all of them. Of one whose token is absent and which had one, for the same hosts, the token stays. Each change is
   * recorded, as is a removal; the same call once more changes nothing. @param by who sets them.
   */
  replace(owner: Owner, connections: readonly ConnectionToSet[], by: string): Promise<readonly Connection[]>;
  /** @returns false where there was none. */
  remove(provider: string, by: string): Promise<boolean>;
  /** @returns the sealed token; undefined where there is none, it has expired, or it may not go to that host. */
  token(provider: string, host: string): Promise<string | undefined>;
}
