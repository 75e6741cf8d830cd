/**
 * Where a call goes (`destinationsOf`). A file of its own, because the console reads approvals, and has none of the modules of Node
 * that make the digests.
 */

/** By the name of each argument that says where the call goes, a digest of its values. */
export type Destinations = Readonly<Record<string, string>>;

/** The same for a person to read: without what the policy redacts, each value on one line, of a URL the host. */
export type ShownDestinations = Readonly<Record<string, readonly string[]>>;

/** Both are absent where the call names no destination. */
export interface BoundDestinations {
  readonly destinations?: Destinations | undefined;
  readonly goesTo?: ShownDestinations | undefined;
}
