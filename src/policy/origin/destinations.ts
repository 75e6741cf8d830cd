/**
 * Where a call goes: by the name of each argument that says it, a digest of its values (`destinationsOf`). A file of its own, because
 * the console reads approvals, and has none of the modules of Node that make the digest.
 */
export type Destinations = Readonly<Record<string, string>>;
