/**
 * The result that a person may endorse. A file of its own, because the console reads approvals, and has none of the modules of Node
 * that make the digest.
 */
export interface EndorsableSource {
  readonly tool: string;
  readonly callId: string;
  /** SHA-256 of its text. */
  readonly digest: string;
}
