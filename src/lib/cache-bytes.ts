/**
 * What each cache of an isolate may hold, in bytes. An isolate has 128 MiB for everything: its code, all requests under way and
 * these. Together they may take 80 MiB, so a new cache takes its share from another. Weights are estimates that err high.
 */
export const CACHE_BYTES = {
  /** Also what is compiled later for a policy: its detection, and the traits of the tools that it lists. */
  policies: 18_000_000,
  policyDocuments: 5_000_000,
  policyPointers: 2_000_000,
  /** Of the patterns of policies and schemas: the tables that texts make them grow. */
  patternTables: 3_500_000,
  schemas: 6_000_000,
  /** Of tools that no policy lists. */
  traits: 2_000_000,
  toolFacts: 2_000_000,
  toolLists: 6_000_000,
  mcpCatalogues: 7_000_000,
  /** A policy with a megabyte of examples has a model of this size. */
  semanticModels: 24 * 1024 * 1024,
  missingModels: 500_000,
  vectors: 2_000_000,
  keys: 1_500_000,
  unknownKeys: 500_000,
  pasted: 500_000,
  /** Room for thousands of networks. */
  signIns: 2_200_000,
} as const;
