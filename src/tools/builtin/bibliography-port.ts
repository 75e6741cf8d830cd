/** The port to where bibliographies are kept. Rejects where the store fails. */
import type { Source } from "./csl-source.ts";

/** Whose sources: a user's, or with a user that is `null` those that all users of the tenant find. */
export interface BibliographyScope {
  readonly tenant: string;
  readonly user: string | null;
}

export const MAX_USER_SOURCES = 10_000;
export const MAX_TENANT_SOURCES = 50_000;

export interface KeptSource {
  readonly id: string;
  readonly scope: "user" | "tenant";
  /** The item as JSON. */
  readonly csl: string;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
}

export interface FoundSources {
  /** The best first. */
  readonly sources: readonly (KeptSource & { readonly snippet: string })[];
  readonly more: boolean;
  readonly matched: "all" | "some";
}

export interface BibliographyPort {
  /** All or none; one of the same id is replaced. @returns undefined where the scope would hold more than it may. */
  put(
    scope: BibliographyScope,
    sources: readonly Source[],
  ): Promise<{ readonly created: number; readonly updated: number } | undefined>;
  /** By id. @param after an id. */
  list(
    scope: BibliographyScope,
    page: { readonly limit: number; readonly after?: string },
  ): Promise<readonly KeptSource[]>;
  read(scope: BibliographyScope, id: string): Promise<KeptSource | undefined>;
  /** @returns whether there was one. */
  remove(scope: BibliographyScope, id: string): Promise<boolean>;
  /** In the user's and the tenant's. */
  search(user: { readonly tenant: string; readonly user: string }, query: string, limit: number): Promise<FoundSources>;
}
