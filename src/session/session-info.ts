/** A session, as its owner may see it. */
export interface SessionInfo {
  readonly id: string;
  readonly mode: string | undefined;
  readonly intents: readonly string[];
  readonly detected: readonly string[];
  readonly createdAt: number;
  readonly seenAt: number;
  /** Released calls without a result. */
  readonly pending: number;
}
