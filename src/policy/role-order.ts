/** The order of roles, weakest first. Pure. */

/**
 * The position of a role in the policy's order; undefined for an unknown role, which is neither weak nor strong. Operators'
 * surfaces need `admin`: a policy that does not list it cannot make it weaker than its own roles.
 */
export function roleRank(roles: readonly string[], role: string): number | undefined {
  const position = roles.indexOf(role);
  if (position >= 0) return position;
  return role === "admin" ? roles.length : undefined;
}

/** Whether `role` is at most as strong as `most`. */
export function isWithin(roles: readonly string[], role: string, most: string): boolean {
  const rank = roleRank(roles, role);
  const limit = roleRank(roles, most);
  return rank !== undefined && limit !== undefined && rank <= limit;
}
