/** The providers that a user has linked, as operators set them. */

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
