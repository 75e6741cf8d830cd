/** The user on whose behalf a request is made. Limits, gates and sessions belong to a tenant and user together. */
export interface Principal {
  readonly tenant: string;
  /** At most 128 characters. */
  readonly user: string;
  /** One of the policy's roles. A role that is not in the policy permits nothing that is limited to named roles. */
  readonly role: string;
  /** False for a key without a user of its own (a public page's visitors). */
  readonly authenticated: boolean;
  /** The providers that this user has linked. */
  readonly connections: readonly string[];
}

/** The owner of sessions, limits and records. */
export type Owner = Pick<Principal, "tenant" | "user">;

/** No user has this name. It replaces the name of an operator who acts in another tenant, where a user may have the same name. */
const NOBODY = "";

export const userIn = (tenant: string, { tenant: own, user }: Owner): string => (own === tenant ? user : NOBODY);

/** The maker of a call that the model did not make: system-first execution, or the run of a plan. */
export type CallMaker = "system" | "plan";
