/** What is wrong with a request: worded for whoever sent it. */
export interface RequestFault {
  readonly message: string;
  /** Where in the body; null for the whole. */
  readonly param: string | null;
  /** Stable. */
  readonly code: string;
}
