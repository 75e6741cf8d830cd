/** The providers that a user has linked, as operators set them. */

export interface Connection {
  /** As the policy's `connection` names it. */
  readonly provider: string;
  /** When it was set, in milliseconds since the epoch. */
  readonly since: number;
  /** Hosts that its token may be sent to. */
  readonly hosts: readonly string[];
  /** Only the tools get the token itself. */
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
