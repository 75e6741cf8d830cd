/** What a credential says of who asks. */
import type { Principal } from "../../session/principal.ts";
import type { RateLimit } from "../../settings/json-setting.ts";

export interface AuthenticatedPrincipal extends Principal {
  /** Names the key in records and logs; not the key. */
  readonly keyId: string;
  /** May act on every tenant's operators' surfaces, not on its own tenant's alone. */
  readonly operator: boolean;
}

/** What counts a credential's requests, and how many it may make. */
export interface Metered {
  readonly meter: string;
  readonly limit: RateLimit;
}

/** Known, or pending a user: a service key whose request has named nobody so far, while its body may still do so. */
export type Identity =
  | { readonly kind: "known"; readonly principal: AuthenticatedPrincipal; readonly metered?: Metered }
  | { readonly kind: "pending"; readonly service: PendingPrincipal; readonly metered?: Metered };

export interface PendingPrincipal extends Omit<AuthenticatedPrincipal, "user"> {
  /** Stands before the user that the request names. */
  readonly userPrefix: string;
  /** Beginnings of names that belong to the users of an issuer of this tenant. */
  readonly reserved: readonly string[];
}
