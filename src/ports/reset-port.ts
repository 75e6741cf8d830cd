/** The port to what an operator may withdraw from a user. Each act is recorded with its author. */
export interface ResetPort {
  /** @param by who withdraws it. @returns false where there is no such grant. */
  withdrawGrant(id: string, by: string): Promise<boolean>;
  /** Every consent to the tool. @returns false where there is none. */
  withdrawConsent(tool: string, by: string): Promise<boolean>;
  /** All sessions with what waits in them, all grants and all consents. Rate windows, connections and records stay. */
  resetUser(by: string): Promise<UserReset>;
}

/** How many of each there were. */
export interface UserReset {
  readonly sessions: number;
  readonly grants: number;
  readonly consents: number;
}
