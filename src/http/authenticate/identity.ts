/** What a credential says about the principal. */
import type { IssuerKeys } from "../../auth/issuer-keys.ts";
import type { LookUpKey } from "../../auth/kv-keys.ts";
import type { Result } from "../../lib/result.ts";
import type { Principal } from "../../session/principal.ts";
import type { AccessSettings } from "../../settings/access.ts";
import type { RateLimit } from "../../settings/json-setting.ts";
import type { JwtIssuer } from "../../settings/jwt-issuers.ts";
import type { Problem } from "../problem.ts";

export interface AuthenticatedPrincipal extends Principal {
  /** Names the key in records and logs; it is not the key. */
  readonly keyId: string;
  /** May use operators' surfaces for every tenant, not only for its own. */
  readonly operator: boolean;
}

/** The counter of a credential's requests, and how many it may make. */
export interface RequestMeter {
  readonly meter: string;
  readonly limit: RateLimit;
}

/** Known, or pending a user: a service key whose request has named no user so far, while its body may still do so. */
export type Identity =
  | { readonly kind: "known"; readonly principal: AuthenticatedPrincipal; readonly metered?: RequestMeter }
  | { readonly kind: "pending"; readonly service: PendingPrincipal; readonly metered?: RequestMeter };

export interface PendingPrincipal extends Omit<AuthenticatedPrincipal, "user"> {
  /** The prefix of the user that the request names. */
  readonly userPrefix: string;
  /** Prefixes of names that belong to the users of an issuer of this tenant. */
  readonly reserved: readonly string[];
}

/** The issuers whose tokens count for the tenant that has this issuer and one of these audiences; none if no tenant has. */
export type LookUpIssuers = (
  issuer: string,
  audiences: readonly string[],
) => Promise<Result<readonly JwtIssuer[], Problem>>;

export interface AuthenticateDeps {
  readonly keys: LookUpKey;
  /** Whether the development keys exist; set by a start-time variable that is in no deployed configuration. */
  readonly dev: boolean;
  readonly access: AccessSettings;
  /** The settings for a tenant, which may have its own. */
  readonly accessOf: (tenant: string) => Promise<Result<AccessSettings, Problem>>;
  /** Undefined if no tenant has settings of its own. */
  readonly tenantIssuers: LookUpIssuers | undefined;
  readonly issuerKeys: IssuerKeys;
  /** The roles of a tenant's policy, weakest first. Read only if a request may choose its role. */
  readonly rolesOf: (tenant: string) => Promise<Result<readonly string[], Problem>>;
}
