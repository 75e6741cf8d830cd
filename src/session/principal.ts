/** Who asks. Limits, gates and sessions belong to a tenant and user together. */
export interface Principal {
  readonly tenant: string;
  /** At most 128 characters. */
  readonly user: string;
  /** One of the policy's roles; a role that the policy does not know permits nothing that names roles. */
  readonly role: string;
  /** False for a key that stands for nobody in particular (a public page's visitors). */
  readonly authenticated: boolean;
  /** The providers that this user has linked. */
  readonly connections: readonly string[];
}

/** Whose sessions, limits and records they are. */
export type Owner = Pick<Principal, "tenant" | "user">;

/** No user has this name. Where an operator asks in a tenant not theirs, it keeps them from being taken for their namesake there. */
const NOBODY = "";

export const userIn = (tenant: string, { tenant: own, user }: Owner): string => (own === tenant ? user : NOBODY);

/** Who made a call where it was not the model: system-first execution, or the run of a plan. */
export type CallMaker = "system" | "plan";
