/**
 * Who acted, for a tenant's own records. Operators act on tenants that are not theirs, where their user ids mean nothing: their
 * tenant stands behind. It also does where a user of this tenant has an `@` in the name, or a change of theirs could be taken
 * for an operator's. Pure.
 */
export const actingName = ({ tenant: own, user }: { tenant: string; user: string }, tenant: string): string =>
  own === tenant && !user.includes("@") ? user : `${user}@${own}`;
